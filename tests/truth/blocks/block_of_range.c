// An input with a range is drawn and looked at inside an atomic block, which changes something only for one value.
// EXPECT: finding assertion
// TESTS: 4
#include "../../inputs/programs/block_of_range.c"
