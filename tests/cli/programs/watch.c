#include <stdlib.h>

int main(void)
{
    return system("true") < 0;
}
