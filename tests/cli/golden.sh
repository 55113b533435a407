# The whole text of a report for every kind of finding, as in tests/cli/golden/KIND.txt, without names of files that depend
# on the version, and without times; and the same in the files for machines: SARIF (KIND.sarif), JUnit (KIND.xml) and the data
# of the page (KIND.json). GOLDEN=write tests/cli/run golden writes the files anew.
cp "$ROOT"/tests/programs/wrong/{claims/visible,end/stack_overflow,end/status,memory/invalid_free_heap,condition/if_for_while,descriptors/after_close,mpi/fit,mail/overtakes}.c "$ROOT/tests/programs/wrong/mpi/start.h" \
    "$ROOT"/tests/inputs/programs/literal_bounds.c .

golden() { # kind, words of the command
    local kind=$1 file=$HERE/golden/$1.txt
    shift
    out=$(heddle check "$@" 2>&1 | sed -E 's/-[0-9a-f]{8}\.replay/-KEY.replay/; s/[0-9.]+ s\)$/TIME)/')
    if [ "${GOLDEN:-}" = write ]; then
        echo "$out" >"$file"
    fi
    same "the report of a finding: $kind" "$out" "$(cat "$file")"
    heddle check --sarif=made.sarif --junit=made.xml --result=made.json "$@" >made.txt 2>&1
    for ending in sarif xml json; do
        local made
        made=$("$HERE/golden.py" "made.$ending")
        [ "${GOLDEN:-}" != write ] || echo "$made" >"${file%.txt}.$ending"
        same "a finding as $ending: $kind" "$made" "$(cat "${file%.txt}.$ending")"
    done
    # Each has a paragraph, and says how to see it again.
    if [ "$kind" != model-limit ]; then
        has ": heddle: " "How it came about" "to see it again: heddle replay"
    fi
}

golden assertion assertion.c
golden deadlock deadlock.c
golden condition if_for_while.c
golden queue queue_if.c
rows=$(sed -n '/How it came/,/\*\*\*/p' <<<"$out" | wc -l)
[ "$rows" -le 20 ] && pass || fail "$rows rows for 45 steps"
golden data-race race.c
golden data-race-heap heaprace.c
golden lock-discipline --explore=dpor --discipline=per-run discipline.c
golden annotation visible.c
golden crash crash.c
golden use-after-free --races=off uaf.c
golden use-after-close --cflags=-DWHICH=1 after_close.c
golden double-free --races=off freedtwice.c
golden invalid-free invalid_free_heap.c
golden heap-overflow heap.c
golden out-of-bounds literal_bounds.c
golden stack-overflow stack_overflow.c
golden abort aborts.c
golden exit-status status.c
golden leak --leaks leak.c
golden message --np=2 --cflags=-DCASE=0 fit.c
golden mailbox overtakes.c
golden model-limit watch.c
# Every kind has one.
for word in $(sed -n 's/^FINDING([A-Z_]*, "\(.*\)")/\1/p' "$ROOT/src/check/findings.def"); do
    for ending in txt sarif xml json; do
        [ -f "$HERE/golden/$word.$ending" ] && pass || fail "no report of a finding: $word.$ending"
    done
done
