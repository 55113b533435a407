/* The inputs of a path: those that the last execution had, or that the next one is to
 * have, their values at their places among the terms, and records of them. Only for
 * explore/path*.c. */
#ifndef HD_INPUTS_PATH_INPUTS_H
#define HD_INPUTS_PATH_INPUTS_H

#include "inputs/path.h"

/* The inputs that the execution asked for. */
void hd_path_take_inputs(hd_path *p, const hd_execution *e);

/* The values of `given` at their places in the pool. */
void hd_path_place_values(hd_path *p);

/* The record's values at their places, as `solution`. */
void hd_path_place_record(hd_path *p, hd_path_inputs inputs);

/* The path's inputs are those of the record; 0: of none. */
void hd_path_set_current(hd_path *p, hd_path_inputs inputs);
void hd_path_adopt(hd_path *p, hd_path_inputs inputs);

/* Those of the last execution, with these values instead. */
void hd_path_give(const hd_path *p, const hd_values *values, hd_given_list *out);

/* An input that the last execution did not ask for has a value only if it is given one. */
void hd_path_give_inputs_of(hd_path *p, hd_term term, const hd_values *values, hd_given_list *out);

#endif
