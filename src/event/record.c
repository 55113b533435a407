#include "event/record.h"

#include "abi/fast.h"
#include "base/vec.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, CELLS_PER_LINE = 16 };

/* Kinds of operations by the names they have in abi/ops.def, in lower case with dashes. */
static const char *const kind_names[] = {
    [HD_NONE] = "NONE",
#define OP(name, ...) [HD_##name] = #name,
#include "abi/ops.def"
};

static void kind_word(uint8_t kind, char *word, size_t size)
{
    snprintf(word, size, "%s", kind_names[kind]);
    for (char *c = word; *c; c++)
        *c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
}

static bool kind_of(const char *word, uint8_t *kind)
{
    for (uint8_t i = HD_NONE + 1; i < HD_OP_KINDS; i++) {
        char name[64];
        kind_word(i, name, sizeof name);
        if (!strcmp(name, word)) {
            *kind = i;
            return true;
        }
    }
    return false;
}

void hd_record_set_arguments(hd_record *r, char **arguments)
{
    r->arguments = arguments;
    for (r->argument_count = 0; arguments[r->argument_count];)
        r->argument_count++;
}

void hd_record_set_inputs(hd_record *r, const hd_input *inputs, uint32_t count, hd_arena *arena)
{
    r->inputs = hd_arena_alloc(arena, (count + 1) * sizeof *r->inputs);
    r->input_count = count;
    for (uint32_t i = 0; i < count; i++)
        r->inputs[i] = (hd_input_record) { .given = { inputs[i].value, inputs[i].number, inputs[i].thread },
            .name = inputs[i].name };
}

/* --- writing ------------------------------------------------------------------------------ */

void hd_record_write_text(FILE *out, const char *name, const char *text)
{
    fprintf(out, "%s ", name);
    for (; *text; text++) {
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

void hd_record_step_text(const hd_step_record *s, char *text, size_t size)
{
    char word[64], choice[24] = "";
    kind_word(s->kind, word, sizeof word);
    if (s->choice)
        snprintf(choice, sizeof choice, " choice %u", s->choice);
    snprintf(text, size, "T%u %s %s:%u%s", s->thread, word, s->file, s->line, choice);
}

/* A block is its first cell; if it has more, "+" and their number follow. */
static void write_cells(const hd_record *r, FILE *out)
{
    const hd_learned_facts *l = &r->facts;
    for (uint32_t i = 0; i < l->shared_count; i++) {
        const hd_shared_block *b = &l->shared[i];
        fprintf(out, "%s%x", i % CELLS_PER_LINE ? " " : "shared ", b->first);
        if (b->cells > 1)
            fprintf(out, "+%x", b->cells - 1);
        if (i % CELLS_PER_LINE == CELLS_PER_LINE - 1 || i == l->shared_count - 1)
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

static void write_inputs(const hd_record *r, FILE *out)
{
    for (const char *line = r->symbolic; line && *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(out, "symbolic %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
    for (uint32_t i = 0; i < r->input_count; i++) {
        const hd_given *g = &r->inputs[i].given;
        fprintf(out, "input T%u %u %llu", g->thread, g->number, (unsigned long long)g->value);
        hd_record_write_text(out, "", r->inputs[i].name);
    }
}

static void write_steps(const hd_record *r, FILE *out)
{
    fprintf(out, "steps %u\n", r->step_count);
    for (uint32_t i = 0; i < r->step_count; i++) {
        char text[HD_STEP_TEXT];
        hd_record_step_text(&r->steps[i], text, sizeof text);
        fprintf(out, "%s\n", text);
    }
}

void hd_record_write(const hd_record *r, FILE *out)
{
    fprintf(out, "heddle replay %d\n", FORMAT);
    hd_record_write_text(out, "version", r->version);
    hd_record_write_text(out, "program", r->program);
    for (uint32_t i = 0; i < r->argument_count; i++)
        hd_record_write_text(out, "argument", r->arguments[i]);
    hd_record_write_text(out, "kind", r->kind);
    fprintf(out, "key %016llx\n", (unsigned long long)r->key);
    hd_record_write_text(out, "message", r->message);
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
    write_inputs(r, out);
    write_steps(r, out);
    fputs("end\n", out);
}

/* --- reading ------------------------------------------------------------------------------ */

typedef struct reader {
    hd_record *record;
    hd_arena *arena;
    hd_error *error;
    const char *path;
    char *next; /* the rest of the file */
    uint32_t line, announced;
    bool in_steps, ended;
    hd_vec(char *) arguments;
    hd_vec(hd_shared_block) shared;
    hd_vec(hd_input_record) inputs;
    hd_vec(hd_step_record) steps;
} reader;

static bool damaged(reader *r, const char *what)
{
    return hd_fail(r->error, "%s:%u: the replay file is damaged: %s", r->path, r->line, what);
}

char *hd_record_read_file(const char *path, const char *what, hd_arena *arena, hd_error *error)
{
    FILE *in = fopen(path, "r");
    hd_vec(char) bytes = { 0 };
    int c;
    if (!in) {
        hd_fail(error, "%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    errno = 0;
    while ((c = getc(in)) != EOF)
        hd_vec_push(&bytes, (char)c);
    bool fine = !ferror(in);
    if (!fine)
        hd_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    fclose(in);
    if (fine && bytes.count && memchr(bytes.items, 0, bytes.count)) {
        hd_fail(error, "%s: this is not %s", path, what);
        fine = false;
    }
    char *text = fine ? hd_arena_alloc(arena, bytes.count + 1) : NULL;
    if (text && bytes.count)
        memcpy(text, bytes.items, bytes.count);
    hd_vec_fini(&bytes);
    return text;
}

/* The next line, or NULL at the end of the file or where the file is cut off. */
static char *next_line(reader *r)
{
    char *line = r->next, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    r->next = end + 1;
    r->line++;
    return line;
}

bool hd_record_unescape(char *text)
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

static bool read_step(reader *r, char *line)
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
        return damaged(r, "a step like 'T1 lock file.c:13' is expected here");
    *word = *location = *colon = '\0';
    if (!number(line + 1, 10, HD_MAX_THREADS - 1, &value))
        return damaged(r, "this is not the number of a thread");
    step.thread = (uint16_t)value;
    if (!kind_of(word + 1, &step.kind))
        return damaged(r, "there is no such operation");
    if (!number(colon + 1, 10, UINT32_MAX, &value))
        return damaged(r, "the step has no line number");
    step.line = (uint32_t)value;
    step.file = location + 1;
    hd_vec_push(&r->steps, step);
    return true;
}

static bool read_options(reader *r, char *words)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        uint8_t *option = NULL;
#define SETTING(field, name) option = strcmp(word, name) ? option : &r->record->settings.field;
#include "abi/settings.def"
#undef SETTING
        if (!option)
            return damaged(r, "an unknown option is set");
        *option = 1;
    }
    return true;
}

static bool read_cells(reader *r, char *words)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        uint64_t first, further = 0;
        char *plus = strchr(word, '+');
        if (plus)
            *plus = '\0';
        if (!number(word, 16, UINT32_MAX, &first) || (plus && !number(plus + 1, 16, HD_OWNER_CELLS - 1, &further)))
            return damaged(r, "'shared' expects hexadecimal numbers, as in '1a2 1b0+3f'");
        hd_vec_push(&r->shared, ((hd_shared_block) { (uint32_t)first, (uint32_t)further + 1 }));
    }
    return true;
}

/* 0.1 0.2 1.1 */
static bool read_births(reader *r, char *words)
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
            return damaged(r,
                "'threads' expects for each thread who creates it and which of its threads it is, as in '0.1 0.2 1.1'");
        births[id] = (uint32_t)(creator << 16 | nth);
    }
    return true;
}

/* T0 3 97 name */
static bool read_input(reader *r, char *text)
{
    hd_input_record input = { 0 };
    uint64_t thread, number_of_it;
    char *rest = NULL, *words[3];
    for (int i = 0; i < 3; i++)
        words[i] = strtok_r(i ? NULL : text, " ", &rest);
    if (!words[0] || words[0][0] != 'T' || !number(words[0] + 1, 10, HD_MAX_THREADS - 1, &thread))
        return damaged(r, "'input' expects a thread first, as in 'input T0 3 97 name'");
    if (!words[1] || !number(words[1], 10, UINT32_MAX, &number_of_it))
        return damaged(r, "'input' expects the number of the input after the thread, as in 'input T0 3 97 name'");
    if (!words[2] || !number(words[2], 10, UINT64_MAX, &input.given.value))
        return damaged(r, "'input' expects a value that is not negative after the number, as in 'input T0 3 97 name'");
    if (r->inputs.count == HD_INPUT_ROOM)
        return damaged(r, "there are too many inputs");
    input.given.thread = (uint16_t)thread;
    input.given.number = (uint32_t)number_of_it;
    input.name = rest ? rest : "";
    hd_vec_push(&r->inputs, input);
    return hd_record_unescape((char *)input.name) || damaged(r, "a wrong backslash");
}

/* Reads a line for the runtime, and checks its form. */
static bool read_symbolic(reader *r, char *line)
{
    const char *length = strrchr(line, ' ');
    uint64_t bytes;
    bool known = !strncmp(line, "arg ", 4) || !strncmp(line, "stdin ", 6) || !strncmp(line, "file ", 5)
        || !strncmp(line, "env ", 4);
    if (!known || !length || !number(length + 1, 10, HD_INPUT_ROOM, &bytes) || !bytes)
        return damaged(r, "'symbolic' expects a line like 'arg 1 8', 'stdin 16', 'file NAME 32' or 'env NAME 8'");
    const char *before = r->record->symbolic;
    r->record->symbolic = before ? hd_arena_print(r->arena, "%s\n%s", before, line) : hd_arena_copy(r->arena, line);
    return true;
}

static bool read_text(reader *r, const char **into, char *text)
{
    *into = text;
    return hd_record_unescape(text)
        || damaged(r, "a backslash stands before something that is not n, r or another one");
}

static bool read_number(reader *r, char *text, int base, uint64_t most, uint64_t *value)
{
    return number(text, base, most, value) || damaged(r, "a number is expected here");
}

/* A line before the steps: a word and its value. */
static bool read_setting(reader *r, char *line)
{
    hd_record *record = r->record;
    char *value = line + strcspn(line, " ");
    uint64_t n = 0;
    if (*value)
        *value++ = '\0';
    if (!strcmp(line, "version"))
        return read_text(r, &record->version, value);
    if (!strcmp(line, "program"))
        return read_text(r, &record->program, value);
    if (!strcmp(line, "kind"))
        return read_text(r, &record->kind, value);
    if (!strcmp(line, "message"))
        return read_text(r, &record->message, value);
    if (!strcmp(line, "options"))
        return read_options(r, value);
    if (!strcmp(line, "shared"))
        return read_cells(r, value);
    if (!strcmp(line, "threads"))
        return read_births(r, value);
    if (!strcmp(line, "input"))
        return read_input(r, value);
    if (!strcmp(line, "symbolic"))
        return read_symbolic(r, value);
    if (!strcmp(line, "argument")) {
        hd_vec_push(&r->arguments, value);
        return hd_record_unescape(value) || damaged(r, "a wrong backslash");
    }
    if (!strcmp(line, "key"))
        return read_number(r, value, 16, UINT64_MAX, &record->key);
    if (!strcmp(line, "depth")) {
        bool fine = read_number(r, value, 10, UINT32_MAX, &n);
        record->settings.depth = (uint32_t)n;
        return fine;
    }
    if (!strcmp(line, "timeouts")) {
        bool fine = read_number(r, value, 10, UINT32_MAX, &n);
        record->settings.timeouts = (uint32_t)n;
        return fine;
    }
    if (!strcmp(line, "processors")) {
        bool fine = read_number(r, value, 10, HD_MOST_PROCESSORS, &n);
        record->settings.processors = (uint32_t)n;
        return fine;
    }
    if (!strcmp(line, "steps")) {
        r->in_steps = true;
        bool fine = read_number(r, value, 10, UINT32_MAX, &n);
        r->announced = (uint32_t)n;
        return fine;
    }
    return damaged(r, "a line that begins with an unknown word");
}

static bool read_line(reader *r, char *line)
{
    if (r->ended)
        return damaged(r, "something follows the 'end'");
    if (!r->in_steps)
        return read_setting(r, line);
    if (strcmp(line, "end"))
        return read_step(r, line);
    r->ended = true;
    return r->steps.count == r->announced || damaged(r, "there are fewer or more steps than it says");
}

static bool read_header(reader *r)
{
    char *line = next_line(r);
    static const char start[] = "heddle replay ";
    uint64_t format = 0;
    if (!line || strncmp(line, start, sizeof start - 1) || !number(line + sizeof start - 1, 10, UINT32_MAX, &format))
        return hd_fail(
            r->error, "%s:1: this is not a heddle replay file (it should begin with '%s%d')", r->path, start, FORMAT);
    return format == FORMAT
        || hd_fail(r->error, "%s:1: the replay file has format %llu; this heddle reads format %d", r->path,
            (unsigned long long)format, FORMAT);
}

static bool is_whole(reader *r)
{
    const hd_record *record = r->record;
    if (!r->ended) {
        r->line++;
        return damaged(r, "it is cut off (there is no 'end')");
    }
    return (record->program && record->kind && record->message && record->version && record->settings.depth)
        || damaged(r, "program, version, kind, message or depth is missing");
}

/* Copies the vectors to the arena; they do not move any more. */
static void keep(reader *r)
{
    hd_record *record = r->record;
    record->argument_count = (uint32_t)r->arguments.count;
    record->arguments = hd_arena_alloc(r->arena, (r->arguments.count + 1) * sizeof(char *));
    for (size_t i = 0; i < r->arguments.count; i++)
        record->arguments[i] = r->arguments.items[i];
    hd_shared_block *cells = hd_arena_alloc(r->arena, (r->shared.count + 1) * sizeof *cells);
    for (size_t i = 0; i < r->shared.count; i++)
        cells[i] = r->shared.items[i];
    record->facts.shared = cells;
    record->facts.shared_count = (uint32_t)r->shared.count;
    record->steps = hd_arena_alloc(r->arena, (r->steps.count + 1) * sizeof *record->steps);
    for (size_t i = 0; i < r->steps.count; i++)
        record->steps[i] = r->steps.items[i];
    record->step_count = (uint32_t)r->steps.count;
    record->inputs = hd_arena_alloc(r->arena, (r->inputs.count + 1) * sizeof *record->inputs);
    for (size_t i = 0; i < r->inputs.count; i++)
        record->inputs[i] = r->inputs.items[i];
    record->input_count = (uint32_t)r->inputs.count;
}

bool hd_record_read(hd_record *record, const char *path, hd_arena *arena, hd_error *error)
{
    reader r = { .record = record, .arena = arena, .error = error, .path = path };
    *record = (hd_record) { .settings = { .timeouts = HD_TIMEOUTS_ANY, .processors = HD_USUAL_PROCESSORS } };
    r.next = hd_record_read_file(path, "a heddle replay file", arena, error);
    bool fine = r.next && read_header(&r);
    for (char *line; fine && (line = next_line(&r));)
        fine = read_line(&r, line);
    fine = fine && is_whole(&r);
    if (fine)
        keep(&r);
    hd_vec_fini(&r.arguments);
    hd_vec_fini(&r.shared);
    hd_vec_fini(&r.steps);
    hd_vec_fini(&r.inputs);
    return fine;
}
