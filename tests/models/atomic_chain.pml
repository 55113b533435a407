byte x; active [2] proctype A() { atomic { x++; x++; x-- ; x-- } assert(x == 0 || x == 0) } active proctype B() { assert(x == 0) }
