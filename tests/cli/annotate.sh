# Annotations from a file: what they say is checked, they make several accesses one step, and bad lines are refused.
schedules() { heddle check --explore=dfs --json=out.json "$@" >/dev/null; sed -n 's/.*"tests": *\([0-9]*\).*/\1/p' out.json | head -n 1; }
printf '# claims about claims.c\natomic add\n\nunshared mine\n' >claims
run 0 heddle check --annotate=claims claims.c
has 'everything explored, nothing found'
plain=$(schedules claims.c)
fewer=$(schedules --annotate=claims claims.c)
[ "$fewer" -lt "$plain" ] && pass || fail "dfs runs $fewer schedules with the annotations, $plain without"
printf 'atomic add\ntentatively-unshared mine\n' >watched
same "annotations have no effect without races" "$(schedules --races=off --annotate=watched claims.c)" "$plain"
printf 'unshared y\n' >false_claims
run 1 heddle check --annotate=false_claims claims.c
has 'annotation: two threads use what is annotated as unshared' 'claims.c:10' 'to see it again'
file=$(sed -n 's/^to see it again: heddle replay //p' <<<"$out" | head -n 1)
run 1 heddle replay "$file"
has 'annotation: two threads use what is annotated as unshared'
printf 'atomic add\nshared x\n' >bad_claims
run 2 heddle check --annotate=bad_claims claims.c
has "bad_claims:2: expected 'atomic FUNCTION', 'method FUNCTION', 'unshared VARIABLE' or 'tentatively-unshared VARIABLE', not 'shared x'"
run 2 heddle check --annotate=nowhere claims.c
has 'nowhere: No such file or directory'
run 0 heddle cc -fheddle-annotate=claims claims.c -o claims_built
run 0 heddle check --explore=dfs ./claims_built
has "$fewer executions, everything explored"
run 2 heddle check --annotate=claims ./claims_built
has '--cflags and --annotate are for C files, and ./claims_built is not one'

# A method needs an object of known size; accesses to what is unshared are no operations, to what may be unshared they are.
cat >objects.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken, mine;
static void add(int n) { mine += n; }
static void use(void *unused) { (void)unused; }
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    int first = !taken;
    taken = 1;
    pthread_mutex_unlock(&lock);
    if (first)
        add(1);
    use(unused);
    if (first)
        add(1);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
}
EOF
for function in add use; do
    printf 'method %s\n' "$function" >claims_of_objects
    run 2 heddle check --annotate=claims_of_objects objects.c
    has "'$function' is annotated as a method, but its first argument does not point to an object whose type is complete here"
done
printf 'unshared mine\n' >unshared
printf 'tentatively-unshared mine\n' >tentatively
fewer=$(schedules --annotate=unshared objects.c)
more=$(schedules --annotate=tentatively objects.c)
[ "$fewer" -lt "$more" ] && pass || fail "dfs runs $fewer schedules with 'unshared', $more with 'tentatively-unshared'"
