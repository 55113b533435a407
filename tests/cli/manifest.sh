# heddle test: the checks of a manifest, what is expected of them, and mistakes in it.
mkdir -p project && cp race.c deadlock.c clean.c two_failures.c behind.c project
cat >project/heddle.toml <<'END'
# The checks of this project.
[[check]]
name = "clean"
program = "clean.c"

[[check]]
name = 'race'          # a comment
program = ["race.c"]
options = ["--stop=never", '--cflags=-O2']
expected = "data-race"

[[check]]
name = "deadlock"
program = "deadlock.c"
expected = "found"

[[check]]
name = "both"
program = "two_failures.c"
options = [
    "--stop=never",   # all of them
    "--cflags=-DQUOTED=\"1\"",
]
expected = ["data-race", "assertion"]

[[check]]
name = "bounded"
program = "behind.c"
options = ["--max-tests=1", "--races=off", "--explore=dfs"]
arguments = ["-n"]
expected = "bound"
END

run 0 heddle test --manifest=project/heddle.toml
has 'ok   clean (' 'ok   race (' 'ok   deadlock (' 'ok   both (' 'ok   bounded (' 'heddle: 5 of 5 checks ended as expected'
[ -d project/heddle-out ] && [ ! -d heddle-out ] && pass || fail "checks run in the manifest's folder"
cd project || exit 2
run 0 heddle test --jobs=1
same "in the order of the manifest" "$(grep '^ok' <<<"$out" | cut -d' ' -f4 | tr '\n' ' ')" "clean race deadlock both bounded "
run 0 heddle test 'b*' clean
has '3 of 3 checks ended as expected'
run 2 heddle test nothing
has "heddle.toml: there is no check 'nothing'"

# --- what is not as expected: the output of the check is shown, the rest is run
sed -i '0,/expected = "data-race"/s//expected = "deadlock"/; s/expected = "bound"/expected = "clean"/' heddle.toml
run 1 heddle test --junit=out.xml
has 'FAIL race (' 'expected deadlock, but it was found (data-race)' 'SUMMARY: heddle: data race race.c:8 in bump' \
    'FAIL bounded (' 'expected clean, but it was bound' '3 of 5 checks ended as expected, 2 did not'
run 0 python3 -c 'import xml.etree.ElementTree as x; r = x.parse("out.xml").getroot(); assert (r.get("tests"), r.get("failures"), r.get("errors")) == ("5", "2", "0"), r.attrib; assert [c.get("name") for c in r if len(c)] == ["race", "bounded"]'
printf '[[check]]\nname = "gone"\nprogram = "gone.c"\n[[check]]\nname = "clean"\nprogram = "clean.c"\n' >gone.toml
run 2 heddle test --manifest=gone.toml
has 'FAIL gone (' 'it ended with status 2' 'gone.c: No such file or directory' '1 of 2 checks ended as expected, 1 could not be run'

# --- mistakes
run 2 heddle test --manifest=missing.toml
has 'missing.toml: the manifest cannot be read: No such file or directory'
bad() {
    printf '%b' "$1" >bad.toml
    run 2 heddle test --manifest=bad.toml
    has "bad.toml$2"
}
bad '' ': there is no [[check]] in the manifest'
bad 'name = "a"\n' ':1: expected [[check]]'
bad '[[check]]\nname = "a"\n' ':1: a check needs a name and a program'
bad '[[check]]\nname = "a"\nprogram = b.c\n' ':3: expected a text in quotes'
bad '[[check]]\nname = "a\nprogram = "b.c"\n' ':2: the text has no closing quote'
bad '[[check]]\nname = "a"\nprogramm = "b.c"\n' ":3: there is no key 'programm'; there are: name, program, options, arguments, expected"
bad '[[check]]\nname = "a"\nprogram = ["b.c" "c.c"]\n' ":3: expected ',' or ']' in the list"
bad '[[check]]\nname = "a"\nprogram = "b.c"\nprogram = "c.c"\n' ':4: the key is given twice'
bad '[[check]]\nname = "a"\nprogram = "b.c"\nexpected = "fine"\n' ":1: expected is 'clean', 'found', 'bound', or kinds of findings"
bad '[[check]]\nname = "a"\nprogram = "b.c"\nexpected = ["clean", "leak"]\n' ':1: a list of what is expected has kinds of findings only'
bad '[[check]]\nname = "a"\nprogram = "b.c"\n[[check]]\nname = "a"\nprogram = "b.c"\n' ':4: the name is in use'
bad '[[check]]\nname = "a" program = "b.c"\n' ':2: the line should end here'
cd .. || exit 2

# --- a signal ends the checks under way, with a report; nothing stays behind
cat >endless.c <<'END'
#include <pthread.h>
static _Atomic int x;
static void *add(void *unused)
{
    for (int i = 0; i < 1000; i++)
        x++;
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
END
cat >stopped.py <<'END'
import glob, os, signal, subprocess, sys, time
number = getattr(signal, sys.argv[1])
run = subprocess.Popen(["heddle", "test", "--jobs=1", "--junit=out.xml", "--manifest=stopped.toml"], stdout=subprocess.PIPE,
                       text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
def workers():
    here = os.path.join(os.getcwd(), "heddle-out", "endless-")
    return [link for link in glob.glob("/proc/[0-9]*/exe") if os.path.exists(link) and os.readlink(link).startswith(here)]
while not workers(): # the check runs
    time.sleep(0.05)
run.send_signal(number)
out = run.communicate(timeout=60)[0]
print(out, "left:", workers())
sys.exit(run.returncode)
END
for name in clean endless endless2 never; do
    printf '[[check]]\nname = "%s"\nprogram = "%s.c"\n' $name ${name%2}
done >stopped.toml
for signal in SIGINT SIGTERM; do
    run 3 python3 stopped.py $signal
    has 'ok   clean (' 'FAIL endless (' 's): interrupted' '1 of 4 checks ended as expected, 3 were interrupted' 'left: []'
    hasnt 'never.c'
done
