bit go; byte n; active proctype A() { do :: go -> n++; go = 0; if :: n == 2 -> break :: else fi :: timeout -> go = 1 od } active proctype B() { n == 1 -> n == 5 }
