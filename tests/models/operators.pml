byte x = 2, y; chan q = [2] of { byte };
active proctype A() { y = (x > 1 -> 5 : 7); x = (y == 5 && len(q) == 0 -> x + y : 0); q!x; full(q) || x > 3; nfull(q) && !(x == 0); y = ~x & 7 ^ 2 | 1; y = x << 2 >> 1; y = -x % 3; y = x / 2 - 1 }
active proctype B() { q!9; empty(q) -> y = 3 }
