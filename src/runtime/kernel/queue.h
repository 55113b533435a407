/* Queues of messages that have been sent and not yet received. Their bytes are in pages (kernel/pages.h). All are empty
 * at the start of an execution. */
#ifndef HD_RUNTIME_KERNEL_QUEUE_H
#define HD_RUNTIME_KERNEL_QUEUE_H

#include <stddef.h>
#include <stdint.h>

/* Open, because objects have it by value. */
typedef struct hd_queue {
    uint16_t first, last; /* messages + 1; 0: none */
    uint32_t count;
    size_t bytes;
} hd_queue;

/* Before a run: no message is in use. */
void hd_queues_reset(void);

/* `tag` belongs to the message: its priority or type, or where it comes from. `ranked`: the message comes before those
 * with a lesser tag. */
void hd_queue_put(hd_queue *q, const uint8_t *from, size_t size, long tag, int ranked);

/* Copies up to `size` bytes from the start of the queue, which has a message: of its first message, or (`flows`) of as
 * many as there are, up to one that something is attached to. Returns the size of that message, or the number of bytes;
 * *attached is what is attached to the last message of them. */
size_t hd_queue_look(const hd_queue *q, uint8_t *to, size_t size, int flows, uint16_t *attached);

/* The same, and removes them: the whole message, or these bytes. What was attached is the caller's. */
size_t hd_queue_take(hd_queue *q, uint8_t *to, size_t size, int flows, uint16_t *attached);

/* Attaches something to the last message. Removes the first message, and returns what was attached to it. */
void hd_queue_attach(hd_queue *q, uint16_t attached);
uint16_t hd_queue_drop_first(hd_queue *q);

/* Nothing is attached to any message. */
void hd_queue_clear(hd_queue *q);

/* The identity of the last message of a queue that has one: no other message of the execution has the same. Moves the
 * message with this identity, if it is still there, up to `places` towards the front; the first `kept` messages stay.
 */
uint32_t hd_queue_last(const hd_queue *q);
void hd_queue_advance(hd_queue *q, uint32_t identity, uint32_t places, uint32_t kept);

/* The message that follows `message`, or the first one (0); 0: there is none. Its tag and its size. */
uint16_t hd_queue_next(const hd_queue *q, uint16_t message);
long hd_queue_tag(uint16_t message);
size_t hd_queue_size(uint16_t message);

/* Removes the message, and copies up to `size` of its bytes. */
void hd_queue_take_message(hd_queue *q, uint16_t message, uint8_t *to, size_t size);

/* The messages of the queue, or of all queues, are lost (kernel/unreceived.h). */
void hd_queue_check_unreceived(const hd_queue *q);
void hd_queues_check_unreceived(void);

/* The size of the first message; 0: there is none. */
size_t hd_queue_first(const hd_queue *q);

/* Its numbers are those of its messages (abi/valid.h). */
int hd_queue_is_valid(const hd_queue *q);

#endif
