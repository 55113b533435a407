// File names of UNIX sockets: binding, connecting, what is left, removing.
#include "transcript.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static struct sockaddr_un address(const char *path)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    strcpy(a.sun_path, path);
    return a;
}

static int make(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int bind_at(int fd, const char *path)
{
    struct sockaddr_un a = address(path);
    return bind(fd, (struct sockaddr *)&a, sizeof a);
}

static int connect_to(int fd, const char *path)
{
    struct sockaddr_un a = address(path);
    return connect(fd, (struct sockaddr *)&a, offsetof(struct sockaddr_un, sun_path) + strlen(path));
}

static void names_of(int fd)
{
    struct sockaddr_un a;
    socklen_t n = sizeof a;
    TRY(getsockname(fd, (struct sockaddr *)&a, &n));
    say("%d %.*s\n", (int)n, (int)n - 2, a.sun_path);
    n = sizeof a;
    if (TRY(getpeername(fd, (struct sockaddr *)&a, &n)) == 0)
        say("%d %.*s\n", (int)n, (int)n - 2, a.sun_path);
}

static void meets_at_a_file(void)
{
    int l = make(), c = make(), s;
    TRY(unlink("/tmp/heddle-test-socket"));
    TRY(connect_to(c, "/tmp/heddle-test-socket"));
    TRY(bind_at(l, "/tmp/heddle-test-socket"));
    TRY(chmod("/tmp/heddle-test-socket", 0600));
    TRY(connect_to(c, "/tmp/heddle-test-socket"));
    TRY(listen(l, 1));
    TRY(connect_to(c, "/tmp/../tmp//heddle-test-socket"));
    s = TRY(accept(l, NULL, NULL));
    names_of(l);
    names_of(c);
    names_of(s);
    close(s);
    close(c);
    close(l);
}

static void stays_behind(void)
{
    int l = make(), c = make();
    TRY(bind_at(l, "/tmp/heddle-test-socket"));
    TRY(connect_to(c, "/tmp/heddle-test-socket"));
    TRY(unlink("/tmp/heddle-test-socket"));
    TRY(unlink("/tmp/heddle-test-socket"));
    TRY(connect_to(c, "/tmp/heddle-test-socket"));
    TRY(bind_at(l, "/tmp/heddle-test-socket"));
    TRY(bind_at(l, "/tmp/heddle-test-other"));
    close(c);
    close(l);
}

static void a_new_one_at_the_same_place(void)
{
    int l = make(), m = make(), c = make(), d = make();
    TRY(remove("/tmp/heddle-test-socket"));
    TRY(bind_at(l, "/tmp/heddle-test-socket"));
    TRY(listen(l, 1));
    TRY(connect_to(c, "/tmp/heddle-test-socket"));
    TRY(unlink("/tmp/heddle-test-socket"));
    TRY(bind_at(m, "/tmp/heddle-test-socket"));
    TRY(connect_to(d, "/tmp/heddle-test-socket"));
    TRY(listen(m, 1));
    TRY(connect_to(d, "/tmp/heddle-test-socket"));
    close(accept(l, NULL, NULL));
    close(accept(m, NULL, NULL));
    names_of(l);
    close(l);
    close(d);
    d = make();
    TRY(connect_to(d, "/tmp/heddle-test-socket"));
    close(m);
    close(c);
    close(d);
    TRY(unlink("/tmp/heddle-test-socket"));
}

static void other_types(void)
{
    int l = make(), c = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    TRY(bind_at(l, "/tmp/heddle-test-socket"));
    TRY(listen(l, 1));
    TRY(connect_to(c, "/tmp/heddle-test-socket"));
    TRY(bind_at(c, "/tmp/heddle-test-socket"));
    close(l);
    close(c);
    TRY(unlink("/tmp/heddle-test-socket"));
}

static void bound_client(void)
{
    struct sockaddr_un a;
    socklen_t n = sizeof a;
    int l = make(), c = make();
    TRY(bind_at(l, "/tmp/heddle-test-socket"));
    TRY(listen(l, 1));
    TRY(bind_at(c, "/tmp/heddle-test-client"));
    TRY(connect_to(c, "/tmp/heddle-test-socket"));
    int s = TRY(accept(l, (struct sockaddr *)&a, &n));
    say("%d %.*s\n", (int)n, (int)n - 2, a.sun_path);
    names_of(s);
    close(s);
    close(c);
    close(l);
    TRY(unlink("/tmp/heddle-test-socket"));
    TRY(unlink("/tmp/heddle-test-client"));
}

int main(void)
{
    if (!getenv("NATIVE")) {
        unlink("/tmp/heddle-test-socket");
        unlink("/tmp/heddle-test-client");
    }
    RUN(meets_at_a_file);
    RUN(stays_behind);
    RUN(a_new_one_at_the_same_place);
    RUN(other_types);
    RUN(bound_client);
    return finish();
}
