// A lock inside an atomic block: where another thread holds it, the block is two steps, and the first has
// seen that it is held. The other thread's look at x may come in between.
// EXPECT: finding assertion
// TESTS: 8
#include "../../inputs/programs/block_with_lock.c"
