#include <stdarg.h>
#include <stddef.h>

int calls;

int send(int n)
{
    calls++;
    return n + 1;
}

int wait(int n)
{
    calls++;
    return n + 2;
}

int open(int n)
{
    calls++;
    return n + 3;
}

int getenv(int n)
{
    calls++;
    return n + 4;
}

int sem_post(int *s)
{
    calls++;
    return ++*s;
}

int printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = va_arg(list, int);
    va_end(list);
    calls++;
    return 2 * n;
}

void *memcpy(void *to, const void *from, size_t n)
{
    calls++;
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

size_t strlen(const char *s)
{
    calls++;
    return s ? 1000 : 0;
}

long time(long *t)
{
    calls++;
    return t ? 0 : 7;
}
