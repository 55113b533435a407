/* The shape of a state: which processes and channels exist, in order of creation, and where their
 * bytes are. A state is a shape and its bytes: component 0 holds the globals, every other one is a
 * process or a channel. Processes end in reverse order of creation and take their channels with them,
 * so shapes form a tree: a creation goes to a child, the end of a process goes to the parent of the
 * node that created it.
 *
 * Shapes are created on first use and never change. Creation takes a lock, so several searchers can
 * share a tree; lookups are lock-free. */
#ifndef HD_MODEL_SHAPE_H
#define HD_MODEL_SHAPE_H

#include "promela/program.h"

#include <pthread.h>

enum {
    HD_MODEL_STATE_MOST_BYTES = 65535,
    HD_MODEL_MOST_PROCESSES = 255,
    HD_MODEL_MOST_CHANNELS = 255,
    HD_MODEL_MOST_COMPONENTS = 511
};
enum { HD_MODEL_NO_STATE = 0xffffffffu }; /* where the number of a state is expected */
enum { HD_MODEL_COMPONENT_WORDS = (HD_MODEL_MOST_COMPONENTS + 64) / 64 };

/* Open for speed: code that runs on states looks up offsets all the time. */
typedef struct hd_model_shape {
    struct hd_model_shape *parent, *first_child, *sibling;
    bool is_process; /* what the last component is; the root's is neither */
    uint8_t type; /* proctype or channel type of the last component */
    uint16_t index; /* among all shapes */
    uint16_t processes, channels, components;
    uint32_t size;
    uint32_t *offsets; /* per component, and the size at the end */
    uint16_t *process_component, *channel_component;
} hd_model_shape;

typedef struct hd_model_shapes {
    const hd_promela_program *program;
    bool tagged; /* messages carry a byte for their sender */
    hd_arena arena;
    hd_model_shape **all; /* by index; room for every index from the start */
    int count;
    pthread_mutex_t lock;
} hd_model_shapes;

void hd_model_shapes_init(hd_model_shapes *s, const hd_promela_program *program, bool tagged);
void hd_model_shapes_fini(hd_model_shapes *s);

/* The shape with one process or channel more. NULL when a limit is reached. */
const hd_model_shape *hd_model_shape_with(hd_model_shapes *s, const hd_model_shape *shape, bool is_process, int type);

/* The shape after the end of its youngest process. */
const hd_model_shape *hd_model_shape_without_process(const hd_model_shape *shape);

#endif
