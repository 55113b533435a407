/* followed: none; branches: 300
 * Variadic arguments in registers and on the stack, among others; va_copy. */
#include "observe.h"

#include <stdarg.h>

struct large {
    long a, b, c;
};

__attribute__((noinline)) static void show(const char *kinds, ...)
{
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    for (const char *k = kinds; *k; k++) {
        if (*k == 'i')
            observe((uint32_t)va_arg(list, int));
        else if (*k == 'l')
            observe((uint64_t)va_arg(list, long));
        else if (*k == 'd')
            (void)va_arg(list, double);
        else if (*k == 's')
            observe((uint64_t)va_arg(list, struct large).c);
    }
    if (*kinds == 'i')
        observe((uint32_t)va_arg(again, int) + 1u);
    va_end(again);
    va_end(list);
}

static void forward(void (*f)(const char *, ...), int x, long y)
{
    f("il", x, y);
}

int old_style();

int main(void)
{
    int x = heddle_int("x");
    long y = heddle_long("y");
    show("ili", x, y, x + 1);
    show("iiiiiiiil", 1, x, 3, 4, 5, x + 6, 7, x * 8, y);
    show("didlddddddddidl", 1.0, x, 2.0, y, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, x, 9.0, y);
    show("lsl", y, (struct large) { x, 2, y }, 7L);
    forward(show, x, y);
    observe((uint32_t)old_style(x, 2));
    return 0;
}

int old_style(a, b)
int a, b;
{
    return a * b + 1;
}
