/* The result of a check of a model: on the terminal, as JSON, as SPIN's trail. */
#ifndef HD_MODEL_REPORT_H
#define HD_MODEL_REPORT_H

#include "model/check.h"

/* On standard output. Without `all`, one finding of each kind. */
void hd_model_report_text(const hd_model_check *c, bool all);

/* False: the file cannot be written. */
bool hd_model_report_json(const hd_model_check *c, const char *name, hd_error *error);

/* The path to the first finding; no file if there is none. */
bool hd_model_report_trail(const hd_model_check *c, const char *name, hd_error *error);

#endif
