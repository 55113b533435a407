// The same with two clients, which have too many schedules for dfs.
// EXPECT: complete
// TESTS: 16
#define CLIENTS 2
#include "echo.c"
