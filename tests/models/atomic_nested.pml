byte x; active proctype A() { atomic { x = 1; atomic { x = 2; x = 3 } { x = 4; x = 5 } x = 6 } x = 7 } active proctype B() { byte s; s = x; assert(s == 0 || s >= 6) ; x = s }
