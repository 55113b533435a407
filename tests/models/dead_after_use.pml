chan q = [1] of { byte }; byte g;
active proctype A() { byte a, b, c; a = 5; b = a + 1; q!b; c = 7; c = 8; g = c; q?a; a = 3; b = 2; g = b; if :: a == 3 -> c = 1 :: a == 4 -> c = 2 fi; g = 0 }
active proctype B() { byte v; q?v; q!v+1; v = 0; q?v }
