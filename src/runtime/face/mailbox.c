/* The mailboxes of include/heddle.h. */
#include "abi/fates.h"
#include "runtime/face/face.h"
#include "runtime/kernel/mailbox.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/lines.h"
#include "runtime/sync/choice.h"

#include <string.h>
#include <time.h>

enum { MESSAGE_MOST = 4096 };

/* As in include/heddle.h. */
typedef struct envelope {
    int source, tag;
    size_t size;
} envelope;

static void check_number(const char *what, long number, long least, long most, const hd_site *site)
{
    if (number < least || number >= most)
        hd_end(HD_MISUSE, site, "%s %ld is not from %ld to %ld", what, number, least, most - 1);
}

HD_FACE void hd_heddle_send(int mailbox, int source, int tag, const void *data, size_t size)
{
    const hd_site *site = hd_call_site;
    char bytes[MESSAGE_MOST];
    check_number("mailbox", mailbox, 0, HD_MAILBOXES, site);
    check_number("source", source, 0, HD_MAILBOXES, site);
    check_number("tag", tag, 0, HD_MAIL_TAGS, site);
    if (size > MESSAGE_MOST)
        hd_end(HD_MODEL_LIMIT, site, "messages of more than %d bytes are not modelled", MESSAGE_MOST);
    hd_access_range(data, size, site, 0);
    if (hd_fast_state.expressions)
        hd_lines_follow(data, size, site);
    memcpy(bytes, data, size);
    hd_mailbox_send((uint32_t)mailbox, (uint32_t)source, (uint32_t)tag, bytes, size, site);
}

HD_FACE void hd_heddle_send_lossy(int mailbox, int source, int tag, const void *data, size_t size)
{
    const hd_site *site = hd_call_site;
    if (hd_choose_fate(2, hd_fates_add(hd_fates_add(0, 0, HD_FATE_SENT), 1, HD_FATE_NOT_SENT)))
        return;
    hd_call_site = site;
    hd_heddle_send(mailbox, source, tag, data, size);
}

/* The accesses to the caller's memory come after the message has been taken. */
static int receive(int mailbox, int source, int tag, void *to, size_t room, envelope *about, hd_mailbox_wait how,
    const struct timespec *until)
{
    const hd_site *site = hd_call_site;
    char bytes[MESSAGE_MOST];
    check_number("mailbox", mailbox, 0, HD_MAILBOXES, site);
    check_number("source", source, -1, HD_MAILBOXES, site);
    check_number("tag", tag, -1, HD_MAIL_TAGS, site);
    uint16_t message = hd_mailbox_receive((uint32_t)mailbox, source, tag, how, until, site);
    if (!message)
        return 0;
    uint64_t label = hd_mailbox_label(message);
    envelope what = { (int)hd_mail_source(label), (int)hd_mail_tag(label), hd_mailbox_size(message) };
    if (what.size > room)
        hd_end(HD_MISUSE, site, "a message of %zu bytes is received into %zu bytes", what.size, room);
    hd_mailbox_take((uint32_t)mailbox, message, bytes);
    hd_access_range(to, what.size, site, 1);
    memcpy(to, bytes, what.size);
    if (about) {
        hd_access_range(about, sizeof *about, site, 1);
        *about = what;
    }
    return 1;
}

HD_FACE int hd_heddle_receive(int mailbox, int source, int tag, void *to, size_t room, envelope *about)
{
    return receive(mailbox, source, tag, to, room, about, HD_MAILBOX_WAITS, NULL);
}

HD_FACE int hd_heddle_try_receive(int mailbox, int source, int tag, void *to, size_t room, envelope *about)
{
    return receive(mailbox, source, tag, to, room, about, HD_MAILBOX_TRIES, NULL);
}

HD_FACE int hd_heddle_receive_within(
    int mailbox, int source, int tag, void *to, size_t room, envelope *about, long milliseconds)
{
    struct timespec span = { milliseconds / 1000, milliseconds % 1000 * 1000000 }, until = hd_time_in(&span);
    return receive(mailbox, source, tag, to, room, about, HD_MAILBOX_WAITS_UNTIL, &until);
}
