"""Small random concurrent programs, as data.

A program is a list of threads, each a list of operations; thread 0 is main.
An operation is a list: its name, its operands, and, last, the lists of
operations inside it. Everything follows from the seed.

Inputs are only branched on here, beside all that threads synchronise with: final states must not hold them, because
explorers run with different ones. Inputs that flow through memory, ranges and updates are drawn by tests/inputs_cross,
which has few ways of synchronising.
"""
import random

# What a program may be made of. Each feature is a list of (weight, maker);
# a maker takes the generator and the depth it is at and gives an operation.
FEATURES = {
    "threads": [],  # threads that create threads, that are detached, or left alone: see place_thread
    "discipline": [],  # locks protect the variables x: see protect
    "lives": [],  # short threads one after the other, in the same slots of the scheduler: see reuse_slots
}

VARIABLES, ATOMICS, MUTEXES, CONDITIONS, SEMAPHORES, RWLOCKS, ONCES, EVENTS, FILES, PIPES = 2, 2, 2, 1, 1, 1, 1, 3, 2, 3
VALUES = 3


def feature(name, weight=1):
    def add(maker):
        FEATURES.setdefault(name, []).append((weight, maker))
        return maker
    return add


class Generator:
    def __init__(self, seed, features, always=()):
        self.random = random.Random(seed)
        self.budget = 0
        self.main = False
        r = self.random
        extra = [f for f in features if f != "plain"]
        chosen = r.sample(extra, min(len(extra), r.choice([1, 1, 2, 2, 3])))
        several = {"locks", "fifo", "epoll", "eventfd", "files", "pipe", "queue", "shared", "socket", "rights", "connection", "datagram", "timer"}
        if "descriptors" in chosen and several & set(chosen):
            chosen.remove("descriptors")  # it closes numbers, those of other features as well
        if "rights" in chosen and "files" in chosen:
            chosen.remove("files")  # dpor and dfs count such programs differently: not understood yet (seed 300)
        self.features = (["plain"] if "plain" in features else []) + chosen
        self.features += [f for f in always if f not in self.features]
        self.makers = [m for f in self.features for m in FEATURES.get(f, ())]

    def below(self, n):
        return self.random.randrange(n)

    def value(self):
        return self.below(VALUES)

    def operation(self, depth):
        weights = [w for w, _ in self.makers]
        return self.random.choices(self.makers, weights)[0][1](self, depth)

    def block(self, size, depth):
        """At most `size` operations."""
        ops = []
        for _ in range(1 + self.below(size)):
            if self.budget <= 0:
                break
            ops.append(self.operation(depth))
        return ops

    def spend(self, n=1):
        self.budget -= n


# --- operations ---------------------------------------------------------------


@feature("plain", 3)
def read(g, depth):
    g.spend()
    return ["read", g.below(VARIABLES)]


@feature("plain", 3)
def write(g, depth):
    g.spend()
    return ["write", g.below(VARIABLES), g.value()]


@feature("plain")
def increment(g, depth):
    g.spend(2)
    return ["increment", g.below(VARIABLES)]


@feature("plain")
def copy(g, depth):
    g.spend(2)
    return ["copy", g.below(VARIABLES), g.below(VARIABLES)]


@feature("plain")
def branch(g, depth):
    if depth >= 2:
        return read(g, depth)
    g.spend()
    return ["if", g.below(VARIABLES), g.value(), g.block(2, depth + 1), g.block(1, depth + 1)]


@feature("loops")
def loop(g, depth):
    if depth >= 1:
        return read(g, depth)
    before = g.budget
    body = g.block(2, depth + 1)
    g.spend(before - g.budget)
    return ["loop", 2, body]


@feature("bytes", 2)
def read_bytes(g, depth):
    g.spend()
    return ["read-part", g.below(4), g.below(8)]


@feature("bytes", 2)
def write_bytes(g, depth):
    g.spend()
    return ["write-part", g.below(4), g.below(8), g.value()]


def span(g):
    """A range of the block's bytes: all of them, of whole cells, or any."""
    ends = g.random.sample(g.random.choice([(0, 64), range(0, 65, 8), range(65)]), 2)
    return min(ends), max(ends) - min(ends)


@feature("ranges", 3)
def fill(g, depth):
    g.spend()
    return ["fill", *span(g), g.value()]


@feature("ranges", 3)
def look_at_range(g, depth):
    g.spend()
    return ["look-at-range", *span(g)]


@feature("ranges")
def move(g, depth):
    g.spend(2)
    start, size = span(g)
    return ["move", g.below(65 - size), start, size]


@feature("ranges")
def read_element(g, depth):
    g.spend()
    return ["read-element", g.below(8)]


@feature("ranges")
def write_element(g, depth):
    g.spend()
    return ["write-element", g.below(8), g.value()]


@feature("ranges")
def update_element(g, depth):
    g.spend()
    return ["update-element", g.below(8), g.value()]


HEAP_LOCKS = ["lock", "lock", "trylock", "rdlock", "wrlock", "wait"]


@feature("heap", 3)
def lock_in_heap(g, depth):
    """A lock beside data in a block of the heap, which another thread may free meanwhile."""
    if depth >= 2:
        return read(g, depth)
    g.spend(2)
    return ["heap-lock", g.random.choice(HEAP_LOCKS), g.block(2, depth + 1)]


@feature("heap", 3)
def use_heap(g, depth):
    g.spend()
    return g.random.choice([["heap-read"], ["heap-write", g.value()], ["heap-load"], ["heap-store", g.value()],
                            ["heap-once"], ["heap-post"]])


@feature("heap", 2)
def free_heap(g, depth):
    """A thread that has freed the block does not use it any more: that would be wrong in every schedule."""
    if depth:
        return read(g, depth)
    g.spend(2)
    return g.random.choice([["heap-free"], ["heap-free-if", g.below(ATOMICS), g.value()],
                            ["heap-free-held", g.random.choice(HEAP_LOCKS)]])


def cut_at_free(ops):
    frees = [i for i, op in enumerate(ops) if op[0].startswith("heap-free")]
    return ops[:frees[0] + 1] if frees else ops


@feature("heap", 2)
def store_for_free(g, depth):
    return store(g, depth)


@feature("volatile", 2)
def read_volatile(g, depth):
    g.spend()
    return ["read-volatile", g.below(VARIABLES)]


@feature("volatile", 2)
def write_volatile(g, depth):
    g.spend()
    return ["write-volatile", g.below(VARIABLES), g.value()]


@feature("mutex", 6)
def lock(g, depth):
    if depth >= 2:
        return read(g, depth)
    g.spend(2)
    return ["lock", g.below(MUTEXES), g.block(2, depth + 1)]


@feature("trylock", 4)
def try_lock(g, depth):
    if depth >= 2:
        return read(g, depth)
    g.spend(2)
    return ["trylock", g.below(MUTEXES), g.block(2, depth + 1), g.block(1, depth + 1)]


@feature("trylock", 2)
def lock_beside_try(g, depth):
    return lock(g, depth)


@feature("atomic", 2)
def load(g, depth):
    g.spend()
    return ["load", g.below(ATOMICS)]


@feature("atomic", 2)
def store(g, depth):
    g.spend()
    return ["store", g.below(ATOMICS), g.value()]


@feature("atomic", 2)
def update(g, depth):
    g.spend()
    return [g.random.choice(["add", "or", "exchange", "and"]), g.below(ATOMICS), g.value()]


@feature("atomic", 2)
def compare(g, depth):
    g.spend()
    return ["cas", g.below(ATOMICS), g.value(), g.value()]


@feature("cas-loop", 3)
def cas_loop(g, depth):
    g.spend(3)
    return ["cas-loop", g.below(ATOMICS), 1 + g.below(2)]


@feature("cas-loop")
def store_beside(g, depth):
    return store(g, depth)


@feature("spin", 2)
def spin(g, depth):
    g.spend(2)
    return ["spin", g.below(ATOMICS), g.value()]


@feature("spin", 3)
def store_for_spin(g, depth):
    return store(g, depth)


@feature("counting", 3)
def counting_spin(g, depth):
    """A loop that waits for a while."""
    g.spend(3)
    return ["counting-spin", g.random.choice(["one", "and", "or", "or"]), g.below(ATOMICS), g.value(), g.value()]


@feature("counting", 3)
def store_for_counting(g, depth):
    return store(g, depth)


@feature("condition", 4)
def wait(g, depth):
    if depth >= 1:
        return signal(g, depth)
    g.spend(4)
    return ["wait", g.below(CONDITIONS), g.below(MUTEXES), g.random.choice(["always", "if", "while"]),
            g.below(VARIABLES), g.value()]


@feature("condition", 2)
def signal(g, depth):
    g.spend()
    return [g.random.choice(["signal", "signal", "broadcast"]), g.below(CONDITIONS)]


@feature("condition", 2)
def locked_signal(g, depth):
    if depth >= 1:
        return signal(g, depth)
    g.spend(2)
    return ["lock", g.below(MUTEXES), [write(g, depth + 1), signal(g, depth + 1)]]


@feature("timedwait", 3)
def timed_wait(g, depth):
    if depth >= 1:
        return signal(g, depth)
    g.spend(4)
    return ["timedwait", g.below(CONDITIONS), g.below(MUTEXES)]


@feature("timedwait", 3)
def signal_beside(g, depth):
    return signal(g, depth)


@feature("timed", 3)
def timed_loop(g, depth):
    """A wait that is repeated, so that it may time out more often than --timeouts says."""
    if depth >= 1:
        return signal(g, depth)
    g.spend(4)
    return ["timed-loop", g.below(CONDITIONS), g.below(MUTEXES), g.below(VARIABLES), g.value(), 2 + g.below(2)]


@feature("timed", 3)
def timed_lock(g, depth):
    if depth >= 2:
        return read(g, depth)
    g.spend(3)
    body = g.block(1, depth + 1)
    return g.random.choice([["timedlock", g.below(MUTEXES), body],
                            ["timed-rwlock", g.below(RWLOCKS), g.random.choice(["rd", "wr"]), body]])


@feature("timed", 2)
def sem_timed(g, depth):
    g.spend(2)
    return ["sem-timed", g.below(SEMAPHORES)]


@feature("timed", 3)
def beside_timed(g, depth):
    return g.random.choice([locked_signal, lock, rw_lock, sem_post, sem_wait])(g, depth)


@feature("futex", 4)
def futex_wait(g, depth):
    g.spend(2)
    return ["futex-wait", g.below(ATOMICS), g.value()]


@feature("futex", 4)
def futex_wake(g, depth):
    g.spend()
    return ["futex-wake", g.below(ATOMICS), g.random.choice([1, 1, "INT_MAX"])]


@feature("futex", 3)
def store_for_futex(g, depth):
    return store(g, depth)


@feature("futex-more", 2)
def futex_timed(g, depth):
    g.spend(3)
    return ["futex-timed", g.below(ATOMICS), g.value()]


@feature("futex-more", 3)
def futex_wait_bits(g, depth):
    g.spend(2)
    return ["futex-wait-bits", g.below(ATOMICS), g.value(), 1 + g.below(3)]


@feature("futex-more", 2)
def futex_wake_bits(g, depth):
    g.spend()
    return ["futex-wake-bits", g.below(ATOMICS), g.random.choice([1, "INT_MAX"]), 1 + g.below(3)]


@feature("futex-more", 2)
def futex_requeue(g, depth):
    g.spend()
    from_word = g.below(ATOMICS)
    return ["futex-requeue", from_word, g.below(2), 1 - from_word, g.random.choice([0, "INT_MAX"])]


@feature("futex-more", 2)
def futex_requeue_if(g, depth):
    return ["futex-requeue-if"] + futex_requeue(g, depth)[1:] + [g.value()]


@feature("futex-more", 2)
def futex_wake_beside(g, depth):
    return futex_wake(g, depth)


@feature("futex-more", 2)
def store_for_more(g, depth):
    return store(g, depth)


@feature("eventfd", 3)
def event_write(g, depth):
    g.spend()
    return ["event-write", g.below(EVENTS), 1 + g.below(2)]


@feature("eventfd", 2)
def event_read(g, depth):
    g.spend()
    return ["event-read", g.below(EVENTS)]


@feature("eventfd", 2)
def event_try(g, depth):
    g.spend()
    return ["event-poll", g.below(EVENTS), g.random.choice([0, 0, -1])]


@feature("pipe", 3)
def pipe_write(g, depth):
    g.spend()
    return ["pipe-write", g.below(PIPES), 1 + g.below(2)]


@feature("pipe", 3)
def pipe_read(g, depth):
    g.spend()
    return ["pipe-read", g.below(PIPES), 1 + g.below(3)]


@feature("pipe")
def pipe_size(g, depth):
    g.spend()
    return ["pipe-size", g.below(PIPES)]


@feature("pipe")
def pipe_poll(g, depth):
    g.spend()
    return ["pipe-poll", g.below(PIPES), g.random.choice([0, -1]), g.below(2)]


@feature("pipe")
def pipe_poll_all(g, depth):
    g.spend(2)
    return ["pipe-poll-all", g.random.choice([0, -1, 5])]


@feature("pipe")
def pipe_close(g, depth):
    g.spend(2)
    return ["pipe-close", g.below(PIPES), g.below(2)]


@feature("pipe")
def pipe_flags(g, depth):
    g.spend(2)
    return ["pipe-flags", g.below(PIPES), g.below(2), g.below(2)]


@feature("pipe")
def pipe_copy(g, depth):
    g.spend(2)
    return ["pipe-copy", g.below(PIPES), g.below(2)]


@feature("socket", 3)
def socket_send(g, depth):
    g.spend()
    return ["socket-send", g.below(PIPES), g.below(2), g.below(3)]


@feature("socket", 3)
def socket_receive(g, depth):
    g.spend()
    flags = g.random.choice(["0", "0", "MSG_DONTWAIT", "MSG_PEEK", "MSG_WAITALL"])
    return ["socket-receive", g.below(PIPES), g.below(2), 1 + g.below(2), flags]


@feature("rights", 3)
def rights_pass(g, depth):
    """Passes a socket of any pair through any pair."""
    g.spend()
    return ["socket-pass", g.below(PIPES), g.below(2), g.below(PIPES), g.below(2)]


@feature("rights", 3)
def rights_take(g, depth):
    """Receives a message, and uses and closes the socket that comes with it."""
    g.spend(2)
    flags = g.random.choice(["0", "MSG_DONTWAIT", "MSG_DONTWAIT | MSG_PEEK"])
    return ["socket-take", g.below(PIPES), g.below(2), flags]


@feature("rights")
def rights_close(g, depth):
    g.spend()
    return ["socket-close", g.below(PIPES), g.below(2)]


@feature("rights")
def rights_receive(g, depth):
    g.spend()
    return ["socket-receive", g.below(PIPES), g.below(2), 1, "MSG_DONTWAIT"]


@feature("socket")
def socket_shut(g, depth):
    g.spend()
    return ["socket-shut", g.below(PIPES), g.below(2), g.below(3)]


@feature("socket")
def socket_poll(g, depth):
    g.spend()
    return ["socket-poll", g.below(PIPES), g.below(2), g.random.choice(["POLLIN", "POLLOUT"]), g.random.choice([0, -1])]


@feature("socket")
def socket_close(g, depth):
    g.spend(2)
    return ["socket-close", g.below(PIPES), g.below(2)]


QUEUES = 2


@feature("queue", 3)
def queue_send(g, depth):
    g.spend()
    return ["queue-send", g.below(QUEUES), g.below(2)]


@feature("queue", 3)
def queue_receive(g, depth):
    g.spend()
    return ["queue-receive", g.below(QUEUES)]


@feature("queue")
def queue_timed(g, depth):
    g.spend(2)
    return [g.random.choice(["queue-timed-send", "queue-timed-receive"]), g.below(QUEUES)]


@feature("queue")
def queue_look(g, depth):
    g.spend()
    return g.random.choice([["queue-count", g.below(QUEUES)],
                            ["queue-poll", g.below(QUEUES), g.random.choice(["POLLIN", "POLLOUT"]), g.random.choice([0, -1])]])


@feature("queue")
def queue_name(g, depth):
    g.spend(2)
    return g.random.choice([["queue-unlink"], ["queue-open", g.random.choice(["0", "O_CREAT", "O_CREAT | O_EXCL"])],
                            ["queue-close", g.below(QUEUES)]])


def mail_request(g):
    """A mailbox, a source and a tag."""
    selective = g.random.choice([False, False, True])
    return [g.below(2), g.random.choice([-1, 0, 1]) if selective else -1, g.random.choice([-1, 0, 1]) if selective else -1]


@feature("mail", 4)
def mail_send(g, depth):
    g.spend()
    return ["mail-send", g.below(2), g.below(2), g.below(2), g.value()]


@feature("mail", 4)
def mail_receive(g, depth):
    g.spend()
    return ["mail-receive", *mail_request(g)]


@feature("mail")
def mail_try(g, depth):
    g.spend()
    return [g.random.choice(["mail-try", "mail-timed"]), *mail_request(g)]


@feature("sysv", 5)
def sysv_operate(g, depth):
    g.spend()
    return ["sysv-operate", g.below(2), g.random.choice([-1, -1, 1, 1, 2, -2, 0]), g.random.choice(["0", "0", "IPC_NOWAIT"])]


@feature("sysv", 2)
def sysv_both(g, depth):
    g.spend(2)
    return ["sysv-both", g.random.choice([-1, 0, 1]), g.random.choice([-1, 0, 1]), g.random.choice(["0", "0", "IPC_NOWAIT"])]


@feature("sysv")
def sysv_timed(g, depth):
    g.spend(2)
    return ["sysv-timed", g.below(2)]


@feature("sysv", 2)
def sysv_control(g, depth):
    g.spend()
    return g.random.choice([["sysv-set", g.below(2), g.value()], ["sysv-get", g.below(2)], ["sysv-get-all"]])


@feature("sysv", 4)
def sysv_message(g, depth):
    g.spend()
    return g.random.choice([["sysv-send", 1 + g.below(2)],
                            ["sysv-receive", g.random.choice([0, 0, 1, 2, -2]), g.random.choice(["0", "IPC_NOWAIT"])]])


@feature("sysv")
def sysv_remove(g, depth):
    g.spend()
    return g.random.choice([["sysv-remove-set"], ["sysv-remove-queue"]])


@feature("shared", 3)
def shared_semaphore(g, depth):
    g.spend(2)
    return ["shared-semaphore", g.random.choice(["0", "O_CREAT", "O_CREAT | O_EXCL"])]


@feature("shared", 2)
def shared_memory(g, depth):
    g.spend(3)
    return ["shared-memory", g.random.choice(["O_CREAT", "O_CREAT | O_EXCL"])]


@feature("shared", 2)
def shared_segment(g, depth):
    g.spend(2)
    return ["shared-segment", g.random.choice(["0", "IPC_CREAT"]), g.below(2)]


@feature("shared", 2)
def shared_unlink(g, depth):
    g.spend()
    return [g.random.choice(["shared-unlink-semaphore", "shared-unlink-memory", "shared-remove-segment", "shared-count"])]
LISTENERS, CLIENTS = 3, 4  # listeners: UNIX, TCP, TCP that does not wait; the clients of the first, and of the second


@feature("connection", 4)
def connection_connect(g, depth):
    g.spend(2)
    return ["connection-connect", g.below(CLIENTS)]


@feature("connection", 3)
def connection_accept(g, depth):
    g.spend(3)
    return ["connection-accept", g.below(LISTENERS), g.random.choice(["'a'", "0"])]


@feature("connection", 2)
def connection_send(g, depth):
    g.spend()
    return ["connection-send", g.below(CLIENTS)]


@feature("connection", 2)
def connection_receive(g, depth):
    g.spend()
    return ["connection-receive", g.below(CLIENTS), g.random.choice(["0", "MSG_DONTWAIT"])]


@feature("connection")
def connection_end(g, depth):
    g.spend(2)
    return ["connection-end", g.below(CLIENTS)]


@feature("connection", 2)
def connection_shut(g, depth):
    g.spend(3)
    return ["connection-shut", g.below(CLIENTS), g.random.choice(["SHUT_RD", "SHUT_WR", "SHUT_RDWR"])]


@feature("connection")
def connection_stop(g, depth):
    g.spend(2)
    return ["connection-stop", g.below(2), g.below(LISTENERS)]


@feature("connection")
def connection_poll(g, depth):
    g.spend()
    return ["connection-poll", g.random.choice(["listeners[%d]" % g.below(LISTENERS), "j[%d]" % g.below(CLIENTS)]),
            g.random.choice(["POLLIN", "POLLIN", "POLLOUT"]), 0]


@feature("connection")
def connection_bind(g, depth):
    g.spend()
    return ["connection-bind", g.random.choice(["j[%d]" % g.below(CLIENTS), "listeners[3]"]), g.below(2)]


@feature("connection")
def connection_listen(g, depth):
    g.spend()
    return ["connection-listen", g.random.choice(["j[%d]" % g.below(CLIENTS), "listeners[3]", "listeners[0]"])]


@feature("connection")
def connection_names(g, depth):
    g.spend()
    return ["connection-names", g.below(CLIENTS)]


@feature("connection")
def connection_error(g, depth):
    g.spend()
    return ["connection-error", g.below(CLIENTS)]


DATAGRAMS = 4  # sockets: two of UNIX, two of UDP; the first of each has a name


@feature("datagram", 4)
def datagram_send(g, depth):
    g.spend(2)
    return ["datagram-send", g.below(DATAGRAMS), g.below(2)]


@feature("datagram", 3)
def datagram_receive(g, depth):
    g.spend()
    return ["datagram-receive", g.below(DATAGRAMS), g.random.choice(["0", "MSG_DONTWAIT"])]


@feature("datagram", 2)
def datagram_connect(g, depth):
    g.spend(2)
    return ["datagram-connect", g.below(DATAGRAMS), g.below(2)]


@feature("datagram", 2)
def datagram_bind(g, depth):
    g.spend()
    return ["datagram-bind", g.below(DATAGRAMS), g.below(2)]


@feature("datagram")
def datagram_close(g, depth):
    g.spend(2)
    return ["datagram-close", g.below(DATAGRAMS)]


@feature("datagram")
def datagram_poll(g, depth):
    g.spend()
    return ["datagram-poll", g.below(DATAGRAMS), g.random.choice(["POLLIN", "POLLOUT"]), 0]


@feature("datagram")
def datagram_answer(g, depth):
    g.spend(2)
    return ["datagram-answer", g.below(DATAGRAMS)]
WATCHED = 3
MODES = ["EPOLLIN", "EPOLLIN", "EPOLLIN | EPOLLET", "EPOLLIN | EPOLLET", "EPOLLIN | EPOLLONESHOT", "EPOLLIN | EPOLLOUT | EPOLLET",
         "EPOLLIN | EPOLLET | EPOLLONESHOT", "EPOLLRDHUP | EPOLLIN | EPOLLET"]


@feature("epoll", 5)
def epoll_send(g, depth):
    g.spend()
    return ["epoll-send", g.below(WATCHED)]


@feature("epoll", 2)
def epoll_receive(g, depth):
    g.spend()
    return ["epoll-receive", g.below(WATCHED)]


@feature("epoll", 6)
def epoll_wait(g, depth):
    g.spend(2)
    return ["epoll-wait", 1 + g.below(3), g.random.choice([0, -1, -1, 1])]


@feature("epoll")
def epoll_poll(g, depth):
    g.spend(2)
    return ["epoll-poll", g.random.choice([0, -1])]


@feature("epoll", 2)
def epoll_control(g, depth):
    g.spend(2)
    command = g.random.choice(["ADD", "MOD", "MOD", "DEL"])
    return ["epoll-control", command, g.below(WATCHED), g.random.choice(MODES)]


@feature("epoll")
def epoll_close(g, depth):
    g.spend(2)
    return ["epoll-close", g.below(WATCHED), g.below(2)]


TIMERS = 2


@feature("timer", 4)
def timer_set(g, depth):
    g.spend()
    return ["timer-set", g.below(TIMERS), g.random.choice([0, 1, 1, 2]), g.random.choice([0, 0, 3])]


@feature("timer", 3)
def timer_read(g, depth):
    g.spend()
    return ["timer-read", g.below(TIMERS)]


@feature("timer", 2)
def timer_poll(g, depth):
    g.spend()
    return ["timer-poll", g.below(3), g.random.choice([0, -1, 5])]


@feature("timer", 2)
def timer_events(g, depth):
    g.spend(2)
    return ["timer-events", 1 + g.below(2), g.random.choice([0, -1, -1, 5])]


@feature("timer")
def timer_write(g, depth):
    g.spend()
    return ["timer-write"]


@feature("timer")
def timer_sleep(g, depth):
    return ["timer-sleep", 1 + g.below(3)]


@feature("descriptors", 3)
def descriptor_open(g, depth):
    g.spend(2)
    return ["descriptor-open", 0]


@feature("descriptors", 3)
def descriptor_close(g, depth):
    g.spend(2)
    return ["descriptor-close", 3 + g.below(4)]


@feature("descriptors", 3)
def descriptor_read(g, depth):
    g.spend()
    return ["descriptor-read", 3 + g.below(3)]


@feature("descriptors")
def descriptor_seek(g, depth):
    g.spend()
    return ["descriptor-seek", 3 + g.below(2), g.value()]


@feature("descriptors")
def descriptor_copy(g, depth):
    g.spend(2)
    return ["descriptor-copy", 3 + g.below(2)]


@feature("descriptors")
def environment(g, depth):
    g.spend()
    return [g.random.choice(["environment-set", "environment-get"]), g.value()]


@feature("files", 2)
def file_make(g, depth):
    g.spend(2)
    return ["file-make", g.below(FILES)]


@feature("files", 2)
def file_change(g, depth):
    g.spend()
    return [g.random.choice(["file-remove", "file-folder", "file-rename", "file-link", "file-symlink",
                             "file-cut", "file-mode"]), g.below(FILES)]


@feature("files", 2)
def file_look(g, depth):
    g.spend()
    return [g.random.choice(["file-there", "file-size"]), g.below(FILES)]


@feature("files", 2)
def file_append(g, depth):
    g.spend(2)
    return ["file-append", g.below(FILES)]


@feature("files", 2)
def file_read(g, depth):
    g.spend(2)
    return ["file-read", g.below(FILES)]


@feature("files")
def file_write_open(g, depth):
    g.spend()
    return ["file-write-open", g.value()]


@feature("files")
def file_wait(g, depth):
    g.spend(2)
    return ["file-wait", g.below(FILES)]


LOCKS, RECORDS = 4, 3
SOON, WAITS = ["F_SETLK", "F_OFD_SETLK"], ["F_SETLKW", "F_OFD_SETLKW"]


@feature("locks", 3)
def hold_file(g, depth):
    if depth >= 2:
        return read(g, depth)
    g.spend(2)
    return ["flock", g.below(LOCKS), g.random.choice(["LOCK_SH", "LOCK_EX", "LOCK_EX"]), g.block(2, depth + 1)]


@feature("locks", 2)
def call_flock(g, depth):
    g.spend()
    how = g.random.choice(["LOCK_SH | LOCK_NB", "LOCK_EX | LOCK_NB", "LOCK_UN", "LOCK_EX"])
    return ["flock-call", g.below(LOCKS), how]


@feature("locks", 3)
def hold_record(g, depth):
    if depth >= 2:
        return read(g, depth)
    g.spend(2)
    return ["record", g.below(LOCKS), g.random.choice(WAITS), g.random.choice(["F_RDLCK", "F_WRLCK", "F_WRLCK"]),
            g.below(RECORDS), g.below(3), g.block(2, depth + 1)]


@feature("locks", 2)
def call_record(g, depth):
    g.spend()
    return ["record-call", g.below(LOCKS), g.random.choice(SOON + WAITS), g.random.choice(["F_RDLCK", "F_WRLCK", "F_UNLCK"]),
            g.below(RECORDS), g.below(3)]


@feature("locks", 2)
def ask_record(g, depth):
    g.spend()
    return ["record-ask", g.below(LOCKS), g.random.choice(["F_GETLK", "F_OFD_GETLK"]), g.random.choice(["F_RDLCK", "F_WRLCK"])]


@feature("locks")
def close_locked(g, depth):
    g.spend()
    return ["record-close", g.below(LOCKS)]


@feature("fifo", 3)
def fifo_send(g, depth):
    g.spend(3)
    return ["fifo-send", g.random.choice(["0", "O_NONBLOCK"])]


@feature("fifo", 3)
def fifo_receive(g, depth):
    g.spend(3)
    return ["fifo-receive", g.random.choice(["0", "O_NONBLOCK"])]


@feature("fifo")
def fifo_hold(g, depth):
    if depth >= 1:
        return read(g, depth)
    g.spend(2)
    return ["fifo-hold", g.random.choice(["O_RDWR", "O_RDONLY | O_NONBLOCK", "O_WRONLY | O_NONBLOCK", "O_WRONLY"]),
            g.block(2, depth + 1)]


@feature("fifo")
def fifo_name(g, depth):
    g.spend()
    return [g.random.choice(["fifo-remove", "fifo-make", "fifo-make", "fifo-kind"])]


@feature("semaphore", 3)
def sem_wait(g, depth):
    g.spend()
    return ["sem-wait", g.below(SEMAPHORES)]


@feature("semaphore", 3)
def sem_post(g, depth):
    g.spend()
    return ["sem-post", g.below(SEMAPHORES)]


@feature("semaphore")
def sem_try(g, depth):
    g.spend()
    return ["sem-try", g.below(SEMAPHORES)]


@feature("semaphore")
def sem_value(g, depth):
    g.spend()
    return ["sem-value", g.below(SEMAPHORES)]


@feature("rwlock", 4)
def rw_lock(g, depth):
    if depth >= 2:
        return read(g, depth)
    g.spend(2)
    return [g.random.choice(["rdlock", "wrlock"]), g.below(RWLOCKS), g.block(2, depth + 1)]


@feature("rwlock", 2)
def try_rw_lock(g, depth):
    if depth >= 2:
        return read(g, depth)
    g.spend(2)
    return [g.random.choice(["tryrdlock", "trywrlock"]), g.below(RWLOCKS), g.block(2, depth + 1)]


@feature("heap", 3)
def push_node(g, depth):
    """A block that its allocator initialises and hands over, sometimes with an access that comes too late."""
    g.spend(3)
    return ["heap-push", g.value(), g.below(8) == 0]


@feature("heap", 2)
def look_at_node(g, depth):
    g.spend(2)
    return ["heap-look"]


@feature("heap", 2)
def take_node(g, depth):
    """Takes a block out of the list, and uses it where others can no longer find it."""
    g.spend(2)
    return ["heap-take", g.below(2)]


@feature("initialise", 3)
def initialise(g, depth):
    """A variable that its thread initialises without a lock, and perhaps tells of."""
    g.spend(2)
    return ["initialise", g.below(VARIABLES), g.value(), g.random.choice(["tells", "tells", "silent"])]


@feature("initialise", 3)
def wait_to_be_told(g, depth):
    g.spend()
    return ["sem-wait", 0]


@feature("barrier", 3)
def barrier(g, depth):
    g.spend()
    return [g.random.choice(["barrier", "barrier-serial"]), 0]


@feature("once", 3)
def once(g, depth):
    g.spend(2)
    return ["once", g.below(ONCES)]


@feature("choose", 2)
def choose(g, depth):
    g.spend()
    return ["choose", 2 + g.below(2)]


@feature("choose")
def toss(g, depth):
    g.spend()
    return ["toss"]


@feature("choose")
def choose_branch(g, depth):
    if depth >= 2:
        return choose(g, depth)
    g.spend()
    return ["if-chosen", g.block(1, depth + 1), g.block(1, depth + 1)]


@feature("input", 3)
def input_branch(g, depth):
    if depth >= 2:
        return write(g, depth)
    g.spend()
    return ["if-input", 1 + g.below(2), g.block(1, depth + 1), g.block(1, depth + 1)]


@feature("assert", 2)
def assertion(g, depth):
    g.spend()
    return ["assert", g.below(VARIABLES), g.value()]


@feature("assume", 2)
def assume(g, depth):
    g.spend()
    return ["assume", g.below(VARIABLES), g.value()]


# What heddle refuses inside an atomic block.
NOT_IN_BLOCKS = ("barrier", "condition", "timedwait", "timed", "futex", "futex-more", "choose", "timer")


@feature("block", 3)
def atomic_block(g, depth):
    if depth >= 1:
        return write(g, depth)
    g.spend()
    before, makers = g.budget, g.makers
    g.makers = [m for f in g.features if f not in NOT_IN_BLOCKS for m in FEATURES.get(f, ())]
    body = g.block(3, 9)
    g.makers = makers
    g.budget = before - 1
    return ["atomic", body]


@feature("exit", 2)
def leave(g, depth):
    g.spend()
    return [g.random.choice(["exit", "thread-exit"]), g.value()]


@feature("exit")
def leave_if(g, depth):
    g.spend(2)
    return ["if", g.below(VARIABLES), g.value(), [["exit", 0]], []]


@feature("exit")
def leave_with(g, depth):
    g.spend()
    return ["exit-with", g.below(VARIABLES)]


# --- the lock discipline ----------------------------------------------------------

READS, WRITES = "rdlock", "wrlock"
# Which variables an operation uses, by the positions of its operands, and how.
USES = {"read": ([1], READS), "write": ([1], WRITES), "increment": ([1], WRITES), "copy": ([1, 2], WRITES),
        "if": ([1], READS), "assert": ([1], READS), "assume": ([1], READS), "exit-with": ([1], READS)}


def guards(op, by_rwlock):
    """The locks that the operation needs: variable i has mutex i, or the last one a read-write lock."""
    operands, how = ([], None) if op[0] not in USES else USES[op[0]]
    variables = {op[i] for i in operands} | ({0} if op[0] == "once" else set())
    how = WRITES if op[0] == "once" else how
    return [(how, 0) if by_rwlock and v == VARIABLES - 1 else ("lock", v) for v in sorted(variables)]


def protect(ops, by_rwlock, held=()):
    """The operations, with a lock around each use of a variable, unless one is held there. A wait looks at a variable of
    its own mutex."""
    protected = []
    for op in ops:
        if op[0] in ("wait", "timed-loop"):
            op = list(op)
            op[4 if op[0] == "wait" else 3] = 0 if by_rwlock else op[2]
            op[2] = 0 if by_rwlock else op[2]
        needed = [g for g in guards(op, by_rwlock) if g not in held and (WRITES, g[1]) not in held]
        if any(lock != "lock" and (READS, 0) in held for lock, _ in needed):
            needed = []  # a read lock cannot become a write lock
        own = [(op[0], op[1])] if op[0] in ("lock", "trylock", READS, WRITES, "tryrdlock", "trywrlock") else []
        own = [(lock.replace("try", "") if lock != "trylock" else "lock", i) for lock, i in own]
        inside = (*held, *needed, *own)
        op = [protect(part, by_rwlock, inside) if isinstance(part, list) else part for part in op]
        for lock, i in reversed(needed):
            op = [lock, i, [op]]
        protected.append(op)
    return protected


# --- threads --------------------------------------------------------------------


def generate(seed, features, always=()):
    """A program: its features (some of the given ones, and those that it always has), its threads' operations, and the
    barrier's size."""
    g = Generator(seed, features, always)
    r = g.random
    count = r.choice([3, 3, 4]) if "lives" in g.features else r.choice([2, 2, 2, 3])
    low, high = {2: (3, 9), 3: (2, 5), 4: (1, 4)}[count]
    threads = [[] for _ in range(count + 1)]
    for t in range(1, count + 1):
        g.budget = r.randint(low, high)
        threads[t] = cut_at_free(g.block(6, 0))
    creators = {t: 0 for t in range(1, count + 1)}
    if "threads" in g.features and count > 1 and r.random() < 0.7:
        child = r.randrange(2, count + 1)
        creators[child] = r.randrange(1, child)
    main_works = r.random() < 0.4
    for t in range(count, 0, -1):
        place_thread(g, threads, creators[t], t)
    if "lives" in g.features:
        for t in sorted(set(creators.values())):
            reuse_slots(g, threads[t])
    if main_works:
        g.budget = 2
        at = r.randrange(1, len(threads[0]) + 1)
        threads[0][at:at] = g.block(2, 1)
    if "spin" in g.features and r.random() < 0.3:  # while no other thread exists
        threads[0].insert(r.choice([0, len(threads[0])]), spin(g, 0))
    if "exit" in g.features and r.random() < 0.5:
        threads[0].append(["exit-with", g.below(VARIABLES)])
    if "discipline" in g.features:
        threads = [protect(ops, "rwlock" in g.features and seed % 2 == 0) for ops in threads]
    return {"seed": seed, "features": g.features, "threads": threads, "barrier": 2,
            "watched": [g.random.choice(MODES) for _ in range(WATCHED)],
            "timeouts": "any" if asks_within_time(threads) else ("1", "0", "2", "any")[seed % 4], "volatile": ("atomic", "plain")[seed // 4 % 2],
            "fates": fates(g, seed)}


def asks_within_time(ops):
    """Is there a receive from a source or a tag with a time limit? That it waits for longer is a limit (--timeouts)."""
    return isinstance(ops, list) and ((ops[:1] == ["mail-timed"] and ops[2:] != [-1, -1])
                                      or any(map(asks_within_time, ops)))


SCHEMES = ("async", "fifo", "causal")
UDP = "loss", "dup", "reorder", "loss,dup", "dup,reorder", "loss,reorder"
STREAMS = {"pipe", "socket", "rights", "connection"}


def fates(g, seed):
    """Options about what may happen to data on its way, for two of three programs that send some."""
    if seed % 3 == 0:
        return []
    udp = ["--udp=" + UDP[seed % len(UDP)]] if "datagram" in g.features else []
    mail = ["--scheme=" + SCHEMES[seed % len(SCHEMES)]] if "mail" in g.features else []
    return udp + mail + (["--partial"] if STREAMS & set(g.features) else [])


def place_thread(g, threads, parent, child):
    """The creation of a thread, and what becomes of it, among its parent's operations."""
    r = g.random
    ops = threads[parent]
    end = r.choice(["join", "detach", "leave"]) if "threads" in g.features and r.random() < 0.3 else "join"
    at = 0 if parent == 0 else r.randrange(len(ops) + 1)
    ops.insert(at, ["create", child])
    if end == "join":
        timed = "timed" in g.features and r.random() < 0.3
        ops.append(["timed-join" if timed else "join", child])
    elif end == "detach":
        ops.insert(r.randrange(at + 1, len(ops) + 1), ["detach", child])


def reuse_slots(g, ops):
    """Makes the thread with these operations reuse slots: it uses up its fresh ones, and creates some of its threads
    only after it has joined others."""
    children = [op[1] for op in ops if op[0] == "create"]
    joined = [t for t in children if ["join", t] in ops]
    g.random.shuffle(joined)
    for earlier, later in zip(joined, joined[1:]):
        if g.random.random() < 0.7:
            ops.remove(["create", later])
            at = ops.index(["join", earlier]) + 1
            ops.insert(at, ["create", later])
            ops.remove(["join", later])
            ops.insert(g.random.randrange(ops.index(["create", later]) + 1, len(ops) + 1), ["join", later])
    ops.insert(0, ["use-up", 0])
