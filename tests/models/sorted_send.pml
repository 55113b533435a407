chan q = [4] of { byte, short };
active proctype A() { byte v; short w; q!!3,1; q!!1,-5; q!!2,7; q!!1,-9; q?v,w; assert(v == 1 && w == -9); q??2,w; assert(w==7); q?<v,w>; q?v,w; if :: q??[3,_] -> q?v,w :: q?[1,1] -> skip fi; assert(len(q)==0) }
