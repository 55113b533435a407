/* The parser. The first error ends the parse with one sentence that names file, line, column and
 * what was expected. Traces, embedded C and priorities are recognised and refused by name. */
#ifndef HD_PROMELA_PARSER_H
#define HD_PROMELA_PARSER_H

#include "promela/ast.h"

/* `text` is preprocessed. NULL with an error; otherwise free with hd_promela_model_close. */
hd_promela_model *hd_promela_parse(const char *file, const char *text, hd_error *error);

/* An expression over the model's globals (for --invariant). NULL with an error. */
hd_promela_node *hd_promela_parse_expression(hd_promela_model *m, const char *name, const char *text, hd_error *error);

void hd_promela_model_close(hd_promela_model *m);

#endif
