"""Random programs of two threads with two inputs of four values each.

Inputs are main's own, so that final states do not hold them; what a thread does
depends on them through branches, which are written down in `way`. Shared
variables may hold what is computed from inputs; in the end main looks at each
of them through one more branch and clears it."""
import random

HEAD = """\
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int x[2], way[64];
static unsigned y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

struct inputs {
    int a, b;
};

#define TAKEN(place, condition) ((condition) ? (way[place] = 1) : (way[place] = 2, 0))
"""

MAIN = """
int main(int argc, char **argv)
{
    int which = atoi(argv[1]), all = argc > 2 && !strcmp(argv[2], "all");
    struct inputs in;
    pthread_t t[2];
    in.a = all ? (int)heddle_choose(4) : (int)heddle_range(0, 3, "a");
    in.b = all ? (int)heddle_choose(4) : (int)heddle_range(0, 3, "b");
    pthread_create(&t[0], NULL, programs[which][0], &in);
    pthread_create(&t[1], NULL, programs[which][1], &in);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    for (int i = 0; i < 2; i++) {
        TAKEN(60 + i, x[i] > 2);
        x[i] = 0;
    }
    TAKEN(62, y & 4);
    y = 0;
    return 0;
}
"""


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.seed = seed
        self.places = 0

    def value(self):
        return self.rng.choice(["in->a", "in->b", "in->a + in->b", "in->a * in->b", "(in->a ^ in->b)", "in->a - 1",
                                "(in->b << in->a)", "3 - in->b"])

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

    def statement(self):
        r = self.rng
        kind = r.random()
        if kind < 0.65:
            place, self.places = self.places, self.places + 1
            other = "else\n        %s" % self.access() if r.random() < 0.3 else ""
            return "    if (TAKEN(%d, %s))\n        %s\n    %s" % (place, self.condition(), self.access(), other)
        if kind < 0.8:
            return "    pthread_mutex_lock(&m);\n    %s\n    pthread_mutex_unlock(&m);" % self.access()
        return "    " + self.access()

    def thread(self, number, which):
        body = "\n".join(self.statement() for _ in range(self.rng.randint(1, 2)))
        return "static void *thread_%d_%d(void *given)\n{\n    struct inputs *in = given;\n    (void)in;\n%s\n    return NULL;\n}\n" % (
            which, number, body)


def emit(seeds):
    """The programs of these seeds as one source: chosen by the first argument, all inputs tried if the second is 'all'."""
    parts = [HEAD]
    for which, seed in enumerate(seeds):
        p = Program(seed)
        parts += [p.thread(0, which), p.thread(1, which)]
    table = ", ".join("{ thread_%d_0, thread_%d_1 }" % (w, w) for w in range(len(seeds)))
    parts.append("static void *(*const programs[][2])(void *) = { %s };\n" % table)
    return "\n".join(parts) + MAIN
