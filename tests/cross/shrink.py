"""Makes a failing program smaller by leaving out operations."""
import copy


def variants(ops):
    """Every list of operations that is one step smaller than this one."""
    for i, op in enumerate(ops):
        rest_before, rest_after = ops[:i], ops[i + 1:]
        yield rest_before + rest_after
        for k, operand in enumerate(op):
            if not isinstance(operand, list):
                continue
            yield rest_before + operand + rest_after
            for smaller in variants(operand):
                yield rest_before + [op[:k] + [smaller] + op[k + 1:]] + rest_after


def smaller_programs(program):
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
