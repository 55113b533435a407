/* The process behind sym/script.h: texts in, what Z3 says to them out, each with its
 * length in front, until the input is closed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <z3.h>

static const rlim_t most_memory = 8ull << 30;

static void on_error(Z3_context context, Z3_error_code code)
{
    (void)context, (void)code; /* it is in the reply */
}

int main(void)
{
    uint32_t size;
    setrlimit(RLIMIT_AS, &(struct rlimit) { most_memory, most_memory });
    Z3_config config = Z3_mk_config();
    Z3_context context = Z3_mk_context(config);
    Z3_set_error_handler(context, on_error);
    while (fread(&size, sizeof size, 1, stdin) == 1) {
        char *text = malloc((size_t)size + 1);
        if (!text || fread(text, 1, size, stdin) != size)
            return 1;
        text[size] = '\0';
        const char *reply = Z3_eval_smtlib2_string(context, text);
        uint32_t length = (uint32_t)strlen(reply);
        if (fwrite(&length, sizeof length, 1, stdout) != 1 || fwrite(reply, 1, length, stdout) != length
            || fflush(stdout))
            return 1;
        free(text);
    }
    return 0;
}
