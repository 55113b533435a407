/* The idle loop makes no progress; it is unfair to the worker, which always can. */
// EXPECT progress: violated non-progress-cycle
// EXPECT progress --fair: holds
byte done;
byte ticks;
active proctype idle() { do :: ticks = 1 - ticks od }
active proctype worker() { do :: done = 1 - done; progress: skip od }
