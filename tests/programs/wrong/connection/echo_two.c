// The same with two clients, which have too many schedules for dfs.
// EXPECT: finding assertion at 36
// TESTS: 154
// BLOCKED: 8
#define CLIENTS 2
#include "echo.c"
