byte x; chan stop = [1] of { bit }; active proctype A() { do :: x < 4 -> x++ :: x == 4 -> x = 0 od unless { stop?1 -> x = 100 } } active proctype B() { x == 3 -> stop!1 }
