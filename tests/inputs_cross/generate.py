"""Random programs of two threads, or three, with two inputs of four values each.

Inputs are main's own, so that final states do not hold them; what a thread does
depends on them through branches, which are written down in `way`. Shared
variables may hold what is computed from inputs; in the end main looks at each
of them through one more branch and clears it.

Every second program can fail or deadlock; it ends with variables that hold
inputs then, so its final states mean nothing. dfs sees all that threads do to
what main looks at in the end, dpor only what they do to each other; a failure comes
before some of that and after some. To count traces, main looks at nothing ('short').

A program of blocks has them in all forms: empty, nested, of several accesses, with locks, with inputs behind them.

A program of own inputs has threads that draw inputs of their own before, inside and behind blocks, in ranges that
depend on main's inputs or on the way taken. It may exit, also inside a block, and start a third thread only
for some inputs. If everything is tried, main chooses what the threads draw: a block cannot choose.

A program of ranges fills and copies parts of an array that hold inputs, and accesses single elements of it.

A dense program has three threads that do little but steps with branches on inputs in
their middle: atomic blocks, and updates that change something or not. It cannot fail."""
import random

HEAD = """\
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int x[2], z[4], way[64];
static long blocks[4];
static unsigned y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

struct inputs {
    int a, b, all, own[2];
};

/* One of `count` values from `low` on. */
static int draw(const struct inputs *in, int low, int count, const char *name)
{
    return in->all ? low + (int)heddle_choose((unsigned)count) : (int)heddle_range(low, low + count - 1, name);
}

/* The same inside a block. */
static int draw_own(const struct inputs *in, int number, int low, int count)
{
    return in->all ? low + in->own[number] % count : (int)heddle_range(low, low + count - 1, "own");
}

#define TAKEN(place, condition) ((condition) ? (way[place] = 1) : (way[place] = 2, 0))
"""

MAIN = """
int main(int argc, char **argv)
{
    int which = atoi(argv[1]), all = argc > 2 && !strcmp(argv[2], "all");
    struct inputs in;
    pthread_t t[3];
    in.all = all;
    in.a = draw(&in, 0, values[which][0], "a");
    in.b = draw(&in, 0, values[which][1], "b");
    for (int i = 0; i < 2 && all; i++)
        in.own[i] = (int)heddle_choose((unsigned)values[which][2 + i]);
    if (assumes[which])
        heddle_assume(in.a + in.b != 2);
    int threads = programs[which][2] && (!late[which] || TAKEN(63, late[which](&in))) ? 3 : 2;
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, programs[which][i], &in);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    if (argc > 2 && !strcmp(argv[2], "short"))
        return 0;
    for (int i = 0; i < 2; i++) {
        TAKEN(60 + i, x[i] > 2);
        x[i] = 0;
    }
    TAKEN(62, y & 4);
    y = 0;
    memset(z, 0, sizeof z);
    TAKEN(59, (blocks[0] ^ blocks[1] ^ blocks[2] ^ blocks[3]) & 1);
    memset(blocks, 0, sizeof blocks);
    return 0;
}
"""


class Program:
    THREADS = 2
    VALUES = 4, 4 # of main's inputs

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.seed = seed
        self.places = 0
        self.fails = self.may_fail()
        self.mixed = False # has a step that does one thing or another, as inputs say
        self.assumes = seed % 5 == 0
        self.own = [] # how many values the inputs of threads have at most
        self.late = None # when the third thread is started
        self.threads = [self.body() for _ in range(self.THREADS)]

    def may_fail(self):
        return self.seed % 2 == 1

    def place(self):
        self.places += 1
        return self.places - 1

    def value(self):
        return self.rng.choice(["in->a", "in->b", "in->a + in->b", "in->a * in->b", "(in->a ^ in->b)", "in->a - 1",
                                "(in->b << in->a)", "3 - in->b", "6 / (in->a + 1)"])

    def condition(self):
        r = self.rng
        left = self.value() if r.random() < 0.8 else "x[%d]" % r.randrange(2)
        return r.choice(["%s > %d", "%s == %d", "%s < %d", "(%s & 1) != %d"]) % (left, r.randrange(4))

    def access(self):
        r = self.rng
        i = r.randrange(2)
        return r.choice(["x[%d] = %d;" % (i, r.randrange(4)), "x[%d] = %s;" % (i, self.value()),
                         "__atomic_fetch_add(&y, %d, __ATOMIC_SEQ_CST);" % r.randrange(1, 4),
                         "x[%d] = x[%d] + 1;" % (i, 1 - i)])

    def update(self):
        """An atomic update that changes something or not, as inputs say."""
        self.mixed = True
        return self.rng.choice(["__atomic_fetch_add(&y, (unsigned)in->a, __ATOMIC_SEQ_CST);",
                                "__atomic_fetch_or(&y, (unsigned)in->b & 1, __ATOMIC_SEQ_CST);",
                                "__atomic_exchange_n(&y, (unsigned)in->a, __ATOMIC_SEQ_CST);"])

    def index(self):
        """An index that depends on inputs."""
        r = self.rng
        return r.choice(["z[%s & 3] = %d;" % (self.value(), r.randrange(1, 3)), "x[%d] = z[%s & 3];" % (
            r.randrange(2), self.value()), "z[%s & 1]++;" % self.value()])

    def block(self):
        """An atomic block with a branch in it."""
        self.mixed = True
        return "heddle_atomic_begin();\n    %s\n    if (TAKEN(%d, %s))\n        %s\n    heddle_atomic_end();" % (
            self.plain(), self.place(), self.condition(), self.plain())

    def blocks(self):
        """A block of any kind: empty, nested, of several accesses, with a lock; then perhaps an input behind it."""
        r = self.rng
        inner = [r.choice([self.plain, self.update, self.nested, self.locked])() for _ in range(r.randrange(4))]
        text = "heddle_atomic_begin();\n    %s\n    heddle_atomic_end();" % "\n    ".join(inner)
        return text + ("\n    " + self.behind() if r.random() < 0.5 else "")

    def nested(self):
        return "heddle_atomic_begin();\n    if (TAKEN(%d, %s))\n        %s\n    heddle_atomic_end();" % (
            self.place(), self.condition(), self.plain())

    def locked(self):
        return "pthread_mutex_lock(&m);\n    %s\n    pthread_mutex_unlock(&m);" % self.plain()

    def behind(self):
        """An input of the thread's own, and a branch on it."""
        r = self.rng
        low, count = r.randrange(3), r.randrange(2, 4)
        return "if (TAKEN(%d, draw(in, %d, %d, \"own\") == %d))\n        %s" % (
            self.place(), low, count, r.randrange(low, low + count), self.access())

    def plain(self):
        r = self.rng
        return r.choice(["x[0] = %d;", "x[1] = x[0] + %d;", "x[0] += %d;"]) % r.randrange(3)

    def chosen(self):
        return "if (heddle_choose(2))\n        %s" % self.access()

    def failure(self):
        """An assertion, or locks in an order that depends on inputs."""
        r = self.rng
        if r.random() < 0.5:
            return "if (TAKEN(%d, %s))\n        assert(x[%d] != %d);" % (
                self.place(), self.condition(), r.randrange(2), r.randrange(3))
        p = self.place()
        return ("int turned_%d = TAKEN(%d, %s);\n    pthread_mutex_lock(turned_%d ? &m : &n);\n"
                "    pthread_mutex_lock(turned_%d ? &n : &m);\n    %s\n"
                "    pthread_mutex_unlock(&m);\n    pthread_mutex_unlock(&n);") % (
                    p, p, self.condition(), p, p, self.access())

    def statement(self):
        r = self.rng
        kind = r.random()
        if self.fails and kind < 0.4:
            return "    " + self.failure()
        if kind < 0.55:
            other = "else\n        %s" % self.access() if r.random() < 0.3 else ""
            return "    if (TAKEN(%d, %s))\n        %s\n    %s" % (self.place(), self.condition(), self.access(), other)
        if kind < 0.68:
            return "    pthread_mutex_lock(&m);\n    %s\n    pthread_mutex_unlock(&m);" % self.access()
        if kind < 0.84:
            return "    " + r.choice([self.update, self.index, self.block, self.chosen])()
        return "    " + self.access()

    def body(self):
        return "\n".join(self.statement() for _ in range(self.rng.randint(1, 2)))

    def thread(self, number, which):
        return "static void *thread_%d_%d(void *given)\n{\n    struct inputs *in = given;\n    (void)in;\n%s\n    return NULL;\n}\n" % (
            which, number, self.threads[number])


class Blocks(Program):
    """Blocks of all kinds, with inputs before, inside and behind them."""

    def failure(self):
        return "if (TAKEN(%d, %s))\n        assert(x[%d] != %d);" % (
            self.place(), self.condition(), self.rng.randrange(2), self.rng.randrange(3))

    def statement(self):
        kind = self.rng.random()
        if self.fails and kind < 0.2:
            return "    " + self.failure()
        if kind < 0.7:
            self.mixed = True
            return "    " + self.rng.choice([self.blocks, self.blocks, self.block])()
        return Program.statement(self)


class Ranges(Program):
    """Ranges of memory with inputs in them, of whole cells and of parts, beside accesses to single elements."""

    def range(self):
        """Where it begins and how many bytes it has."""
        ends = self.rng.sample(range(0, 33, 8) if self.rng.random() < 0.7 else range(33), 2)
        return min(ends), max(ends) - min(ends)

    def access(self):
        r = self.rng
        start, size = self.range()
        self.mixed = True # what such a step accesses elsewhere is tried
        return r.choice(["memset((char *)blocks + %d, %s, %d);" % (start, self.value(), size),
                         "memmove((char *)blocks + %d, (char *)blocks + %d, %d);" % (r.randrange(33 - size), start, size),
                         "blocks[%d] = %s;" % (r.randrange(4), self.value()),
                         "x[%d] = (int)blocks[%d] & 3;" % (r.randrange(2), r.randrange(4)),
                         Program.access(self)])


class Dense(Program):
    THREADS = 3

    def may_fail(self):
        return False

    def update(self):
        r = self.rng
        self.mixed = True
        if r.random() < 0.5:
            return Program.update(self)
        return r.choice(["__atomic_exchange_n(&y, %d, __ATOMIC_SEQ_CST);" % r.randrange(3),
                         "__atomic_fetch_and(&y, (unsigned)in->a, __ATOMIC_SEQ_CST);",
                         "__atomic_fetch_sub(&y, (unsigned)(%s), __ATOMIC_SEQ_CST);" % self.value(),
                         "__atomic_compare_exchange_n(&y, &(unsigned) { %s }, %s, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);" % (
                             r.choice(["0", "1", "(unsigned)in->a"]), r.choice(["2", "(unsigned)in->b"]))])

    def plain(self):
        return "y = %d;" % self.rng.randrange(3) if self.rng.random() < 0.1 else Program.plain(self)

    def statement(self):
        r = self.rng
        kind = r.random()
        if kind < 0.4:
            return "    " + self.block()
        if kind < 0.8:
            return "    " + self.update()
        if kind < 0.9:
            return "    if (TAKEN(%d, %s))\n        %s" % (self.place(), self.condition(), self.update())
        return "    " + self.access()

    def body(self):
        return "\n".join(self.statement() for _ in range(self.rng.choice([1, 1, 2])))


class Own(Blocks):
    """Inputs of the threads' own before, inside and behind blocks."""
    VALUES = 3, 2

    def __init__(self, seed):
        self.THREADS = 3 if seed % 3 == 0 else 2
        Blocks.__init__(self, seed)
        if self.THREADS == 3 and self.rng.random() < 0.7:
            self.late = self.condition(shared=False)

    def condition(self, shared=True):
        while True:
            text = Blocks.condition(self)
            if shared or "x[" not in text:
                return text

    def range(self):
        """The lowest value, how many there are, and at most."""
        return self.rng.choice([("0", "2", 2), ("1", "3", 3), ("in->a", "2", 2), ("2", "1 + in->b", 2),
                                ("in->b ? 5 : 1", "in->b ? 3 : 2", 3)])

    def drawn(self):
        """Draws an input into a new variable; gives the text and the variable."""
        name, number = "own_%d" % self.place(), len(self.own)
        low, count, most = self.range()
        if number == 2:
            return "int %s = %s;" % (name, self.value()), name
        if self.rng.random() < 0.3: # another range on each side
            self.own.append(3)
            return "int %s = TAKEN(%d, %s) ? draw_own(in, %d, 5, 3) : draw_own(in, %d, 1, 2);" % (
                name, self.place(), self.condition(), number, number), name
        self.own.append(most)
        return "int %s = draw_own(in, %d, %s, %s);" % (name, number, low, count), name

    def use(self, name):
        r = self.rng
        if r.random() < 0.25:
            return "x[%d] = %s;" % (r.randrange(2), name)
        return "if (TAKEN(%d, %s %s %d))\n        %s" % (
            self.place(), r.choice([name, name + " + in->a"]), r.choice(["==", ">"]), r.randrange(1, 6),
            self.effect())

    def effect(self):
        if self.fails and self.rng.random() < 0.3:
            return "exit(0);"
        return self.rng.choice([self.plain, self.plain, self.update])()

    def update(self):
        return Dense.update(self)

    def statement(self):
        r = self.rng
        kind = r.random()
        if kind > 0.75:
            return Blocks.statement(self)
        if kind > 0.65:
            return "    " + self.chosen()
        text, name = self.drawn()
        before, first, last, behind = (self.plain() if r.random() < 0.4 else "" for _ in range(4))
        begin, end = "heddle_atomic_begin();", "heddle_atomic_end();"
        draws, uses = r.choice([(0, 1), (1, 1), (1, 1), (1, 1), (1, 2), (2, 2)]) # before, inside, behind
        lines = [before, text if draws == 0 else "", begin, first, text if draws == 1 else "",
                 self.use(name) if uses == 1 else "", last, end, text if draws == 2 else "",
                 self.use(name) if uses == 2 else "", behind]
        self.mixed = True
        return "\n".join("    " + line for line in lines if line)

    def body(self):
        return "\n".join(self.statement() for _ in range(1 if self.THREADS == 3 else self.rng.choice([1, 1, 2])))


def emit(programs):
    """The programs as one source: chosen by the first argument, all inputs tried if the second is 'all'."""
    parts = [HEAD]
    for which, p in enumerate(programs):
        parts += [p.thread(number, which) for number in range(p.THREADS)]
    table = ", ".join("{ %s }" % ", ".join("thread_%d_%d" % (which, number) for number in range(p.THREADS))
                      for which, p in enumerate(programs))
    parts.append("static void *(*const programs[][3])(void *) = { %s };\n" % table)
    parts.append("static const int assumes[] = { %s };\n" % ", ".join(str(int(p.assumes)) for p in programs))
    parts.append("static const int values[][4] = { %s };\n" % ", ".join(
        "{ %d, %d, %d, %d }" % (*p.VALUES, *(p.own + [1, 1])[:2]) for p in programs))
    parts += ["static int late_%d(struct inputs *in)\n{\n    (void)in;\n    return %s;\n}\n" % (which, p.late)
              for which, p in enumerate(programs) if p.late]
    parts.append("static int (*const late[])(struct inputs *) = { %s };\n" % ", ".join(
        "late_%d" % which if p.late else "NULL" for which, p in enumerate(programs)))
    return "\n".join(parts) + MAIN
