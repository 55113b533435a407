# Bugs that an exploration reaches late are hunted, and the verdict says what explored and what hunted.
sums='import json; r = json.load(open("out.json")); '
run 1 heddle check --races=off --json=out.json reorder.c
has 'assertion reorder.c:21 in read_both' 'executions, hunted in ' ' more, stopped at the first finding' 'to see it again: heddle replay'
run 0 python3 -c "$sums"'assert r["hunted"] < 200 and r["explorer"] in ("pct", "pos", "surw", "preempt") and r["findings"][0]["confirmed"], r'
run 1 heddle check --races=off --cflags=-DWRITERS=10 --json=out.json reorder.c
run 0 python3 -c "$sums"'assert r["hunted"] < 200, r'
run 1 heddle check --json=out.json stages.c
has 'assertion stages.c:27 in look'
run 0 python3 -c "$sums"'assert 0 < r["hunted"] < 1000, r'

# What is explored in a tenth of a second is not hunted in; a named explorer does not hunt, nor does --states.
run 0 heddle check --json=out.json orders.c
run 0 python3 -c "$sums"'assert (r["hunted"], r["complete"]) == (0, True), r'
for options in --explore=dpor --states; do
    run 3 heddle check $options --races=off --max-tests=30000 --json=out.json reorder.c
    run 0 python3 -c "$sums"'assert (r["hunted"], r["tests"]) == (0, 30000), r'
done

# Hunting executions count for --max-tests, and have no part in what is complete.
run 0 heddle check --stop=never --json=out.json waves.c
has 'executions, hunted in ' ' more, everything explored, nothing found'
run 0 python3 -c "$sums"'assert r["complete"] and r["hunted"] > 0 and r["explorer"] in ("unfold", "dpor"), r'
run 3 heddle check --max-tests=25000 --json=out.json waves.c
run 0 python3 -c "$sums"'assert r["hunted"] > 0 and r["tests"] + r["hunted"] == 25000, r'

# Hunters draw inputs as well; what they ask the solver is counted.
run 1 heddle check --races=off --json=out.json modes.c
has 'assertion modes.c:' 'executions, hunted in ' ' more, stopped at the first finding' ' quer'
run 0 python3 -c "$sums"'assert 0 < r["hunted"] < 1000 and r["findings"][0]["confirmed"] and len(r["findings"][0]["inputs"]) == 20, r'
