typedef T { chan c; byte k }; chan q = [2] of { byte }; active proctype A() { T t; t.c = q; t.k = 3; t.c!t.k; t.c!4 } active proctype B() { byte v; q?v; assert(v == 3); q?v }
