#include <sys/msg.h>

int main(void)
{
    return msgget(1, 0) < 0;
}
