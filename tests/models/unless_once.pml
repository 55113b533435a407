byte x; bool stop;
active proctype A() { { do :: x < 5 -> x++ :: x > 3 -> x-- od } unless { stop -> x = 9 } ; x = 1 }
active proctype B() { x == 4 -> stop = true }
