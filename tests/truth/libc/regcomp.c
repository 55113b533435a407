// A compiled expression that is left is gone.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <regex.h>

int main(void)
{
    static regex_t expression;
    assert(!expression.re_nsub);
    assert(!regcomp(&expression, "(a)(b)*", REG_EXTENDED));
    assert(!regexec(&expression, "abb", 0, NULL, 0));
    several();
}
