byte x; active proctype A() { atomic { if :: x = 1 :: x = 2; x = 3 :: skip fi; do :: x < 5 -> x++ :: x >= 3 -> break od } x = x + 10 } active proctype B() { x > 3 -> x = 0 }
