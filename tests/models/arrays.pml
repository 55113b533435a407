byte a[5]; short b[2]; active proctype A() { byte i; a[2] = 7; a[a[2] - 4] = 3; i = a[3]; b[i % 2] = -5; assert(b[1] == -5); a[i] = a[i] + 1 } active proctype B() { a[3] = 0; b[0] = a[3] }
