/* A server that sends back what CLIENTS clients send it, one after the other. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    char c;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 8))
        return 1;
    for (int i = 0; i < CLIENTS; i++) {
        int client = accept(listener, NULL, NULL);
        if (read(client, &c, 1) == 1)
            write(client, &c, 1);
        close(client);
    }
    return 0;
}
