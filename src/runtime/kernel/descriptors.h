/* Descriptors: numbers, what they stand for, and objects of the modelled kernel.
 *
 * A process has a table of descriptors. An entry leads to an open file description, which dup shares; that has the
 * status flags, and leads to an object (a pipe, a socket, an eventfd). Real files and standard streams are descriptors
 * of the process that heddle runs in, and have no entry: the functions here say so, and the caller uses the real one
 * (runtime/sync/fs.h).
 *
 * A number in a table is reserved (runtime/reset/kernel.h): so the lowest free number and the limit of open files are
 * as without heddle, and code that heddle did not compile cannot get the number for another file. If it uses the
 * number, the execution ends as a model limit. Processes of a system share the reservation of a number that several of
 * them use. Real files have a single set of numbers, so a process does not get a number that is another's real file.
 * The numbers of standard streams are never reserved: an entry of such a number stands in front of the real stream,
 * which comes back when the entry is closed.
 *
 * Conflicts. Which numbers are in use, and what a number stands for, are objects of runtime/sync/fs.h; a change of
 * the status flags counts as a change of all numbers that lead to the description. A process numbers its descriptions
 * in the order in which it makes them. That order is part of the trace, because making a descriptor changes `numbers`.
 *
 * A call keeps the description that it has found until it ends, as in the kernel: another thread may close the number
 * while the call is blocked. If the number may be closed, the beginning and the end of a call are operations on it,
 * which commute with those of other calls. If it has been closed, the end of the call may be the last use of the
 * description, and close it: that conflicts with every other end of a use. */
#ifndef HD_RUNTIME_KERNEL_DESCRIPTORS_H
#define HD_RUNTIME_KERNEL_DESCRIPTORS_H

#include "abi/site.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Each process has a range of numbers for the descriptions that it makes: making two in different processes commutes.
 */
enum { HD_DESCRIPTORS = 1024, HD_DESCRIPTIONS_OF_PROCESS = 1000, HD_DESCRIPTIONS = 64 * HD_DESCRIPTIONS_OF_PROCESS };

struct hd_gate;
struct hd_description;
struct hd_thread;

/* What calls do with descriptions of one type of object. Results are numbers of bytes, or minus an error number.
 * `flags` are MSG_…; of a message that is longer than `size`, read returns the whole length. */
typedef struct hd_file_type {
    const char *name;
    uint32_t mode; /* st_mode */
    ssize_t (*read)(struct hd_description *d, void *to, size_t size, int flags);
    ssize_t (*write)(struct hd_description *d, const void *from, size_t size, int flags);
    long (*available)(struct hd_description *d); /* bytes that can be read */
    void (*close)(struct hd_description *d); /* no descriptor leads to it any more */
    /* The gates whose opening makes it ready for reading and for writing; NULL: it never is. */
    struct hd_gate *(*data)(struct hd_description *d);
    struct hd_gate *(*room)(struct hd_description *d);
    short (*events)(struct hd_description *d); /* POLL…: what is ready now */
    int wakes_epolls; /* calls that change it do (kernel/epoll.h) */
} hd_file_type;

/* Open, because every type of object reads and fills it. */
typedef struct hd_description {
    const hd_file_type *type;
    uint32_t object; /* a number among the objects of its type */
    int flags; /* O_…: access mode and status */
    uint32_t references; /* entries of tables, calls under way, and messages that it is in */
    uint8_t travels; /* it has been in a message, so that other processes may have numbers for it */
} hd_description;

/* Functions without a process are about the table of the current one.
 *
 * Before a run: the tables are empty. */
void hd_descriptors_reset(void);

/* A description without a descriptor. */
hd_description *hd_description_make(const hd_file_type *type, uint32_t object, int flags);

/* The description of the object, if it is open; NULL: it is not. The number of a description. */
hd_description *hd_description_of(const hd_file_type *type, uint32_t object);
uint32_t hd_description_number(const hd_description *d);

/* Gives the description the lowest free number from `from` on. Returns the number or minus an error number. */
int hd_descriptors_add(hd_description *d, int from, int closes_on_exec, const hd_site *site);

/* The number that it would get now, or minus an error number. */
int hd_descriptors_lowest(int from);

/* Process `to` is made: it has what the current one has. */
void hd_descriptors_copy(uint32_t to);

/* The lowest descriptor with an entry that the process has made and not closed, what it stands for, and where it was
 * made; -1: there is none. */
int hd_descriptors_first_open(const char **what, const hd_site **made_at);

/* The process ends: closes all its descriptors that have an entry, one after the other. */
void hd_descriptors_close_all(const hd_site *site);

/* Is the object about the numbers or uses of descriptions? */
int hd_descriptors_is_of_table(uint64_t object);

/* The process runs another program: closes those that close on exec. */
void hd_descriptors_close_on_exec(const hd_site *site);

/* What `fd` stands for; NULL: it has no entry. */
hd_description *hd_descriptors_at(int fd);

/* The same, for a call of the current thread: it looks the number up, and keeps the description until
 * hd_descriptors_release. */
hd_description *hd_descriptors_hold(int fd, const hd_site *site);
void hd_descriptors_release(int fd, hd_description *d, const hd_site *site);

/* For descriptors in messages (kernel/rights.h): what `fd` stands for (NULL: it has no entry), with a reference that is
 * not a number's; a number for such a reference; the reference ends. */
hd_description *hd_descriptors_refer(int fd, const hd_site *site);
int hd_descriptors_adopt(hd_description *d, int closes_on_exec, const hd_site *site);
void hd_description_drop(hd_description *d, const hd_site *site);

/* The process of the thread has ended in the middle of its calls: they give back what they have held. */
void hd_descriptors_end_calls(const struct hd_thread *t, const hd_site *site);

/* `fd` has an entry, which is removed: part of the step of hd_fs_close. */
void hd_descriptors_drop(int fd, const hd_site *site);

/* dup2: the caller has seen that `fd` has an entry. What `to` stands for is closed. Returns `to` or minus an error
 * number. */
int hd_descriptors_replace(int fd, int to, int closes_on_exec, const hd_site *site);

/* Flags of a descriptor that has an entry. */
int hd_descriptors_closes_on_exec(int fd);
void hd_descriptors_set_close_on_exec(int fd, int closes, const hd_site *site);
void hd_description_set_flags(hd_description *d, int flags, const hd_site *site);

static inline int hd_description_waits(const hd_description *d)
{
    return !(d->flags & O_NONBLOCK);
}

/* Each entry leads to a description that was made; that has as many references as entries lead to it, or more if calls
 * or messages are under way, and a type if it has any (abi/valid.h). */
int hd_descriptors_are_valid(void);

#endif
