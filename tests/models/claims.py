"""Claims against SPIN's verifier: the verdicts of heddle model and of pan (-a, or
-DNP -l; with and without weak fairness) are the same, for models with claims and
for random ones from a seed."""
import json, os, random, re, resource, shutil, subprocess, tempfile

here = os.path.dirname(os.path.abspath(__file__))
heddle = os.path.join(os.path.dirname(os.path.dirname(here)), os.environ.get("B", "build"), "heddle")
SPIN_SECONDS = 20  # of processor time


# --- random models ---------------------------------------------------------------------------------------


class Generator:
    """A few processes over small variables and channels, whose loops are finite-state, and a claim about them:
    `ltl`, `never`, or none, with accept or progress labels in the processes ("acceptance", "progress")."""

    def __init__(self, seed, kind):
        self.r = random.Random(seed)
        self.kind = kind
        self.labels = []  # (process, label)
        self.count = self.r.randint(2, 3)
        self.channels = self.r.choice([[], ["q"], ["r"], ["q", "r"]])
        self.with_timeout = self.r.random() < 0.2

    def value(self):
        return self.r.choice(["0", "1", "2", "x", "y", "x", "y"])

    def condition(self):
        k = self.r.random()
        if "q" in self.channels and k < 0.2:
            return self.r.choice(["(len(q) > 0)", "(len(q) == 0)", "q?[1]"])
        return "(%s %s %s)" % (self.r.choice("xy"), self.r.choice(["==", "!=", "<", ">"]), self.r.choice("012"))

    def simple(self):
        k = self.r.random()
        if k < 0.45 or not self.channels:
            return self.r.choice(["x = (x + 1) % 3", "y = (y + 1) % 3", "x = y", "y = 1", "x = 0", "v = !v", "skip",
                                  "x = (y + 1) % 3"])
        if k < 0.75:
            c = self.r.choice(self.channels)
            return self.r.choice([c + "!" + self.value(), c + "?_", c + "?1", c + "?y"])
        return self.condition()

    def labelled(self, process, text):
        k = self.r.random()
        if k < 0.12:
            name = "L%d" % len(self.labels)
        elif k < 0.3 and self.kind in ("never", "acceptance", "progress"):
            name = ("progress" if self.kind == "progress" else "accept") + str(len(self.labels))
        else:
            return text
        self.labels.append((process, name))
        return name + ": " + text

    def guard(self):
        k = self.r.random()
        if self.with_timeout and k < 0.15:
            return "timeout"
        return self.condition() if k < 0.6 else self.simple()

    def block(self, process, depth, inside=False):
        texts = []
        for i in range(self.r.randint(1, 3 if depth == 0 else 2)):
            k = self.r.random()
            if k < 0.25 and depth < 2:
                guards = [self.guard() for _ in range(self.r.randint(1, 3))]
                options = [g + " -> " + self.block(process, depth + 1, inside) for g in guards]
                if self.r.random() < 0.3 and not any("q" in g or "r" in g or "timeout" in g for g in guards):
                    options.append("else -> " + self.block(process, depth + 1, inside))
                if inside or self.r.random() < 0.5:
                    text = "if\n:: " + "\n:: ".join(options) + "\nfi"
                else:
                    text = "do\n:: " + "\n:: ".join(options) + self.r.choice(["", "\n:: break"]) + "\nod"
            elif k < 0.35 and not inside:
                text = "atomic {\n" + self.block(process, 1, True) + "\n}"
            elif k < 0.4 and not inside:
                text = "d_step {\nx = (x + 1) % 3; y = x\n}"
            else:
                text = self.simple()
            texts.append(text if inside or i == 0 else self.labelled(process, text))
        return ";\n".join(texts)

    def proposition(self):
        k = self.r.random()
        labels = [l for l in self.labels if l[1].startswith("L")]
        if labels and k < 0.3:
            process, label = self.r.choice(labels)
            return "P%d@%s" % (process, label) if self.r.random() < 0.5 else "P%d[%d]@%s" % (process, process, label)
        if k < 0.4:
            return self.r.choice(["true", "false"])
        return self.condition()

    def formula(self, depth):
        if depth == 0 or self.r.random() < 0.1:
            return self.proposition()
        k = self.r.choice(["[]", "[]", "<>", "<>", "!", "U", "U", "V", "W", "&&", "||", "->", "<->"])
        if k in ("[]", "<>", "!"):
            return "%s (%s)" % (k, self.formula(depth - 1))
        return "((%s) %s (%s))" % (self.formula(depth - 1), k, self.formula(depth - 1))

    def never(self):
        count = self.r.randint(1, 3)
        text = ""
        names = [("accept%d" if self.r.random() < 0.5 else "T%d") % i for i in range(count)]
        for i in range(count):
            options = []
            for _ in range(self.r.randint(1, 3)):
                target = self.r.choice(names) if self.r.random() < 0.9 else "done"
                guard = self.r.choice(["true", self.proposition(), self.proposition()])
                jump = "goto " + target
                options.append(guard + " -> " + jump if self.r.random() < 0.8
                               else "atomic { %s; assert(%s) } -> %s" % (guard, self.condition(), jump))
            if self.r.random() < 0.2:
                options.append("else -> goto " + self.r.choice(names))
            text += "%s:\nif\n:: %s\nfi;\n" % (names[i], "\n:: ".join(options))
        return "never {\n" + text + "done: skip\n}\n"

    def text(self):
        out = "byte x, y;\n"
        if "q" in self.channels:
            out += "chan q = [%d] of { byte };\n" % self.r.randint(1, 2)
        if "r" in self.channels:
            out += "chan r = [0] of { byte };\n"
        for i in range(self.count):
            body = self.block(i, 0)
            if self.r.random() < 0.7:
                body = "do\n:: " + "\n:: ".join([body] + [self.block(i, 0) for _ in range(self.r.randint(0, 1))]) + "\nod"
            out += "active proctype P%d() {\nbool v;\n%s\n}\n" % (i, body)
        if self.kind == "ltl":
            out += "ltl p { %s }\n" % self.formula(self.r.randint(1, 3))
        if self.kind == "never":
            out += self.never()
        return out


KINDS = ("ltl", "ltl", "ltl", "never", "acceptance", "progress")


def random_model(seed):
    kind = KINDS[seed % len(KINDS)]
    return kind, Generator(seed, kind).text()


# --- verdicts ----------------------------------------------------------------------------------------------


class Refused(Exception):
    """SPIN does not take the model, or takes too long to translate its formula."""


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (SPIN_SECONDS, SPIN_SECONDS))


def build_pan(model, kind, folder):
    shutil.copy(model, os.path.join(folder, "m.pml"))
    made = subprocess.run(["spin", "-a", "m.pml"], cwd=folder, capture_output=True, text=True, preexec_fn=limit_time)
    if made.returncode or "rror" in made.stdout + made.stderr:
        raise Refused("spin: " + made.stdout[-300:] + made.stderr[-300:])
    np = ["-DNP"] if kind == "progress" else []
    subprocess.run(["gcc", "-w", "-O0", "-DNOREDUCE", "-DNFAIR=4", *np, "-o", "pan", "pan.c"], cwd=folder, check=True,
                   capture_output=True)


def run_pan(kind, folder, name=None):
    """(verdict, kinds of errors), without and with weak fairness."""
    verdicts = []
    for fair in ([], ["-f"]):
        arguments = ["./pan", "-l" if kind == "progress" else "-a", "-E", "-m100000", "-w20", *fair]
        out = subprocess.run(arguments + (["-N", name] if name else []), cwd=folder, capture_output=True, text=True,
                             preexec_fn=limit_time)
        text = out.stdout + out.stderr
        errors = re.search(r"errors: (\d+)", text)
        if not errors or "max search depth too small" in text:
            raise Refused("pan: " + text[-500:])
        kinds = set(re.findall(r"pan:\d+: (.*?) \(at depth", text))
        verdicts.append(("violated" if int(errors.group(1)) else "holds", kinds))
    return verdicts


def ours(model, kind, folder, name=None, flags=()):
    verdicts = []
    out = os.path.join(folder, "out.json")
    chosen = ["--liveness=" + kind, "--claim=none"] if kind in ("acceptance", "progress") else []
    if name:
        chosen = ["--claim=" + name]
    for fair in ([], ["--fair"]):
        run = subprocess.run([heddle, "model", "--json=" + out, *chosen, *fair, *flags, model], capture_output=True,
                             text=True, timeout=100 * SPIN_SECONDS)
        if run.returncode not in (0, 1):
            raise RuntimeError("heddle ended with status %d: %s" % (run.returncode, run.stderr[-500:]))
        result = json.load(open(out))
        claim = result["claims"][0]
        kinds = {f["kind"] for f in result["findings"] if "claim" in f}
        ended = any(f.get("cycle") == len(f["path"]) for f in result["findings"] if "claim" in f)
        verdicts.append((claim["verdict"], kinds | ({"ended"} if ended else set())))
    return verdicts


def expectations(model):
    """(name, options, verdict, kind or None) of each `// EXPECT NAME [OPTIONS]: VERDICT [KIND]` of a model."""
    lines = re.findall(r"^// EXPECT (\S+)((?: --\S+)*): (\w+)(?: (\S+))?$", open(model).read(), re.M)
    return [(name, options.split(), verdict, kind) for name, options, verdict, kind in lines]


def check_expected(model):
    """None, or the first expectation of a model that is not met."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        for name, options, verdict, kind in expectations(model):
            built_in = name in ("acceptance", "progress")
            chosen = ["--claim=none", "--liveness=" + name] if built_in else ["--claim=" + name]
            run = subprocess.run([heddle, "model", "--json=" + out, *chosen, *options, model], capture_output=True,
                                 text=True)
            if run.returncode not in (0, 1):
                return "%s %s: status %d: %s" % (model, name, run.returncode, run.stderr)
            result = json.load(open(out))
            found = [f["kind"] for f in result["findings"] if f.get("claim") == name]
            got = result["claims"][0]["verdict"]
            if got != verdict or (kind and found != [kind]) or (got == "violated" and run.returncode != 1):
                return "%s: %s %s is %s %s, not %s %s" % (model, name, options, got, found, verdict, kind or "")
    return None


def check_model(model):
    """A model's expectations are met, and SPIN agrees unless the model says that it does not."""
    expected, text = expectations(model), open(model).read()
    if not expected:
        return "%s expects nothing" % model
    different = check_expected(model)
    if different or "// SPIN: no" in text:
        return different
    several = len(re.findall(r"^(?:ltl|never)\b", text, re.M)) > 1
    return compare(model, [(name if name in ("acceptance", "progress") else "claim", name if several else None)
                           for name in sorted({e[0] for e in expected})])


def compare(model, cases):
    """None, or how the verdicts differ in the first of the (kind, name) for which they do. An execution that ends is fair
    to everybody: pan -f does not find all of them, and reports some that pan without -f knows not to exist."""
    with tempfile.TemporaryDirectory() as folder:
        build_pan(model, cases[0][0], folder)
        for kind, name in cases:
            theirs, mine = run_pan(kind, folder, name), ours(model, kind, folder, name)
            for fair in (0, 1):
                missed = fair and theirs[1][0] == "holds" and theirs[0][0] == "violated" and "ended" in mine[1][1]
                made_up = fair and theirs[1][0] == "violated" and theirs[0][0] == "holds"
                if theirs[fair][0] != mine[fair][0] and not missed and not made_up:
                    return "%s: %s %s%s: SPIN %s, heddle %s" % (model, kind, name or "", " (fair)" if fair else "",
                                                              theirs[fair], mine[fair])
    return None


def compare_random(seed):
    kind, text = random_model(seed)
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "random.pml")
        with open(model, "w") as out:
            out.write(text)
        try:
            different = compare(model, [(kind, None)])
        except Refused:
            return None
        except Exception as e:
            different = str(e)
    return "random claim %d: %s" % (seed, different) if different else None
