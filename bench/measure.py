"""What the runners of bench/ share: building a program with heddle cc or
natively, running a command with its time and peak memory, and exploring a
program with its result."""
import glob
import json
import os
import shlex
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, os.environ.get("B", "build"))
HEDDLE = os.path.join(BUILD, "heddle")
OUT = os.path.join(BUILD, "bench")
SECONDS = float(os.environ.get("BENCH_SECONDS", "60"))


def build(name, sources, flags="", compiler=(HEDDLE, "cc")):
    """Compiles with -O2; gives the program's path."""
    os.makedirs(OUT, exist_ok=True)
    program = os.path.join(OUT, name)
    command = [*compiler, "-O2", "-pthread", *shlex.split(flags), "-o", program, *sources, "-lm"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed:\n{done.stderr}")
    return program


def run(command):
    """Runs it in OUT, silently. Gives its exit status, CPU seconds, wall
    seconds, and the peak megabytes of its largest process."""
    started = time.perf_counter()
    child = subprocess.Popen(command, cwd=OUT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def check(program, *options, arguments=(), seconds=SECONDS, heddle=HEDDLE):
    """Explores the program. Gives what --json says, with the CPU and wall time
    of the whole command and its peak memory added."""
    report = program + ".json"
    if os.path.exists(report):
        os.unlink(report)
    status, cpu, wall, peak = run([heddle, "check", f"--time={seconds}", f"--json={report}", *options, program, "--", *arguments])
    if not os.path.exists(report):
        sys.exit(f"heddle check {program} ended with status {status} and no result")
    with open(report) as file:
        result = json.load(file)
    result.update(status=status, cpu=cpu, wall=wall, peak=peak)
    return result


CLANG = ("clang-" + os.environ.get("LLVM", "19"),)
KERNELS = {"sort": 10, "hash": 20, "matrix": 10, "interpreter": 60, "list": 500, "text": 200}
NATIVE_TIMES = 8  # a native run is that much longer than the others, to be measurable
DEPTH = 20000


def kernel_sources():
    return sorted(glob.glob(os.path.join(ROOT, "bench", "core", "kernels", "*.c")))


def least(commands, times=5):
    """The least CPU seconds of several runs of each command, one after the
    other in turn: the machine may be busy."""
    seconds = [float("inf")] * len(commands)
    for _ in range(times):
        for i, command in enumerate(commands):
            seconds[i] = min(seconds[i], run(command)[1])
    return seconds


def exploring(program, tests, *arguments):
    return [HEDDLE, "check", f"--time={SECONDS}", "--explore=random", f"--max-tests={tests}", f"--depth={DEPTH}", program,
            "--", *arguments]


def is_cut(program, *arguments):
    """Does an execution reach the depth bound?"""
    return check(program, "--explore=random", "--max-tests=1", f"--depth={DEPTH}", arguments=arguments)["events"] >= DEPTH


def kernel_ratios(native, by_hand, explored, threads, kernel):
    """The native CPU seconds of a kernel, and how many times that programs take
    run by hand, and in an execution of many (what 10 take more than 2)."""
    few, more, rounds = 2, 10, KERNELS[kernel]
    arguments = [threads, kernel, str(rounds)]
    longer = [threads, kernel, str(rounds * NATIVE_TIMES)]
    commands = [[program, *longer] for program in (native, *by_hand)]
    commands += [exploring(program, tests, *arguments) for tests in (few, more) for program in explored]
    seconds = least(commands)
    base = seconds[0] / NATIVE_TIMES
    hands, rest = seconds[1:1 + len(by_hand)], seconds[1 + len(by_hand):]
    each = [(rest[len(explored) + i] - rest[i]) / (more - few) for i in range(len(explored))]
    texts = [f"{s / NATIVE_TIMES / base:.2f} x" for s in hands]
    texts += ["cut at depth" if is_cut(p, *arguments) else f"{s / base:.2f} x" for p, s in zip(explored, each)]
    return [f"{base:.4f}", *texts]


def show(columns, rows):
    """A table; the first column to the left, the others to the right."""
    lines = [columns, *rows]
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(columns))]
    for line in lines:
        cells = [str(line[0]).ljust(widths[0])] + [str(c).rjust(w) for c, w in zip(line[1:], widths[1:])]
        print("  ".join(cells).rstrip(), flush=True)


def short(number):
    """Three digits that matter."""
    return f"{number:.3g}" if number < 1000 else f"{number:,.0f}"
