byte b = 254; short s = 32766; bit t; bool u; unsigned w : 3 = 6; int i = 2147483646; pid p; mtype = {m1,m2,m3}; mtype m = m2;
active proctype A() { b++; b++; b++; s++; s++; s++; t++; t++; t++; u = 3; w++; w++; w++; b = -1; s = 70000; p = 44; m = m3; assert(m == m3 && b == 255 && s == 4464 && t && u && w == 1 && p == 44); i++; assert(i == 2147483647) }
