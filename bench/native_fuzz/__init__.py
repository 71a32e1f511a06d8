"""Fuzz the compiled steps under the address and undefined-behaviour sanitizers.

    python -m bench.native_fuzz [--seconds 120] [--seed 0]

Needs gcc with its sanitizers (Linux). The sources are compiled anew into a folder that goes away,
and this program starts itself once more with them. Each round spells a page
(`tests.helpers.token_soup`, or a shape of `tests.helpers.hostile`), breaks its bytes and the
numbers in its columns, and hands them to every step. What must hold: no step reads or writes
outside its arrays, and of a page that is not broken each says what its twin in numpy says. The
number of the round that breaks is printed; with it as ``--seed`` the run begins there.
"""
