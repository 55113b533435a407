/* What threads wait for when none can run: guesses (mpi_internal.h), and what buffering would spare them. */
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"

enum { MOST = 1024 };

static hd_mpi_guess *waits[MOST];
static uint32_t count, spared_waits;

void hd_mpi_guesses_reset(void)
{
    count = spared_waits = 0;
}

void hd_mpi_await(hd_gate *gate, int spared)
{
    spared_waits += spared != 0;
    hd_data_await(gate, NULL);
    spared_waits -= spared != 0;
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

/* A deadlock in which a thread waits for what buffering would spare it is none with buffering. But if there is one with
 * buffering, too, which is explored first, the program is wrong anyway. */
const char *hd_mpi_explain_stuck(void)
{
    for (uint32_t i = 0; i < count; i++)
        if (waits[i]->outcome || waits[i]->could_go_on(waits[i]))
            hd_end(HD_ASSUMED, NULL, "another message would be received: explored elsewhere");
    hd_known->sure_deadlock |= !spared_waits;
    return hd_known->sure_deadlock ? NULL : ", which depends on buffering: with --mpi-buffer=eager they go on";
}
