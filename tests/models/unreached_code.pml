byte x; active proctype A() { if :: x == 1 -> x = 2; x = 3 :: else -> x = 4 fi; goto done; x = 5; done: skip } proctype never_run() { x = 9 } active proctype B() { false; x = 7 }
