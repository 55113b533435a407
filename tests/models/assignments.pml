byte x, y; active proctype A() { x = 1; y = 2; x = y; y = x + y } active proctype B() { assert(x <= 2) ; y = x }
