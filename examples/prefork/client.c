/* Asks the server of server.c once; tries until it listens. */
#include <arpa/inet.h>
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 7000 };

int main(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    char answer = 0;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    while (connect(fd, (struct sockaddr *)&at, sizeof at))
        usleep(1000);
    assert(write(fd, "q", 1) == 1);
    assert(read(fd, &answer, 1) == 1 && answer == 'q');
    close(fd);
    return 0;
}
