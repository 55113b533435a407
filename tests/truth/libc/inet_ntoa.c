// inet_ntoa answers in a buffer that starts empty.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

int main(void)
{
    static char *last;
    assert(!last);
    last = inet_ntoa((struct in_addr) { htonl(0x7f000001) });
    assert(!strcmp(last, "127.0.0.1"));
    *last = 'x';
    several();
}
