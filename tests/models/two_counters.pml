byte x; active [3] proctype A() { byte t; t = x; x = t + 1 } active proctype C() { x == 3 -> assert(true) }
