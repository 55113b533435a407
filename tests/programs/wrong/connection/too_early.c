// A client may connect before the server listens: it is refused.
// EXPECT: finding assertion at 27
// DFS: yes
// TESTS: 7
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un at = { AF_UNIX, "heddle-too-early" };
static int listener;

static void *serves(void *unused)
{
    assert(bind(listener, (struct sockaddr *)&at, sizeof at) == 0);
    assert(listen(listener, 1) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    pthread_create(&t, NULL, serves, NULL);
    assert(connect(client, (struct sockaddr *)&at, sizeof at) == 0);
    pthread_join(t, NULL);
}
