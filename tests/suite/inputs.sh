# Suites of programs with inputs.
# Two ways, each before the look and behind it. (n == 42 decides a value, not a way.)
I=tests/suite/programs/inputs.c
for net in unfold contextual naive traces; do
    smallest "$([ $net = contextual ] && echo 3 || echo 4)" 0 $I "" --net=$net
    [ $net = traces ] || same "who explored" "$(field explorer)" $net
    same "inputs are in the tests" "$(grep -c '^input T1 0 ' suite)" "$(field tests)"
    same "different values (at least two)" "$([ "$(grep '^input' suite | sort -u | wc -l)" -ge 2 ] && echo yes)" yes
done

smallest 3 0 tests/unfold/programs/figure_6.c "" --races=off --net=unfold
smallest 3 0 tests/unfold/programs/figure_6.c "" --races=off --net=contextual
smallest 4 0 tests/unfold/programs/figure_6.c "" --races=off --net=naive
for method in greedy clique maxsmt; do
    size 3 0 tests/unfold/programs/figure_6.c "" --races=off --method=$method
done
# Goals that fit pairwise and not together.
smallest 2 0 tests/suite/programs/contradicting.c "" --races=off --net=unfold
smallest 2 0 tests/suite/programs/contradicting.c "" --races=off --net=contextual
size 34 0 tests/suite/programs/contradicting.c "" --races=off --net=naive --method=greedy
# A failed assumption is no test: both orders of the two threads are in tests all the same.
smallest 2 0 tests/suite/programs/assumed.c "" --races=off --net=unfold
smallest 3 0 tests/suite/programs/assumed.c "" --races=off --net=naive
# Unknown arguments and variables, kept in the manifest.
smallest 6 0 tests/suite/programs/argument.c "" --races=off --sym-arg=1:3 --sym-env=MODE:2
same "what is unknown" "$(grep '^symbolic' suite)" $'symbolic arg 1 3\nsymbolic env MODE 2'
run 0 heddle replay suite --test=1
run 1 heddle suite --update=suite --json=out.json # with races, now
same "kept with unknown arguments" "$(field kept)" 6
has "no suite is smaller"
# What rand() returns, as a choice in each test.
size 16 0 tests/programs/right/toss/two_threads.c "" --races=off --toss=rand:3 --net=traces
same "the toss" "$(grep '^symbolic' suite)" 'symbolic toss rand 3'
run 0 heddle replay suite
run 2 heddle suite --sym-arg=1:0 "$ROOT/tests/suite/programs/argument.c" -o suite
has "--sym-arg=1:0: expected a length from 1 to 4096 bytes"
run 2 heddle suite --update=suite --sym-stdin=3
has "--update takes its program"
