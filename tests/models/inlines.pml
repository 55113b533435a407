byte x, y;
inline swap(a, b) { byte t; t = a; a = b; b = t }
inline bump(v, n) { v = v + n; if :: v > 9 -> v = 0 :: else fi }
active proctype A() { x = 3; y = 4; swap(x, y); bump(x, 1); bump(y, x + 2) }
active proctype B() { byte k; k = x; atomic { swap(k, y) } bump(k, 3); assert(k < 10) }
