/* Threads that perform the operations in their arguments. Thread i receives at mailbox i and sends as source i. Each
 * operation has three letters:
 *   sBT  sends to mailbox B with tag T       r--  receives any message       t--  tries to
 *   w--  receives with a time limit          f-S  receives from source S     g-T  receives tag T
 *   x-T  tries to receive tag T              ?--  a choice: skips the next operation, or not
 *   iST  skips the next operation unless the last message was from source S   !-S  the last message is not from source S */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { MOST_THREADS = 10 };

long seen[MOST_THREADS]; /* what each thread has learned */
static _Alignas(8) char scripts[MOST_THREADS][64]; /* no cell belongs to two threads */

static int receive(int id, const char *op, heddle_envelope *about)
{
    char to;
    switch (op[0]) {
    case 'r':
        return heddle_receive(id, HEDDLE_ANY, HEDDLE_ANY, &to, sizeof to, about);
    case 't':
        return heddle_try_receive(id, HEDDLE_ANY, HEDDLE_ANY, &to, sizeof to, about);
    case 'w':
        return heddle_receive_within(id, HEDDLE_ANY, HEDDLE_ANY, &to, sizeof to, about, 10);
    case 'f':
        return heddle_receive(id, op[2] - '0', HEDDLE_ANY, &to, sizeof to, about);
    case 'g':
        return heddle_receive(id, HEDDLE_ANY, op[2] - '0', &to, sizeof to, about);
    default:
        return heddle_try_receive(id, HEDDLE_ANY, op[2] - '0', &to, sizeof to, about);
    }
}

static void *work(void *number)
{
    int id = (int)(long)number, skips = 0;
    heddle_envelope about = { -1, 0, 0 };
    for (const char *op = scripts[id]; *op; op += 3) {
        int skipped = skips;
        skips = 0;
        if (skipped)
            continue;
        if (op[0] == 's')
            heddle_send(op[1] - '0', id, op[2] - '0', "m", 1);
        else if (op[0] == '?')
            skips = (int)heddle_choose(2);
        else if (op[0] == 'i')
            skips = about.source != op[1] - '0';
        else if (op[0] == '!')
            assert(about.source != op[2] - '0');
        else
            seen[id] = seen[id] * 64 + 1 + (receive(id, op, &about) ? about.source * 8 + about.tag + 1 : 0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    for (int i = 0; i < argc - 1; i++)
        strncpy(scripts[i], argv[i + 1], sizeof scripts[i] - 1);
    for (long i = 0; i < argc - 1; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < argc - 1; i++)
        pthread_join(threads[i], NULL);
}
