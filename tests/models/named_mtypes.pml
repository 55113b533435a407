mtype:col = { red, green }; mtype:sz = { small, big }; mtype { plain };
mtype:col c = green; mtype:sz z; mtype p = plain; chan q = [1] of { mtype:col, bool };
active proctype A() { z = small; q!red, true; c = red }
active proctype B() { mtype:col d; bool e; q?d,e; assert(d == red); if :: q?[red,_] -> skip :: nempty(q) -> skip :: timeout -> c = d fi }
