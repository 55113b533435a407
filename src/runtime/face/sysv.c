/* System V shared memory, semaphores and message queues. Run by hand, the program has real ones. */
#include "runtime/face/face.h"
#include "runtime/face/interrupts.h"
#include "runtime/kernel/names.h"
#include "runtime/kernel/semaphore_set.h"
#include "runtime/kernel/shared.h"
#include "runtime/kernel/sysv_queue.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

static int answer(int result)
{
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

static void hand_over(void *to, const void *from, size_t size, const hd_site *site)
{
    hd_access_range(to, size, site, 1);
    memcpy(to, from, size);
    hd_call_site = site;
}

/* --- shared memory -------------------------------------------------------------------------------- */

static int make_segment(size_t size)
{
    if (!size)
        return -EINVAL;
    uint32_t number = hd_shared_make(HD_SHARED_SEGMENT, size);
    return number == HD_NO_SHARED ? -ENOMEM : (int)number;
}

static int find_segment(key_t key, size_t size, int flags, const hd_site *site)
{
    char name[16];
    snprintf(name, sizeof name, "%x", (unsigned)key);
    int found = hd_names_find(HD_KEYS_OF_MEMORY, name, flags & IPC_CREAT, site);
    if (found < 0 && !(flags & IPC_CREAT))
        return -ENOENT;
    if (found >= 0 && (flags & IPC_CREAT) && (flags & IPC_EXCL))
        return -EEXIST;
    if (found >= 0)
        return size > hd_shared_size((uint32_t)found, site) ? -EINVAL : found;
    int made = make_segment(size);
    if (made >= 0)
        hd_names_add(HD_KEYS_OF_MEMORY, name, (uint32_t)made);
    return made;
}

HD_FACE int hd_shmget(key_t key, size_t size, int flags)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return shmget(key, size, flags);
    uint32_t outer = hd_step_begin(0);
    int id = key == IPC_PRIVATE ? make_segment(size) : find_segment(key, size, flags, site);
    hd_step_end(outer);
    return answer(id);
}

HD_FACE void *hd_shmat(int id, const void *address, int flags)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return shmat(id, address, flags);
    if (address)
        hd_end(HD_MODEL_LIMIT, site, "shmat at a fixed address is not modelled yet");
    void *block = id >= 0 && hd_shared_is(HD_SHARED_SEGMENT, (uint32_t)id)
        ? hd_shared_map((uint32_t)id, 0, hd_shared_size((uint32_t)id, site), site)
        : NULL;
    errno = block ? errno : EINVAL;
    return block ? block : (void *)-1;
}

HD_FACE int hd_shmdt(const void *address)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return shmdt(address);
    uint32_t number = hd_shared_at(address);
    int is_one = number != HD_NO_SHARED && hd_shared_kind_of(number) == HD_SHARED_SEGMENT;
    return answer(is_one && hd_shared_unmap(number, address, 0, site) ? 0 : -EINVAL);
}

/* The segment is not gone. */
static int tell_of_segment(uint32_t number, struct shmid_ds *to, const hd_site *site)
{
    struct shmid_ds now = { .shm_nattch = hd_shared_mappings(number, site) };
    if (hd_shared_is_gone(number))
        return -EINVAL;
    now.shm_segsz = hd_shared_size(number, site);
    now.shm_perm.mode = (unsigned short)(0600 | (hd_shared_is_removed(number) ? SHM_DEST : 0));
    hand_over(to, &now, sizeof now, site);
    return 0;
}

static int remove_segment(uint32_t number, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_shared_mappings(number, site);
    int gone = hd_shared_is_gone(number);
    if (!gone) {
        hd_names_remove_number(HD_KEYS_OF_MEMORY, number, site);
        hd_shared_remove(number, site);
    }
    hd_step_end(outer);
    return gone ? -EINVAL : 0;
}

HD_FACE int hd_shmctl(int id, int command, struct shmid_ds *data)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return shmctl(id, command, data);
    if (id < 0 || !hd_shared_is(HD_SHARED_SEGMENT, (uint32_t)id))
        return answer(-EINVAL);
    if (command == IPC_STAT)
        return answer(tell_of_segment((uint32_t)id, data, site));
    if (command == IPC_RMID)
        return answer(remove_segment((uint32_t)id, site));
    hd_end(HD_MODEL_LIMIT, site, "command %d of shmctl is not modelled yet", command);
}

/* --- semaphores ------------------------------------------------------------------------------------- */

HD_FACE int hd_semget(key_t key, int count, int flags)
{
    if (!hd_exploring())
        return semget(key, count, flags);
    return answer(hd_semaphore_set_get(key, count, flags, hd_call_site));
}

enum { MOST_OPERATIONS = 500, MOST_AT_ONCE = 64 };

HD_FACE int hd_semtimedop(int id, struct sembuf *ops, size_t count, const struct timespec *span)
{
    const hd_site *site = hd_call_site;
    struct sembuf own[MOST_AT_ONCE];
    struct timespec until = { 0 };
    if (!hd_exploring())
        return span ? semtimedop(id, ops, count, span) : semop(id, ops, count);
    if (count < 1 || id < 0)
        return answer(-EINVAL);
    if (count > MOST_OPERATIONS)
        return answer(-E2BIG);
    if (count > MOST_AT_ONCE)
        hd_end(HD_MODEL_LIMIT, site, "more than %d operations of one semop are not modelled yet", MOST_AT_ONCE);
    hd_access_range(ops, count * sizeof *ops, site, 0);
    memcpy(own, ops, count * sizeof *ops);
    if (span) {
        hd_access_range(span, sizeof *span, site, 0);
        if (span->tv_sec < 0 || span->tv_nsec < 0 || span->tv_nsec >= 1000000000)
            return answer(-EINVAL);
        until = hd_time_in(span);
    }
    hd_call_site = site;
    if (hd_ends_any_call(hd_call_begins()))
        return answer(-EINTR);
    int error = hd_semaphore_set_operate(id, own, (uint32_t)count, span ? &until : NULL, site);
    if (error == EAGAIN && span && !(own->sem_flg & IPC_NOWAIT))
        hd_time_ran_out(ETIMEDOUT, &until);
    return answer(-error);
}

HD_FACE int hd_semop(int id, struct sembuf *ops, size_t count)
{
    return hd_semtimedop(id, ops, count, NULL);
}

union argument {
    int value;
    struct semid_ds *status;
    unsigned short *values;
};

static int tell_values(int id, uint16_t *to, const hd_site *site)
{
    uint32_t count;
    uint16_t values[HD_SET_MOST];
    int error = hd_semaphore_set_count(id, &count, site);
    error = error ? error : hd_semaphore_set_values(id, values, site);
    if (!error)
        hand_over(to, values, count * sizeof *values, site);
    return error;
}

static int set_values(int id, const uint16_t *from, const hd_site *site)
{
    uint32_t count;
    uint16_t values[HD_SET_MOST];
    int error = hd_semaphore_set_count(id, &count, site);
    if (error)
        return error;
    hd_access_range(from, count * sizeof *from, site, 0);
    memcpy(values, from, count * sizeof *from);
    hd_call_site = site;
    return hd_semaphore_set_assign_all(id, values, site);
}

static int tell_of_set(int id, struct semid_ds *to, const hd_site *site)
{
    struct semid_ds now;
    int error = hd_semaphore_set_status(id, &now, site);
    if (!error)
        hand_over(to, &now, sizeof now, site);
    return error;
}

static int control(int id, int index, int command, union argument a, const hd_site *site)
{
    int value = 0, error = 0;
    switch (command) {
    case GETVAL:
        error = hd_semaphore_set_value(id, index, &value, site);
        return error ? -error : value;
    case SETVAL:
        return -hd_semaphore_set_assign(id, index, a.value, site);
    case GETALL:
        return -tell_values(id, a.values, site);
    case SETALL:
        return -set_values(id, a.values, site);
    case IPC_STAT:
        return -tell_of_set(id, a.status, site);
    case IPC_RMID:
        return -hd_semaphore_set_remove(id, site);
    default:
        hd_end(HD_MODEL_LIMIT, site, "command %d of semctl is not modelled yet", command);
    }
}

HD_FACE int hd_semctl(int id, int index, int command, ...)
{
    va_list args;
    va_start(args, command);
    union argument a = va_arg(args, union argument);
    va_end(args);
    return hd_exploring() ? answer(control(id, index, command, a, hd_call_site)) : semctl(id, index, command, a);
}

/* --- messages ---------------------------------------------------------------------------------------- */

HD_FACE int hd_msgget(key_t key, int flags)
{
    if (!hd_exploring())
        return msgget(key, flags);
    return answer(hd_sysv_queue_get(key, flags, hd_call_site));
}

/* A message in the program's memory: its type, then its bytes. */
typedef struct letter {
    long type;
    char bytes[];
} letter;

HD_FACE int hd_msgsnd(int id, const void *message, size_t size, int flags)
{
    const hd_site *site = hd_call_site;
    const letter *from = message;
    char bytes[HD_LETTER_MOST];
    if (!hd_exploring())
        return msgsnd(id, message, size, flags);
    if (size > HD_LETTER_MOST || id < 0)
        return answer(-EINVAL);
    hd_access_range(from, sizeof *from + size, site, 0);
    if (from->type < 1)
        return answer(-EINVAL);
    if (hd_fast_state.expressions)
        hd_lines_follow(from, sizeof *from + size, site);
    memcpy(bytes, from->bytes, size);
    long type = from->type;
    hd_call_site = site;
    if (hd_ends_any_call(hd_call_begins()))
        return answer(-EINTR);
    return answer(hd_sysv_queue_send(id, type, bytes, size, flags, site));
}

HD_FACE ssize_t hd_msgrcv(int id, void *message, size_t size, long type, int flags)
{
    const hd_site *site = hd_call_site;
    letter *to = message;
    char bytes[HD_LETTER_MOST];
    if (!hd_exploring())
        return msgrcv(id, message, size, type, flags);
    if (flags & MSG_COPY)
        hd_end(HD_MODEL_LIMIT, site, "msgrcv with MSG_COPY is not modelled yet");
    if ((ssize_t)size < 0 || id < 0)
        return answer(-EINVAL);
    if (hd_ends_any_call(hd_call_begins()))
        return answer(-EINTR);
    ssize_t got = hd_sysv_queue_receive(id, bytes, size < sizeof bytes ? size : sizeof bytes, &type, flags, site);
    if (got < 0)
        return answer((int)got);
    hd_access_range(to, sizeof *to + (size_t)got, site, 1);
    to->type = type;
    memcpy(to->bytes, bytes, (size_t)got);
    if (hd_fast_state.expressions)
        hd_lines_clear(to, sizeof *to + (size_t)got);
    return got;
}

HD_FACE int hd_msgctl(int id, int command, struct msqid_ds *data)
{
    const hd_site *site = hd_call_site;
    struct msqid_ds now;
    if (!hd_exploring())
        return msgctl(id, command, data);
    if (command == IPC_RMID)
        return answer(hd_sysv_queue_remove(id, site));
    if (command != IPC_STAT)
        hd_end(HD_MODEL_LIMIT, site, "command %d of msgctl is not modelled yet", command);
    int error = hd_sysv_queue_status(id, &now, site);
    if (!error)
        hand_over(data, &now, sizeof now, site);
    return answer(error);
}
