"""Random models, and a check of test sets that shares nothing with heddle: it
enumerates every row of the model and evaluates the constraints directly."""
import itertools


class Parameter:
    def __init__(self, name, values, numeric, negative, aliases, weights):
        self.name, self.values, self.numeric = name, values, numeric
        self.negative, self.aliases, self.weights = negative, aliases, weights

    def line(self):
        shown = []
        for i, value in enumerate(self.values):
            text = ("~" if i in self.negative else "") + str(value)
            if i in self.aliases:
                text += " | " + self.aliases[i]
            if i in self.weights:
                text += " (%d)" % self.weights[i]
            shown.append(text)
        return "%s: %s" % (self.name, ", ".join(shown))

    def index(self, text):
        for i, value in enumerate(self.values):
            plain = text[1:] if i in self.negative and text.startswith("~") else text
            if plain == str(value) or self.aliases.get(i) == plain:
                return i
        return None


def key(value):
    return value.lower() if isinstance(value, str) else value


RELATIONS = {
    "=": lambda a, b: a == b, "<>": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


class Model:
    """Constraints are pairs (text, function of a row of value indices)."""

    def __init__(self, rng):
        self.rng = rng
        count = rng.randint(2, 6)
        negatives = rng.random() < 0.25
        self.parameters = []
        product = 1
        for i in range(count):
            levels = rng.randint(1, 5) if product < 500 else rng.randint(1, 2)
            product *= levels
            numeric = rng.random() < 0.5
            values = rng.sample(range(-3, 12), levels) if numeric else rng.sample(["a", "b", "ab", "ba", "c", "Abc"], levels)
            negative = {levels - 1} if negatives and levels > 1 and rng.random() < 0.5 else set()
            aliases = {0: "alias%d" % i} if rng.random() < 0.1 else {}
            weights = {0: 5} if rng.random() < 0.1 else {}
            self.parameters.append(Parameter("P%d" % i, values, numeric, negative, aliases, weights))
        self.strength = rng.randint(2, 4)
        self.constraints = [self.constraint() for _ in range(rng.choice([0, 0, 1, 2, 3, 5]))]
        self.submodels, self.relations = [], []
        if rng.random() < 0.2 and count >= 3:
            members = rng.sample(range(count), rng.randint(2, count - 1))
            self.submodels.append((members, rng.randint(1, min(3, len(members)))))
        elif rng.random() < 0.2 and count >= 3:
            members = rng.sample(range(count), rng.randint(2, count))
            self.relations.append((members, rng.randint(1, min(4, len(members)))))

    def text(self):
        lines = ["# a random model"] + [p.line() for p in self.parameters]
        for members, strength in self.submodels:
            lines.append("{ %s } @ %d" % (", ".join("P%d" % m for m in members), strength))
        return "\n".join(lines + [text for text, _ in self.constraints]) + "\n"

    # --- constraints -----------------------------------------------------------
    def value(self, p):
        parameter, rng = self.parameters[p], self.rng
        value = rng.choice(parameter.values) if rng.random() < 0.9 else (99 if parameter.numeric else "zz")
        return value, (str(value) if parameter.numeric else '"%s"' % value)

    def term(self):
        rng = self.rng
        p = rng.randrange(len(self.parameters))
        parameter = self.parameters[p]
        kind = rng.random()
        same = [q for q in range(len(self.parameters)) if q != p and self.parameters[q].numeric == parameter.numeric]
        if kind < 0.25 and same:
            q, relation = rng.choice(same), rng.choice(list(RELATIONS))
            other, holds = self.parameters[q], RELATIONS[relation]
            return "[P%d] %s [P%d]" % (p, relation, q), lambda r: holds(key(parameter.values[r[p]]), key(other.values[r[q]]))
        if kind < 0.35:
            found = [self.value(p) for _ in range(rng.randint(1, 3))]
            accepted = {key(v) for v, _ in found}
            no = rng.random() < 0.3
            return ("[P%d] %sIN {%s}" % (p, "NOT " if no else "", ", ".join(t for _, t in found)),
                    lambda r: (key(parameter.values[r[p]]) in accepted) != no)
        if kind < 0.42 and not parameter.numeric:
            return "[P%d] LIKE \"a*\"" % p, lambda r: key(parameter.values[r[p]]).startswith("a")
        if kind < 0.5:
            return "ISNEGATIVE(P%d)" % p, lambda r: r[p] in parameter.negative
        value, shown = self.value(p)
        relation = rng.choice(list(RELATIONS))
        holds = RELATIONS[relation]
        return "[P%d] %s %s" % (p, relation, shown), lambda r: holds(key(parameter.values[r[p]]), key(value))

    def predicate(self, depth=2):
        rng = self.rng
        kind = rng.random()
        if depth == 0 or kind < 0.5:
            return self.term()
        left, f = self.predicate(depth - 1)
        if kind < 0.6:
            return "NOT (%s)" % left, lambda r: not f(r)
        right, g = self.predicate(depth - 1)
        if kind < 0.8:
            return "(%s) AND (%s)" % (left, right), lambda r: f(r) and g(r)
        return "(%s) or (%s)" % (left, right), lambda r: f(r) or g(r)

    def constraint(self):
        if self.rng.random() < 0.4:
            text, f = self.predicate()
            return text + ";", f
        (a, f), (b, g) = self.predicate(1), self.predicate(1)
        if self.rng.random() < 0.3:
            c, h = self.predicate(1)
            return "IF %s THEN %s\n ELSE %s;" % (a, b, c), lambda r: g(r) if f(r) else h(r)
        return "IF %s THEN %s;" % (a, b), lambda r: g(r) if f(r) else True

    # --- truth -------------------------------------------------------------------
    def negatives(self, row, columns=None):
        columns = range(len(row)) if columns is None else columns
        return sum(row[c] in self.parameters[c].negative for c in columns)

    def all_rows(self):
        return itertools.product(*[range(len(p.values)) for p in self.parameters])

    def is_valid(self, row):
        return self.negatives(row) <= 1 and all(f(row) for _, f in self.constraints)

    def interactions(self):
        n, found = len(self.parameters), set()
        if self.submodels:
            members, strength = self.submodels[0]
            units = [None] + [c for c in range(n) if c not in members]
            for chosen in itertools.combinations(units, min(self.strength, len(units))):
                plain = [c for c in chosen if c is not None]
                for inner in itertools.combinations(members, strength) if None in chosen else [()]:
                    found.add(tuple(sorted(set(plain) | set(inner))))
        else:
            found.update(itertools.combinations(range(n), min(self.strength, n)))
        for members, strength in self.relations:
            found.update(itertools.combinations(sorted(members), strength))
        return found

    def tuples(self, rows):
        """What rows cover: a tuple counts if it has all the row's negative values."""
        covered, interactions = set(), self.interactions()
        for row in rows:
            count = self.negatives(row)
            for columns in interactions:
                if self.negatives(row, columns) == count:
                    covered.add((columns, tuple(row[c] for c in columns)))
        return covered
