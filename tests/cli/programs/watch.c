#include <sys/signalfd.h>

int main(void)
{
    return signalfd(-1, &(sigset_t) { 0 }, 0) < 0;
}
