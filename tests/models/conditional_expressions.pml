int x = -7; byte y; active proctype A() { y = (x < 0 -> -x : x); x = x / 2; x = x % 2; x = ~x; x = (y & 3) | (4 ^ 1); x = x << 3; x = x >> 1; y = (x > 5 && y != 0 || !x); assert(y) }
