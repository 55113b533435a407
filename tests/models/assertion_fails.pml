byte x; active [2] proctype A() { x = x + 1; assert(x != 2); x = x - 1 }
