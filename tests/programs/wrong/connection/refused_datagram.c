// A datagram may be sent before its receiver is bound: it is lost, and the sender hears of it only if it is connected.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 2
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

static struct sockaddr_in at = { .sin_family = AF_INET };
static int ends[2];

static void *receives(void *unused)
{
    char c;
    bind(ends[0], (struct sockaddr *)&at, sizeof at);
    recv(ends[0], &c, 1, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    at.sin_port = htons(7000);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < 2; i++)
        ends[i] = socket(AF_INET, SOCK_DGRAM, 0);
    pthread_create(&t, 0, receives, 0);
    sendto(ends[1], "x", 1, 0, (struct sockaddr *)&at, sizeof at);
    pthread_join(t, 0);
}
