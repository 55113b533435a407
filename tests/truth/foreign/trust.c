// What the user trusts does not make a verdict incomplete.
// RUN: EXPECT=complete LIBRARY=plain OPTIONS=--trust=libplain FOREIGN=
// RUN: EXPECT=complete LIBRARY=plain OPTIONS=--trust=libplain.so FOREIGN=
// RUN: EXPECT=bound LIBRARY=plain OPTIONS=--trust=libplai FOREIGN=libplain.so
// RUN: EXPECT=complete OBJECT=plain OPTIONS=--trust=plain_next FOREIGN=
// RUN: EXPECT=complete OBJECT=plain OPTIONS=--trust=program FOREIGN=
// RUN: EXPECT=bound OBJECT=plain OPTIONS=--trust=plain FOREIGN=plain_next
#include <assert.h>

int plain_next(int);

int main(void)
{
    assert(plain_next(1) == 2);
}
