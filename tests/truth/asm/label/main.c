// A function that another file has in assembly, where nothing says that it is one, nor that the other label is
// not.
// EXPECT: bound
// FOREIGN: label_next,inner
#include <assert.h>

int label_next(int n);

int main(void)
{
    assert(label_next(1) == 2);
}
