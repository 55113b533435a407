"""Is dpor's answer the one that looking at every schedule gives?"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tool"))
import heddle
import emit

# The programs with loops that count to FEW, which are explored as they are written. No program changes an atomic variable
# so often that more rounds would make a difference.
WRITTEN, FEW = "-written", 8

# Executions that make many system calls take longer.
FILES_BOUND = 3000

COMMON = ["--states", "--stop=never", "--races=off"]


class TooLarge(Exception):
    """More schedules than the bound: nothing to compare with."""


def build(programs, folder):
    source = os.path.join(folder, "program.c")
    binary = os.path.join(folder, "program")
    with open(source, "w") as f:
        f.write(emit.emit(programs))
    heddle.compile_program([source], binary)
    if any("counting" in p["features"] for p in programs):
        heddle.compile_program([source], binary + WRITTEN, ["-DSPINS=%d" % FEW])
    return binary


def explore(binary, which, explorer, options, folder):
    return heddle.check(binary, [*COMMON, "--explore=" + explorer, *options], [str(which)], folder, timeout=60)


def learned_otherwise(dfs, other, program):
    """Is other memory shared for dfs? It keeps the owners of objects from run to run. Which block of the heap, or which open
    file of a system of processes, has a number may depend on the schedule: it has two owners then, and no conflicts."""
    return ("heap" in program["features"] or "system" in program) and dfs.restarts != other.restarts


def ends_before_unshared(dfs, other, program):
    """Memory that a thread uses, and main after joining it, is shared for dfs alone, which keeps the owners of memory from
    run to run. That is no conflict, but where the process ends early, the end may come before or after such an access."""
    features = set(program["features"])
    return "lives" in features and features & {"exit", "assert"} and dfs.restarts != other.restarts


def differences(dfs, dpor, program):
    """What is wrong, as lines; none: dpor agrees with dfs.

    What an atomic block, a call that accesses a range, a requeue, a write of 2 to an eventfd, or a call on files, their locks, FIFOs, pipes, sockets, queues or shared
    objects does elsewhere cannot be told before it is done there: executions of such programs may be begun in vain. With inputs, dfs sees what main looks at behind its joins:
    where the process ends early, it tells more traces apart. A use of freed memory ends an execution as well: which
    memory is shared may be learned from other executions, and counts then differ."""
    features = program["features"]
    vain = {"block", "ranges", "futex-more", "eventfd", "epoll", "timer", "pipe", "socket", "rights", "connection", "datagram", "queue", "sysv",
            "shared", "descriptors", "files", "locks", "fifo"} & set(features)
    early = "input" in features and ("exit" in features or "assert" in features)
    unshared = ends_before_unshared(dfs, dpor, program)
    early |= bool(unshared) or learned_otherwise(dfs, dpor, program)
    wrong = []
    if not dfs.complete:
        wrong.append("dfs is not complete: " + dfs.output.strip())
    if not dpor.complete:
        wrong.append("dpor is not complete: " + dpor.output.strip())
    if dpor.blocked and not vain:
        wrong.append("dpor: %d blocked executions" % dpor.blocked)
    if dpor.tests != dfs.traces and not early:
        wrong.append("dpor: %d executions, but there are %d traces" % (dpor.tests, dfs.traces))
    if (dpor.states, dpor.state_sum) != (dfs.states, dfs.state_sum) and not unshared:
        wrong.append("final states: dpor has %d, dfs has %d%s" % (
            dpor.states, dfs.states, "" if dpor.states != dfs.states else " others"))
    if dpor.places() != dfs.places():
        wrong.append("findings: dpor has %s, dfs has %s" % (dpor.places(), dfs.places()))
    return wrong


NETS = ("unfold", "contextual", "naive")


def unlike(dfs, net):
    """What is wrong with an unfolding explorer: it must reach every local state, and find the same. If a wait times out
    because no thread can run, it must notice that."""
    if dfs.expired:
        return ["%s has not noticed time-outs when no thread can run" % net.explorer] if net.complete else []
    wrong = []
    if not net.complete:
        wrong.append("%s is not complete: %s" % (net.explorer, net.output.strip()))
    if (net.locals, net.local_sum) != (dfs.locals, dfs.local_sum):
        wrong.append("local states: %s has %d, dfs has %d%s" % (
            net.explorer, net.locals, dfs.locals, "" if net.locals != dfs.locals else " others"))
    if net.places() != dfs.places():
        wrong.append("findings: %s has %s, dfs has %s" % (net.explorer, net.places(), dfs.places()))
    return wrong


def violates(result):
    """Has it found a variable that no lock protects?"""
    return any(f["kind"] == "lock-discipline" and f.get("previous") for f in result.findings)


def unlike_composed(brute, dpor):
    """What is wrong with dpor over composed steps, against every schedule of such steps: it runs each trace once. Executions may
    be begun in vain, where two steps turn out to be sections of one lock that access different data."""
    if brute.complete and dpor.tests != brute.traces:
        return ["dpor --compose: %d executions, but there are %d traces of composed steps" % (dpor.tests, brute.traces)]
    return []


def unlike_selected(dfs, plain, strict, result):
    """What is wrong with a search of composed steps: it finds a violation of the lock discipline if there is one; if there
    is none, it reaches every local state of the same search of single operations (plain), and finds the same as dfs.
    Final states are not compared: locks remember where they were locked last."""
    name = " ".join(result.command.split()[2:])
    if violates(result) or violates(strict):
        wrong = [] if violates(result) == violates(strict) else ["%s: a violation of the discipline in %s alone" % (
            name, "dfs" if violates(strict) else "it")]
        return wrong + (["%s claims to be complete" % name] if result.complete and result.composed else [])
    wrong = []
    if not result.complete:
        wrong.append("%s is not complete: %s" % (name, result.output.strip()))
    if (result.locals, result.local_sum) != (plain.locals, plain.local_sum):
        wrong.append("local states: %s has %d, %s has %d" % (name, result.locals, plain.explorer, plain.locals))
    if result.places() != dfs.places():
        wrong.append("findings: %s has %s, dfs has %s" % (name, result.places(), dfs.places()))
    return wrong


def unlike_sss(dfs, sss, program):
    """What is wrong with the selective search of single operations: it runs each trace once."""
    wrong = []
    if not sss.complete:
        wrong.append("sss is not complete: " + sss.output.strip())
    if sss.tests != dfs.traces and not learned_otherwise(dfs, sss, program):
        wrong.append("sss: %d executions, but there are %d traces" % (sss.tests, dfs.traces))
    if (sss.states, sss.state_sum, sss.places()) != (dfs.states, dfs.state_sum, dfs.places()):
        wrong.append("sss: %d final states and %s, dfs: %d and %s" % (sss.states, sss.places(), dfs.states, dfs.places()))
    return wrong


def unlike_persistent(dfs, result):
    """What is wrong with persistent sets of single operations, which do not rely on the discipline."""
    if result.complete and (result.locals, result.local_sum, result.places()) == (dfs.locals, dfs.local_sum, dfs.places()):
        return []
    return ["sss with persistent sets: %d local states and %s, dfs has %d and %s: %s" % (
        result.locals, result.places(), dfs.locals, dfs.places(), result.output.strip())]


SELECTED = (("if-sss", []), ("sss", ["--compose"]), ("dpor", ["--compose"]), ("if-sss", ["--dependency=rw"]), ("if-sss", ["--dependency=trivial"]),
            ("sss", ["--compose", "--dependency=rw"]), ("if-sss", ["--persistent=2-mld"]),
            ("sss", ["--compose", "--persistent=2-mld"]))


def selective(binary, which, program, dfs, given, bound, folder):
    """The selective searches against dfs, in every program with a lock discipline and in a quarter of the others. They do
    not explore inputs. dpor does not see what main does after its joins, so its composed steps are compared with its
    single ones."""
    if "input" in program["features"] or not ("discipline" in program["features"] or which % 4 == 0):
        return []
    given = ["--max-tests=%d" % (10 * bound), *given]
    wrong = unlike_sss(dfs, explore(binary, which, "sss", given, folder), program)
    wrong += unlike_persistent(dfs, explore(binary, which, "sss", ["--persistent=2-mld", *given], folder))
    strict = explore(binary, which, "dfs", ["--discipline=per-run", *given], folder)
    chosen = SELECTED if "discipline" in program["features"] else SELECTED[:3]
    dpor = explore(binary, which, "dpor", given, folder)
    for name, options in chosen:
        result = explore(binary, which, name, [*options, *given], folder)
        wrong += unlike_selected(dfs, dpor if name == "dpor" else dfs, strict, result)
    return wrong


BESIDE = 2  # updates of each of the threads that run beside a program (emit.py)


def unlike_default(binary, which, dfs, given, bound, folder):
    """What is wrong with the check without --explore, in a program that runs beside other threads: so it is large enough for
    dpor to get its turn, which composes steps or falls back to single ones. It finds what dfs finds without these threads."""
    result = heddle.check(binary, ["--stop=never", "--races=off", "--max-tests=%d" % bound, *given],
                          [str(which), str(BESIDE)], folder, timeout=60)
    if result.bound == "max-tests":
        return []
    wrong = [] if result.complete else ["the default check is not complete: " + result.output.strip()]
    if result.places() != dfs.places():
        wrong.append("findings: the default check has %s, dfs has %s" % (result.places(), dfs.places()))
    return wrong


def unlike_bounded(binary, which, program, given, bound, folder):
    """What is wrong with the reduced searches within a bound of preemptions or delays: they run every trace that the same
    search of dfs runs, which is not reduced. They may notice earlier that nothing is left."""
    name, option = (("preempt", "--preemptions"), ("delay", "--delays"))[which % 2]
    given = ["%s=%d" % (option, which // 2 % 3), "--max-tests=%d" % bound, *given]
    dfs, reduced = (explore(binary, which, explorer, given, folder) for explorer in ("dfs", name))
    if "max-tests" in (dfs.bound, reduced.bound) or learned_otherwise(dfs, reduced, program):
        return []
    what = [(r.data["traces"], r.states, r.state_sum, r.locals, r.local_sum, r.places()) for r in (dfs, reduced)]
    wrong = [] if what[0] == what[1] else ["%s: dfs has %s, %s has %s" % (given[0], what[0], name, what[1])]
    if reduced.bound != dfs.bound and not reduced.complete:
        wrong.append("%s: dfs ends with %s, %s with %s" % (given[0], dfs.bound, name, reduced.bound))
    return wrong


def strays(dfs, sample):
    """What sampling claims that looking at every schedule does not know."""
    wrong = []
    if sample.states > dfs.states:
        wrong.append("%s reaches %d final states, dfs %d" % (sample.explorer, sample.states, dfs.states))
    # Where the time ends before a finding has been replayed, its place is not known.
    places = {p for p in sample.places() if p[1][0] or sample.bound != "time"}
    if not places <= set(dfs.places()):
        wrong.append("%s finds %s, dfs %s" % (sample.explorer, sample.places(), dfs.places()))
    return wrong


def surprises(result):
    """Executions that a fresh process does otherwise: there are none."""
    return ["%s: a fresh process differs: %s" % (result.explorer, result.notices)] if result.selfcheck["differed"] else []


def unlike_written(binary, which, dfs, given, bound, folder):
    """What a counting loop that is recognised as waiting does, and one that is not does not, or the reverse."""
    written = explore(binary + WRITTEN, which, "dpor", ["--max-tests=%d" % (2 * bound), *given], folder)
    # Locks hold addresses of the program, which differ between two programs: the states are counted, not compared.
    if written.complete and (written.states, written.places()) != (dfs.states, dfs.places()):
        return ["counting loops: %d states, and %d as they are written" % (dfs.states, written.states)]
    return []


def unlike_suppressed(binary, which, dpor, given, folder):
    """What changes if the search stops at each finding, which is suppressed, and goes on: nothing."""
    if not any(f["kind"] != "model-limit" for f in dpor.findings):
        return []
    path = os.path.join(folder, "all.supp")
    with open(path, "w") as f:
        f.write("*\n")
    result = explore(binary, which, "dpor", ["--stop=first", "--suppress=" + path, *given], folder)
    wrong = ["suppressed: %s is %s, not %s" % (name, result.data.get(name), dpor.data.get(name))
             for name in heddle.COUNTED if result.data.get(name) != dpor.data.get(name)]
    everything = heddle.Result(result.command, result.status, result.output,
                               {**result.data, "findings": result.suppressed + result.findings})
    if everything.places() != dpor.places():
        wrong.append("suppressed: finds %s, not %s" % (everything.places(), dpor.places()))
    if result.status != (0 if result.complete else 3):
        wrong.append("suppressed: status %d: %s" % (result.status, result.output.strip()[-300:]))
    return wrong


def in_fork(binary, which, program, dpor, given, fork_bound, folder):
    """What a process per execution, and files on the disk, change in dpor's answer, where there are few executions."""
    if dpor.tests + dpor.blocked > fork_bound:
        return []
    real = ["--files=fork"] if "files" in program["features"] else []
    forked = explore(binary, which, "dpor", ["--isolate=fork", *real, *given], folder)
    return list(heddle.differences_in_fork(dpor, forked))


def unlike_crew(binary, which, dpor, given, folder):
    """What is wrong with dpor by three workers that divide the search at every opportunity."""
    crew = heddle.check(binary, ["--stop=never", "--races=off", "--explore=dpor", "--jobs=3", "--divide=0", *given],
                        [str(which)], folder, timeout=60)
    wrong = ["three workers: %s is %s, not %s" % (key, crew.data[key], dpor.data[key])
             for key in ("tests", "blocked", "assumed", "complete", "bound") if crew.data[key] != dpor.data[key]]
    if crew.places() != dpor.places():
        wrong.append("three workers find %s, not %s" % (crew.places(), dpor.places()))
    return wrong


def compare(binary, which, program, options, folder):
    """The differences between dpor and dfs on one program, and dfs's schedules."""
    on_disk = {"files", "locks", "fifo"} & set(program["features"])
    bound = options.bound // (1 if program["seed"] % 4 == 0 else 5)
    if on_disk or program["fates"]:
        bound = min(bound, FILES_BOUND)
    given = ["--timeouts=" + program["timeouts"], "--volatile=" + program["volatile"], "--toss=rand:2",
             *program["fates"]]
    dfs = explore(binary, which, "dfs", ["--max-tests=%d" % bound, *given], folder)
    # A loop that waits inside an atomic block, which no other thread can end then, has no end.
    if dfs.bound == "max-tests" or (dfs.bound == "depth" and "block" in program["features"]):
        raise TooLarge()
    # A number that is closed before a call, and used for a modelled descriptor before the call ends: a limit of heddle.
    if not dfs.complete and "uses a modelled descriptor" in dfs.output:
        raise TooLarge()
    dpor = explore(binary, which, "dpor", ["--max-tests=%d" % (10 * bound), *given], folder)
    sampler = ("random", "pct", "pos", "surw")[which % 4]
    sample = explore(binary, which, sampler, ["--max-tests=300", "--time=2", *given], folder)
    wrong = differences(dfs, dpor, program) + strays(dfs, sample) + surprises(dpor) + surprises(dfs) + surprises(sample)
    if "counting" in program["features"]:
        wrong += unlike_written(binary, which, dfs, given, bound, folder)
    if dpor.bound != "max-tests":
        wrong += unlike_suppressed(binary, which, dpor, given, folder)
    if program["seed"] % 3 == 1 and dpor.complete:
        wrong += unlike_crew(binary, which, dpor, given, folder)
    wrong += in_fork(binary, which, program, dpor, given, options.fork, folder)
    wrong += selective(binary, which, program, dfs, given, bound, folder)
    if program["seed"] % 3 == 0:
        wrong += unlike_bounded(binary, which, program, given, bound, folder)
    if which % 4 == 1:
        wrong += unlike_default(binary, which, dfs, given, bound, folder)
    for name in (NETS[0], NETS[1 + which % 2]):
        net = explore(binary, which, name, ["--max-tests=%d" % (10 * bound), "--seed=%d" % (1 + which % 4), *given], folder)
        wrong += unlike(dfs, net) + surprises(net)
    return wrong, dfs
