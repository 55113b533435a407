# How many tests a suite has, and that none can be left out.
F=tests/suite/programs/figure2.c
smallest 6 0 $F "" --net=naive
smallest 4 0 $F "" --net=unfold
smallest 4 0 $F "" --net=traces
smallest 2 0 $F "" --net=contextual
smallest 1 0 $F "" --net=unfold --cover=statements
smallest 2 0 bench/field/filesystem.c -DN=16 --cover=statements
smallest 2 0 bench/field/filesystem.c -DN=18 --cover=statements --net=contextual
smallest 2 0 bench/field/filesystem.c -DN=16 --cover=branches
smallest 1 0 bench/field/pi.c "-DN=4 -DTERMS=10" --cover=statements
smallest 1 1 bench/tables/dining.c "-DN=4 -DROUNDS=2" --cover=statements
smallest 2 0 bench/field/filesystem.c -DN=16
smallest 2 0 bench/field/filesystem.c -DN=18 --net=contextual
for n in 4 8 9; do # 9, 17 and 19 threads
    smallest 2 0 bench/field/ccnf.c -DN=$n --net=traces
done
smallest 24 0 bench/field/pi.c "-DN=4 -DTERMS=10"
smallest 24 0 bench/field/pi.c "-DN=4 -DTERMS=10" --net=naive
smallest 120 0 bench/field/pi.c "-DN=5 -DTERMS=10"
smallest 720 0 bench/field/pi.c "-DN=6 -DTERMS=10" --net=contextual
smallest 786 1 bench/tables/dining.c "-DN=4 -DROUNDS=2"
has_deadlock=$(field findings)
same "failures that exploring found" "$has_deadlock" 1
smallest 1698 0 bench/tables/fib.c "-DA=3 -DB=3"
smallest 522 0 bench/tables/fib.c "-DA=3 -DB=3" --net=contextual
smallest 1 0 bench/tables/fib.c "-DA=3 -DB=3" --cover=statements
same "states counted without heddle, all and with the last value" "$("$ROOT/tests/suite/fib_states.py" 3 3)" "522 376"

# fib_1 of the paper. Its 3521 for the contextual net are the
# states that find the last value of j; there are 4930, and no two are in one execution.
chosen() { # TESTS STATUS PROGRAM FLAGS OPTIONS…: so many; not run again
    local tests=$1 status=$2 program=$3 flags=$4
    shift 4
    rm -f suite
    run "$status" heddle suite "$@" --cflags="$flags" "$ROOT/$program" -o suite --json=out.json
    same "the number of tests ($program $flags $*)" "$(field tests)" "$tests"
    same "what is unreached ($program $flags $*)" "$(field unreached)" 0
    same "finished ($program $flags $*)" "$(field finished)" True
}
chosen 19605 0 bench/tables/fib.c "-DA=4 -DB=4" --net=unfold --method=clique
same "fib_1 is the smallest" "$(field optimal)" True
chosen 4930 0 bench/tables/fib.c "-DA=4 -DB=4" --net=contextual --method=greedy
same "fib_1 is the smallest (contextual)" "$(field optimal)" True
same "states of fib_1 counted without heddle" "$("$ROOT/tests/suite/fib_states.py" 4 4)" "4930 3521"

chosen 613 0 bench/tables/synthetic.c "" --net=unfold
same "synthetic is the smallest" "$(field optimal)" True
chosen 607 0 bench/tables/synthetic.c "" --net=contextual
same "synthetic is the smallest (contextual)" "$(field optimal)" True
chosen 2 0 bench/tables/synthetic.c "" --cover=statements
same "synthetic is the smallest (statements)" "$(field optimal)" True

# Table IV: as many traces as the paper has, and none can be left out.
smallest 20 0 bench/field/peterson.c "-DN=1 -DPOLLS=2" --net=traces
smallest 4 0 bench/tables/pgsql.c "" --net=traces
smallest 386 0 bench/tables/prodcons.c "" --net=traces
smallest 15 0 bench/tables/prodcons2.c "" --net=traces
smallest 84 0 bench/tables/spin08.c "" --net=traces
smallest 4 0 bench/tables/ssb.c "" --net=traces
smallest 22 0 bench/tables/ssb.c -DROUNDS=1 --net=traces
smallest 6 0 bench/tables/stf.c "" --net=traces
smallest 103 0 bench/field/szymanski.c -DN=1 --net=traces
for method in greedy clique maxsmt; do
    size 24 0 bench/field/pi.c "-DN=4 -DTERMS=10" --method=$method
    size 2 0 bench/field/filesystem.c -DN=16 --method=$method
    size 2 0 $F "" --net=contextual --method=$method
done
for method in greedy clique maxsmt; do
    chosen 786 1 bench/tables/dining.c "-DN=4 -DROUNDS=2" --method=$method
done

# What a thread that is sent something does next is the same event whatever others do meanwhile.
for net in unfold contextual naive traces; do
    smallest 3 0 tests/programs/right/signal/between_operations.c "" --net=$net
    smallest 5 0 tests/programs/right/cancel/or_signalled.c "" --net=$net
done

# Whoever frees a block that is free does the same, whenever that happened.
chosen 2 1 tests/programs/wrong/memory/double_free_two_threads.c "" --races=off --net=traces

# Nobody does anything after the end of the process, whether or not it had begun to.
for net in unfold traces; do
    smallest 1 0 tests/programs/right/end/exit_while_others_run.c "" --net=$net
    same "tests that did not do as they claimed" "$(field mended)" 0
done

# A lock that is freed after the last join: a step of no test.
smallest 2 0 tests/suite/programs/freed_lock.c ""
