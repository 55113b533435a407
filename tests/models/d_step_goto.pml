byte x; active proctype A() { byte i; d_step { skip; loop: i++; if :: i < 5 -> goto loop :: else -> skip fi; x = i } x++ ; d_step { do :: x > 0 -> x-- :: x == 0 -> break od } }
active proctype B() { x = 3; d_step { skip; x = x + 1 } ; atomic { d_step { x = 2; x = 4 } x++ } }
