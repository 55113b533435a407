#!/usr/bin/env python3
"""The local states of bench/tables/fib.c with the contextual net, counted without heddle: all
schedules, with equal ones of what matters taken together. Arguments: the rounds of the two threads.
Prints how many states the thread has that looks at both variables, no two of which are in one
execution; and of these, how many have found the last value that the second variable gets."""
import sys

ROUNDS = [int(word) for word in sys.argv[1:3]]
PROGRAM = [[("read", 1), ("write", 0)] * ROUNDS[0], [("read", 0), ("write", 1)] * ROUNDS[1], [("read", 0), ("read", 1)]]
START = -1

events, seen, ends, last_ends = {}, set(), set(), set()


def number(*event):
    return events.setdefault(event, len(events))


def explore(done, last, written):
    """`done`: steps of each thread; `last`: its last event; `written`: the last write of each variable."""
    if (done, last, written) in seen:
        return
    seen.add((done, last, written))
    for thread, steps in enumerate(PROGRAM):
        if done[thread] == len(steps):
            continue
        kind, variable = steps[done[thread]]
        event = number(thread, kind, last[thread], written[variable] if kind == "read" else START)
        if thread == 2 and done[2] == 1:
            ends.add(event)
            if done[1] == len(PROGRAM[1]):
                last_ends.add(event)
        now = list(written)
        if kind == "write":
            now[variable] = event
        explore(replaced(done, thread, done[thread] + 1), replaced(last, thread, event), tuple(now))


def replaced(values, at, value):
    return values[:at] + (value,) + values[at + 1:]


explore((0, 0, 0), (START,) * 3, (START,) * 2)
print(len(ends), len(last_ends))
