"""Generated programs as C: several in one source, chosen by the first argument."""

HEAD = """\
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <limits.h>
#include <poll.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SPINS
#define SPINS 1000
#endif

int x[2];
volatile int v[2];
atomic_int a[2];
union {
    unsigned char b[8];
    unsigned short h[4];
    unsigned w[2];
    unsigned long d;
} u;
long r[8];
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
pthread_cond_t c[1] = { PTHREAD_COND_INITIALIZER };
sem_t s[1];
pthread_rwlock_t l[1] = { PTHREAD_RWLOCK_INITIALIZER };
pthread_barrier_t b[1];
pthread_once_t o[1] = { PTHREAD_ONCE_INIT };
int e[3];
long seen[5];

static const struct timespec soon = { 1, 0 };

static void see(int thread, long value)
{
    seen[thread] = seen[thread] * 31 + value + 1;
}

static void see_bytes(int thread, const unsigned char *bytes, int size)
{
    for (int i = 0; i < size; i++)
        see(thread, bytes[i]);
}

#define read_event(fd) ({ eventfd_t value; eventfd_read(fd, &value) ? -1 : (long)value; })
#define poll_event(fd, timeout) ({ struct pollfd p = { fd, POLLIN, 0 }; poll(&p, 1, timeout); })

static void initialise(void)
{
    x[0] += 1;
}

static void *nothing(void *argument)
{
    return argument;
}

/* From now on, the thread's children get the slots of those that it has joined (HD_FRESH_CHILDREN). */
static void use_up_slots(void)
{
    for (int i = 0; i < 16; i++) {
        pthread_t t;
        pthread_create(&t, NULL, nothing, NULL);
        pthread_join(t, NULL);
    }
}
"""


def part(kind, index):
    """A piece of the union that all sizes share."""
    return ["u.b[%d]" % index, "u.h[%d]" % (index // 2), "u.w[%d]" % (index // 4), "u.d"][kind]


class Emitter:
    def __init__(self, program, name):
        self.program = program
        self.name = name
        self.lines = []
        self.thread = 0
        self.fresh = 0

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def variable(self):
        self.fresh += 1
        return "v%d" % self.fresh

    def see(self, depth, value):
        self.line(depth, "see(%d, %s);" % (self.thread, value))

    def body(self, depth, head, ops, otherwise=None):
        self.line(depth, head + " {")
        self.ops(depth + 1, ops)
        if otherwise:
            self.line(depth, "} else {")
            self.ops(depth + 1, otherwise)
        self.line(depth, "}")

    def guarded(self, depth, lock, unlock, body, otherwise=None):
        self.line(depth, "if (%s == 0) {" % lock)
        self.see(depth + 1, "7")
        self.ops(depth + 1, body)
        self.line(depth + 1, unlock + ";")
        if otherwise:
            self.line(depth, "} else {")
            self.ops(depth + 1, otherwise)
        self.line(depth, "}")

    def repeated_lock(self, depth, lock, unlock, body):
        v = self.variable()
        self.line(depth, "for (int %s = 0; %s < 2; %s++) {" % (v, v, v))
        self.guarded(depth + 1, lock, unlock, body, [])
        self.line(depth, "}")

    def wait(self, depth, op):
        _, cond, mutex, how, variable, value = op
        call = "pthread_cond_wait(&c[%d], &m[%d]);" % (cond, mutex)
        self.line(depth, "pthread_mutex_lock(&m[%d]);" % mutex)
        if how != "always":
            call = "%s (x[%d] == %d) %s" % (how, variable, value, call)
        self.line(depth, call)
        self.see(depth, "3")
        self.line(depth, "pthread_mutex_unlock(&m[%d]);" % mutex)

    def simple(self, op):
        """Operations that are one statement."""
        forms = {
            "read": "see(T, x[{1}]);",
            "write": "x[{1}] = {2};",
            "increment": "x[{1}]++;",
            "copy": "x[{1}] = x[{2}];",
            "read-volatile": "see(T, v[{1}]);",
            "write-volatile": "v[{1}] = {2};",
            "load": "see(T, atomic_load(&a[{1}]));",
            "store": "atomic_store(&a[{1}], {2});",
            "add": "see(T, atomic_fetch_add(&a[{1}], {2}));",
            "or": "see(T, atomic_fetch_or(&a[{1}], {2}));",
            "exchange": "see(T, atomic_exchange(&a[{1}], {2}));",
            "and": "see(T, atomic_fetch_and(&a[{1}], ~{2}));",
            "fill": "memset((char *)r + {1}, {3}, {2});",
            "move": "memmove((char *)r + {1}, (char *)r + {2}, {3});",
            "read-element": "see(T, r[{1}]);",
            "write-element": "r[{1}] = {2};",
            "update-element": "see(T, __atomic_fetch_add(&r[{1}], {2}, __ATOMIC_SEQ_CST));",
            "spin": "while (atomic_load(&a[{1}]) != {2}) {{ }}",
            "signal": "pthread_cond_signal(&c[{1}]);",
            "broadcast": "pthread_cond_broadcast(&c[{1}]);",
            "event-write": "eventfd_write(e[{1}], {2});",
            "event-read": "see(T, read_event(e[{1}]));",
            "event-poll": "see(T, poll_event(e[{1}], {2}));",
            "futex-wait": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAIT, {2}, NULL));",
            "futex-timed": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAIT, {2}, &soon) ? errno : 0);",
            "futex-wake": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAKE, {2}));",
            "futex-wait-bits": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAIT_BITSET, {2}, NULL, NULL, {3}));",
            "futex-wake-bits": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAKE_BITSET, {2}, NULL, NULL, {3}));",
            "futex-requeue": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_REQUEUE, {2}, {4}, &a[{3}]));",
            "futex-requeue-if": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_CMP_REQUEUE, {2}, {4}, &a[{3}], {5}));",
            "sem-wait": "sem_wait(&s[{1}]);",
            "sem-post": "sem_post(&s[{1}]);",
            "sem-try": "see(T, sem_trywait(&s[{1}]));",
            "barrier": "pthread_barrier_wait(&b[{1}]);",
            "barrier-serial": "see(T, pthread_barrier_wait(&b[{1}]));",
            "once": "pthread_once(&o[{1}], initialise);",
            "choose": "see(T, heddle_choose({1}));",
            "assert": "assert(x[{1}] != {2});",
            "assume": "heddle_assume(x[{1}] != {2});",
            "exit": "exit({1});",
            "exit-with": "exit(x[{1}]);",
            "thread-exit": "pthread_exit(NULL);",
            "create": "pthread_create(&t{1}, NULL, {name}_{1}, NULL);",
            "join": "pthread_join(t{1}, NULL);",
            "detach": "pthread_detach(t{1});",
            "use-up": "use_up_slots();",
        }
        form = forms.get(op[0])
        return form and form.replace("(T,", "(%d," % self.thread).format(*op, name=self.name)

    def op(self, depth, op):
        kind = op[0]
        text = self.simple(op)
        if text:
            self.line(depth, text)
        elif kind == "if":
            self.body(depth, "if (x[%d] == %d)" % (op[1], op[2]), op[3], op[4])
        elif kind == "if-chosen":
            self.body(depth, "if (heddle_choose(2))", op[1], op[2])
        elif kind == "if-input":
            self.body(depth, "if (heddle_range(0, %d, \"n\") == 1)" % op[1], op[2], op[3])
        elif kind == "loop":
            v = self.variable()
            self.body(depth, "for (int %s = 0; %s < %d; %s++)" % (v, v, op[1], v), op[2])
        elif kind == "read-part":
            self.see(depth, "(long)" + part(op[1], op[2]))
        elif kind == "write-part":
            self.line(depth, "%s = %d;" % (part(op[1], op[2]), 0x101 * op[3] if op[1] else op[3]))
        elif kind == "look-at-range":
            v = self.variable()
            self.line(depth, "unsigned char %s[%d];" % (v, op[2]))
            self.line(depth, "memcpy(%s, (char *)r + %d, %d);" % (v, op[1], op[2]))
            self.line(depth, "see_bytes(%d, %s, %d);" % (self.thread, v, op[2]))
        elif kind == "lock":
            self.line(depth, "pthread_mutex_lock(&m[%d]);" % op[1])
            self.ops(depth, op[2])
            self.line(depth, "pthread_mutex_unlock(&m[%d]);" % op[1])
        elif kind == "trylock":
            self.guarded(depth, "pthread_mutex_trylock(&m[%d])" % op[1], "pthread_mutex_unlock(&m[%d])" % op[1], op[2], op[3])
        elif kind in ("rdlock", "wrlock", "tryrdlock", "trywrlock"):
            self.guarded(depth, "pthread_rwlock_%s(&l[%d])" % (kind, op[1]), "pthread_rwlock_unlock(&l[%d])" % op[1], op[2])
        elif kind == "wait":
            self.wait(depth, op)
        elif kind == "timedwait":
            self.line(depth, "pthread_mutex_lock(&m[%d]);" % op[2])
            self.see(depth, "pthread_cond_timedwait(&c[%d], &m[%d], &soon)" % (op[1], op[2]))
            self.line(depth, "pthread_mutex_unlock(&m[%d]);" % op[2])
        elif kind == "timed-loop":
            v = self.variable()
            self.line(depth, "pthread_mutex_lock(&m[%d]);" % op[2])
            self.line(depth, "for (int %s = 0; %s < %d && x[%d] == %d; %s++)" % (v, v, op[5], op[3], op[4], v))
            self.see(depth + 1, "pthread_cond_timedwait(&c[%d], &m[%d], &soon)" % (op[1], op[2]))
            self.line(depth, "pthread_mutex_unlock(&m[%d]);" % op[2])
        elif kind == "timedlock":
            self.repeated_lock(depth, "pthread_mutex_timedlock(&m[%d], &soon)" % op[1], "pthread_mutex_unlock(&m[%d])" % op[1], op[2])
        elif kind == "timed-rwlock":
            self.repeated_lock(depth, "pthread_rwlock_timed%slock(&l[%d], &soon)" % (op[2], op[1]),
                               "pthread_rwlock_unlock(&l[%d])" % op[1], op[3])
        elif kind == "sem-timed":
            v = self.variable()
            self.line(depth, "for (int %s = 0; %s < 2; %s++)" % (v, v, v))
            self.see(depth + 1, "sem_timedwait(&s[%d], &soon)" % op[1])
        elif kind == "timed-join":
            v = self.variable()
            self.line(depth, "int %s = 0;" % v)
            self.line(depth, "while (%s < 2 && pthread_timedjoin_np(t%d, NULL, &soon))" % (v, op[1]))
            self.see(depth + 1, "%s++" % v)
            self.line(depth, "if (%s == 2)" % v)
            self.line(depth + 1, "pthread_join(t%d, NULL);" % op[1])
        elif kind == "counting-spin":
            v = self.variable()
            self.line(depth, "for (int %s = 0; %s < SPINS; %s++)" % (v, v, v))
            _, how, which, value, other = op
            first = "(atomic_load(&a[%d]) == %d)" % (which, value)
            second = "(atomic_load(&a[%d]) == %d)" % (1 - which, other)
            self.line(depth + 1, "if (%s) {" % {"one": first, "and": first + " & " + second, "or": first + " | " + second}[how])
            self.see(depth + 2, "5")
            self.line(depth + 2, "break;")
            self.line(depth + 1, "}")
        elif kind == "cas":
            v = self.variable()
            self.line(depth, "int %s = %d;" % (v, op[2]))
            self.see(depth, "atomic_compare_exchange_strong(&a[%d], &%s, %d)" % (op[1], v, op[3]))
        elif kind == "cas-loop":
            v = self.variable()
            self.line(depth, "int %s = atomic_load(&a[%d]);" % (v, op[1]))
            self.line(depth, "while (!atomic_compare_exchange_weak(&a[%d], &%s, %s + %d)) { }" % (op[1], v, v, op[2]))
            self.see(depth, v)
        elif kind == "sem-value":
            v = self.variable()
            self.line(depth, "int %s;" % v)
            self.line(depth, "sem_getvalue(&s[%d], &%s);" % (op[1], v))
            self.see(depth, v)
        elif kind == "atomic":
            self.line(depth, "heddle_atomic_begin();")
            self.ops(depth, op[1])
            self.line(depth, "heddle_atomic_end();")
        else:
            raise ValueError("no C for operation '%s'" % kind)

    def ops(self, depth, ops):
        for op in ops:
            self.op(depth, op)

    def function(self, thread):
        self.thread = thread
        self.fresh = 0
        ops = self.program["threads"][thread]
        self.line(0, "static void *%s_%d(void *argument)" % (self.name, thread))
        self.line(0, "{")
        self.line(1, "(void)argument;")
        for op in ops:
            if op[0] == "create":
                self.line(1, "pthread_t t%d;" % op[1])
        self.ops(1, ops)
        self.line(1, "return NULL;")
        self.line(0, "}")
        self.line(0, "")

    def emit(self):
        for t in range(len(self.program["threads"])):
            self.line(0, "static void *%s_%d(void *);" % (self.name, t))
        for t in range(len(self.program["threads"])):
            self.function(t)
        return "\n".join(self.lines)


def emit(programs):
    """The C source of the programs; the first argument says which one runs."""
    parts = [HEAD]
    for i, p in enumerate(programs):
        parts.append("/* seed %d: %s */" % (p["seed"], ", ".join(p["features"])))
        parts.append(Emitter(p, "p%d" % i).emit())
    parts.append("int main(int argc, char **argv)\n{\n    int which = argc > 1 ? atoi(argv[1]) : 0;")
    if any(uses(p["threads"], "sem") for p in programs):
        parts.append("    sem_init(&s[0], 0, 1);")
    if any(uses(p["threads"], "event") for p in programs):
        parts.append("    e[0] = eventfd(0, 0);\n    e[1] = eventfd(1, EFD_SEMAPHORE);\n    e[2] = eventfd(0, EFD_NONBLOCK);")
    if any(uses(p["threads"], "barrier") for p in programs):
        parts.append("    pthread_barrier_init(&b[0], NULL, 2);")
    for i, p in enumerate(programs):
        if "input" in p["features"]: # local states are told in another way once there are inputs: from the start, then
            parts.append("    if (which == %d)\n        heddle_bool(\"any\");" % i)
    parts.append("    switch (which) {")
    for i in range(len(programs)):
        parts.append("    case %d:\n        p%d_0(NULL);\n        break;" % (i, i))
    parts.append("    }\n    return 0;\n}\n")
    return "\n".join(parts)


def uses(ops, prefix):
    if isinstance(ops, list):
        return any(uses(o, prefix) for o in ops)
    return isinstance(ops, str) and ops.startswith(prefix)
