# Systems of processes: several programs in one image.
heddle cc -o process process.c

# --- each has its own variables, and its own state of the C library
run 0 heddle check --explore=dpor ./process -- -x -n7 -y
alone=$(sed -n 's/heddle: \([0-9]*\) executions.*/\1/p' <<<"$out")
run 0 heddle check --explore=dpor --proc='./process -x -n7 -y' --proc=second='process.c -n 7 -xy'
has "heddle: $((alone * alone)) executions, everything explored, nothing found"
run 0 heddle check --explore=dpor --np=2 ./process -- -x -n7 -y
has "heddle: $((alone * alone)) executions, everything explored, nothing found"
run 0 heddle check --explore=dpor --isolate=fork --max-tests=50 --np=2 ./process -- -x -n7 -y
run 0 heddle check --np=3 ./process -- -x -n7 -y
has 'everything explored, nothing found'

# --- an image is linked once, until something in it changes
images() { find heddle-out -name 'system-*' -type f | wc -l; }
at_first=$(images)
run 0 heddle check --explore=dpor --proc=once='./process -x -n7 -y' --proc=twice='./process -n 7 -xy'
mkdir no_linker && printf '#!/bin/sh\nexit 1\n' >no_linker/objcopy && chmod +x no_linker/objcopy
run 0 env PATH="$PWD/no_linker:$PATH" heddle check --explore=dpor --proc=once='./process -x -n7 -y' --proc=twice='./process -n 7 -xy'
same "images of a system that is checked twice" "$(images)" $((at_first + 1))
run 0 heddle check --explore=dpor --proc=once='./process -x -n7 -y' --proc=twice='./process -n7 -xy'
run 0 heddle check --explore=dpor --proc=once='./process -x -n7 -y' --proc=other='./process -n 7 -xy'
same "images of systems that differ in an argument or a name" "$(images)" $((at_first + 3))

# --- the image is not for running by hand
run 2 heddle-out/system-"$(ls -t heddle-out | sed -n 's/^system-\([0-9a-f]*\)$/\1/p' | head -1)"
has 'heddle: a system of processes runs under heddle check and heddle replay only'

# --- a failure in one of them: reports name processes, and a replay shows it again
printf '# one that fails\ngood=./process -x -n7 -y\n\nbad = \n' >broken.system
run 2 heddle check --system=broken.system
has 'heddle: broken.system:4: '
printf '# one that fails\ngood=./process -x -n7 -y\nbad=./process -x -n8 -y\n' >two.system
run 1 heddle check --explore=dpor --system=two.system
has 'assertion process.c:' 'In thread bad/T1:' 'bad/T1 ' 'heddle replay heddle-out/system-'
run 1 bash -c "$(sed -n 's/.*to see it again: //p' <<<"$out" | head -1)"
has 'In thread bad/T1:'

# --- archives, objects of others, shared libraries
printf 'int helped; int help(void) { return ++helped; }\n' >help.c
printf 'int help(void); int calls; int main(void) { calls++; return help() + calls != 2; }\n' >helped.c
heddle cc -c help.c -o help.o && ar rcs libhelp.a help.o
heddle cc helped.c -L. -lhelp -lz -o helped
run 0 heddle check --explore=dpor --np=4 ./helped
has 'heddle: 1 execution, everything explored, nothing found'

# --- the main process ends the others, whatever they do
cat >forever.c <<'C'
#include <semaphore.h>
#include <stdatomic.h>
atomic_int turns;
int main(void) { sem_t s; sem_init(&s, 0, 0); while (turns < 3) turns++; sem_wait(&s); return 1; }
C
printf '#include <stdatomic.h>\natomic_int work;\nint main(void) { work++; return work != 1; }\n' >short.c
run 1 heddle check --explore=dpor --proc=forever.c --proc=short.c
has 'deadlock'
run 0 heddle check --explore=dpor --proc=forever.c --proc=short.c --main=short
has 'everything explored, nothing found'
run 2 heddle check --proc=forever.c --proc=short.c --main=shirt
has 'heddle: --main=shirt: no process has this name'

# --- a process that ends before its threads: at every point of theirs
cat >early.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int steps;
static void *work(void *argument) { steps++; steps++; return argument; }
int main(void) { pthread_t t; pthread_create(&t, NULL, work, NULL); exit(0); }
C
run 0 heddle check --explore=dpor --proc=early.c --proc=short.c
has 'heddle: 3 executions, everything explored, nothing found'
run 0 heddle check --proc=early.c --proc=short.c
has 'everything explored, nothing found'
run 3 heddle check --explore=unfold --proc=early.c --proc=short.c
has 'processes that end before their threads are explored by dpor alone'

# --- crashes: none, or one of the two at one of three points
run 0 heddle check --explore=dpor --proc=short.c --proc=short.c --crash=1
has 'heddle: 7 executions, everything explored, nothing found'
run 0 heddle check --explore=dpor --proc=short.c --proc=short.c --crash=1:short-2
has 'heddle: 4 executions, everything explored, nothing found'
run 0 heddle check --explore=dpor --proc=short.c --proc=short.c --crash=2:short,short-2
has 'heddle: 16 executions, everything explored, nothing found'
run 2 heddle check --proc=short.c --proc=short.c --crash=1:shirt
has "heddle: --crash=1:shirt: no process has the name 'shirt'"
run 2 heddle check --proc=short.c --proc=short.c --crash=3
has 'heddle: --crash=3: expected a number from 1 to 2'
run 2 heddle check --proc=short.c --crash=x
has 'heddle: --crash=x: expected a number'

# --- processes share memory with locks, semaphores and message queues by their names
cat >maker.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>
struct shared { pthread_mutex_t lock; int count; };
int main(void)
{
    pthread_mutexattr_t between;
    char c[8192];
    int fd = shm_open("/count", O_CREAT | O_EXCL | O_RDWR, 0600);
    ftruncate(fd, sizeof(struct shared));
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_mutexattr_init(&between);
    pthread_mutexattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&s->lock, &between);
    sem_post(sem_open("/ready", O_CREAT, 0600, 0));
    pthread_mutex_lock(&s->lock);
    s->count++;
    pthread_mutex_unlock(&s->lock);
    assert(mq_receive(mq_open("/done", O_CREAT | O_RDONLY, 0600, NULL), c, sizeof c, NULL) == 1);
    assert(s->count == 2);
}
C
cat >user.c <<'C'
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
struct shared { pthread_mutex_t lock; int count; };
int main(int argc, char **argv)
{
    sem_wait(sem_open("/ready", O_CREAT, 0600, 0));
    int fd = shm_open("/count", O_RDWR, 0);
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (argc == 1)
        pthread_mutex_lock(&s->lock);
    s->count++;
    if (argc == 1)
        pthread_mutex_unlock(&s->lock);
    mq_send(mq_open("/done", O_CREAT | O_WRONLY, 0600, NULL), "x", 1, 0);
}
C
for explorer in dpor unfold; do
    run 0 heddle check --explore=$explorer --proc=maker.c --proc=user.c
    has 'everything explored, nothing found'
done
run 1 heddle check --explore=dpor --stop=never --proc=maker.c --proc='user.c without'
has 'data race user.c:14' 'assertion maker.c:24'

# --- and those of System V
cat >sysv.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <sys/sem.h>
#include <sys/shm.h>
int main(int argc, char **argv)
{
    short undo = argc > 1 ? SEM_UNDO : 0;
    struct sembuf take = { 0, -1, undo }, give = { 0, 1, undo };
    int set = semget(5, 1, IPC_CREAT | IPC_EXCL | 0600);
    if (set >= 0)
        semctl(set, 0, SETVAL, 1);
    else
        set = semget(5, 1, 0);
    int *count = shmat(shmget(6, sizeof *count, IPC_CREAT | 0600), NULL, 0);
    semop(set, &take, 1);
    int mine = ++*count;
    semop(set, &give, 1);
    assert(mine == 1 || mine == 2);
}
C
run 0 heddle check --explore=dpor --np=2 sysv.c
has 'everything explored, nothing found'
run 3 heddle check --explore=dpor --np=2 sysv.c -- undo
has 'SEM_UNDO in a system of several processes is not modelled yet'

# --- the owner of a robust mutex ends with its process
cat >owner.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    pthread_mutexattr_t how;
    int fd = shm_open("/m", O_CREAT | O_EXCL | O_RDWR, 0600);
    ftruncate(fd, 4096);
    pthread_mutex_t *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(m, &how);
    pthread_mutex_lock(m);
    sem_post(sem_open("/ready", O_CREAT, 0600, 0));
}
C
cat >heir.c <<'C'
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
int main(void)
{
    sem_wait(sem_open("/ready", O_CREAT, 0600, 0));
    int fd = shm_open("/m", O_RDWR, 0);
    pthread_mutex_t *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(pthread_mutex_lock(m) == EOWNERDEAD);
    assert(pthread_mutex_consistent(m) == 0 && pthread_mutex_unlock(m) == 0);
}
C
for explorer in dpor unfold; do
    run 0 heddle check --explore=$explorer --proc=owner.c --proc=heir.c
    has 'everything explored, nothing found'
done

# --- a server and its clients over TCP: an idle server is no deadlock, a client without an answer is one
cp "$ROOT"/examples/store/*.c .
run 1 heddle check --explore=dpor --proc=server.c --proc=alice='client.c set'
has 'deadlock: 1 thread is blocked forever' "Thread alice/T1 waits for data in 'socket 2'"
run 0 heddle check --explore=dpor --cflags=-DREPAIRED --proc=server.c --proc=alice='client.c set'
has 'heddle: 202 executions, everything explored, nothing found'
run 1 heddle check --explore=dpor --cflags=-DREPAIRED --crash=1:server --proc=server.c --proc=alice=client.c
has 'assertion client.c:' 'end of process'

# --- servers that never end: one that looks around every second, and one whose workers are processes
cat >asks.c <<'C'
#include <arpa/inet.h>
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    char c = 'x';
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    while (connect(fd, (struct sockaddr *)&at, sizeof at)) {}
    assert(write(fd, &c, 1) == 1 && read(fd, &c, 1) == ANSWERS);
}
C
cat >serves.c <<'C'
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
static void serve(int listener, int limit)
{
    struct pollfd p = { listener, POLLIN, 0 };
    char c;
    for (;;) {
        if (limit && poll(&p, 1, limit) <= 0)
            continue;
        int client = accept(listener, NULL, NULL);
        if (read(client, &c, 1) == 1 && ANSWERS)
            write(client, &c, 1);
        if (ANSWERS)
            close(client);
    }
}
int main(int argc, char **argv)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    (void)argv;
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 8))
        return 1;
    if (argc < 2)
        serve(listener, 1000);
    for (int i = 0; i < 2; i++)
        if (!fork())
            serve(listener, 0);
    while (wait(NULL) > 0) {}
}
C
run 0 heddle check --explore=dpor --cflags=-DANSWERS=1 --proc=serves.c --proc=asks.c
has 'everything explored with at most 1 time-out of each wait'
run 0 heddle check --explore=dpor --cflags=-DANSWERS=1 --proc='serves.c fork' --proc=asks.c
has 'everything explored, nothing found'
run 1 heddle check --explore=dpor --cflags=-DANSWERS=0 --proc='serves.c fork' --proc=asks.c
has 'deadlock: 1 thread is blocked forever' 'Thread asks/T1 waits for data'

# --- fork beside a thread: the child finds all that the thread does under a lock or nothing, also on its stack; and a
# lock that it holds locked for ever
cat >beside.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int variable, *on_heap, *on_stack;

static void *work(void *unused)
{
    int here = 0;
    pthread_mutex_lock(&lock);
    on_stack = &here;
    here = variable = *on_heap = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(here == 1 && variable == 1 && *on_heap == 1);
    on_stack = NULL;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    int status;
    on_heap = calloc(1, sizeof *on_heap);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pid_t child = fork();
    if (!child) {
        assert(variable == *on_heap && (!on_stack || *on_stack == variable));
        if (on_stack)
            *on_stack = 5;
        variable = *on_heap = 7;
        _exit(0);
    }
    pthread_mutex_unlock(&lock);
    assert(waitpid(child, &status, 0) == child && status == 0);
    pthread_join(t, NULL);
    return 0;
}
C
cat >held.c <<'C'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pid_t child = fork();
    if (!child) {
        pthread_mutex_lock(&lock);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
C
run 0 heddle check --explore=dpor beside.c
has 'everything explored, nothing found'
run 1 heddle check --explore=dpor --stop=never held.c
has 'everything explored, 1 finding' 'waits for mutex'

# --- processes that fork has made, of a program and of a process of a system
cp "$ROOT"/examples/jobs/*.c .
run 1 heddle check jobs.c
has 'deadlock: 3 threads are blocked forever' "Thread 4243/T1 waits for data in 'pipe 0'" 'forked by main thread at'
run 0 heddle check --explore=dpor --cflags='-DREPAIRED -DFEW' jobs.c
has 'everything explored, nothing found'
cp "$ROOT"/examples/prefork/*.c .
run 1 heddle check --proc=server.c --proc=a=client.c --proc=b=client.c
has 'data race' 'by thread server.42' 'forked by thread server/T0 at'
run 0 heddle check --explore=dpor --cflags='-DREPAIRED -DREQUESTS=1' --proc=server.c --proc=a=client.c
has 'everything explored, nothing found'

cat >forks.c <<'C'
#include <pthread.h>
#include <unistd.h>
static void *nothing(void *a) { return a; }
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    if (!fork())
        _exit(0);
    pthread_join(t, NULL);
    execl("/bin/true", "true", NULL);
    return 0;
}
C
run 3 heddle check forks.c
has 'execl of /' 'which heddle did not compile, is not modelled (forks.c:11)'
run 0 heddle cc -o forks forks.c
run 0 ./forks

# --- exec of programs that heddle compiled: they are linked in, one copy for all processes that run them
cat >tool.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
int runs;
static void *block;
int main(int argc, char **argv)
{
    runs++;
    block = malloc(10);
    write(atoi(argv[1]), "xy", (size_t)atoi(argv[2]));
    assert(runs == 1 && argv[2][0] != '0');
    return runs + 1;
}
C
cat >starter.c <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int sum, got;
int main(int argc, char **argv)
{
    int p[2], status;
    char to[12], c[8];
    pipe(p);
    sprintf(to, "%d", p[1]);
    for (int i = 0; i < atoi(argv[1]); i++)
        if (!fork())
            exit(execlp("./tool", "tool", to, argv[2], NULL));
    while (wait(&status) > 0)
        sum += WEXITSTATUS(status);
    close(p[1]);
    while (read(p[0], c, 1) == 1)
        got++;
    assert(sum == 2 * atoi(argv[1]) && got == atoi(argv[1]) * atoi(argv[2]));
}
C
run 0 heddle cc -o tool tool.c
run 0 heddle cc -o starter starter.c
run 0 heddle check --explore=dpor ./starter -- 1 2
has 'heddle: 1 execution, everything explored, nothing found'
for explorer in dpor unfold; do
    run 0 heddle check --explore=$explorer ./starter -- 2 2
    has 'everything explored, nothing found'
done
run 0 heddle check ./starter -- 2 1
has 'everything explored' 'nothing found'
run 0 heddle check --isolate=fork --max-tests=40 ./starter -- 2 1
run 1 heddle check --explore=dpor ./starter -- 2 0
has 'assertion tool.c:11 in main' 'forked by main thread at'
run 1 bash -c "$(sed -n 's/.*to see it again: //p' <<<"$out" | head -1)"
has 'assertion tool.c:11 in main'
run 0 heddle check --explore=dpor --proc='./starter 1 1' --proc=other='./starter 1 2'
has 'everything explored, nothing found'
run 3 heddle suite -o exec.suite ./starter -- 1 1
has 'execlp of /' 'which is not linked into the image, is not modelled'
cp tool part-less
objcopy --remove-section .heddle.part part-less
sed 's|./tool|./part-less|' starter.c >foreign.c
run 3 heddle check --explore=dpor foreign.c -- 1 1
has 'part-less, which heddle did not compile, is not modelled (foreign.c:15)'
printf '#!/bin/sh\n' >part-less
run 3 heddle check --explore=dpor foreign.c -- 1 1
has 'part-less, which heddle did not compile, is not modelled (foreign.c:15)'

# --- what a shell would run is named, and the search goes on to other executions
cat >shells.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int turn;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *a) { pthread_mutex_lock(&m); turn = 1; pthread_mutex_unlock(&m); return a; }
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&m);
    int now = turn;
    pthread_mutex_unlock(&m);
    if (now && argc == 1)
        system("true");
    if (now && argc == 2)
        popen("true", "r");
    pthread_join(t, NULL);
}
C
run 3 heddle check --explore=dpor shells.c
has 'system is not modelled yet (shells.c:15)' 'heddle: 2 executions, not complete: 1 execution ended at a limit'
run 3 heddle check --explore=dpor shells.c -- p
has 'popen is not modelled yet (shells.c:17)' 'heddle: 2 executions, not complete: 1 execution ended at a limit'

# --- processes that share a file: a record lock that is lost with another descriptor, and the repaired program
cp "$ROOT"/examples/tickets/*.c .
run 1 heddle check --explore=dpor --proc=first=ticket.c --proc=second=ticket.c
has 'assertion' 'change lock of file 1' 'heddle: 12 executions, stopped at the first finding'
run 1 heddle check --explore=dpor --cflags=-DUNLOCKED --proc=first=ticket.c --proc=second=ticket.c
has 'assertion' 'heddle: 6 executions, stopped at the first finding'
for explorer in dpor unfold; do
    run 0 heddle check --explore=$explorer --cflags=-DREPAIRED --proc=first=ticket.c --proc=second=ticket.c
    has 'everything explored, nothing found'
done

# --- locks of files that are taken crosswise: flock has a deadlock, record locks an error; the end of a process, also by
# a crash, gives them back
cat >crosswise.c <<'C'
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
int main(int argc, char **argv)
{
    int mine = open(argv[2], O_RDWR | O_CREAT, 0600), other = open(argv[3], O_RDWR | O_CREAT, 0600);
    struct flock whole = { .l_type = F_WRLCK };
    if (argv[1][0] == 'f') {
        flock(mine, LOCK_EX);
        flock(other, LOCK_EX);
    } else {
        fcntl(mine, F_SETLKW, &whole);
        int error = fcntl(other, F_SETLKW, &whole) ? errno : 0;
        assert(error == 0 || error == EDEADLK);
        assert(error == 0 || argv[1][0] != 'd');
    }
    return 0;
}
C
run 0 heddle cc -o crosswise crosswise.c
for explorer in dpor unfold; do
    run 1 heddle check --explore=$explorer --proc=a='./crosswise f x y' --proc=b='./crosswise f y x'
    has 'deadlock: 2 threads are blocked forever' 'Thread a/T0 waits for lock of file' 'was changed last by thread b/T1, at:'
    run 0 heddle check --explore=$explorer --proc=a='./crosswise r x y' --proc=b='./crosswise r y x'
    has 'everything explored, nothing found'
    run 1 heddle check --explore=$explorer --proc=a='./crosswise d x y' --proc=b='./crosswise d y x'
    has 'assertion'
    run 0 heddle check --explore=$explorer --proc=a='./crosswise f x y' --proc=b='./crosswise f x y'
    has 'everything explored, nothing found'
done
run 3 heddle check --explore=dpor --crash=1 --proc=a='./crosswise f x y' --proc=b='./crosswise f x y'
has 'a process ended while a thread of it waited in a loop' 'nothing found'
run 3 heddle check --explore=dpor --crash=1 --proc=a='./crosswise r x y' --proc=b='./crosswise r x y'
has 'a process ended while a thread of it waited in a loop' 'nothing found'

# --- a FIFO between processes, made by either, or on the disk; a crash of the writer is the end for the reader
cat >fifo.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char c;
    int n = 0;
    mkfifo("fifo", 0600);
    int fd = open("fifo", argv[1][0] == 'w' ? O_WRONLY : O_RDONLY);
    if (argv[1][0] == 'w')
        write(fd, "ab", 2);
    else
        while (read(fd, &c, 1) == 1)
            n++;
    assert(argv[1][0] != 'r' || n == 2);
    assert(argv[1][0] != 'e' || n != 2);
    close(fd);
    return 0;
}
C
run 0 heddle cc -o fifo-user fifo.c
for explorer in dpor unfold; do
    run 0 heddle check --explore=$explorer --proc=w='./fifo-user w' --proc=r='./fifo-user r'
    has 'everything explored, nothing found'
    run 1 heddle check --explore=$explorer --proc=w='./fifo-user w' --proc=r='./fifo-user e'
    has 'assertion'
    run 1 heddle check --explore=$explorer --proc=w='./fifo-user w' --proc=r='./fifo-user w'
    has 'deadlock: 2 threads are blocked forever'
done
[ ! -e fifo ] && pass || fail "a FIFO is left on the disk"
mkfifo fifo
run 0 heddle check --explore=dpor --proc=w='./fifo-user w' --proc=r='./fifo-user r'
has 'everything explored, nothing found'
rm fifo
run 1 heddle check --explore=dpor --crash=1:w --proc=w='./fifo-user w' --proc=r='./fifo-user r'
has 'assertion' 'end of process'

# --- descriptors in messages: what a process has passed on is closed when the other one ends, also by a crash
cat >giver.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "\0hand" };
int main(void)
{
    char control[CMSG_SPACE(sizeof(int))] = "", c[4];
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), p[2];
    struct iovec part = { "x", 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
    struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    bind(listener, (struct sockaddr *)&at, sizeof at);
    listen(listener, 1);
    pipe(p);
    sem_post(sem_open("/ready", O_CREAT, 0600, 0));
    int fd = accept(listener, NULL, NULL);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &p[1], sizeof(int));
    sendmsg(fd, &m, MSG_NOSIGNAL);
    close(p[1]);
    ssize_t got = read(p[0], c, 4); // there is an end, whatever the other process does
    assert(got == 2 || got == 0);
    assert(got == 2);
}
C
cat >taker.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "\0hand" };
int main(int argc, char **argv)
{
    char control[CMSG_SPACE(sizeof(int))], c[4];
    int s = socket(AF_UNIX, SOCK_STREAM, 0), fd;
    struct iovec part = { c, sizeof c };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
    sem_wait(sem_open("/ready", O_CREAT, 0600, 0));
    connect(s, (struct sockaddr *)&at, sizeof at);
    assert(recvmsg(s, &m, 0) == 1 && m.msg_flags == 0);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    if (argc == 1)
        assert(write(fd, "hi", 2) == 2);
}
C
for explorer in dpor unfold; do
    run 0 heddle check --explore=$explorer --proc=giver.c --proc=taker.c
    has 'everything explored, nothing found'
done
run 1 heddle check --explore=dpor --proc=giver.c --proc='taker.c and leave'
has 'assertion giver.c:27 in main'
run 1 heddle check --explore=dpor --stop=never --crash=1:taker --proc=giver.c --proc=taker.c
has 'assertion giver.c:27 in main'
hasnt 'giver.c:26 in main'

# --- datagrams that are lost, arrive twice, overtake others
cat >letters.c <<'C'
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
char got[8];
int main(int argc, char **argv)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int box = socket(AF_INET, SOCK_DGRAM, 0), s = socket(AF_INET, SOCK_DGRAM, 0), n = 0, size;
    bind(box, (struct sockaddr *)&to, sizeof to);
    for (int i = 0; i < atoi(argv[1]); i++) {
        sendto(s, &"abc"[i], 1, 0, (struct sockaddr *)&to, sizeof to);
        if (argc > 3)
            ioctl(box, FIONREAD, &size);
    }
    while (recv(box, got + n, 1, MSG_DONTWAIT) == 1)
        n++;
    assert(strcmp(got, argv[2]));
}
C
heddle cc -o letters letters.c
udp() { run "$1" heddle check --explore=$explorer --states --udp="$2" ./letters -- "${@:4}"; has "heddle: $3"; }
for explorer in dpor dfs unfold; do
    udp 0 loss    '4 executions, everything explored, nothing found, 4 final states' 2 x
    udp 0 dup     '4 executions, everything explored, nothing found, 4 final states' 2 x
    udp 0 reorder '6 executions, everything explored, nothing found, 6 final states' 3 x
    udp 0 reorder '2 executions, everything explored, nothing found, 2 final states' 3 x seen
    udp 0 loss,dup '9 executions, everything explored, nothing found, 9 final states' 2 x
    udp 0 dup,loss,reorder '45 executions, everything explored, nothing found, 19 final states' 2 x
done
run 0 heddle check ./letters -- 3 x
has 'heddle: 1 execution, everything explored, nothing found'
run 1 heddle check --explore=dpor --udp=loss ./letters -- 2 b
has 'datagram is lost ' 'datagram arrives '
run 1 bash -c "$(sed -n 's/.*to see it again: //p' <<<"$out" | head -1)"
has 'datagram is lost ' 'assertion letters.c:'
run 1 heddle check --explore=dpor --udp=dup ./letters -- 1 aa
has 'datagram arrives twice '
run 1 heddle check --explore=dpor --udp=reorder ./letters -- 3 cab
has 'datagram overtakes others: 2 ' 'datagram arrives in order '
run 1 heddle suite --udp=loss -o lost.suite ./letters -- 1 ''
grep -q '^options .*udp-loss' lost.suite && pass || fail "no option udp-loss in $(cat lost.suite)"

# --- parts of what a call could transfer
cat >parts.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static char page[8192];
int main(int argc, char **argv)
{
    char c[4] = "";
    int p[2], k[2], what = atoi(argv[1]);
    pipe(p);
    socketpair(AF_UNIX, what == 5 ? SOCK_SEQPACKET : SOCK_STREAM, 0, k);
    if (what == 0)
        write(p[1], "abc", 3), assert(read(p[0], c, 3) == 3); // 3 or 1
    if (what == 1)
        write(p[1], "a", 1), close(p[1]), assert(read(p[0], c, 3) == 1 && read(p[0], c, 3) == 0); // no choice
    if (what == 2)
        send(k[0], "abc", 3, 0), assert(recv(k[1], c, 3, MSG_WAITALL) == 3 && write(p[1], page, 8192) == 8192);
    if (what == 3)
        assert(send(k[0], "abc", 3, MSG_DONTWAIT) == 3); // 3 or 1
    if (what == 4) {
        fcntl(p[1], F_SETFL, O_NONBLOCK);
        assert(write(p[1], page, 4096) == 4096); // never divided
        ssize_t n = write(p[1], page, 8192);
        assert(n == 8192 || n == 1);
        while (read(p[0], page, 8192) != n + 4096)
            return 0;
        n = write(p[1], page, 8192);
        assert(n == 8192 || n == 4096);
        assert(n == 8192);
    }
    if (what == 5)
        send(k[0], "abc", 3, MSG_DONTWAIT), assert(recv(k[1], c, 3, 0) == 3);
}
C
heddle cc -o parts parts.c
for what in 0 3; do
    run 1 heddle check --partial --explore=dpor ./parts -- $what
    has 'assertion parts.c:' 'only a part of the bytes '
    run 1 bash -c "$(sed -n 's/.*to see it again: //p' <<<"$out" | head -1)"
    run 0 heddle check --explore=dpor ./parts -- $what
    has 'heddle: 1 execution, everything explored, nothing found'
done
for what in 1 2 5; do
    run 0 heddle check --partial --explore=dpor ./parts -- $what
    has 'heddle: 1 execution, everything explored, nothing found'
done
run 1 heddle check --partial --explore=dpor ./parts -- 4
has 'assertion parts.c:31 '
run 0 heddle check --partial --explore=dpor --cflags=-DREPAIRED --proc=server.c --proc=alice=client.c
has 'everything explored, nothing found'

# --- a two-phase commit over UDP, which fails if the coordinator crashes, a datagram is lost, or a vote arrives twice
cp "$ROOT"/examples/commit/*.[ch] .
printf 'coordinator=coordinator.c\none=participant.c 1 y\ntwo=participant.c 2 y\n' >commit.system
sed 's/2 y/2 n/' commit.system >refused.system
commit() { run "$1" heddle check --explore=dpor --timeouts=0 "${@:2}"; }
commit 0 --system=commit.system
has 'heddle: 108 executions and 3 redundant ones, everything explored' 'nothing found'
commit 1 --crash=1:coordinator --system=commit.system
has 'assertion participant.c:29 in decide' 'end of process'
commit 1 --udp=loss --system=commit.system
has 'assertion participant.c:29 in decide' 'datagram is lost '
commit 1 --udp=dup --system=refused.system
has 'assertion participant.c:29 in decide' 'datagram arrives twice '
commit 0 --cflags=-DREPAIRED --crash=1:coordinator --udp=loss --system=commit.system
has 'heddle: 2896 executions and 679 redundant ones, everything explored' 'nothing found'

# --- crashes that lose what is not synced
cp "$ROOT"/examples/save/*.c .
save() { run "$1" heddle check --explore=dpor --crash=1:save "${@:2}" --proc=save=save.c --proc=load=load.c; }
save 0
has 'nothing found'
save 1 --crash-files
has 'assertion load.c:15 in main' 'contents without fsync are lost'
save 0 --crash-files --cflags=-DSYNCED
has 'everything explored, nothing found'
cat >log.c <<'EOF'
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    int shared = shm_open("/said", O_CREAT | O_RDWR, 0600), folder = open(".", O_RDONLY);
    ftruncate(shared, 4);
    atomic_int *said = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    int fd = open("entry", O_CREAT | O_WRONLY | FLAGS, 0600);
    write(fd, "x", 1);
    SYNC;
    atomic_store(said, 1);
    return 0;
}
EOF
cat >look.c <<'EOF'
#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    char c = 0;
    int shared = shm_open("/said", O_CREAT | O_RDWR, 0600);
    ftruncate(shared, 4);
    atomic_int *said = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    int knows = atomic_load(said), fd = open("entry", O_RDONLY);
    assert(!knows || (fd >= 0 && read(fd, &c, 1) == 1 && c == 'x'));
}
EOF
log() { run "$1" heddle check --explore=dpor --crash=1:log --crash-files --cflags="-DFLAGS=$2 -D'SYNC=$3'" --proc=log=log.c --proc=look=look.c; }
log 1 0 ''
log 1 0 'fsync(fd)'
has 'names without fsync are lost'
log 1 0 'fsync(folder)'
has 'contents without fsync are lost'
log 0 0 'fsync(fd),fsync(folder)'
log 0 0 'sync()'
log 0 O_SYNC 'fsync(folder)'
run 2 heddle check --crash-files --proc=save.c --proc=load.c
has 'heddle: --crash-files says what crashes may lose: it needs --crash=N'
run 2 heddle check --crash=1 --crash-files --files=fork --proc=save.c --proc=load.c
has 'heddle: --crash-files needs files in memory'

# --- bad input
for words in '' x loss, ,dup loss,reorders; do
    run 2 heddle check --udp="$words" ./letters -- 1 x
    has "heddle: --udp=$words: expected 'loss', 'dup', 'reorder', or several of them with commas between"
    run 2 heddle suite --udp="$words" -o none.suite ./letters -- 1 x
    has "heddle: --udp=$words: expected"
done
run 2 heddle check --partial=yes ./parts -- 1
has '--partial'
run 2 heddle check --proc=./missing
has 'heddle: ./missing: No such file or directory'
run 2 heddle check --proc=/bin/true
has 'not built with heddle cc'
run 2 heddle check --proc=
has 'heddle: --proc= names no program'
run 2 heddle check --proc=a=./helped --proc=a=./helped
has 'heddle: two processes have the name a'
run 2 heddle check --proc=./helped ./helped
has 'heddle: ./helped: a system consists of what --proc and --system name'
run 2 heddle check --np=65 ./helped
has 'heddle: more than 64 processes'
cat >family.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < atoi(argv[1]); i++)
        if (!fork())
            _exit(0);
        else
            wait(NULL);
}
C
run 3 heddle check --explore=dpor family.c -- 70
has 'fork by a program with more than 63 threads and processes is not modelled (family.c:7)'
cat >port.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
int main(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&at, sizeof at))
        perror("port 7000"), exit(4);
    listen(fd, 1);
    accept(fd, NULL, NULL);
}
C
run 1 heddle check --explore=dpor --proc=one=port.c --proc=two=port.c
has 'exit status port.c:10 in main' 'atomic update port 7000'
cat >restless.c <<'C'
#include <stdatomic.h>
atomic_int turns;
int main(void) { for (;;) turns++; }
C
run 3 heddle check --explore=dpor --depth=50 --max-tests=20 --proc=restless.c --proc=short.c
has 'not complete'
cat >ranks.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) { assert(atoi(getenv("HEDDLE_RANK")) == getpid() - 4242); return getenv("HEDDLE_RANK")[0] == '2'; }
C
run 1 heddle check --explore=dpor --np=3 ranks.c
has 'exit status 1' 'In thread ranks-3/T2:'
run 0 heddle check --explore=dpor --np=2 ranks.c
has 'heddle: 1 execution, everything explored, nothing found'
run 2 heddle check --system=missing.system
has 'heddle: missing.system: No such file or directory'
objcopy --remove-section .heddle.part helped without
run 2 heddle check --proc=./without
has 'without cannot be part of a system: link it again with heddle cc'
