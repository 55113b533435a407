// The second input of the block has another range on each side of a branch on the first: a value that is
// given to it is meant for one of the two.
// EXPECT: finding assertion
// TESTS: 8
#include "../../inputs/programs/block_of_two_ranges.c"
