// Sends its arguments as requests, then "get", and waits for the answer.
#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char text[16];
    if (connect(fd, (struct sockaddr *)&at, sizeof at))
        return 0; // the server is not there yet
    for (int i = 1; i < argc; i++) {
        send(fd, argv[i], strlen(argv[i]), 0);
        send(fd, "\n", 1, 0);
    }
    send(fd, "get\n", 4, 0);
    ssize_t got = recv(fd, text, sizeof text - 1, 0);
    assert(got > 0);
    close(fd);
    return 0;
}
