byte turn; byte cnt;
active proctype A() provided (turn == 0) { do :: cnt < 4 -> cnt++; turn = 1 od }
active proctype B() provided (turn == 1) { do :: turn = 0 od }
