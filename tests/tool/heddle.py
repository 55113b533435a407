"""Runs the heddle command for tests and reads what it reports."""
import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("B", "build")
HEDDLE = os.environ.get("HEDDLE_UNDER_TEST", os.path.join(ROOT, BUILD, "heddle"))
# Time limits only end what hangs, also on a machine that does twenty other things. A debug build checks its structures at
# every step.
PATIENCE_FACTOR = 60 if BUILD == "build-debug" else 10


class Broken(Exception):
    """The command did not do what it is there for; the text says what happened."""


def flags_for(options):
    """Flags that a program needs to be checked with the options."""
    unknown = any(option.startswith("--sym-") for option in options)
    tossed = [toss for option in options if option.startswith("--toss=") for toss in option[len("--toss="):].split(",")]
    return ["-fheddle-inputs"] if unknown or any(":" not in toss for toss in tossed) else []


def compile_program(sources, output, flags=()):
    command = [HEDDLE, "cc", "-g", *flags, "-o", output, *sources, "-pthread"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120 * PATIENCE_FACTOR)
    if done.returncode:
        raise Broken("%s\n%s" % (" ".join(command), done.stderr.strip()))


class Result:
    """What `heddle check` found: its JSON, its exit status and its output."""

    def __init__(self, command, status, output, data):
        self.command = command
        self.status = status
        self.output = output
        self.data = data

    def __getattr__(self, name):
        try:
            return self.data[name]
        except KeyError:
            raise Broken("%s\nno field '%s' in its JSON" % (self.command, name))

    def places(self):
        """The findings as comparable values: a race is two places, in either order. Races on one variable are one
        finding, and which of them it shows depends on the order of executions."""
        place = lambda p: (os.path.basename(p["file"] or ""), p["line"] or 0)
        shown = [(f["kind"], *sorted(place(p) for p in (f, f.get("previous")) if p)) for f in self.findings]
        return sorted(shown + [("data-race", *sorted(pair)) for f in self.findings for pair in other_races(f)])

    def kinds(self):
        return sorted({f["kind"] for f in self.findings})


def other_races(finding):
    """The further races on the variable of a finding, as pairs of file and line."""
    for pair in finding.get("others", ()):
        yield [(os.path.basename(file), int(line)) for file, line in (place.rsplit(":", 1) for place in pair)]


COUNTED = "tests blocked assumed events deep hung complete bound states state_sum locals traces".split()


def differences_in_fork(reset, forked):
    """What a process per execution changes, as lines: nothing may."""
    for name in COUNTED:
        if reset.data.get(name) != forked.data.get(name):
            yield "--isolate=fork: %s is %s, not %s: %s" % (
                name, forked.data.get(name), reset.data.get(name), forked.output.strip()[-300:])
    if reset.places() != forked.places() or reset.status != forked.status:
        yield "--isolate=fork: finds %s, status %d, not %s, status %d" % (
            forked.places(), forked.status, reset.places(), reset.status)


def check(program, options=(), arguments=(), folder=None, timeout=120, stdin=os.devnull, environment=()):
    """Runs `heddle check`; what it reports, or Broken if it reports nothing. `stdin` is a file;
    `environment` is added to the environment."""
    handle, path = tempfile.mkstemp(prefix="heddle-", suffix=".json", dir=folder)
    os.close(handle)
    command = [HEDDLE, "check", *options, "--json=" + path, program]
    if arguments:
        command += ["--", *arguments]
    text = " ".join(command)
    timeout *= PATIENCE_FACTOR
    try:
        with open(stdin, "rb") as source:
            done = subprocess.run(command, stdin=source, capture_output=True, text=True, timeout=timeout, cwd=folder,
                                  errors="replace", env={**os.environ, **dict(environment)})
        with open(path) as f:
            return Result(text, done.returncode, done.stdout + done.stderr, json.load(f))
    except subprocess.TimeoutExpired:
        raise Broken("%s\nstill running after %d s" % (text, timeout))
    except ValueError:
        raise Broken("%s\nended with status %d and no JSON\n%s%s" % (text, done.returncode, done.stdout, done.stderr))
    finally:
        os.unlink(path)


def wrong_suite(program, options, arguments, folder):
    """What is wrong with a suite of the program that is replayed at once, as lines: each test must do as it did."""
    place = tempfile.mkdtemp(prefix="suite-", dir=folder)
    suite, report = os.path.join(place, "tests.suite"), os.path.join(place, "suite.json")

    def run(command):
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300 * PATIENCE_FACTOR, cwd=folder)
        return done.returncode, done.stdout + done.stderr

    command = [HEDDLE, "suite", *options, program, "-o", suite, "--json=" + report, "--", *arguments]
    status, output = run(command)
    if status not in (0, 1, 3):
        return ["%s\n    status %d: %s" % (" ".join(command), status, output.strip())]
    with open(report) as f:
        said = json.load(f)
    status, output = run([HEDDLE, "replay", suite])
    passes = "%d of %d tests pass" % (said["tests"] - said["failing"], said["tests"])
    if said["tests"] and (passes not in output or "no longer" in output):
        return ["%s\n    not '%s': %s" % (" ".join(command), passes, "\n    ".join(output.splitlines()[-3:]))]
    return []
