byte x;
active proctype A() { L1: x++; if :: x < 4 -> goto L1 :: x == 4 -> goto done :: x > 2 -> atomic { x = 0; goto L2 } fi; L2: x = 9; goto end1; done: skip; end1: x == 77 }
active proctype B() { byte z; atomic { skip; again: z++; if :: z < 3 -> goto again :: else fi; x = 2 } progress: x = 1; accept: skip }
