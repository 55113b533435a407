/* A request that the gate has let in, and its answer. Nothing here depends on how they travel. */
#ifndef HD_SERVE_REQUEST_H
#define HD_SERVE_REQUEST_H

#include "base/vec.h"
#include "serve/job.h"

#include <stdio.h>

typedef struct hd_serve_field {
    char *name, *value;
} hd_serve_field;

typedef struct hd_serve_request {
    bool posts; /* POST: it may change something */
    const char *path; /* behind the token */
    hd_vec(hd_serve_field) fields; /* of the query and of the form */
} hd_serve_request;

/* The value of a field; NULL: it is not given. */
const char *hd_serve_request_field(const hd_serve_request *r, const char *name);

/* An answer is ready when it has a status. Until then, it waits for its job. */
typedef struct hd_serve_answer {
    int status;
    const char *type; /* of its content */
    char *bytes; /* malloc */
    size_t size;
    char nonce[33]; /* of scripts inside a page; empty: it has none */
    hd_serve_job *job;
    void (*finish)(struct hd_serve_answer *a); /* makes it ready when the job has ended */
    char page[33]; /* the page that asked; a later request of the same page takes the place of this one */
} hd_serve_answer;

/* Opens a stream for the bytes of the answer. Close it to make the answer ready. */
FILE *hd_serve_answer_open(hd_serve_answer *a, int status, const char *type);

/* An answer of one sentence. */
void hd_serve_answer_say(hd_serve_answer *a, int status, const char *sentence);

void hd_serve_answer_fini(hd_serve_answer *a);

#endif
