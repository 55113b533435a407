byte x; active [2] proctype A() { x = 1; if :: _last == _pid -> x = 2 :: else -> x = 3 fi; assert(x > 0) }
