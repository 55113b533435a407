"""What the first lines of a test program expect of `heddle check`, and whether it holds.

    // EXPECT: complete                 everything explored, nothing found
    // EXPECT: bound                    not everything explored, nothing found
    // EXPECT: finding KIND [at LINE]   found, in this line of the file; may be given several times
    // TESTS: N       executions that dpor runs to their end: one per trace
    // BLOCKED: N     executions that it cuts (0 if not given)
    // OPTIONS: …  ARGS: …  CFLAGS: …   for heddle check, the program, the compiler
    // RUN: -DN=3 TESTS=6 FINDING=deadlock EXPECT=…
                      a variant: compiler flags and what differs; without any, the program is run once

A program is a .c file, or a folder with a main.c and the other files of it.
"""
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import tempfile

import heddle
import names

JOBS = 2
KINDS = """assertion deadlock data-race lock-discipline annotation crash use-after-free use-after-close double-free invalid-free
    heap-overflow out-of-bounds stack-overflow abort exit-status leak message model-limit""".split()
FIELD = re.compile(r"//\s*([A-Z]+):\s*(.*)")
LISTS = {"OPTIONS": "options", "ARGS": "arguments", "CFLAGS": "flags"}


class Refused(ValueError):
    """The program's first lines do not say what the runner needs."""


class Variant:
    """One way to build a program, and everything that is expected of it."""

    def __init__(self):
        self.flags, self.options, self.arguments = [], [], []
        self.complete = self.bound = False
        self.findings = []  # (kind, line or None)
        self.tests = None
        self.blocked = 0
        self.extra = {}  # keys of one runner alone

    def copy(self):
        other = Variant()
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, (list, dict)) else value)
        return other

    def expect(self, text):
        words = text.split()
        if words == ["complete"]:
            self.complete = True
        elif words == ["bound"]:
            self.bound = True
        elif len(words) in (2, 4) and words[0] == "finding" and words[1] in KINDS:
            self.findings.append((words[1], int(words[3].split(":")[-1]) if len(words) == 4 else None))
        else:
            raise Refused("cannot read 'EXPECT: %s'" % text)

    def set(self, key, value):
        if key == "EXPECT":
            self.expect(value)
        elif key == "FINDING":
            self.findings = [(kind, None) for kind in value.split(",") if kind]
            self.complete = not self.findings
        elif key in ("TESTS", "BLOCKED"):
            setattr(self, key.lower(), int(value))
        elif key in LISTS:
            setattr(self, LISTS[key], getattr(self, LISTS[key]) + shlex.split(value))
        else:
            self.extra[key] = value

    def check(self):
        if not (self.complete or self.bound or self.findings):
            raise Refused("it expects nothing: no EXPECT line")
        if self.complete and (self.bound or self.findings):
            raise Refused("it expects to be complete, and something else")


def read_variants(path, extra_keys=()):
    """The variants of a program: (text of its RUN line, variant). Other keys than the
    common ones must be among extra_keys."""
    keys = {"EXPECT", "TESTS", "BLOCKED", "RUN", *LISTS, *extra_keys}
    base, runs = Variant(), []
    with open(path) as f:
        for line in f:
            if not line.startswith("//"):
                break
            m = FIELD.match(line)
            if m and m[1] not in keys:
                raise Refused("no such field: %s" % m[1])
            if m:
                runs.append(m[2]) if m[1] == "RUN" else base.set(m[1], m[2].strip())
    variants = []
    for run in runs or [""]:
        v = base.copy()
        for word in shlex.split(run):
            key, equals, value = word.partition("=")
            v.set(key, value) if equals and key.isalpha() and key.isupper() else v.flags.append(word)
        v.check()
        variants.append((run, v))
    return variants


def find_programs(tops, parts):
    """The programs under these folders whose path has one of the parts: (main file, all files)."""
    programs = []
    for top in tops:
        for folder, _, files in sorted(os.walk(top)):
            sources = [os.path.join(folder, n) for n in sorted(files) if n.endswith(".c")]
            if "main.c" in files:
                programs.append((os.path.join(folder, "main.c"), sources))
            else:
                programs += [(s, [s]) for s in sources]
    asked = set(names.chosen([os.path.relpath(p[0], heddle.ROOT) for p in programs], parts))
    return [p for p in programs if os.path.relpath(p[0], heddle.ROOT) in asked]


# --- comparing -------------------------------------------------------------------


def wrong_findings(v, result):
    expected, found = {k for k, _ in v.findings}, set(result.kinds())
    if expected != found:
        yield "findings: %s expected, %s found" % (sorted(expected) or "none", sorted(found) or "none")
    for kind, line in v.findings:
        found = [f for f in result.findings if f["kind"] == kind]
        lines = sorted([f["line"] for f in found] + [line for f in found for pair in heddle.other_races(f) for _, line in pair])
        if line and lines and line not in lines:
            yield "%s: expected at line %d, found at %s" % (kind, line, lines)


def wrong_verdict(v, result):
    limited = any(k == "model-limit" for k, _ in v.findings)
    complete = not v.bound and not limited
    only_limited = limited and len(v.findings) == 1
    status = 1 if v.findings and not only_limited else 0 if complete else 3
    if result.complete != complete:
        yield "complete is %s (bound: %s)" % (result.complete, result.bound)
    if result.status != status:
        yield "exit status %d, not %d" % (result.status, status)
    if v.tests is not None and result.tests != v.tests:
        yield "%d executions, not %d" % (result.tests, v.tests)
    if v.blocked is not None and result.blocked != v.blocked:
        yield "%d blocked executions, not %d" % (result.blocked, v.blocked)


def wrong_selfcheck(result):
    """Nothing survives an execution, so no fresh process does anything else."""
    if not result.selfcheck["compared"] and result.complete:
        yield "nothing was compared with a fresh process"
    if result.selfcheck["differed"]:
        yield "a fresh process differs: %s" % result.notices


def wrong_replays(result, folder):
    for f in result.findings:
        if not f["confirmed"]:
            yield "%s: not confirmed by a second run" % f["kind"]
        command = [heddle.HEDDLE, "replay", f["replay"]]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=60 * heddle.PATIENCE_FACTOR)
        if done.returncode != 1:
            yield "%s: its replay ended with status %d: %s" % (f["kind"], done.returncode, done.stdout[-300:] + done.stderr)


# --- running ---------------------------------------------------------------------


def run_program(program, read, failures):
    """The name and the failures of each variant of a program."""
    path, sources = program
    name = os.path.relpath(path, heddle.ROOT)
    try:
        variants = read(path)
    except ValueError as e:
        return [(name, [str(e)])]
    results = []
    for flags, v in variants:
        folder = tempfile.mkdtemp(prefix="heddle-program-")
        try:
            wrong = failures(v, sources, folder)
        except heddle.Broken as e:
            wrong = str(e).splitlines()
        finally:
            shutil.rmtree(folder)
        results.append((("%s %s" % (name, flags)).strip(), wrong))
    return results


def run_all(tops, parts, read, failures):
    """Runs every program under these folders: `read` gives its variants, `failures` what
    is wrong with one of them, as lines. Returns the exit status."""
    passed = failed = 0
    programs = find_programs(tops, parts)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for results in pool.map(lambda p: run_program(p, read, failures), programs):
            for name, wrong in results:
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(name + ":\n    " + "\n    ".join(wrong), flush=True)
    print("%d programs" % len(programs))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0
