#include "event/record.h"

#include "abi/fast.h"
#include "abi/lives.h"
#include "base/file.h"
#include "base/vec.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, ITEMS_PER_LINE = 16 };

/* Kinds of operations by the names they have in abi/ops.def, in lower case with dashes. */
static const char *const kind_names[] = {
    [HD_NONE] = "NONE",
#define OP(name, ...) [HD_##name] = #name,
#include "abi/ops.def"
};

static char letter(char c)
{
    return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

static void kind_word(uint8_t kind, char *word, size_t size)
{
    size_t i = 0;
    for (; kind_names[kind][i] && i + 1 < size; i++)
        word[i] = letter(kind_names[kind][i]);
    word[i] = '\0';
}

static bool is_kind(uint8_t kind, const char *word)
{
    const char *name = kind_names[kind];
    for (; *name && letter(*name) == *word; name++)
        word++;
    return !*name && !*word;
}

static bool kind_of(const char *word, uint8_t *kind)
{
    for (uint8_t i = HD_NONE + 1; i < HD_OP_KINDS; i++)
        if (is_kind(i, word)) {
            *kind = i;
            return true;
        }
    return false;
}

void hd_record_set_arguments(hd_record *r, char **arguments)
{
    r->arguments = arguments;
    for (r->argument_count = 0; arguments[r->argument_count];)
        r->argument_count++;
}

/* The number of the thread that had the slot in this life: lives of a slot are numbered in their order. */
static uint32_t number_of(const hd_record *r, uint32_t slot, uint32_t life)
{
    for (uint32_t n = 0; n < r->slot_count; n++)
        if (r->slots[n] == slot && !life--)
            return n;
    return slot;
}

void hd_record_set_inputs(hd_record *r, const hd_input *inputs, uint32_t count, hd_arena *arena)
{
    r->inputs = hd_arena_alloc(arena, (count + 1) * sizeof *r->inputs);
    r->input_count = count;
    for (uint32_t i = 0; i < count; i++)
        r->inputs[i] = (hd_input_record) { .given = { inputs[i].value, inputs[i].number, inputs[i].thread },
            .name = inputs[i].name,
            .thread_number = number_of(r, inputs[i].thread, inputs[i].life),
            .number = hd_input_number(inputs, i) };
}

/* --- writing ------------------------------------------------------------------------------ */

static void write_line(FILE *out, const char *name, const char *text, size_t length)
{
    fprintf(out, "%s ", name);
    for (const char *end = text + length; text < end; text++) {
        if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '\r')
            fputs("\\r", out);
        else if (*text == '\\')
            fputs("\\\\", out);
        else
            putc(*text, out);
    }
    putc('\n', out);
}

void hd_record_write_text(FILE *out, const char *name, const char *text)
{
    write_line(out, name, text, strlen(text));
}

void hd_record_step_text(const hd_step_record *s, char *text, size_t size)
{
    char word[64], choice[24] = "";
    kind_word(s->kind, word, sizeof word);
    if (s->choice)
        snprintf(choice, sizeof choice, " choice %u", s->choice);
    snprintf(text, size, "T%u %s %s:%u%s", s->number, word, s->file, s->line, choice);
}

/* A block is its first cell; if it has more, "+" and their number follow. */
static void write_cells(const hd_record *r, FILE *out)
{
    const hd_learned_facts *l = &r->facts;
    for (uint32_t i = 0; i < l->shared_count; i++) {
        const hd_shared_block *b = &l->shared[i];
        fprintf(out, "%s%x", i % ITEMS_PER_LINE ? " " : "shared ", b->first);
        if (b->cells > 1)
            fprintf(out, "+%x", b->cells - 1);
        if (i % ITEMS_PER_LINE == ITEMS_PER_LINE - 1 || i == l->shared_count - 1)
            putc('\n', out);
    }
}

/* If the main thread creates all threads, they get the same numbers without this line. */
static void write_births(const hd_record *r, FILE *out)
{
    const uint32_t *births = r->facts.births;
    uint32_t count = 1;
    bool others_create = false;
    for (; count < HD_MAX_THREADS && births[count]; count++)
        others_create |= births[count] >> 16 != 0;
    for (uint32_t i = 1; others_create && i < count; i++)
        fprintf(out, "%s%u.%u%s", i == 1 ? "threads " : " ", births[i] >> 16, births[i] & 0xffff,
            i + 1 == count ? "\n" : "");
}

/* From, to, communicator, tag, and how many. */
static void write_channels(const hd_record *r, FILE *out)
{
    const hd_channel *c = r->facts.channels;
    for (uint32_t i = 0; i < HD_CHANNELS && c[i].most; i++) {
        bool last = i % ITEMS_PER_LINE == ITEMS_PER_LINE - 1 || i + 1 == HD_CHANNELS || !c[i + 1].most;
        fprintf(out, "%s%u.%u.%u.%d.%u%s", i % ITEMS_PER_LINE ? " " : "messages ", c[i].from, c[i].to, c[i].context,
            c[i].tag, c[i].most, last ? "\n" : "");
    }
}

static void write_slots(const hd_record *r, FILE *out)
{
    for (uint32_t i = 1; i < r->slot_count; i++)
        fprintf(out, "%s%u%s", i % ITEMS_PER_LINE == 1 ? "slots " : " ", r->slots[i],
            i % ITEMS_PER_LINE == 0 || i == r->slot_count - 1 ? "\n" : "");
}

static void write_symbolic(const hd_record *r, FILE *out)
{
    for (const char *line = r->symbolic; line && *line;) {
        size_t length = strcspn(line, "\n");
        write_line(out, "symbolic", line, length);
        line += length + (line[length] == '\n');
    }
}

static void write_inputs(const hd_record *r, FILE *out)
{
    for (uint32_t i = 0; i < r->input_count; i++) {
        const hd_given *g = &r->inputs[i].given;
        fprintf(
            out, "input T%u %u %llu", r->inputs[i].thread_number, r->inputs[i].number, (unsigned long long)g->value);
        hd_record_write_text(out, "", r->inputs[i].name);
    }
}

static void write_steps(const hd_record *r, FILE *out)
{
    fprintf(out, "steps %u\n", r->step_count);
    for (uint32_t i = 0; i < r->step_count; i++) {
        char text[HD_STEP_TEXT];
        hd_record_step_text(&r->steps[i], text, sizeof text);
        fputs(text, out);
        putc('\n', out);
    }
}

void hd_record_write_head(const hd_record *r, FILE *out)
{
    hd_record_write_text(out, "version", r->version);
    hd_record_write_text(out, "program", r->program);
    for (uint32_t i = 0; i < r->argument_count; i++)
        hd_record_write_text(out, "argument", r->arguments[i]);
    fprintf(out, "depth %u\n", r->settings.depth);
    if (r->settings.timeouts != HD_TIMEOUTS_ANY)
        fprintf(out, "timeouts %u\n", r->settings.timeouts);
    if (r->settings.processors != HD_USUAL_PROCESSORS)
        fprintf(out, "processors %u\n", r->settings.processors);
    fputs("options", out);
#define SETTING(field, word) fputs(r->settings.field ? " " word : "", out);
#include "abi/settings.def"
#undef SETTING
    putc('\n', out);
    write_cells(r, out);
    write_births(r, out);
    write_channels(r, out);
    write_symbolic(r, out);
}

void hd_record_write_test(const hd_record *r, FILE *out)
{
    hd_record_write_text(out, "kind", r->kind);
    if (r->key)
        fprintf(out, "key %016llx\n", (unsigned long long)r->key);
    hd_record_write_text(out, "message", r->message);
    write_slots(r, out);
    write_inputs(r, out);
    write_steps(r, out);
    fputs("end\n", out);
}

void hd_record_write(const hd_record *r, FILE *out)
{
    fprintf(out, "heddle replay %d\n", FORMAT);
    hd_record_write_head(r, out);
    hd_record_write_test(r, out);
}

/* --- reading ------------------------------------------------------------------------------ */

struct hd_record_reader {
    hd_record *record;
    hd_arena *arena;
    hd_error *error;
    const char *path, *what;
    char *next; /* the rest of the file */
    uint32_t line, announced;
    bool in_steps, ended;
    hd_vec(char *) arguments;
    hd_vec(hd_shared_block) shared;
    hd_vec(hd_input_record) inputs;
    hd_vec(hd_step_record) steps;
    hd_vec(uint16_t) slots;
};

bool hd_record_reader_damaged(hd_record_reader *r, const char *what)
{
    return hd_fail(r->error, "%s:%u: the %s is damaged: %s", r->path, r->line, r->what, what);
}

bool hd_record_reader_cut_off(hd_record_reader *r)
{
    r->line++;
    return hd_record_reader_damaged(r, "it is cut off (there is no 'end')");
}

static char *read_file(const char *path, const char *what, hd_arena *arena, hd_error *error)
{
    FILE *in = fopen(path, "r");
    size_t size = 0;
    errno = in ? 0 : errno;
    char *text = in ? hd_file_read(in, arena, &size) : NULL;
    bool fine = in && !ferror(in);
    if (!fine)
        hd_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    else if (strlen(text) != size)
        fine = hd_fail(error, "%s: this is not a heddle %s", path, what);
    if (in)
        fclose(in);
    return fine ? text : NULL;
}

hd_record_reader *hd_record_reader_open(const char *path, const char *what, hd_arena *arena, hd_error *error)
{
    char *text = read_file(path, what, arena, error);
    hd_record_reader *r = text ? hd_alloc(&hd_heap, sizeof *r) : NULL;
    if (r)
        *r = (hd_record_reader) { .arena = arena, .error = error, .path = path, .what = what, .next = text };
    return r;
}

void hd_record_reader_close(hd_record_reader *r)
{
    hd_vec_fini(&r->arguments);
    hd_vec_fini(&r->shared);
    hd_vec_fini(&r->steps);
    hd_vec_fini(&r->inputs);
    hd_vec_fini(&r->slots);
    hd_release(&hd_heap, r, sizeof *r);
}

char *hd_record_reader_line(hd_record_reader *r)
{
    char *line = r->next, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    r->next = end + 1;
    r->line++;
    return line;
}

static bool unescape(char *text)
{
    char *to = text;
    for (; *text; text++) {
        char c = *text;
        if (c == '\\') {
            text++;
            c = *text == 'n' ? '\n' : *text == 'r' ? '\r' : *text == '\\' ? '\\' : '\0';
            if (!c)
                return false;
        }
        *to++ = c;
    }
    *to = '\0';
    return true;
}

static bool number(const char *text, int base, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, base);
    return isxdigit((unsigned char)*text) && !*end && !errno && *value <= most;
}

bool hd_record_reader_text(hd_record_reader *r, const char **into, char *text)
{
    *into = text;
    return unescape(text)
        || hd_record_reader_damaged(r, "a backslash stands before something that is not n, r or another one");
}

bool hd_record_reader_number(hd_record_reader *r, const char *text, int base, uint64_t most, uint64_t *value)
{
    return number(text, base, most, value) || hd_record_reader_damaged(r, "a number is expected here");
}

static uint64_t most_thread(const hd_record_reader *r)
{
    return (r->slots.count ? r->slots.count : HD_MAX_THREADS) - 1;
}

static uint16_t slot_of(const hd_record_reader *r, uint32_t number)
{
    return r->slots.count ? r->slots.items[number] : (uint16_t)number;
}

/* 1 2 1 1 */
static bool read_slots(hd_record_reader *r, char *words)
{
    char *rest = NULL;
    if (r->inputs.count)
        return hd_record_reader_damaged(r, "'slots' must stand before the inputs");
    if (!r->slots.count)
        hd_vec_push(&r->slots, 0); /* the main thread's */
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        uint64_t slot;
        if (!number(word, 10, HD_MAX_THREADS - 1, &slot) || !slot)
            return hd_record_reader_damaged(r, "'slots' expects the slots of T1, T2, …, as in '1 2 1'");
        hd_vec_push(&r->slots, (uint16_t)slot);
    }
    return true;
}

static bool read_step(hd_record_reader *r, char *line)
{
    hd_step_record step = { 0 };
    uint64_t value;
    char *choice = strstr(line, " choice ");
    for (char *later; choice && (later = strstr(choice + 1, " choice "));)
        choice = later;
    if (choice && number(choice + 8, 10, 254, &value)) {
        step.choice = (uint8_t)value;
        *choice = '\0';
    }
    char *word = strchr(line, ' '), *location = word ? strchr(word + 1, ' ') : NULL;
    char *colon = location ? strrchr(location + 1, ':') : NULL;
    if (!colon || line[0] != 'T')
        return hd_record_reader_damaged(r, "a step like 'T1 lock file.c:13' is expected here");
    *word = *location = *colon = '\0';
    if (!number(line + 1, 10, most_thread(r), &value))
        return hd_record_reader_damaged(r, "this is not the number of a thread");
    step.number = (uint32_t)value;
    step.thread = slot_of(r, step.number);
    if (!kind_of(word + 1, &step.kind))
        return hd_record_reader_damaged(r, "there is no such operation");
    if (!number(colon + 1, 10, UINT32_MAX, &value))
        return hd_record_reader_damaged(r, "the step has no line number");
    step.line = (uint32_t)value;
    step.file = location + 1;
    hd_vec_push(&r->steps, step);
    return true;
}

static bool read_options(hd_record_reader *r, char *words)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        uint8_t *option = NULL;
#define SETTING(field, name) option = strcmp(word, name) ? option : &r->record->settings.field;
#include "abi/settings.def"
#undef SETTING
        if (!option)
            return hd_record_reader_damaged(r, "an unknown option is set");
        *option = 1;
    }
    return true;
}

static bool read_cells(hd_record_reader *r, char *words)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        uint64_t first, further = 0;
        char *plus = strchr(word, '+');
        if (plus)
            *plus = '\0';
        if (!number(word, 16, UINT32_MAX, &first) || (plus && !number(plus + 1, 16, HD_OWNER_CELLS - 1, &further)))
            return hd_record_reader_damaged(r, "'shared' expects hexadecimal numbers, as in '1a2 1b0+3f'");
        hd_vec_push(&r->shared, ((hd_shared_block) { (uint32_t)first, (uint32_t)further + 1 }));
    }
    return true;
}

/* 0.1 0.2 1.1 */
static bool read_births(hd_record_reader *r, char *words)
{
    char *rest = NULL;
    uint32_t id = 1, *births = r->record->facts.births;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest), id++) {
        char *point = strchr(word, '.');
        uint64_t creator, nth;
        if (point)
            *point = '\0';
        if (!point || id == HD_MAX_THREADS || !number(word, 10, id - 1, &creator)
            || !number(point + 1, 10, 0xffff, &nth) || !nth)
            return hd_record_reader_damaged(r,
                "'threads' expects for each thread who creates it and which of its threads it is, as in '0.1 0.2 1.1'");
        births[id] = (uint32_t)(creator << 16 | nth);
    }
    return true;
}

/* 1.0.0.7.2 2.0.0.7.1 */
static bool read_channels(hd_record_reader *r, char *words)
{
    char *rest = NULL;
    hd_channel *channels = r->record->facts.channels;
    uint32_t count = 0;
    while (count < HD_CHANNELS && channels[count].most)
        count++;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest), count++) {
        unsigned from, to, context, most;
        int tag, end = 0;
        if (sscanf(word, "%u.%u.%u.%d.%u%n", &from, &to, &context, &tag, &most, &end) != 5 || word[end]
            || from > UINT8_MAX || to > UINT8_MAX || context > UINT16_MAX || !most || count == HD_CHANNELS)
            return hd_record_reader_damaged(r,
                "'messages' expects for each kind of message its sender, receiver, communicator and tag, and how many "
                "there are, as in '1.0.0.7.2 2.0.0.7.1'");
        channels[count] = (hd_channel) { (uint8_t)from, (uint8_t)to, (uint16_t)context, tag, most };
    }
    return true;
}

/* The number of inputs that earlier threads of the slot have asked for. */
static uint32_t inputs_before(const hd_record_reader *r, const hd_input_record *input)
{
    uint32_t count = 0;
    for (size_t i = 0; i < r->inputs.count && r->slots.count; i++)
        count += r->inputs.items[i].given.thread == input->given.thread
            && r->inputs.items[i].thread_number < input->thread_number;
    return count;
}

/* T0 3 97 name */
static bool read_input(hd_record_reader *r, char *text)
{
    hd_input_record input = { 0 };
    uint64_t thread, number_of_it;
    char *rest = NULL, *words[3];
    for (int i = 0; i < 3; i++)
        words[i] = strtok_r(i ? NULL : text, " ", &rest);
    if (!words[0] || words[0][0] != 'T' || !number(words[0] + 1, 10, most_thread(r), &thread))
        return hd_record_reader_damaged(r, "'input' expects a thread first, as in 'input T0 3 97 name'");
    if (!words[1] || !number(words[1], 10, UINT32_MAX, &number_of_it))
        return hd_record_reader_damaged(
            r, "'input' expects the number of the input after the thread, as in 'input T0 3 97 name'");
    if (!words[2] || !number(words[2], 10, UINT64_MAX, &input.given.value))
        return hd_record_reader_damaged(
            r, "'input' expects a value that is not negative after the number, as in 'input T0 3 97 name'");
    if (r->inputs.count == HD_INPUT_ROOM)
        return hd_record_reader_damaged(r, "there are too many inputs");
    input.given.thread = slot_of(r, (uint32_t)thread);
    input.thread_number = (uint32_t)thread;
    input.number = (uint32_t)number_of_it;
    input.given.number = input.number + inputs_before(r, &input);
    hd_vec_push(&r->inputs, input);
    return hd_record_reader_text(r, &hd_vec_last(&r->inputs)->name, rest ? rest : words[2] + strlen(words[2]));
}

/* Adds a line for the runtime, and checks its form. */
static bool add_symbolic(hd_record_reader *r, const char *line)
{
    const char *length = strrchr(line, ' ');
    uint64_t bytes;
    bool known = !strncmp(line, "arg ", 4) || !strncmp(line, "stdin ", 6) || !strncmp(line, "file ", 5)
        || !strncmp(line, "env ", 4);
    bool toss = !strncmp(line, "toss ", 5);
    if (!(known || toss) || !length || !number(length + 1, 10, HD_INPUT_ROOM, &bytes) || !(bytes || toss))
        return hd_record_reader_damaged(
            r, "'symbolic' expects a line like 'arg 1 8', 'stdin 16', 'file NAME 32', 'env NAME 8' or 'toss rand 4'");
    const char *before = r->record->symbolic;
    r->record->symbolic = before ? hd_arena_print(r->arena, "%s\n%s", before, line) : hd_arena_copy(r->arena, line);
    return true;
}

/* Several lines may stand in one, as in the manifests of folders. */
static bool read_symbolic(hd_record_reader *r, char *text)
{
    const char *whole;
    char *rest = NULL;
    bool fine = hd_record_reader_text(r, &whole, text);
    for (char *line = strtok_r(text, "\n", &rest); fine && line; line = strtok_r(NULL, "\n", &rest))
        fine = add_symbolic(r, line);
    return fine;
}

/* A line before the steps: a word and its value. */
static bool read_setting(hd_record_reader *r, char *line)
{
    hd_record *record = r->record;
    char *value = line + strcspn(line, " ");
    uint64_t n = 0;
    if (*value)
        *value++ = '\0';
    if (!strcmp(line, "version"))
        return hd_record_reader_text(r, &record->version, value);
    if (!strcmp(line, "program"))
        return hd_record_reader_text(r, &record->program, value);
    if (!strcmp(line, "kind"))
        return hd_record_reader_text(r, &record->kind, value);
    if (!strcmp(line, "message"))
        return hd_record_reader_text(r, &record->message, value);
    if (!strcmp(line, "options"))
        return read_options(r, value);
    if (!strcmp(line, "shared"))
        return read_cells(r, value);
    if (!strcmp(line, "threads"))
        return read_births(r, value);
    if (!strcmp(line, "messages"))
        return read_channels(r, value);
    if (!strcmp(line, "slots"))
        return read_slots(r, value);
    if (!strcmp(line, "input"))
        return read_input(r, value);
    if (!strcmp(line, "symbolic"))
        return read_symbolic(r, value);
    if (!strcmp(line, "argument")) {
        const char *argument;
        hd_vec_push(&r->arguments, value);
        return hd_record_reader_text(r, &argument, value);
    }
    if (!strcmp(line, "key"))
        return hd_record_reader_number(r, value, 16, UINT64_MAX, &record->key);
    if (!strcmp(line, "depth")) {
        bool fine = hd_record_reader_number(r, value, 10, UINT32_MAX, &n);
        record->settings.depth = (uint32_t)n;
        return fine;
    }
    if (!strcmp(line, "timeouts")) {
        bool fine = hd_record_reader_number(r, value, 10, UINT32_MAX, &n);
        record->settings.timeouts = (uint32_t)n;
        return fine;
    }
    if (!strcmp(line, "processors")) {
        bool fine = hd_record_reader_number(r, value, 10, HD_MOST_PROCESSORS, &n);
        record->settings.processors = (uint32_t)n;
        return fine;
    }
    if (!strcmp(line, "steps")) {
        r->in_steps = true;
        bool fine = hd_record_reader_number(r, value, 10, UINT32_MAX, &n);
        r->announced = (uint32_t)n;
        return fine;
    }
    return hd_record_reader_damaged(r, "a line that begins with an unknown word");
}

bool hd_record_reader_take(hd_record_reader *r, char *line)
{
    if (r->ended)
        return hd_record_reader_damaged(r, "something follows the 'end'");
    if (!r->in_steps)
        return read_setting(r, line);
    if (strcmp(line, "end"))
        return read_step(r, line);
    r->ended = true;
    return r->steps.count == r->announced || hd_record_reader_damaged(r, "there are fewer or more steps than it says");
}

bool hd_record_reader_is_in_steps(const hd_record_reader *r)
{
    return r->in_steps;
}

bool hd_record_reader_has_ended(const hd_record_reader *r)
{
    return r->ended;
}

uint32_t hd_record_reader_header(hd_record_reader *r, const char *start, uint32_t newest)
{
    const char *line = hd_record_reader_line(r);
    size_t length = strlen(start);
    uint64_t format = 0;
    if (!line || strncmp(line, start, length) || !number(line + length, 10, UINT32_MAX, &format)) {
        hd_fail(
            r->error, "%s:1: this is not a heddle %s (it should begin with '%s%u')", r->path, r->what, start, newest);
        return 0;
    }
    if (!format || format > newest) {
        hd_fail(r->error, "%s:1: the %s has format %llu; this heddle reads format %u", r->path, r->what,
            (unsigned long long)format, newest);
        return 0;
    }
    return (uint32_t)format;
}

void hd_record_reader_begin(hd_record_reader *r, hd_record *record, const hd_record *head)
{
    *record =
        head ? *head : (hd_record) { .settings = { .timeouts = HD_TIMEOUTS_ANY, .processors = HD_USUAL_PROCESSORS } };
    r->record = record;
    r->in_steps = r->ended = false;
    hd_vec_clear(&r->arguments);
    hd_vec_clear(&r->shared);
    hd_vec_clear(&r->inputs);
    hd_vec_clear(&r->steps);
    hd_vec_clear(&r->slots);
}

static bool is_whole(hd_record_reader *r, bool is_head)
{
    const hd_record *record = r->record;
    if (!is_head && !r->ended)
        return hd_record_reader_cut_off(r);
    return (record->program && record->version && record->settings.depth
               && (is_head || (record->kind && record->message)))
        || hd_record_reader_damaged(r,
            is_head ? "program, version or depth is missing" : "program, version, kind, message or depth is missing");
}

/* The vectors are used again for the next record. */
static void *keep(hd_record_reader *r, const void *items, size_t count, size_t size)
{
    void *kept = hd_arena_alloc(r->arena, (count + 1) * size);
    if (count)
        memcpy(kept, items, count * size);
    return kept;
}

#define keep_items(r, list) keep(r, (list).items, (list).count, sizeof *(list).items)

/* What the head of a suite has said stays. */
bool hd_record_reader_finish(hd_record_reader *r, bool is_head)
{
    hd_record *record = r->record;
    if (!is_whole(r, is_head))
        return false;
    if (r->arguments.count || !record->arguments) {
        record->argument_count = (uint32_t)r->arguments.count;
        record->arguments = keep_items(r, r->arguments);
    }
    if (r->shared.count || !record->facts.shared) {
        record->facts.shared = keep_items(r, r->shared);
        record->facts.shared_count = (uint32_t)r->shared.count;
    }
    record->steps = keep_items(r, r->steps);
    record->step_count = (uint32_t)r->steps.count;
    record->inputs = keep_items(r, r->inputs);
    record->input_count = (uint32_t)r->inputs.count;
    record->slots = r->slots.count ? keep_items(r, r->slots) : NULL;
    record->slot_count = (uint32_t)r->slots.count;
    return true;
}

bool hd_record_read(hd_record *record, const char *path, hd_arena *arena, hd_error *error)
{
    hd_record_reader *r = hd_record_reader_open(path, "replay file", arena, error);
    if (!r)
        return false;
    bool fine = hd_record_reader_header(r, "heddle replay ", FORMAT);
    hd_record_reader_begin(r, record, NULL);
    for (char *line; fine && (line = hd_record_reader_line(r));)
        fine = hd_record_reader_take(r, line);
    fine = fine && hd_record_reader_finish(r, false);
    hd_record_reader_close(r);
    return fine;
}
