// What another thread reads decides whether it assumes anything.
// EXPECT: finding assertion
#include "../../inputs/programs/assumption_behind_step.c"
