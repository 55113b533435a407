/* Mutual exclusion by a token on a complete network (Ricart and Agrawala; Suzuki and
 * Kasami). A site without the token asks all others for it and waits; the token
 * carries the set of sites that it has served, and goes to the next site that asks
 * and is not among them. Site 0 has it first, and never asks. Every site enters its critical section once. A port holds at
 * most one message, so the graph is the same under all communication schemes. */
#ifndef N
#define N 2
#endif

chan request[N * N] = [1] of { bit }; /* of the first site to the second */
chan token[N] = [1] of { byte };

#define FROM(site) request[(site) * N + me]

/* The site that gets the token next, or `me`. */
inline choose()
{
    to = me;
    do
    :: !have -> to = me; break
    :: have ->
        to = (to + 1) % N;
        if
        :: to == me || (wants & ~served & (1 << to)) -> break
        :: else
        fi
    od
}

inline pass()
{
    if
    :: to != me -> token[to]!served; have = 0; served = 0
    :: else
    fi;
    to = 0
}

inline note(site)
{
    d_step { wants = wants | (1 << site); choose() };
    pass()
}

proctype site(byte me)
{
    byte other, to, served, wants;
    bit have;

    d_step { have = (me == 0); other = (me + 1) % N };
    if
    :: !have ->
        do
        :: other != me -> request[me * N + other]!1; other = (other + 1) % N
        :: other == me -> break
        od;
        token[me]?served;
        have = 1
    :: have
    fi;
    /* the critical section */
    d_step { other = 0; served = served | (1 << me); choose() };
    pass();
end:
    do
    :: FROM(1)?_ -> note(1)
#if N > 2
    :: FROM(2)?_ -> note(2)
#endif
    od
}

init {
    byte k;
    atomic {
        do
        :: k < N -> run site(k); k++
        :: k == N -> break
        od
    }
}
