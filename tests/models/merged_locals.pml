byte g; active [2] proctype A() { byte a, b, c; a = 1; b = a + 1; c = b * 2; if :: c > 3 -> a = 0; b = 0; g = c :: else -> g = 1 fi; a = g; b = a; c = b; assert(c > 0) }
