byte x; active proctype A() { do :: x < 6 -> x++ :: x == 3 -> break :: x > 4 -> break :: else od; x = 0; assert(x == 0) } active proctype B() { x == 2 -> x = 4 }
