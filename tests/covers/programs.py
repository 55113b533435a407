"""Small concurrent programs with inputs, drawn at random: as C, and as all their executions.

A program is a list of threads, each a tree of statements; thread 0 is main, which creates the others first and joins
them all before its last statements, which look at what the others have left. The executions come from an interpreter of these trees that knows nothing of
heddle: every schedule with every input, as sets of goals (blocks, ways, local states)."""
import itertools
import random

VARIABLES, LOCKS, MOST_CONFIGURATIONS = 2, 2, 4000


class TooLarge(Exception):
    pass


class Program:
    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(seed)
        self.jumps = 0
        self.inputs = {}  # by thread: how many values
        count = self.random.choice((2, 2, 3))
        self.threads = [self.body(t, self.random.randint(2, 5 if count == 2 else 3), 0) for t in range(count)]
        if count > 2 and self.random.random() < 0.4:
            self.threads[2] = self.threads[1]
            if 1 in self.inputs:
                self.inputs[2] = self.inputs[1]
            else:
                self.inputs.pop(2, None)
        self.tail = [self.jump(0, 2, False) if self.random.random() < 0.6 else self.load()
                     for _ in range(self.random.randint(0, 3))]

    def body(self, thread, size, depth):
        return [self.statement(thread, depth) for _ in range(size)]

    def statement(self, thread, depth):
        kind = self.random.random()
        if depth < 2 and kind < 0.30:
            return self.jump(thread, depth, True)
        if depth < 2 and kind < 0.42:
            return ("lock", self.random.randrange(LOCKS), self.body(thread, self.random.randint(1, 2), depth + 1))
        if kind < 0.72:
            return self.load()
        return ("store", self.random.randrange(VARIABLES), self.random.randint(1, 2))

    def load(self):
        return ("load", self.random.randrange(2), self.random.randrange(VARIABLES))

    def jump(self, thread, depth, acts):
        self.jumps += 1
        number = self.jumps
        if self.random.random() < 0.4 and (thread in self.inputs or len(self.inputs) < 2):
            self.inputs.setdefault(thread, self.random.randint(2, 4))
            condition = ("input", self.random.randint(0, 2))
        else:
            condition = ("local", self.random.randrange(2), self.random.randint(0, 2))
        arms = [self.body(thread, self.random.randint(0, 2), depth + 1) if acts else [] for _ in range(2)]
        return ("jump", number, condition, arms[0], arms[1] if self.random.random() < 0.6 else None)

    # --- C -------------------------------------------------------------------------------------

    def lines(self, statements, name, indent="    "):
        for s in statements:
            if s[0] == "load":
                yield "%sl%d = %s_x%d;" % (indent, s[1], name, s[2])
            elif s[0] == "store":
                yield "%s%s_x%d = %d;" % (indent, name, s[1], s[2])
            elif s[0] == "lock":
                yield "%spthread_mutex_lock(&%s_m%d);" % (indent, name, s[1])
                yield from self.lines(s[2], name, indent)
                yield "%spthread_mutex_unlock(&%s_m%d);" % (indent, name, s[1])
            else:
                condition = "n > %d" % s[2][1] if s[2][0] == "input" else "l%d == %d" % s[2][1:]
                arms = [['goal(t, %d, %d);' % (s[1], i)] + [x.strip() for x in self.lines(arm or [], name)]
                        for i, arm in enumerate((s[3], s[4]))]
                text = "%sif (%s) { %s }" % (indent, condition, " ".join(arms[0]))
                yield text if s[4] is None else text + " else { %s }" % " ".join(arms[1])

    def text(self, name):
        out = ["static _Atomic int %s_x%d;" % (name, i) for i in range(VARIABLES)]
        out += ["static pthread_mutex_t %s_m%d = PTHREAD_MUTEX_INITIALIZER;" % (name, i) for i in range(LOCKS)]
        for t, statements in enumerate(self.threads):
            if t == 2 and statements is self.threads[1]:
                continue
            out.append("static void %s_body%d(long t, pthread_t *all, int *l, long n)" % (name, t))
            out += ["{", "    int l0 = 0, l1 = 0;", "    (void)all; (void)t; (void)n; (void)l0; (void)l1;"]
            out += self.lines(statements, name)
            if t == 0:
                out += ["    pthread_join(all[%d], NULL);" % i for i in range(1, len(self.threads))]
                out += self.lines(self.tail, name)
            out += ["    l[0] = l0;", "}"]
            if t:
                out += ["static void *%s_run%d(void *t)" % (name, t), "{", "    int l[1];"]
                out += ["    %s_body%d((long)t, NULL, l, %s);" % (name, t, self.asked(t)), "    return NULL;", "}"]
        out += ["static void %s(void)" % name, "{", "    pthread_t all[4];", "    int l[1];"]
        out += ["    pthread_create(&all[%d], NULL, %s_run%d, (void *)%dL);" % (t, name, self.function(t), t)
                for t in range(1, len(self.threads))]
        return "\n".join(out + ["    %s_body0(0, all, l, %s);" % (name, self.asked(0)), "}", ""])

    def function(self, t):
        return 1 if t == 2 and self.threads[2] is self.threads[1] else t

    def asked(self, t):
        return 'heddle_range(0, %d, "n")' % (self.inputs[t] - 1) if t in self.inputs else "0"


HEAD = """#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void goal(long thread, int jump, int way) { printf("goal %ld %d %d\\n", thread, jump, way); }
"""


def emit(programs):
    out = [HEAD]
    out += [p.text("p%d" % i) for i, p in enumerate(programs)]
    out += ["int main(int count, char **words)", "{", "    (void)count;", "    switch (atoi(words[1])) {"]
    out += ["    case %d: p%d(); break;" % (i, i) for i in range(len(programs))]
    return "\n".join(out + ["    }", "    return 0;", "}", ""])


# --- executions ---------------------------------------------------------------------------------


class Thread:
    """Where a thread is: what is left of it, its locals, its last event in each net."""

    def __init__(self, number, rest, last):
        self.number, self.rest, self.values, self.last = number, list(rest), [0, 0], dict(last)

    def copy(self):
        t = Thread(self.number, self.rest, self.last)
        t.values = list(self.values)
        return t


class State:
    def __init__(self):
        self.threads, self.values, self.held = [], [0] * VARIABLES, [None] * LOCKS
        self.pasts = {}  # (net, object): the last write, and reads since by thread
        self.goals, self.events = set(), {}

    def copy(self):
        s = State()
        s.threads, s.values, s.held = [t.copy() for t in self.threads], list(self.values), list(self.held)
        s.pasts = {k: (w, dict(r)) for k, (w, r) in self.pasts.items()}
        s.goals, s.events = set(self.goals), {net: set(e) for net, e in self.events.items()}
        return s


NETS = ("unfold", "contextual", "naive")
OPERATIONS = ("load", "store", "acquire", "release")


class Executions:
    """All of them, as pairs: the blocks and ways that it comes to, its events by net. `stuck`: some thread does not
    come to its end in one of them."""

    def __init__(self, program):
        self.program, self.numbers, self.seen, self.stuck = program, {}, set(), False
        self.goals, self.events = set(), {net: set() for net in NETS}
        names = sorted(program.inputs)
        for values in itertools.product(*(range(program.inputs[n]) for n in names)):
            self.inputs = dict(zip(names, values))
            self.explore()

    def event(self, state, thread, *what):
        """Adds an event that is told by what it does, after the thread's last and the given pasts by net."""
        for net in NETS:
            pasts = tuple(w[net] if isinstance(w, dict) else w for w in what)
            key = (net, thread.number, thread.last.get(net), pasts)
            thread.last[net] = self.numbers.setdefault(key, len(self.numbers))
            state.events.setdefault(net, set()).add(thread.last[net])

    def explore(self):
        start = State()
        for t, body in enumerate(self.program.threads):
            rest = list(body) + ([("join",)] + list(self.program.tail) if t == 0 else [])
            start.threads.append(Thread(t, rest, {}))
        for t in start.threads[1:] + start.threads[:1]:
            self.run_on(start, t)
        stack = [start]
        while stack:
            state = stack.pop()
            key = (tuple(sorted(self.inputs.items())), tuple(t.last.get("naive") for t in state.threads))
            if key in self.seen:
                continue
            self.seen.add(key)
            if len(self.seen) > MOST_CONFIGURATIONS:
                raise TooLarge
            ready = [t.number for t in state.threads if self.is_ready(state, t)]
            if not ready:
                self.finish(state)
            for number in ready:
                after = state.copy()
                self.step(after, after.threads[number])
                stack.append(after)

    def finish(self, state):
        self.stuck |= any(t.rest for t in state.threads)
        self.goals.add(frozenset(state.goals))
        for net in NETS:
            self.events[net].add(frozenset(state.events.get(net, ())))

    def is_ready(self, state, thread):
        return bool(thread.rest) and (thread.rest[0][0] in ("load", "store", "release")
                                      or (thread.rest[0][0] == "acquire" and state.held[thread.rest[0][1]] is None))

    def run_on(self, state, thread):
        """Up to the thread's next operation, or to where it waits for others."""
        while thread.rest and thread.rest[0][0] not in OPERATIONS:
            s = thread.rest[0]
            if s[0] == "join" and any(t.rest for t in state.threads if t.number):
                return
            if s[0] == "lock":
                thread.rest[:1] = [("acquire", s[1]), *s[2], ("release", s[1])]
            elif s[0] == "jump":
                self.jump(state, thread, s)
            else:
                thread.rest.pop(0)
                if s[0] == "end":
                    state.goals.add(("end", thread.number, s[1]))

    def jump(self, state, thread, s):
        if s[2][0] == "input":
            holds = self.inputs[thread.number] > s[2][1]
            self.event(state, thread, "jump", s[1], holds)
        else:
            holds = thread.values[s[2][1]] == s[2][2]
        state.goals.add(("way", thread.number, s[1], holds))
        if holds or s[4] is not None:
            state.goals.add(("block", thread.number, s[1], 0 if holds else 1))
        thread.rest[:1] = [*(s[3] if holds else s[4] or []), ("end", s[1])]

    def past(self, state, thread, where, looks):
        """What an operation meets, by net; and leaves itself there."""
        met = {}
        for net in NETS:
            write, reads = state.pasts.get((net, where), (None, {}))
            shown = {t: e for t, e in reads.items() if t != thread.number}
            met[net] = (write, tuple(sorted(shown.items())) if net == "unfold" and not looks else ())
        return met

    def leave(self, state, thread, where, looks):
        for net in NETS:
            write, reads = state.pasts.get((net, where), (None, {}))
            if looks and net != "naive":
                state.pasts[net, where] = (write, {**reads, thread.number: thread.last[net]})
            else:
                state.pasts[net, where] = (thread.last[net], {})

    def step(self, state, thread):
        s = thread.rest.pop(0)
        looks, where = s[0] == "load", (s[0] in ("acquire", "release"), s[2] if s[0] == "load" else s[1])
        self.event(state, thread, s[0], where, self.past(state, thread, where, looks))
        self.leave(state, thread, where, looks)
        if s[0] == "load":
            thread.values[s[1]] = state.values[s[2]]
        elif s[0] == "store":
            state.values[s[1]] = s[2]
        else:
            state.held[s[1]] = thread.number if s[0] == "acquire" else None
        self.run_on(state, thread)
        self.run_on(state, state.threads[0])
