"""Table of routes, and entries of the menu."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from thresher.app.api import handlers as api
from thresher.app.pages import (
    decide,
    feeds,
    inspect,
    label,
    label_pages,
    leaderboard,
    opening,
    read,
    rules,
    saved,
    saved_exports,
    train,
    visitors,
)

API_ROUTES: Final[tuple[BaseRoute, ...]] = (
    Route("/api/openapi.json", api.show_openapi),
    Route("/api/methods", api.list_methods),
    Route("/api/extract", api.extract, methods=["POST"]),
    Route("/api/batch", api.batch, methods=["POST"]),
    Route("/healthz", api.show_health),
    Route("/metrics", api.show_metrics),
)
"""The API and what watches a server."""

ROUTES: Final[tuple[BaseRoute, ...]] = (
    Route("/", opening.show_form, name="start"),
    Route("/sample/{view}", opening.open_sample),
    Route("/read", opening.open_address, name="open_address"),
    Route("/read", opening.open_form, methods=["POST"]),
    Route("/read/{page}", opening.offering_again(read.show_article), name="read"),
    Route("/read/{page}/download", read.download, name="download"),
    Route("/read/{page}/image", read.show_image, name="image"),
    Route("/read/{page}/save", saved.save_page, methods=["POST"]),
    Route("/read/{page}/highlights", read.highlight_passage, methods=["POST"]),
    Route("/read/{page}/highlights/{highlight:int}/note", read.note_passage, methods=["POST"]),
    Route("/read/{page}/highlights/{highlight:int}/delete", read.remove_passage, methods=["POST"]),
    Route(
        "/read/{page}/highlights/{highlight:int}/restore", read.restore_passage, methods=["POST"]
    ),
    Route("/feed", feeds.show_full_feed),
    Route("/feeds", feeds.show_feeds, name="feeds"),
    Route("/feeds/feeds.opml", feeds.download_opml),
    Route("/feeds/subscribe", feeds.subscribe, methods=["POST"]),
    Route("/feeds/change", feeds.change, methods=["POST"]),
    Route("/feeds/items/{item:int}", feeds.open_item),
    Route("/saved", saved.show_list, name="saved"),
    Route("/saved/feed.xml", saved_exports.show_feed),
    Route("/saved/opds.xml", saved_exports.show_catalog),
    Route("/saved/book.epub", saved_exports.download_collection),
    Route("/saved/highlights.md", saved_exports.download_highlights),
    Route("/saved/bookmarks.html", saved_exports.download_bookmarks),
    Route("/saved/all.zip", saved_exports.download_all),
    Route("/saved/import", saved_exports.import_pages, methods=["POST"]),
    Route("/saved/{page:int}/book.epub", saved_exports.download_book),
    Route("/saved/{page:int}", saved.open_page),
    Route("/saved/{page:int}/tags", saved.set_tags, methods=["POST"]),
    Route("/saved/{page:int}/progress", saved.note_progress, methods=["POST"]),
    Route("/saved/change", saved.change, methods=["POST"]),
    Route("/inspect", opening.open_address),
    Route("/inspect", opening.open_form, methods=["POST"]),
    Route("/inspect/{page}", opening.offering_again(inspect.show_inspection), name="inspect"),
    Route("/inspect/{page}/block/{block:int}", inspect.show_block),
    Route("/compare", opening.open_address),
    Route("/compare", opening.open_form, methods=["POST"]),
    Route("/compare/{page}", opening.offering_again(inspect.show_comparison), name="compare"),
    Route("/rules", rules.show_rules),
    Route("/rules", rules.save_rules, methods=["POST"]),
    Route("/rules/add", rules.add_rule, methods=["POST"]),
    Route("/rules/preview", rules.preview_rules, methods=["POST"]),
    Route("/label", label.show_label, name="label"),
    Route("/label/pages", label_pages.show_pages),
    Route("/label/who", visitors.set_labeller, methods=["POST"]),
    Route("/label/undo", label.undo_label, methods=["POST"]),
    Route("/label/add", label_pages.add_pages, methods=["POST"]),
    Route("/label/export", label_pages.export),
    Route("/label/{page:int}", label.save_label, methods=["POST"]),
    Route("/label/{page:int}/sheet", label.show_sheet),
    Route("/label/{page:int}/drawn", label.show_drawn),
    Route("/label/{page:int}/decide", decide.show_choice),
    Route("/label/{page:int}/decide", decide.save_choice, methods=["POST"]),
    Route("/label/{page:int}/inspect", label_pages.inspect_page),
    Route("/label/{page:int}/delete", label_pages.delete_page, methods=["POST"]),
    Route("/label/{page:int}/restore", label_pages.restore_page, methods=["POST"]),
    Route("/train", train.show_train, name="train"),
    Route("/train", train.start_run, methods=["POST"]),
    Route("/train/forget", train.forget_weights, methods=["POST"]),
    Route("/train/{run}", train.show_run),
    Route("/train/{run}/events", train.follow_run),
    Route("/train/{run}/cancel", train.cancel_run, methods=["POST"]),
    Route("/train/{run}/use", train.use_weights, methods=["POST"]),
    Route("/train/{run}/files/{file}", train.download_weights),
    Route("/leaderboard", leaderboard.show_leaderboard, name="leaderboard"),
    Route("/leaderboard", leaderboard.start_board, methods=["POST"]),
    Route("/leaderboard/{run}", leaderboard.show_board),
    Route("/leaderboard/{run}/events", leaderboard.follow_board),
    Route("/leaderboard/{run}/cancel", leaderboard.cancel_board, methods=["POST"]),
    Route("/leaderboard/{run}/inspect", leaderboard.inspect_board_page),
    Route("/preferences", visitors.set_preferences, methods=["POST"]),
    Route("/login", visitors.show_login),
    Route("/login", visitors.log_in, methods=["POST"]),
    Route("/logout", visitors.log_out, methods=["POST"]),
    Route("/api", api.show_api, name="api"),
    *API_ROUTES,
    Route("/api/pages", api.put_page, methods=["POST"]),
    Mount(
        "/static",
        # Files shared with the proxy are in `thresher.serving`.
        StaticFiles(
            directory=Path(__file__).parent / "static", packages=[("thresher.serving", "static")]
        ),
        name="static",
    ),
)
"""All routes of the app, in matching order."""

NAV: Final[tuple[tuple[str, str], ...]] = (
    ("Read", "/"),
    ("Saved", "/saved"),
    ("Feeds", "/feeds"),
)
"""Label and path of the menu entries; the entry whose path is a prefix of the page's is current."""
LAB: Final[tuple[tuple[str, str, str], ...]] = (
    ("Inspect", "/inspect", "why each block was kept or dropped"),
    ("Compare", "/compare", "two methods on one page"),
    ("Rules", "/rules", "what is always kept or dropped on a site"),
    ("Label", "/label", "mark the content of pages"),
    ("Train", "/train", "weights of your own, from labels"),
    ("Leaderboard", "/leaderboard", "methods on labelled pages"),
)
"""The same for the menu Lab, with what each page is for."""
