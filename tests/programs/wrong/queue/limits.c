// What is not modelled of message queues ends the execution, and is named.
// EXPECT: finding model-limit
// TESTS: 1
// RUN: -DWHICH=1
// RUN: -DWHICH=2
#include <fcntl.h>
#include <mqueue.h>
#include <unistd.h>

int main(void)
{
    mqd_t q = mq_open("/q", O_CREAT | O_RDWR, 0600, NULL);
    char c[80];
    if (WHICH == 1)
        mq_notify(q, NULL);
    if (WHICH == 2)
        read(q, c, sizeof c);
}
