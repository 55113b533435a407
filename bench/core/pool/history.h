/* The last things that happened in a pool. The pool's lock protects it. */
#ifndef POOL_HISTORY_H
#define POOL_HISTORY_H

enum { HISTORY_ROOM = 16 };

typedef enum history_kind { HISTORY_SUBMIT, HISTORY_DONE, HISTORY_CANCEL, HISTORY_CLOSE, HISTORY_KINDS } history_kind;

typedef struct history_entry {
    history_kind kind;
    int worker;
} history_entry;

typedef struct history {
    history_entry entries[HISTORY_ROOM];
    unsigned count; /* of all that ever happened */
} history;

void history_init(history *h);
void history_add(history *h, history_kind kind, int worker);

/* How many of the entries that are kept are of this kind. */
unsigned history_count(const history *h, history_kind kind);

#endif
