#include "serve/request.h"

#include <stdlib.h>
#include <string.h>

const char *hd_serve_request_field(const hd_serve_request *r, const char *name)
{
    for (size_t i = 0; i < r->fields.count; i++)
        if (!strcmp(r->fields.items[i].name, name))
            return r->fields.items[i].value;
    return NULL;
}

FILE *hd_serve_answer_open(hd_serve_answer *a, int status, const char *type)
{
    a->status = status;
    a->type = type;
    return open_memstream(&a->bytes, &a->size);
}

void hd_serve_answer_say(hd_serve_answer *a, int status, const char *sentence)
{
    FILE *out = hd_serve_answer_open(a, status, "text/plain; charset=utf-8");
    fprintf(out, "%s\n", sentence);
    fclose(out);
}

void hd_serve_answer_fini(hd_serve_answer *a)
{
    free(a->bytes);
    if (a->job)
        hd_serve_job_close(a->job);
}
