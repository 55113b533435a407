/* Breaks structures of the runtime while the program runs, one field at a time, and repairs them again. Each function
 * returns the number of breaks that the validity function has not noticed (they are printed). */
#ifndef HD_TESTS_RUNTIME_BREAKS_H
#define HD_TESTS_RUNTIME_BREAKS_H

/* `live`: a block of 13 bytes. `freed` and `later`: small blocks of one size that the thread has freed. All three are
 * in the arena of the current thread, which has no other block in quarantine. */
int break_heap(void *live, void *freed, void *later);

/* `freed` and `later` are reusable by now. */
int break_reusable(void *freed, void *later);

/* The threads that the following functions rely on, by number, besides main. */
enum { SLEEPER = 1, JOINER, ENDED, BLOCKED }; /* waits on `cond`, joins the sleeper, has ended, is at a lock */

int break_threads(void);
int break_log(void);
int break_cond(const void *cond);

/* Objects that main alone uses: a mutex that it holds, a lock that it holds for reading, a barrier that counts 2. */
int break_mutex(void *mutex);
int break_rwlock(void *lock);
int break_semaphore(void *semaphore);
int break_barrier(void *barrier);

/* The descriptor of a pipe; the first pipe, with data; the first pair of sockets, with a message for the first. */
int break_descriptors(int fd);
int break_pipe(void);
int break_socket(void);
int break_listener(void);

/* Two record locks of main, of the bytes 0 to 4 and 10 to 14: the only file locks. */
int break_file_locks(void);

/* Is the program explored, or run by hand? */
int break_is_explored(void);

/* The only objects of their kinds: mapped shared memory of 100 bytes, a message queue with two messages of different
 * priorities, a set with a semaphore of 1, a System V queue with a message; and two names. */
int break_shared(void);
int break_message_queue(void);
int break_semaphore_set(void);
int break_sysv_queue(void);
int break_mailbox(void);
int break_names(void);

/* The first eventfd, with the value 3. */
int break_eventfd(void);

/* The first epoll, with two items, which are ready. */
int break_epoll(void);

/* The first timer, which has not expired. */
int break_timer(void);

/* A file with contents that is in a directory; the execution has made both. */
int break_files(const char *path);

/* The thread that is at a lock sleeps at a futex instead. */
int break_futex(void);

/* An internal error of the runtime. Does not return. */
void break_down(void);

#endif
