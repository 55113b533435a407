// A message that is longer than the block that it is sent from.
// EXPECT: finding heap-overflow
// TESTS: 1
#include <fcntl.h>
#include <mqueue.h>
#include <stdlib.h>

int main(void)
{
    mqd_t q = mq_open("/q", O_CREAT | O_RDWR, 0600, NULL);
    mq_send(q, calloc(1, 10), 11, 0);
}
