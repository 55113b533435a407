# Annotations from a file: what they say is checked, they make several accesses one step, and bad lines are refused.
schedules() { heddle check --explore=dfs --json=out.json "$@" >/dev/null; sed -n 's/.*"tests": *\([0-9]*\).*/\1/p' out.json | head -n 1; }
printf '# claims about claims.c\natomic add\n\nunshared mine\n' >claims
run 0 heddle check --annotate=claims claims.c
has 'everything explored, nothing found'
plain=$(schedules claims.c)
fewer=$(schedules --annotate=claims claims.c)
[ "$fewer" -lt "$plain" ] && pass || fail "dfs runs $fewer schedules with the annotations, $plain without"
same "annotations have no effect without races" "$(schedules --races=off --annotate=claims claims.c)" "$plain"
printf 'unshared y\n' >false_claims
run 1 heddle check --annotate=false_claims claims.c
has 'annotation: two threads use what is annotated as unshared' 'claims.c:10' 'to see it again'
file=$(sed -n 's/^to see it again: heddle replay //p' <<<"$out" | head -n 1)
run 1 heddle replay "$file"
has 'annotation: two threads use what is annotated as unshared'
printf 'atomic add\nshared x\n' >bad_claims
run 2 heddle check --annotate=bad_claims claims.c
has "bad_claims:2: expected 'atomic FUNCTION', 'method FUNCTION' or 'unshared VARIABLE', not 'shared x'"
run 2 heddle check --annotate=nowhere claims.c
has 'nowhere: No such file or directory'
run 0 heddle cc -fheddle-annotate=claims claims.c -o claims_built
run 0 heddle check --explore=dfs ./claims_built
has "$fewer executions, everything explored"
run 2 heddle check --annotate=claims ./claims_built
has '--cflags and --annotate are for C files, and ./claims_built is not one'
