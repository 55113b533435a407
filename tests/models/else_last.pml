byte x; active proctype A() { do :: else -> break :: x < 3 -> x++ od } active proctype B() { if :: else -> x = 5 :: x == 1 -> x = 2 fi }
