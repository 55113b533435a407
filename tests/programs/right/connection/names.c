// Sockets with different names do not meet: one execution. With one name, either may be first.
// EXPECT: complete
// DFS: yes
// RUN: -DDOMAIN=AF_UNIX -DNAMES=2 TESTS=1
// RUN: -DDOMAIN=AF_UNIX -DNAMES=1 TESTS=2
// RUN: -DDOMAIN=AF_INET -DNAMES=2 TESTS=1
// RUN: -DDOMAIN=AF_INET -DNAMES=1 TESTS=2
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int sockets[2], bound[2];

static void *binds(void *own)
{
    int i = (int)((int *)own - sockets), which = i % NAMES;
    struct sockaddr_un name = { AF_UNIX, { 0, 'n', (char)('0' + which) } };
    struct sockaddr_in port = { AF_INET, htons((uint16_t)(7000 + which)), { 0 }, { 0 } };
    if (DOMAIN == AF_UNIX)
        bound[i] = bind(*(int *)own, (struct sockaddr *)&name, 5) == 0;
    else
        bound[i] = bind(*(int *)own, (struct sockaddr *)&port, sizeof port) == 0;
    assert(bound[i] || errno == EADDRINUSE);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++)
        sockets[i] = socket(DOMAIN, SOCK_STREAM, 0);
    pthread_create(&t, NULL, binds, &sockets[0]);
    binds(&sockets[1]);
    pthread_join(t, NULL);
    assert(bound[0] + bound[1] == NAMES);
}
