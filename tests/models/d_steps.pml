byte x; byte a[4];
active proctype A() { byte i; d_step { i = 0; do :: i < 4 -> a[i] = i * x; i++ :: else -> break od; x = a[3] } ; x++ }
active proctype B() { d_step { x > 2 -> x = x - 1; if :: x == 3 -> x = 0 :: x == 2 -> x = 7 :: else fi } ; assert(x < 9) }
active proctype C() { x = 1; x = 5 }
