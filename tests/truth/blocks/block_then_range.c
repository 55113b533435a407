// An input behind an atomic block has a range, and a branch on it comes before the next step. dpor once
// gave it a value outside the range, and took the run that followed for the proof that there is no other way.
// EXPECT: finding assertion
// TESTS: 5
#include "../../inputs/programs/block_then_range.c"
