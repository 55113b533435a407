byte x; bit e; active proctype A() { { atomic { x = 1; x = 2 } x = 3; if :: x == 3 -> x = 4 :: x == 5 fi } unless { e -> assert(x == 0 || x >= 2); x = 9 } } active proctype B() { e = 1; e = 0 }
