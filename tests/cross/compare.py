"""Is dpor's answer the one that looking at every schedule gives?"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tool"))
import heddle
import emit

# The programs with loops that count to FEW, which are explored as they are written. No program changes an atomic variable
# so often that more rounds would make a difference.
WRITTEN, FEW = "-written", 8

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
    return heddle.check(binary, [*COMMON, "--explore=" + explorer, *options], [str(which)], folder, timeout=60, stacks=False)


def differences(dfs, dpor, program):
    """What is wrong, as lines; none: dpor agrees with dfs.

    What an atomic block, a call that accesses a range, or a requeue does elsewhere cannot be told before it is done
    there: executions of such programs may be begun in vain. With inputs, dfs sees what main looks at behind its joins:
    where the process ends early, it tells more traces apart."""
    features = program["features"]
    vain = {"block", "ranges", "futex-more"} & set(features)
    early = "input" in features and ("exit" in features or "assert" in features)
    wrong = []
    if not dfs.complete:
        wrong.append("dfs is not complete: " + dfs.output.strip())
    if not dpor.complete:
        wrong.append("dpor is not complete: " + dpor.output.strip())
    if dpor.blocked and not vain:
        wrong.append("dpor: %d blocked executions" % dpor.blocked)
    if dpor.tests != dfs.traces and not early:
        wrong.append("dpor: %d executions, but there are %d traces" % (dpor.tests, dfs.traces))
    if (dpor.states, dpor.state_sum) != (dfs.states, dfs.state_sum):
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


def strays(dfs, sample):
    """What sampling claims that looking at every schedule does not know."""
    wrong = []
    if sample.states > dfs.states:
        wrong.append("%s reaches %d final states, dfs %d" % (sample.explorer, sample.states, dfs.states))
    if not set(sample.places()) <= set(dfs.places()):
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


def in_fork(binary, which, dpor, given, fork_bound, folder):
    """What a process per execution changes in dpor's answer, where there are few executions."""
    if dpor.tests + dpor.blocked > fork_bound:
        return []
    return list(heddle.differences_in_fork(dpor, explore(binary, which, "dpor", ["--isolate=fork", *given], folder)))


def compare(binary, which, program, options, folder):
    """The differences between dpor and dfs on one program, and dfs's schedules."""
    bound = options.bound
    given = ["--timeouts=" + program["timeouts"], "--volatile=" + program["volatile"]]
    dfs = explore(binary, which, "dfs", ["--max-tests=%d" % bound, *given], folder)
    if dfs.bound == "max-tests":
        raise TooLarge()
    dpor = explore(binary, which, "dpor", ["--max-tests=%d" % (10 * bound), *given], folder)
    sampler = ("random", "pct", "pos", "surw")[which % 4]
    sample = explore(binary, which, sampler, ["--max-tests=300", "--time=2", *given], folder)
    wrong = differences(dfs, dpor, program) + strays(dfs, sample) + surprises(dpor) + surprises(dfs) + surprises(sample)
    if "counting" in program["features"]:
        wrong += unlike_written(binary, which, dfs, given, bound, folder)
    wrong += in_fork(binary, which, dpor, given, options.fork, folder)
    for name in (NETS[0], NETS[1 + which % 2]):
        net = explore(binary, which, name, ["--max-tests=%d" % (10 * bound), "--seed=%d" % (1 + which % 4), *given], folder)
        wrong += unlike(dfs, net) + surprises(net)
    return wrong, dfs
