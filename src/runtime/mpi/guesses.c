/* Guesses that threads wait for (mpi_internal.h). */
#include "runtime/mpi/mpi_internal.h"

enum { MOST = 1024 };

static hd_mpi_guess *waits[MOST];
static uint32_t count;

void hd_mpi_guesses_reset(void)
{
    count = 0;
}

void hd_mpi_guess_begin(hd_mpi_guess *guess)
{
    if (count == MOST)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d waits for any MPI message are not modelled", MOST);
    guess->place = count;
    waits[count++] = guess;
}

void hd_mpi_guess_end(const hd_mpi_guess *guess)
{
    waits[guess->place] = waits[--count];
    waits[guess->place]->place = guess->place;
}

/* No thread can run. */
void hd_mpi_explain_stuck(void)
{
    for (uint32_t i = 0; i < count; i++)
        if (waits[i]->outcome || waits[i]->could_go_on(waits[i]))
            hd_end(HD_ASSUMED, NULL, "another message would be received: explored elsewhere");
}
