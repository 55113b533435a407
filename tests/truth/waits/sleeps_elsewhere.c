// Sleeping is the program's own, from an object that heddle did not compile: a loop that sleeps may end.
// OBJECT: sleeps
// EXPECT: complete
// RUN:
// RUN: -DTHREAD
#include "../own/sleeps/main.c"
