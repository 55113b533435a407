"""What the runners of bench/ share: building a program with heddle cc or
natively, running a command with its time and peak memory, and exploring a
program with its result."""
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


def check(program, *options, seconds=SECONDS):
    """Explores the program. Gives what --json says, with the CPU and wall time
    of the whole command and its peak memory added."""
    report = program + ".json"
    if os.path.exists(report):
        os.unlink(report)
    status, cpu, wall, peak = run([HEDDLE, "check", f"--time={seconds}", f"--json={report}", *options, program])
    if not os.path.exists(report):
        sys.exit(f"heddle check {program} ended with status {status} and no result")
    with open(report) as file:
        result = json.load(file)
    result.update(status=status, cpu=cpu, wall=wall, peak=peak)
    return result


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
