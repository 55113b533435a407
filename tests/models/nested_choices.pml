byte x;
active proctype A() { do :: x < 3 -> if :: x == 0 -> x++ :: x == 1 -> do :: x++ ; break :: x = 3 -> break od :: else -> x = x + 2 fi :: x >= 3 -> break od; { { x = 1 } ; { skip; skip; x = 2 } } if :: if :: x == 2 -> x = 8 :: x == 3 fi :: do :: x = 9 -> break od fi }
active proctype B() { atomic { x = x + 1; x > 0; x = x + 1 } ; if :: atomic { x == 3 -> x = 4 } :: d_step { x == 4 -> x = 5 } :: else -> x = 6 fi }
