typedef In { byte a; short b[2] }; typedef Out { In x; In y[2]; bit z };
Out g; chan q = [2] of { In, bit };
active proctype A() { In l; l.a = 3; l.b[1] = 7; g.x.a = 1; g.y[1].b[0] = 4; q!l,1; g.y[0].a = g.y[1].b[0] + 2 }
active proctype B() { Out o; bit f; q?o.x,f; assert(o.x.b[1] == 7); g.z = f; g.y[g.z].a = o.x.a }
