/* epoll: a set of descriptors that threads wait for together, with a list of those that may be ready.
 *
 * As in Linux, an *item* is a number and the description that it led to when it was added, with the events that are
 * asked for. A call that changes an object wakes the items of its descriptions (hd_epoll_wake): an item that asks for
 * one of these events joins the end of the ready list, unless it is there. A wait takes items from the front and looks
 * at their objects: those that are not ready leave the list, and of those that are, a level-triggered item joins the
 * end again, an edge-triggered one (EPOLLET) does not, and one with EPOLLONESHOT asks for nothing any more. So the
 * order in which a wait returns events is the order of Linux. An item is removed by epoll_ctl, or when its description
 * is closed.
 *
 * The list has a gate of data (kernel/gate.h), which is open while the list has an item. A wait is one step: it passes
 * the gate, looks at the objects of the items, and changes the list. If no item was ready, the list is empty, and the
 * wait goes on at the gate.
 *
 * Conflicts. A wake-up is an operation on the gate: a change if an item joins the list, otherwise a look, because after
 * another wait it would have been a change. Wake-ups of different objects have an order if they are items of one epoll,
 * since waits tell them in this order. Which items a wake-up finds is state of the description, its *watchers*: it
 * looks at them, and whatever adds, changes or removes an item changes them. Adding an item looks at its object, so it
 * has an order with calls that find no item to wake. A wait looks at both gates of each object, because errors and ends
 * can come with a change of either.
 *
 * That a program uses epoll at all is learned: without it no call looks for watchers. */
#ifndef HD_RUNTIME_KERNEL_EPOLL_H
#define HD_RUNTIME_KERNEL_EPOLL_H

#include <stdint.h>

struct epoll_event;
struct hd_description;
struct hd_file_type;
struct timespec;

enum { HD_EPOLLS = 64, HD_EPOLL_ITEMS = 1024 };

/* Before a run: there is none. */
void hd_epolls_reset(void);

/* Makes an epoll, and its description. */
struct hd_description *hd_epoll_make(void);

int hd_epoll_is(const struct hd_description *d);

/* epoll_ctl(2) on a description of the modelled kernel, which is no epoll, by its number: 0 or minus an error number.
 * `event`: NULL with EPOLL_CTL_DEL. */
int hd_epoll_control(
    struct hd_description *epoll, int command, int fd, struct hd_description *file, const struct epoll_event *event);

/* Takes up to `most` events. If there is none, waits for one if `waits` is set, up to a time limit (NULL: none).
 * Returns their number. */
int hd_epoll_take(
    struct hd_description *epoll, struct epoll_event *to, int most, int waits, const struct timespec *until);

/* Part of the step of a poll: removes items that are not ready from the front of the list, so that the gate is open
 * only if an item is ready. Returns whether it has removed one. */
int hd_epoll_tidy(struct hd_description *epoll);

/* Do calls have to look for watchers? */
int hd_epoll_is_used(void);

/* Part of the step of a call that changes an object: wakes the items of its description that ask for one of these
 * events (0: all). */
void hd_epoll_wake(const struct hd_file_type *type, uint32_t object, uint32_t events);

/* Part of the step of a call that changes when the object may become ready: waits look at it again. */
void hd_epoll_note(const struct hd_file_type *type, uint32_t object);

/* Part of the step that closes the description: removes its items. */
void hd_epoll_forget(struct hd_description *d);

/* Its list consists of those of its items that are marked as listed, each once, and its gate is open if there is one
 * (abi/valid.h). */
int hd_epoll_is_valid(uint32_t number);

#endif
