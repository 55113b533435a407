byte s; proctype P(byte a; short b; bit c) { s = s + a; assert(b == -3); if :: c -> s = s + 10 :: else fi } init { run P(1, -3, 0); run P(2, -3, 1); (_nr_pr == 1); assert(s == 13) }
