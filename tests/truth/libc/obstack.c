// Obstacks of a library allocate from its heap.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <obstack.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

int main(void)
{
    static struct obstack stack;
    assert(!stack.chunk);
    obstack_init(&stack);
    strcpy(obstack_alloc(&stack, 100), "left");
    obstack_alignment_mask(&stack) = 63;
    several();
}
