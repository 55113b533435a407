// getservent and getprotoent begin with the first row.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <netdb.h>
#include <string.h>

int main(void)
{
    struct protoent *first = getprotoent();
    if (first) {
        static char name[32];
        strncpy(name, first->p_name, sizeof name - 1);
        struct protoent *second = getprotoent();
        assert(!second || strcmp(second->p_name, name) != 0);
        setprotoent(1);
    }
    getservent();
    several();
}
