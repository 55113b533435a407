/* What happened, as a paragraph of plain sentences: one template per kind of finding, filled with what the execution
 * shows. It says what threads did, in which order; never why. */
#ifndef HD_REPORT_STORY_H
#define HD_REPORT_STORY_H

#include "report/result.h"

/* Returns "" if there is nothing to say beyond the message of the finding. Needs the names (hd_report_name). */
const char *hd_report_story(const hd_report_finding *f, hd_arena *arena);

#endif
