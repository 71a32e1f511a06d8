"""Which regular expressions can take more than linear time, told from the patterns themselves.

    python -m bench.patterns [--module NAME]… [--seconds 2]

Python's engine backtracks. A pattern takes more than linear time where one stretch of text can be
read in two ways: by two of its loops, one after the other (``a*a*b``), by one loop in two ways
(``(a*)*b``), or, of a pattern that is searched for, by a loop that may begin at every character
(``a+b`` in ``aaaa…``). That is the ambiguity of automata, which can be decided.

    alphabet   the characters that a pattern tells apart
    automaton  a pattern as places that read one character each, and the ways between them
    ambiguity  the stretches that can be read in two ways, and a text that is made of one
    finding    every pattern of the package, and whether it is searched for
"""

from __future__ import annotations

__all__: list[str] = []
