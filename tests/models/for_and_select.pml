byte a[3]; byte sum; typedef M { byte v; bit w }; chan q = [3] of { M };
active proctype A() { byte i; M m; for (i : 0 .. 2) { a[i] = i + 1 } for (i in a) { sum = sum + a[i] } m.v = 4; q!m; m.v = 5; q!m; for (m in q) { sum = sum + m.v } select (i : 1 .. 3); sum = sum + i; select(i : 1 .. 40); assert(sum < 60) }
