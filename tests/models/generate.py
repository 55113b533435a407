"""Small random Promela models, from a seed: two or three processes with shared
variables, buffered and rendezvous channels, nested choices, loops, atomic,
d_step, unless, for, timeout and provided. Their loops are finite-state, so SPIN
and heddle can search them in full."""
import random


class Model:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.channels = [("c%d" % i, self.r.choice([0, 0, 1, 2])) for i in range(self.r.randint(1, 2))]
        self.typed = self.r.random() < 0.3  # messages have an mtype, too
        self.has_inline = self.r.random() < 0.4

    def expression(self, depth=0):
        k = self.r.random()
        if k < 0.3:
            return str(self.r.randint(0, 2))
        if k < 0.75 or depth > 1:
            return self.r.choice(["g", "g", "v", "f", "arr[0]", "arr[f]"])
        return "(%s %s %s)" % (self.expression(depth + 1), self.r.choice(["+", "-", "*", "==", "<", "&&", "||", ">"]),
                               self.expression(depth + 1))

    def condition(self):
        name, capacity = self.r.choice(self.channels)
        if self.r.random() < 0.5 or capacity == 0:
            return "(%s %s %s)" % (self.expression(1), self.r.choice(["==", "!=", "<", ">", "<="]), self.expression(1))
        return self.r.choice(["nempty(%s)", "empty(%s)", "full(%s)", "nfull(%s)", "(len(%s) > 0)",
                              "%s?[{0}1]", "%s??[{0}eval(g)]"]).format("red, " if self.typed else "") % name

    def assignment(self):
        choices = ["g = (g + 1) % 3", "g = (g + v) % 3", "g = v", "g = (f + 1) % 3", "f = !f", "arr[1] = g", "arr[0] = v",
                   "s = g - 1", "v = %d" % self.r.randint(0, 2)]
        return self.r.choice(choices + (["bump(g)"] if self.has_inline else []))

    def message(self, values, tags):
        return (self.r.choice(tags) + ", " if self.typed else "") + self.r.choice(values)

    def communication(self):
        name, capacity = self.r.choice(self.channels)
        if self.r.random() < 0.5:
            return name + (self.r.choice(["!", "!", "!!"]) if capacity else "!") + self.message(["g", "v", "1", "0"],
                                                                                              ["red", "green"])
        pattern = self.message(["v", "_", "eval(g)", "1", "g"], ["red", "green", "_"])
        return name + (self.r.choice(["?%s", "?%s", "??%s", "?<%s>"]) if capacity else "?%s") % pattern

    def simple(self, in_d_step):
        k = self.r.random()
        if k < 0.4 or (in_d_step and k >= 0.65):
            return self.assignment()
        if k < 0.58:
            return self.r.choice(["skip", "skip", "assert(g < 3)", 'printf("x")'])
        return self.condition() if k < 0.65 else self.communication()

    def block(self, depth, count=0, in_d_step=False):
        return ";\n".join(self.statement(depth, in_d_step) for _ in range(count or self.r.randint(1, 2)))

    def choice(self, depth, in_d_step):
        firsts = [self.condition() if in_d_step else self.r.choice([self.condition(), self.simple(False)])
                  for _ in range(self.r.randint(1, 2))]
        options = [":: %s -> %s" % (first, self.block(depth - 1, 0, in_d_step)) for first in firsts]
        if self.r.random() < 0.5 and not any(c in first for first in firsts for c in "?!"):
            options.append(":: else -> " + self.block(depth - 1, 1, in_d_step))
        return "if\n%s\nfi" % "\n".join(options)

    def statement(self, depth, in_d_step=False):
        k = self.r.random()
        if depth <= 0 or k < 0.55:
            return self.simple(in_d_step)
        if k < 0.7:
            return self.choice(depth, in_d_step)
        if in_d_step:
            return self.assignment()
        if k < 0.8:
            return "do\n:: %s -> %s\n:: %s -> break\nod" % (self.r.choice([self.condition(), self.communication()]),
                                                          self.block(depth - 1),
                                                          self.r.choice(["skip", "timeout", self.condition(), "f"]))
        if k < 0.87:
            return "atomic { %s }" % self.block(depth - 1)
        if k < 0.92:
            return "d_step { %s; %s }" % (self.assignment(), self.block(depth - 1, 1, True))
        if k < 0.96:
            return "{ %s } unless { %s }" % (self.block(depth - 1, 1),
                                             self.r.choice([self.condition(), self.communication()]))
        return "for (v : 0 .. 1) { %s }" % self.block(depth - 1, 1)

    def text(self):
        lines = ["mtype = { red, green };", "byte g = %d;" % self.r.randint(0, 2), "short s;", "bit f;", "byte arr[2];"]
        fields = "mtype, byte" if self.typed else "byte"
        lines += ["chan %s = [%d] of { %s };" % (name, capacity, fields) for name, capacity in self.channels]
        if self.has_inline:
            lines.append("inline bump(x) { x = (x + 1) % 3 }")
        for p in range(self.r.randint(2, 3)):
            provided = " provided (g != 2)" if self.r.random() < 0.08 else ""
            label = "end:\n" if self.r.random() < 0.2 else ""
            lines.append("active proctype P%d()%s { byte v;\n%s%s\n}" % (p, provided, label,
                                                                        self.block(2, self.r.randint(2, 3))))
        return "\n".join(lines) + "\n"


def model(seed):
    return Model(seed).text()
