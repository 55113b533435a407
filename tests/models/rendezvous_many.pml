chan c = [0] of { byte, byte }; active [2] proctype A() { c!_pid,1; c!_pid,2 } active [2] proctype B() { byte p, x; c?p,x; c?p,x } 
