"""Runs the heddle command for tests and reads what it reports."""
import json
import os
import re
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEDDLE = os.environ.get("HEDDLE_UNDER_TEST", os.path.join(ROOT, "build", "heddle"))


class Broken(Exception):
    """The command did not do what it is there for; the text says what happened."""


def compile_program(sources, output, flags=()):
    command = [HEDDLE, "cc", "-g", *flags, "-o", output, *sources, "-pthread"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
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
        """The findings as comparable values."""
        return sorted((f["kind"], f["file"] or "", f["line"] or 0) for f in self.findings)

    def kinds(self):
        return sorted({f["kind"] for f in self.findings})


STUB = re.compile(
    r"end (\d+) bound (.*) tests (\d+) blocked (\d+) events (\d+) restarts \d+ states (\d+) sum (\w+) traces (\d+)")


def read_stub(output):
    m = STUB.search(output)
    if not m:
        raise Broken(output)
    findings = [{"kind": l.split(":")[0], "message": l, "file": "", "line": 0}
                for l in output.splitlines()[1:] if not l.startswith("notice")]
    return {"complete": m[1] == "0", "bound": m[2], "tests": int(m[3]), "blocked": int(m[4]), "states": int(m[6]),
            "state_sum": m[7], "traces": int(m[8]), "findings": findings}


def check(program, options=(), arguments=(), folder=None, timeout=120):
    command = [HEDDLE, "check", *options, program]
    if arguments:
        command += ["--", *arguments]
    text = " ".join(command)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=folder, errors="replace")
    except subprocess.TimeoutExpired:
        raise Broken("%s\nstill running after %d s" % (text, timeout))
    return Result(text, done.returncode, done.stdout + done.stderr, read_stub(done.stdout))
