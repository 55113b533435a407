// A thread that foreign code starts is not under heddle's scheduler: an execution ends there.
// RUN: FINDING=model-limit LIBRARY=plain FOREIGN=libplain.so
// RUN: FINDING=model-limit OBJECT=plain FOREIGN=plain_thread
#include <assert.h>

int plain_thread(void);

int main(void)
{
    assert(plain_thread() == 0);
}
