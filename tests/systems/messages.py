"""Random systems of processes that a program makes with fork, and that exchange messages: over pipes, a pair of sockets,
shared memory, semaphores and locks between processes, exit statuses and signals. Some of them become another program
(TOOL), which uses what it inherits: descriptors, arguments, ignored signals."""
import random

HEAD = r"""
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of all processes. */
static struct {
    sem_t semaphore;
    pthread_mutex_t lock;
    atomic_int count;
    int plain;
} *shared;

/* Of each process. */
static int own = 1, pipes[2][2], pair[2];
static volatile sig_atomic_t came;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static int guarded;
int results[8]; /* the parent's: what its children ended with */

static void on_signal(int signal)
{
    came += signal;
}

static void begin(void)
{
    pthread_mutexattr_t between;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&between);
    pthread_mutexattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&between, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&shared->lock, &between);
    sem_init(&shared->semaphore, 1, 0);
    pipe(pipes[0]);
    pipe2(pipes[1], O_NONBLOCK);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    signal(SIGPIPE, SIG_IGN);
}

static int take(int fd)
{
    char c = 0;
    long got = read(fd, &c, 1);
    return got < 0 ? 90 + (errno == EINTR) : (int)got * 10 + c;
}

static int lock(void)
{
    int error = pthread_mutex_lock(&shared->lock);
    if (error == EOWNERDEAD)
        pthread_mutex_consistent(&shared->lock);
    int value = ++shared->plain;
    pthread_mutex_unlock(&shared->lock);
    return value + error;
}

static int guard(void)
{
    pthread_mutex_lock(&inner);
    int value = ++guarded;
    pthread_mutex_unlock(&inner);
    return value;
}

static const char *tool;

static void become(int sum, const char *what)
{
    char text[16];
    sprintf(text, "%d", sum & 0xff);
    execl(tool, tool, text, what, NULL);
    assert(0);
}

static int waited(pid_t pid, int flags)
{
    int status = 0;
    pid_t got = waitpid(pid, &status, flags);
    return got <= 0 ? 70 + (got < 0) : WIFEXITED(status) ? WEXITSTATUS(status) : 60 + WTERMSIG(status);
}
"""

# The program that processes become: arguments are the sum so far and what to do. Numbers of descriptors follow from `begin`.
TOOL = r"""
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_int own = 1;

static int take(int fd)
{
    char c = 0;
    long got = read(fd, &c, 1);
    return got < 0 ? 90 + (errno == EBADF) : (int)got * 10 + c;
}

int main(int argc, char **argv)
{
    int sum = atoi(argv[1]);
    for (const char *what = argv[2]; *what; what++)
        switch (*what) {
        case 'w':
            sum = sum * 7 + (int)write(4, "\\2", 1);
            break;
        case 'r':
            sum = sum * 7 + take(5);
            break;
        case 's':
            sum = sum * 7 + (int)send(7, "\\3", 1, MSG_NOSIGNAL);
            break;
        case 'o':
            sum = sum * 7 + own++;
            break;
        case 'k':
            sum = sum * 7 + kill(getppid(), SIGUSR1);
            break;
        case 'x':
            argv[2] = (char *)what + 1;
            sum += own;
            execv(argv[0], argv);
        }
    return (sum & 0xff) % 61;
}
"""

OPERATIONS = [
    ("write", "write(pipes[{p}][1], \"{c}\", 1)"),
    ("read", "take(pipes[{p}][0])"),
    ("send", "send(pair[{e}], \"{c}\", 1, MSG_NOSIGNAL)"),
    ("receive", "take(pair[{e}])"),
    ("close", "close(pipes[{p}][{e}])"),
    ("close pair", "close(pair[{e}])"),
    ("add", "atomic_fetch_add(&shared->count, 1)"),
    ("lock", "lock()"),
    ("hold", "pthread_mutex_trylock(&shared->lock)"),
    ("post", "sem_post(&shared->semaphore)"),
    ("wait", "sem_wait(&shared->semaphore)"),
    ("try", "sem_trywait(&shared->semaphore)"),
    ("own", "own++"),
    ("came", "(int)came"),
    ("parent", "kill(getppid(), SIGUSR1)"),
]


def has_thread(seed):
    """Does the process fork beside a thread?"""
    return seed % 5 == 0


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed * 7919 + 3)
        self.signals = self.random.random() < 0.25
        names = [n for n, _ in OPERATIONS if self.signals or n not in ("came", "parent")]
        self.chosen = self.random.sample(names, min(len(names), 5))
        self.asserts = self.random.random() < 0.3
        self.lines = []
        self.has_thread = has_thread(seed)
        if self.has_thread:
            self.chosen = self.chosen[:2]

    def say(self, depth, text):
        self.lines.append("    " * depth + text)

    def operation(self, depth, is_root):
        name = self.random.choice(self.chosen)
        if name == "parent" and is_root:
            name = "came"
        call = dict(OPERATIONS)[name].format(p=self.random.randrange(2), e=self.random.randrange(2),
                                             c="\\%d" % self.random.randrange(1, 8))
        self.say(depth, "sum = sum * 7 + %s;" % call)

    def operations(self, depth, most, is_root=False):
        for _ in range(self.random.randrange(most + 1)):
            self.operation(depth, is_root)

    def become(self, depth):
        what = "".join(self.random.choices("wrsox" + ("k" if self.signals else ""), k=self.random.randrange(1, 3)))
        if self.random.random() < 0.3:
            self.say(depth, "fcntl(%d, F_SETFD, FD_CLOEXEC);" % self.random.choice([4, 5, 7]))
        self.say(depth, 'become(sum, "%s");' % what)

    def child(self, depth, level):
        self.say(depth, "int pid%d = fork();" % level)
        self.say(depth, "if (!pid%d) {" % level)
        if self.has_thread:
            self.say(depth + 1, "sum += %s;" % self.random.choice(["guarded", "guard()"]))
        self.operations(depth + 1, 2)
        if level < 2 and self.random.random() < 0.2:
            self.child(depth + 1, level + 1)
            self.say(depth + 1, "sum += waited(pid%d, 0);" % (level + 1))
        if self.asserts and self.random.random() < 0.5:
            self.say(depth + 1, "assert(sum %% 5 != %d);" % self.random.randrange(5))
        if self.random.random() < 0.3:
            self.become(depth + 1)
        self.say(depth + 1, self.random.choice(["_exit((sum & 0xff) % 61);", "exit((sum & 0xff) % 61);"]))
        self.say(depth, "}")

    def thread(self, name):
        self.say(0, "static void *beside_%s(void *unused)" % name)
        self.say(0, "{")
        self.say(1, "int sum = guard();")
        self.operations(1, 1, True)
        self.say(1, "(void)sum;")
        self.say(1, "return unused;")
        self.say(0, "}")
        self.say(0, "")

    def program(self, name):
        if self.has_thread:
            self.thread(name)
        self.say(0, "static void %s(void)" % name)
        self.say(0, "{")
        self.say(1, "int sum = 0;")
        if self.has_thread:
            self.say(1, "pthread_t t;")
            self.say(1, "pthread_create(&t, NULL, beside_%s, NULL);" % name)
        if self.signals:
            self.say(1, "signal(SIGUSR1, on_signal);")
        count = 1 if self.has_thread else self.random.choice([1, 1, 2])
        for i in range(count):
            self.say(1, "{")
            self.child(2, 1)
            self.say(2, "results[%d] = pid1;" % i)
            self.say(1, "}")
            self.operations(1, 1, True)
        self.operations(1, 2, True)
        if self.signals and self.random.random() < 0.5:
            self.say(1, "kill(results[0], %s);" % self.random.choice(["SIGTERM", "SIGUSR1", "SIGKILL"]))
        flags = self.random.choice(["0", "0", "0", "WNOHANG"])
        order = list(range(count)) if self.random.random() < 0.7 else []
        for i in order:
            self.say(1, "results[%d] = waited(results[%d], %s);" % (i, i, flags))
        if not order:
            for i in range(count):
                self.say(1, "results[%d] = waited(-1, %s);" % (i, flags))
        if self.has_thread:
            self.say(1, "pthread_join(t, NULL);")
        self.say(1, "results[7] = sum;")
        self.say(0, "}")
        return "\n".join(self.lines)


def source(seeds):
    """One program for all of them: its argument says which."""
    parts = [HEAD]
    for s in seeds:
        parts.append("/* seed %d */\n%s" % (s, Generator(s).program("run_%d" % s)))
    cases = "".join("    case %d:\n        run_%d();\n        break;\n" % (s, s) for s in seeds)
    parts.append("int main(int argc, char **argv)\n{\n    tool = argv[1];\n    begin();\n    switch (atoi(argv[argc - 1])) {\n%s    }\n    return 0;\n}\n" % cases)
    return "\n\n".join(parts)
