/* What the server answers.
 *
 *   GET  /, /compare, /live, /pairs   the pages, and their files (serve/assets.def)
 *   GET  /run?name=                   the page of a run, with a button to replay
 *   GET  /api/runs                    all runs, without steps and sources
 *   GET  /api/run?name=               the whole result of a run
 *   GET  /api/live                    checks that this server has started, and all that report their progress
 *   POST /api/check text=             starts a check
 *   POST /api/stop name=              ends one, as Ctrl-C does
 *   POST /api/replay file=            runs heddle replay
 *   POST /api/pairs model=…           rows and coverage (serve/pairs.h)
 *
 * Only POST starts or changes something. */
#ifndef HD_SERVE_API_H
#define HD_SERVE_API_H

#include "serve/request.h"
#include "serve/runs.h"

typedef struct hd_serve_api hd_serve_api;

/* `folder` has the runs. */
hd_serve_api *hd_serve_api_open(const char *folder, hd_error *error);
void hd_serve_api_close(hd_serve_api *a);

/* Answers, or starts the answer's job. Texts of the request need not live longer. */
void hd_serve_api_answer(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into);

/* The checks that were started: what they wait for, and going on with them. */
void hd_serve_api_wait(const hd_serve_api *a, fd_set *reading, int *most);
void hd_serve_api_advance(hd_serve_api *a);

#endif
