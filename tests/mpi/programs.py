"""Random MPI programs (machine.c), and what they can do according to an interpreter of their own: messages of two ranks stay in
order, arrive at any time, and match the first receive that accepts them; a receive matches the first message of some rank
that has arrived."""
import random

ANY = 9


def generate(seed):
    """The operations of each rank, as words. Most messages go to rank 0, which mostly receives."""
    r = random.Random(seed)
    ranks = r.choice((2, 3, 3, 4))
    return [operations(r, rank, ranks) for rank in range(ranks)]


def operations(r, rank, ranks):
    ops, receives, begun = [], 0, []
    for _ in range(r.randint(2, 5) if rank == 0 else r.randint(1, 3)):
        sends = r.random() < (0.15 if rank == 0 else 0.75)
        done = [k for k in range(receives) if k not in begun]
        if done and r.random() < 0.3:
            ops += ["o%d" % r.choice(done), sending(r, rank, ranks)]
        elif begun and r.random() < 0.3:
            ops.append("w%d" % begun.pop(r.randrange(len(begun))))
        elif sends:
            ops.append(sending(r, rank, ranks))
        else:
            source = ANY if r.random() < 0.7 else other_than(r, rank, ranks)
            begins = r.random() < 0.4
            ops.append("%s%d%d" % ("i" if begins else "r", source, r.choice((0, 0, 1, ANY, ANY))))
            begun += [receives] if begins else []
            receives += 1
    return ops


def other_than(r, rank, ranks):
    return r.choice([x for x in range(ranks) if x != rank])


def sending(r, rank, ranks):
    to = 0 if rank and r.random() < 0.75 else other_than(r, rank, ranks)
    return "%s%d%d%d" % (r.choice("sssy"), to, r.choice((0, 0, 1)), r.randrange(2))


def text(program):
    return "/".join(",".join(ops) for ops in program)


class Rank:
    """Where a rank is: the next operation, values received, receives that are not matched yet (number, source, tag), messages
    that have arrived (source, tag, value, sender waits), the receive or send that it waits for."""

    def __init__(self, pc=0, got=(), posted=(), arrived=(), waits=None):
        self.pc, self.got, self.posted, self.arrived, self.waits = pc, got, posted, arrived, waits

    def key(self):
        return self.pc, self.got, self.posted, self.arrived, self.waits

    def change(self, **parts):
        return Rank(**{**self.__dict__, **parts})


def accepts(source, tag, message):
    return source in (ANY, message[0]) and tag in (ANY, message[1])


def outcomes(program, synchronous):
    """All ends: whether some rank is stuck, and the values that each rank has received."""
    start = tuple(Rank() for _ in program), ()
    seen, left, ends = set(), [start], set()
    while left:
        state = left.pop()
        key = tuple(r.key() for r in state[0]), state[1]
        if key in seen:
            continue
        seen.add(key)
        following = list(steps(program, synchronous, *state))
        left += following
        if not following:
            stuck = any(not ended(program[i], r) for i, r in enumerate(state[0]))
            ends.add((stuck, tuple(r.got for r in state[0])))
    return ends


def ended(ops, rank):
    return rank.pc == len(ops) and not rank.posted and rank.waits is None


def steps(program, synchronous, ranks, flying):
    """The states after one step: an operation of a rank, or the arrival of a message (from, to, tag, value, sender waits)."""
    for i, message in enumerate(flying):
        if not any(m[:2] == message[:2] for m in flying[:i]):
            yield arrive(ranks, message), flying[:i] + flying[i + 1:]
    for i, rank in enumerate(ranks):
        if rank.waits is None and rank.pc < len(program[i]):
            yield from perform(program[i], synchronous, ranks, flying, i)


def replace(ranks, i, rank):
    return ranks[:i] + (rank,) + ranks[i + 1:]


def matched(ranks, to, number, message):
    """Receive `number` of rank `to` takes the message."""
    rank = ranks[to]
    got = rank.got[:number] + (message[2],) + rank.got[number + 1:]
    waits = None if rank.waits == ("receive", number) else rank.waits
    ranks = replace(ranks, to, rank.change(got=got, waits=waits))
    if message[3]:
        ranks = replace(ranks, message[0], ranks[message[0]].change(waits=None))
    return ranks


def arrive(ranks, message):
    source, to, tag, value, waits = message
    short = (source, tag, value, waits)
    for k, (number, wanted, wanted_tag) in enumerate(ranks[to].posted):
        if accepts(wanted, wanted_tag, short):
            posted = ranks[to].posted[:k] + ranks[to].posted[k + 1:]
            return matched(replace(ranks, to, ranks[to].change(posted=posted)), to, number, short)
    return replace(ranks, to, ranks[to].change(arrived=ranks[to].arrived + (short,)))


def perform(ops, synchronous, ranks, flying, i):
    rank, op = ranks[i], ops[ranks[i].pc]
    digits = [int(d) for d in op[1:]]
    rank = rank.change(pc=rank.pc + 1)
    if op[0] in "sy":
        waits = synchronous or op[0] == "y"
        message = (i, digits[0], digits[1], 2 * (100 * i + rank.pc - 1) + digits[2], waits)
        yield replace(ranks, i, rank.change(waits=("send", rank.pc) if waits else None)), flying + (message,)
    elif op[0] == "o":
        yield replace(ranks, i, rank if rank.got[digits[0]] % 2 else rank.change(pc=rank.pc + 1)), flying
    elif op[0] == "w":
        pending = any(p[0] == digits[0] for p in rank.posted)
        yield replace(ranks, i, rank.change(waits=("receive", digits[0]) if pending else None)), flying
    else:
        for after in post(replace(ranks, i, rank), i, op[0] == "r", *digits):
            yield after, flying


def post(ranks, i, blocks, source, tag):
    rank, number = ranks[i], len(ranks[i].got)
    rank = rank.change(got=rank.got + (0,))
    fitting = [m for m in rank.arrived if accepts(source, tag, m)]
    for message in {m[0]: m for m in reversed(fitting)}.values(): # the first one of each rank
        arrived = tuple(m for m in rank.arrived if m != message)
        yield matched(replace(ranks, i, rank.change(arrived=arrived)), i, number, message)
    if not fitting:
        waits = ("receive", number) if blocks else None
        yield replace(ranks, i, rank.change(posted=rank.posted + ((number, source, tag),), waits=waits))
