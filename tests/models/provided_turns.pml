byte turn, n; active proctype A() provided (turn != 1) { do :: n < 3 -> n++; turn = 1 :: n == 3 -> break od } active proctype B() provided (turn == 1) { byte t; end: do :: t = n; turn = 0 od }
