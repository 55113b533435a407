/* <ctype.h> for twins, which track expressions. */
#include "runtime/libc/letters.h"

#include "runtime/face/face.h"

#define LETTERS(name, result) \
    HD_FACE int hd_##name(int c) \
    { \
        return result; \
    }
LETTERS(isalpha, hd_is_letter(c))
LETTERS(isdigit, hd_is_digit(c))
LETTERS(isalnum, hd_is_letter(c) | hd_is_digit(c))
LETTERS(isblank, (c == ' ') | (c == '\t'))
LETTERS(iscntrl, hd_between(c, 0, 31) | (c == 127))
LETTERS(isgraph, hd_between(c, 33, 126))
LETTERS(islower, hd_between(c, 'a', 'z'))
LETTERS(isupper, hd_between(c, 'A', 'Z'))
LETTERS(isprint, hd_between(c, 32, 126))
LETTERS(ispunct, hd_between(c, 33, 47) | hd_between(c, 58, 64) | hd_between(c, 91, 96) | hd_between(c, 123, 126))
LETTERS(isspace, hd_is_space(c))
LETTERS(isxdigit, hd_is_digit(c) | hd_between(c, 'A', 'F') | hd_between(c, 'a', 'f'))
LETTERS(toupper, hd_capital_letter(c))
LETTERS(tolower, hd_small_letter(c))
#undef LETTERS
