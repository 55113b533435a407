byte o[3]; 
active [2] proctype A() { o[_pid] = _pid + 1 }
init { o[_pid] = 7; run B() }
proctype B() { byte z = o[0] + 1; chan c = [1] of {byte}; c!z }
active proctype D(byte q) { assert(q == 0) }
