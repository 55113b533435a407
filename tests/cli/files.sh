# Files that programs change: in memory by default, on the disk with --files=fork.
replay_file() { sed -n 's/^to see it again: heddle replay //p' <<<"$out" | head -n 1; }

cat >changes.c <<'END'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void *work(void *unused)
{
    FILE *f = fopen("data/log", "a");
    assert(f && fputs("line\n", f) >= 0 && !fclose(f));
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;
    struct stat s;
    assert(!mkdir("data/new", 0700) && !rename("data/old", "data/new/moved") && !unlink("data/gone"));
    assert(!truncate("data/log", 0) && !chmod("data/log", 0600) && !symlink("log", "data/link"));
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(!stat("data/link", &s) && s.st_size == 10);
    if (argc > 1)
        assert(!mknod("data/socket", S_IFSOCK | 0600, 0));
    assert(argc > 2 || !FAILS);
}
END
prepare() { rm -rf data && mkdir data && echo old >data/old && echo gone >data/gone && echo before >data/log; }
shot() { (cd data && ls -lR --time-style=+%s.%N && cat -- *); }
prepare
before=$(shot)
run 0 heddle check --json=out.json --cflags=-DFAILS=0 changes.c
has 'everything explored, nothing found'
hasnt 'a process of its own'
same "nothing reaches the disk" "$(shot)" "$before"
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert r["isolation"] == "reset" and r["tests"] > 1, r'
run 0 heddle check --isolate=fork --cflags=-DFAILS=0 changes.c
same "nothing reaches the disk from processes" "$(shot)" "$before"

# A replay sees the same files, and changes none either.
run 1 heddle check --cflags=-DFAILS=1 changes.c
has 'assertion failed: argc > 2 || !FAILS'
hasnt 'NOT CONFIRMED'
run 1 heddle replay "$(replay_file)"
has 'assertion failed: argc > 2 || !FAILS'
same "nothing reaches the disk from a replay" "$(shot)" "$before"

# What the overlay cannot make has to be on the disk, with all other files.
run 1 heddle check --cflags=-DFAILS=0 changes.c -- socket
has 'makes a device or a socket: every execution now runs in a process of its own' \
    'makes a device or a socket: files that the program changes are changed on the disk from now on (--files=fork)'
run 0 test -S data/socket
prepare

run 1 heddle check --files=fork --cflags=-DFAILS=1 changes.c
has 'changes the file system: every execution now runs in a process of its own (--isolate=fork)'
hasnt '--files=fork)'
run 0 test -e data/new/moved

# A call on a number that is not in use fails, and needs no process of its own.
cat >closed.c <<'END'
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    assert(!pipe(ends) && !close(ends[0]));
    assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == -1 && errno == EBADF);
    assert(ioctl(ends[0], FIONBIO, &(int) { 1 }) == -1 && errno == EBADF);
}
END
run 0 heddle check closed.c
has 'everything explored, nothing found'
hasnt 'a process of its own'
