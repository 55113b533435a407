"""Makes a failing program smaller by leaving out operations and threads."""
import copy

KEPT = ("create", "join", "detach", "use-up")  # these go only with their thread


def variants(ops):
    """Every list of operations that is one step smaller than this one."""
    for i, op in enumerate(ops):
        before, after = ops[:i], ops[i + 1:]
        if op[0] in KEPT:
            continue
        yield before + after
        for k, operand in enumerate(op):
            if not isinstance(operand, list):
                continue
            yield before + operand + after
            for smaller in variants(operand):
                yield before + [op[:k] + [smaller] + op[k + 1:]] + after


def without_thread(program, thread):
    candidate = copy.deepcopy(program)
    candidate["threads"][thread] = []
    for ops in candidate["threads"]:
        ops[:] = [op for op in ops if not (op[0] in KEPT and op[1] == thread)]
    return candidate


def created(program):
    return [op[1] for ops in program["threads"] for op in ops if op[0] == "create"]


def smaller_programs(program):
    for t in created(program):
        yield without_thread(program, t)
    for t, ops in enumerate(program["threads"]):
        for smaller in variants(ops):
            candidate = copy.deepcopy(program)
            candidate["threads"][t] = copy.deepcopy(smaller)
            yield candidate


def shrink(program, fails, attempts):
    """The smallest program reached for which `fails` is true."""
    while True:
        for candidate in smaller_programs(program):
            if attempts <= 0:
                return program
            attempts -= 1
            if fails(candidate):
                program = candidate
                break
        else:
            return program
