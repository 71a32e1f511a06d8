"""The types of the compiled steps."""

# Generated from steps.txt by `python -m thresher.native.generate`; neither linted nor formatted.
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    _Bytes = bytes | memoryview | npt.NDArray[np.uint8 | np.int8 | np.bool_]
    _Integers = npt.NDArray[np.integer]
    _Floats = npt.NDArray[np.floating]


class Steps(Protocol):
    """The compiled steps. Each returns None if it cannot handle its input.

    ValueError for arrays whose sizes do not match. No content of an array makes a step
    read or write out of bounds.
    """

    def measure_utf8(self, utf8: _Bytes, /) -> int | None:
        """Count the characters of UTF-8; MALFORMED if it is not well-formed."""

    def canonicalise(self, source: _Bytes, n_room: int, n_element: int, asks: int, /) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.int32]] | None:
        """Write UTF-8 source as canonical HTML, and count its elements and find their tags. TOO_LONG if there is too little room; CLOSED_AS_XML, if asked, at a raw-text element self-closed as in XML."""

    def count_rows_at_most(self, buffer: _Bytes, /) -> int | None:
        """Compute a tight upper bound of the rows of canonical HTML."""

    def scan_rows(self, buffer: _Bytes, words: _Integers, code_at: _Integers, is_void: _Bytes, eats_newline: _Bytes, hash: _Integers, n_room: int, /) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]] | None:
        """Fill the columns of a page, given the names of tags and their hash table."""

    def count_attributes_at_most(self, buffer: _Bytes, /) -> int | None:
        """Compute a tight upper bound of the attributes of canonical HTML."""

    def find_attributes(self, buffer: _Bytes, tag: _Integers, start: _Integers, stop: _Integers, name_bytes: _Integers, n_room: int, /) -> npt.NDArray[np.int32] | None:
        """Find row, start of name, start and stop of value of each attribute."""

    def pack_words(self, buffer: _Bytes, start: _Integers, stop: _Integers, /) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]] | None:
        """Pack the first 16 bytes between each two offsets into two words."""

    def find_named(self, buffer: _Bytes, name_start: _Integers, start: _Integers, names: _Bytes, name_stop: _Integers, /) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
        """Find the attributes of each of some names, given the starts of names and values."""

    def find_parts(self, buffer: _Bytes, start: _Integers, stop: _Integers, parts: _Bytes, part_stop: _Integers, /) -> npt.NDArray[np.uint64] | None:
        """Find which of some short parts, a bit each, occur in each span, whatever the case of its letters."""

    def number_spans(self, buffer: _Bytes, start: _Integers, stop: _Integers, n_place: int, /) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]] | None:
        """Number spans of a buffer by what they read, in order; find the first of each."""

    def measure_texts(self, buffer: _Bytes, tag: _Integers, start: _Integers, stop: _Integers, text: int, /) -> int | None:
        """Count the bytes of texts, the rows with the tag `text`."""

    def read_texts(self, buffer: _Bytes, tag: _Integers, start: _Integers, stop: _Integers, text: int, code_of: _Integers, n_room: int, /) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]] | None:
        """Join texts unescaped; count bytes, words and characters before each row."""

    def classify(self, utf8: _Bytes, code_of: _Integers, n_char: int, /) -> npt.NDArray[np.uint16] | None:
        """Look up the code of each character of UTF-8."""

    def count_words(self, codes: _Integers, offsets: _Integers, /) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]] | None:
        """Count words, and characters that are not white space, before each offset."""

    def find_tagged(self, tag: _Integers, flags: _Bytes, /) -> npt.NDArray[np.int64] | None:
        """Find the rows with flagged tags."""

    def flag_within(self, rows: _Bytes, end: _Integers, /) -> npt.NDArray[np.bool_] | None:
        """Flag every flagged row and its descendants."""

    def flag_below(self, rows: _Bytes, end: _Integers, /) -> npt.NDArray[np.bool_] | None:
        """Flag the descendants of flagged rows."""

    def find_nearest(self, rows: _Bytes, parent: _Integers, /) -> npt.NDArray[np.int32] | None:
        """Find each row's nearest flagged ancestor-or-self."""

    def locate_ends(self, utf8: _Bytes, tag: _Integers, parent: _Integers, end: _Integers, open_start: _Integers, close_start: _Integers, places: _Integers, rows: _Integers, last: _Integers, text: int, n_own: int, n_chunk: int, /) -> npt.NDArray[np.int32] | None:
        """Find where the source of some rows starts, and of others ends, in characters."""

    def flag_hidden(self, buffer: _Bytes, row: _Integers, name_start: _Integers, start: _Integers, stop: _Integers, n_row: int, /) -> npt.NDArray[np.uint8] | None:
        """Flag rows that attributes hide."""

    def find_telling_rules(self, css: _Bytes, n_room: int, /) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint8]] | None:
        """Find the rules of a style sheet that hide, 1, or show, 2, and where their selectors are."""

    def inherit_flags(self, own: _Bytes, inside: _Bytes, parent: _Integers, /) -> npt.NDArray[np.uint8] | None:
        """Combine each row's own flags, its ancestors', and those that these set on descendants."""

    def read_leaves(self, buffer: _Bytes, tag: _Integers, parent: _Integers, end: _Integers, open_start: _Integers, words: _Integers, chars: _Integers, concealed: _Bytes, kinds: _Bytes, closing: _Bytes, link: int, math: int, /) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint8]] | None:
        """Find leaves and blocks, their sizes and gaps, as `thresher.page.blocks` does."""

    def group_leaves(self, marks: _Bytes, edges: int, /) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], int] | None:
        """Group leaves at marks."""

    def find_marked_links(self, buffer: _Bytes, tag: _Integers, end: _Integers, start: _Integers, stop: _Integers, leaf_offset: _Integers, keep: _Bytes, link: int, /) -> npt.NDArray[np.int32] | None:
        """Find the links with kept leaves and a # in their tags."""

    def find_heading_links(self, tag: _Integers, parent: _Integers, end: _Integers, leaf_offset: _Integers, headings: _Bytes, keep: _Bytes, link: int, levels_up: int, /) -> npt.NDArray[np.int32] | None:
        """Find the links in headings with kept leaves, few levels below them."""

    def find_removed_links(self, buffer: _Bytes, tag: _Integers, end: _Integers, leaf_offset: _Integers, leaves: _Integers, keep: _Bytes, shows_text: _Bytes, href_row: _Integers, start: _Integers, stop: _Integers, link: int, longest: int, /) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]] | None:
        """Find the text links without kept leaves: their leaves, addresses, and kinds of these."""

    def read_characters(self, codes: _Integers, tag: _Integers, end: _Integers, text_offset: _Integers, leaves: _Integers, block_start: _Integers, title: int, h1: int, n_place: int, /) -> tuple[int, npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int32], npt.NDArray[np.uint64]] | None:
        """Count characters and words of blocks, and the distinct words of the title."""

    def read_words(self, codes: _Integers, end: _Integers, text_offset: _Integers, leaves: _Integers, block_start: _Integers, /) -> npt.NDArray[np.uint16] | None:
        """Number the first words of blocks."""

    def read_tokens(self, buffer: _Bytes, tag: _Integers, end: _Integers, block_offset: _Integers, row: _Integers, start: _Integers, stop: _Integers, low: _Integers, high: _Integers, wanted: _Integers, salts: _Integers, tag_tokens: _Integers, text: int, n_room: int, n_place: int, n_entry: int, /) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int64]] | None:
        """Read the names of blocks' ancestors: distinct names, their tokens, their elements."""

    def hash_runs(self, symbols: _Bytes, start: _Integers, stop: _Integers, /) -> npt.NDArray[np.uint64] | None:
        """Hash runs of a buffer of symbols, each of at least one."""

    def measure_blocks(self, tag: _Integers, parent: _Integers, end: _Integers, depth: _Integers, hidden: _Bytes, leaf_offset: _Integers, leaves: _Integers, of_leaf: _Integers, leaf_words: _Integers, leaf_link_words: _Integers, leaf_chars: _Integers, block_start: _Integers, block_row: _Integers, kinds: _Integers, first: _Bytes, last: _Bytes, words_of: _Integers, word_sum: _Integers, n_title: int, signature: _Integers, flags: _Integers, around: _Integers, elements: _Integers, formulas: _Integers, logs: _Integers, shares: _Integers, plain: _Integers, edges: _Bytes, hidden_flags: int, h1_code: int, n_around: int, mean: _Floats, deviation: _Floats, saturation: _Floats, clip: float, steps: float, unworded: float, n_feature: int, n_value: int, n_input: int, n_scratch: int, clock: Callable[[], None], /) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int16], npt.NDArray[np.float64], npt.NDArray[np.float32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int64]] | None:
        """Compute the container chain, the counts, the words and the features of blocks, the latter as they are (n_value of them) or as a network reads them (n_input), and their means."""

    def index_hashes(self, known: _Integers, n_place: int, /) -> npt.NDArray[np.int32] | None:
        """Fill a hash table, whose size is a power of two, with the indices of known hashes."""

    def number_hashes(self, known: _Integers, table: _Integers, hashes: _Integers, /) -> npt.NDArray[np.int64] | None:
        """Find the indices of hashes among the known ones; their number for unknown hashes."""

    def score_types(self, mean: _Floats, deviation: _Floats, feature_weights: _Floats, token_weights: _Floats, bias: _Floats, clip: float, means: _Floats, tokens: _Integers, /) -> npt.NDArray[np.float64] | None:
        """Sum the evidence of means and names for each page type; of names alone."""

    def add_up_names(self, embedding: _Bytes, numbers: _Integers, start: _Integers, row: _Integers, end: _Integers, name: _Integers, leaf: _Integers, container: _Integers, word_embedding: _Bytes, first_words: _Integers, width: int, word_width: int, n_net: int, n_part: int, n_room: int, /) -> npt.NDArray[np.int16] | None:
        """Sum the embeddings of the names of blocks' ancestors, and of their first words."""

    def code_blocks(self, dims: _Integers, pairs: _Integers, fours: _Bytes, real: _Floats, inputs: _Integers, names: _Integers, types: _Integers, code: _Bytes, summary: _Bytes, start: int, stop: int, hide: int, /) -> int | None:
        """Encode the blocks start:stop, and summarise their codes; shapes are in `dims`."""

    def add_up_summaries(self, summary: _Bytes, words: _Integers, n_net: int, /) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]] | None:
        """Sum the summaries before each block, and average them over the page."""

    def relate_blocks(self, dims: _Integers, pairs: _Integers, fours: _Bytes, real: _Floats, first: _Integers, stop_of: _Integers, summary: _Bytes, sums: _Integers, page: _Bytes, code: _Bytes, following: _Bytes, votes: _Integers, turn: int, start: int, stop: int, /) -> int | None:
        """Encode the blocks start:stop again, with their context; shapes are in `dims`."""

    def describe_context(self, log_odds: _Floats, roles: _Floats, words: _Integers, link_words: _Floats, first: _Integers, stop: _Integers, patterns: _Integers, types: _Floats, scope: int, clock: Callable[[], None], /) -> npt.NDArray[np.float64] | None:
        """Describe each block by the scores of the blocks around it."""

    def weigh_blocks(self, mean: _Floats, deviation: _Floats, first: _Floats, second: _Floats, output: _Floats, inputs: _Floats, /) -> npt.NDArray[np.float64] | None:
        """Apply the layers of the decider to blocks."""

    def group_kept(self, buffer: _Bytes, tag: _Integers, parent: _Integers, end: _Integers, open_start: _Integers, leaf_offset: _Integers, leaves: _Integers, of_leaf: _Integers, keep: _Bytes, gaps_before: _Bytes, closing: _Bytes, n_code: int, /) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.bool_]] | None:
        """Group kept leaves into runs, and flag their ancestors."""

    def lay_out_rows(self, buffer: _Bytes, tag: _Integers, parent: _Integers, end: _Integers, open_start: _Integers, leaf_offset: _Integers, leaves: _Integers, of_leaf: _Integers, kind_of: _Integers, written_as: _Integers, holds: _Bytes, preformatted: _Bytes, in_data: _Bytes, block_row: _Integers, first_leaf: _Integers, /) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.int32]] | None:
        """Determine how rows and runs are written."""

    def find_plain_pieces(self, buffer: _Bytes, tag: _Integers, parent: _Integers, end: _Integers, depth: _Integers, open_start: _Integers, open_stop: _Integers, close_start: _Integers, close_stop: _Integers, leaf_offset: _Integers, kind_of: _Integers, written_as: _Integers, holds: _Bytes, structure: _Bytes, crossing: _Bytes, preformatted: _Bytes, row_flags: _Bytes, rows: _Integers, run_of: _Integers, gaps: _Bytes, container: _Integers, first_row: _Integers, last_row: _Integers, bare: _Bytes, has_links: int, long_tag: int, n_room: int, /) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]] | None:
        """Find the pieces that are copied unchanged."""

    def join_pieces(self, buffer: _Bytes, order: _Integers, start: _Integers, stop: _Integers, literals: _Bytes, offset: _Integers, n_room: int, /) -> tuple[int, npt.NDArray[np.uint8]] | None:
        """Join pieces if there is room for all; return their size in bytes."""

    def tidy_markup(self, markup: _Bytes, tags: _Integers, allowed: _Integers, attributes: _Integers, ids: int, /) -> npt.NDArray[np.uint8] | None:
        """Write markup without forbidden attributes."""

    def survey_markup(self, markup: _Bytes, n_room: int, /) -> npt.NDArray[np.int64] | None:
        """Find the addresses of a fragment, and the parts with rare elements: start, stop, kind."""

    def write_markdown(self, markup: _Bytes, urls: _Bytes, url_stop: _Integers, given: _Integers, given_texts: _Bytes, text_stop: _Integers, codes: _Integers, n_event: int, n_token: int, n_room: int, /) -> npt.NDArray[np.uint8] | None:
        """Write a fragment as Markdown, given the cleaned URLs of its links and images, and its rare parts."""

    def write_block_list(self, buffer: _Bytes, tag: _Integers, parent: _Integers, depth: _Integers, open_start: _Integers, open_stop: _Integers, nth_of_type: _Integers, names: _Bytes, name_offset: _Integers, text: _Bytes, text_offset: _Integers, leaves: _Integers, leaf_stop: _Integers, gaps: _Bytes, block_start: _Integers, block_row: _Integers, source: _Integers, facts: _Integers, literals: _Bytes, literal_offset: _Integers, other: int, text_tag: int, n_own_row: int, max_depth: int, n_room: int, /) -> npt.NDArray[np.uint8] | None:
        """Write the blocks of a page as items of a JSON array. Facts are literals, or scores in 65,536ths, inverted."""
