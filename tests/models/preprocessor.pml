#define N 2
#define inc(x) x = x + 1
#if N > 1
byte many;
#else
byte few;
#endif
active [N] proctype A() { inc(many); assert(many <= N) }
