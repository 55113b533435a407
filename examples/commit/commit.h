// What coordinator and participants share: messages of one letter, over UDP.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

enum { PARTICIPANTS = 2, COORDINATOR = 7000 }; // the ports of the participants follow that of the coordinator
enum { PREPARE = 'p', YES = 'y', NO = 'n', COMMIT = 'c', ABORT = 'a', NOTHING = 0 };

static struct sockaddr_in at(int port)
{
    return (struct sockaddr_in) { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int open_port(int port)
{
    struct sockaddr_in own = at(port);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return bind(fd, (struct sockaddr *)&own, sizeof own) ? -1 : fd;
}

static void tell(int fd, int port, char letter)
{
    struct sockaddr_in to = at(port);
    sendto(fd, &letter, 1, 0, (struct sockaddr *)&to, sizeof to);
}

// Waits for a letter for a second, or (`limit` < 0) for ever. *port is that of the sender.
static char hear(int fd, int limit, int *port)
{
    struct pollfd ready = { fd, POLLIN, 0 };
    struct sockaddr_in from = { 0 };
    socklen_t size = sizeof from;
    char letter = NOTHING;
    if (poll(&ready, 1, limit) == 1 && recvfrom(fd, &letter, 1, 0, (struct sockaddr *)&from, &size) == 1)
        *port = ntohs(from.sin_port);
    return letter;
}
