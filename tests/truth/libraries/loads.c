/* A library that loads another, and the C library's own modules. */
#include <dlfcn.h>

static void *handle;

double loads_sine(double x)
{
    double (*sine)(double);
    if (!handle)
        handle = dlopen("libresolv.so.2", RTLD_LAZY);
    void *math = dlopen("libm.so.6", RTLD_LAZY);
    *(void **)&sine = dlsym(math, "sin");
    return handle ? sine(x) : -2;
}
