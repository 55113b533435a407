/* Small concurrent programs written as text, with an interpreter, for testing
 * unfoldings with nothing else around.
 *
 *   "r x, w x; l m, r x, u m"      two threads, separated by ;
 *
 * r w      read, write               c       write if it is 0 (a look if not)
 * l u      lock, unlock              p t     post, take (a semaphore)
 * R S      read-lock and -unlock     W V     write-lock and -unlock
 * r x + w y   several accesses in one step
 * ?        a choice of two
 * s N, j N    start thread N, join it (N counts from 0; threads that nobody starts
 *          run from the beginning)
 *
 * Objects are single letters. */
#ifndef HD_TESTS_UNFOLD_PROGRAMS_H
#define HD_TESTS_UNFOLD_PROGRAMS_H

#include "unfold/unfold.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_THREADS = 14, MAX_OPS = 16, OBJECTS = 128, MAX_STEPS = 64, MAX_PARTS = 3 };

typedef struct part {
    char code, object;
} part;

typedef struct op {
    part parts[MAX_PARTS];
    uint32_t count;
} op;

typedef struct program {
    op ops[MAX_THREADS][MAX_OPS];
    uint32_t length[MAX_THREADS], threads;
    bool started[MAX_THREADS]; /* by another thread */
} program;

static inline const char *parse_op(const char *s, op *o)
{
    o->count = 0;
    while (*s && *s != ',' && *s != ';') {
        while (*s == ' ' || *s == '+')
            s++;
        part *p = &o->parts[o->count++];
        p->code = *s++;
        while (*s == ' ')
            s++;
        p->object = p->code == '?' ? 0 : *s++;
        while (*s == ' ')
            s++;
    }
    return s;
}

static inline program parse(const char *s)
{
    program p = { .threads = 1 };
    while (*s) {
        uint32_t t = p.threads - 1;
        while (*s == ' ')
            s++;
        if (*s != ';')
            s = parse_op(s, &p.ops[t][p.length[t]++]);
        p.threads += *s == ';';
        s += *s != 0;
    }
    for (uint32_t t = 0; t < p.threads; t++)
        for (uint32_t i = 0; i < p.length[t]; i++)
            if (p.ops[t][i].parts[0].code == 's')
                p.started[p.ops[t][i].parts[0].object - '0'] = true;
    return p;
}

/* --- running ------------------------------------------------------------------------- */

typedef struct step {
    uint16_t thread;
    uint8_t choice, choices;
    uint32_t pc;
    hd_unfold_access accesses[MAX_PARTS];
    uint32_t count;
} step;

typedef enum note_kind { NOTE_STEP, NOTE_START, NOTE_JOIN, NOTE_END } note_kind;

typedef struct note {
    note_kind kind;
    uint32_t step; /* NOTE_STEP */
    uint16_t thread, other;
} note;

typedef struct machine {
    const program *p;
    int32_t value[OBJECTS], count[OBJECTS]; /* the value of a lock: the thread that took it when it was free */
    uint32_t pc[MAX_THREADS];
    bool running[MAX_THREADS];
    step steps[MAX_STEPS];
    note notes[4 * MAX_STEPS];
    uint32_t step_count, note_count;
} machine;

static inline hd_unfold_access access_of(const machine *m, const part *p)
{
    hd_unfold_access a = { .object = (uint32_t)(p->object - 'a' + 1), .group = HD_GROUP_ALONE };
    switch (p->code) {
    case 'r':
        a.group = HD_GROUP_LOOKS;
        break;
    case 'c':
        a.group = m->value[(int)p->object] ? HD_GROUP_LOOKS : HD_GROUP_ALONE;
        a.unsure = true;
        break;
    case 'l':
        a.needs = HD_NEED_ZERO;
        a.adds = 1;
        break;
    case 'u':
        a.adds = -1;
        break;
    case 'p':
        a.group = 2;
        a.adds = 1;
        break;
    case 't':
        a.needs = HD_NEED_POSITIVE;
        a.adds = -1;
        break;
    case 'R':
        a.group = 1;
        a.needs = HD_NEED_NO_WRITER;
        a.adds = 1;
        break;
    case 'S':
        a.group = 1;
        a.adds = -1;
        break;
    case 'W':
        a.needs = HD_NEED_ZERO;
        a.adds = HD_WRITER;
        break;
    case 'V':
        a.adds = -HD_WRITER;
        break;
    case '?':
        a = (hd_unfold_access) { .group = HD_GROUP_ALONE };
        break;
    default:
        break;
    }
    return a;
}

static inline const op *next_op(const machine *m, uint32_t t)
{
    return m->running[t] && m->pc[t] < m->p->length[t] ? &m->p->ops[t][m->pc[t]] : NULL;
}

static inline bool can_go(const machine *m, uint32_t t)
{
    const op *o = next_op(m, t);
    for (uint32_t i = 0; o && i < o->count; i++) {
        hd_unfold_access a = access_of(m, &o->parts[i]);
        int32_t count = m->count[(int)o->parts[i].object];
        if ((a.needs == HD_NEED_ZERO && count != 0) || (a.needs == HD_NEED_POSITIVE && count <= 0)
            || (a.needs == HD_NEED_NO_WRITER && count >= HD_WRITER))
            return false;
    }
    return o && o->parts[0].code != 'j';
}

static inline void add_note(machine *m, note_kind kind, uint32_t thread, uint32_t other)
{
    uint32_t last = m->step_count ? m->step_count - 1 : 0;
    m->notes[m->note_count++] = (note) { kind, last, (uint16_t)thread, (uint16_t)other };
}

static inline bool is_over(const machine *m, uint32_t t)
{
    return m->running[t] && m->pc[t] == m->p->length[t];
}

/* Starts and joins happen at once. */
static inline void run_local(machine *m)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t t = 0; t < m->p->threads; t++) {
            const op *o = next_op(m, t);
            uint32_t other = o ? (uint32_t)(o->parts[0].object - '0') : 0;
            if (o && o->parts[0].code == 's') {
                m->running[other] = true;
                m->pc[t]++;
                add_note(m, NOTE_START, other, t);
                if (!m->p->length[other])
                    add_note(m, NOTE_END, other, other);
                again = true;
            } else if (o && o->parts[0].code == 'j' && is_over(m, other)) {
                m->pc[t]++;
                add_note(m, NOTE_JOIN, t, other);
                again = true;
            } else {
                continue;
            }
            if (is_over(m, t))
                add_note(m, NOTE_END, t, t);
        }
    }
}

static inline void start(machine *m, const program *p)
{
    memset(m, 0, sizeof *m);
    m->p = p;
    for (uint32_t t = 0; t < p->threads; t++) {
        m->running[t] = !p->started[t];
        if (t && m->running[t])
            add_note(m, NOTE_START, t, 0);
    }
    run_local(m);
}

static inline void go(machine *m, uint32_t t, uint8_t choice)
{
    const op *o = next_op(m, t);
    step *s = &m->steps[m->step_count++];
    *s = (step) { .thread = (uint16_t)t, .choice = choice, .pc = m->pc[t], .count = o->count };
    s->choices = o->parts[0].code == '?' ? 2 : 0;
    for (uint32_t i = 0; i < o->count; i++)
        s->accesses[i] = access_of(m, &o->parts[i]);
    s->accesses[0].key = m->pc[t] + 1;
    for (uint32_t i = 0; i < o->count; i++) {
        int x = o->parts[i].object;
        m->count[x] += s->accesses[i].adds;
        if (o->parts[i].code == 'w' || (o->parts[i].code == 'c' && !m->value[x]))
            m->value[x] = (int32_t)t + 1;
        else if (strchr("luRSWV", o->parts[i].code))
            m->value[x] = m->count[x] == s->accesses[i].adds ? (int32_t)t + 1 : 0;
    }
    m->pc[t]++;
    add_note(m, NOTE_STEP, t, t);
    if (is_over(m, t))
        add_note(m, NOTE_END, t, t);
    run_local(m);
}

#endif
