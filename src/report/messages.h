/* The messages of an execution as a time-space diagram: a line for each thread, time goes down, an arrow from a send to
 * the receive of its message. A send whose message is never received has an arrow that ends nowhere; a receive that
 * waits at the end has none. */
#ifndef HD_REPORT_MESSAGES_H
#define HD_REPORT_MESSAGES_H

#include "base/error.h"
#include "report/result.h"

#include <stdio.h>

/* Prints the diagram with source positions; nothing, if the execution has no messages. */
void hd_report_messages(const hd_report_finding *r, FILE *out);

/* Writes the diagrams of all findings as one SVG file. */
bool hd_report_messages_svg(const hd_report_result *r, const char *path, hd_error *error);

#endif
