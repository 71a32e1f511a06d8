"""Fuzz the compiled steps under the address and undefined-behaviour sanitizers.

    python -m bench.native_fuzz [--seconds 120] [--seed 0]

Needs gcc with its sanitizers (Linux). The sources are compiled anew into a temporary folder, and
this program starts itself once more with them. Each round draws a page
(`tests.helpers.token_soup`, or a shape of `tests.helpers.hostile`), compares every kernel with its
definition on it, repeats the calls of compiled steps with altered arguments, and calls steps with
arguments drawn from their table: sizes that fit and that do not, other types, strides, read-only
arrays. No step may read or write outside its arrays. The number of the round that fails is printed;
with it as ``--seed`` the run begins there.
"""
