byte x; active proctype A() { do :: d_step { x < 4 -> x = x + 2; if :: x == 2 -> x = 1 :: else -> skip fi } :: d_step { x >= 4 -> x = 0 } break od } active proctype B() { d_step { x == 3 -> x = 4 } }
