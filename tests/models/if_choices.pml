byte x; active proctype A() { if :: x = 1 :: x = 2 :: x == 7 -> x = 3 :: else -> x = 4 fi; if :: x == 1 :: x == 2 -> skip fi; assert(x) }
