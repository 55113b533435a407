#!/usr/bin/env python3
"""Which tests a runner is asked for: those with one of the given words in their names, and all without any.
A word that is in no name is an error that says which names there are.

Usage, in shell: names=$(tests/tool/names.py "NAME NAME…" WORD…) || exit 2
"""
import os
import sys

MOST = 60  # names in a message; of more, only the folders


def chosen(names, words):
    """The names that are asked for, in their order; ends the process if a word is in none of them."""
    names = list(names)
    for word in words:
        if not any(word in name for name in names):
            known = names if len(names) <= MOST else sorted({os.path.dirname(name) or name for name in names})[:MOST]
            sys.exit("no test has '%s' in its name; there are: %s" % (word, " ".join(str(name) for name in known)))
    return [name for name in names if not words or any(word in name for word in words)]


if __name__ == "__main__":
    print(" ".join(chosen(sys.argv[1].split(), sys.argv[2:])))
