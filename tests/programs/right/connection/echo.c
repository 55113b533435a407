// A TCP server echoes what its clients send, one after the other, whatever parts it comes in.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef CLIENTS
#define CLIENTS 1
#endif

static struct sockaddr_in at = { .sin_family = AF_INET };
static int listener, clients[CLIENTS];

static void *client(void *own)
{
    int fd = *(int *)own;
    char back[3] = "";
    assert(connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    assert(send(fd, "a", 1, 0) == 1);
    assert(send(fd, "b", 1, 0) == 1);
    assert(recv(fd, back, 2, MSG_WAITALL) == 2);
    assert(!strcmp(back, "ab"));
    return NULL;
}

/* A message has two bytes. */
static void serve(int fd)
{
    char message[2];
    for (long n, done = 0; done < 2; done += n) {
        n = recv(fd, message + done, (size_t)(2 - done), 0);
        assert(n > 0);
    }
    assert(send(fd, message, 2, 0) == 2);
}

int main(void)
{
    pthread_t t[CLIENTS];
    socklen_t size = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&at, sizeof at) == 0);
    assert(listen(listener, 4) == 0);
    assert(getsockname(listener, (struct sockaddr *)&at, &size) == 0);
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = socket(AF_INET, SOCK_STREAM, 0);
        pthread_create(&t[i], NULL, client, &clients[i]);
    }
    for (int i = 0; i < CLIENTS; i++)
        serve(accept(listener, NULL, NULL));
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(t[i], NULL);
}
