# The file that a suite is, and what runs it.
rm -f suite
run 0 heddle suite counter.c -o suite --json=out.json
tests=$(field tests)
has "no suite is smaller"
same "the first line" "$(head -n 1 suite)" "heddle suite 2"
grep -q '^source counter.c$' suite && pass || fail "the suite does not name its source"
same "tests in the file" "$(grep -c '^test ' suite)" "$tests"
same "goals in the file" "$(grep -c '^goal ' suite)" "$(field goals)"
cp suite before
run 0 heddle suite counter.c -o suite
run 0 cmp suite before # nothing in it depends on when it was made
run 0 heddle replay suite --test=1
has "the test passes"
run 0 heddle replay suite --junit=junit.xml
has "$tests of $tests tests pass"
python3 - "$tests" <<'END' && pass || fail "the XML is wrong"
import sys, xml.etree.ElementTree as tree
suite = tree.parse("junit.xml").getroot()
assert suite.tag == "testsuite" and suite.get("tests") == sys.argv[1] and suite.get("failures") == "0"
assert [case.get("name") for case in suite.findall("testcase")] == ["suite --test=%d" % (i + 1) for i in range(int(sys.argv[1]))]
END
mkdir elsewhere && mv suite counter.c elsewhere/ && rm -rf heddle-out
run 0 heddle replay elsewhere/suite
has "$tests of $tests tests pass"
run 0 heddle replay elsewhere/suite --test=2
mv elsewhere/suite elsewhere/counter.c .
run 0 heddle suite counter.c -o suite # the program was in heddle-out

# A test that fails: alone it shows the failure, and the line in the summary is what to give to heddle replay.
sed 's/assert(counter >= 2);/assert(counter == 11);/' counter.c >failing.c
run 1 heddle suite failing.c -o failing
has "; 'heddle replay failing --test="
run 1 heddle replay failing
has "assertion"
first=$(grep -o '^failing --test=[0-9]*' <<<"$out" | head -n 1)
run 1 heddle replay $first
has "to see it again: heddle replay $first"
run 1 heddle replay suite failing # several suites
has "failing --test=" "of $((2 * tests)) tests pass"

# A folder with a file per test, as earlier versions wrote it, is read and brought up to date as one file.
python3 - <<'END'
import os, re
os.makedirs("folder", exist_ok=True)
head, *tests = open("suite").read().rsplit("\nend\n", 1)[0].split("\n\ntest ")
lines = head.split("\n")[1:]
about = [l for l in lines if l.split()[0] in "version source cflags build net cover method goals lower complete".split()]
common = [l for l in lines if l.split()[0] in "version depth timeouts options shared threads".split()]
program = next(l for l in lines if l.startswith("program ")).replace("program ", "program ../")
manifest = ["heddle suite 1", program] + [l.replace("source ", "source ../") for l in about]
for test in tests:
    number, *rest = test.strip("\n").split("\n")
    name = "test-%04d.replay" % int(number)
    manifest += ["test " + name] + [l for l in rest if l.startswith("goal ")]
    replay = ["heddle replay 1", program] + common + [l for l in rest if not l.startswith("goal ")]
    open("folder/" + name, "w").write("\n".join(replay) + "\n")
open("folder/suite.txt", "w").write("\n".join(manifest + ["end"]) + "\n")
END
run 0 heddle replay --all=folder
has "$tests of $tests tests pass"
run 0 heddle replay folder/*
has "$tests of $tests tests pass"
run 0 heddle replay folder --test=2
run 2 heddle suite --update=folder
has "folder: is a folder; a suite is one file now: '-o FILE' says which"
run 0 heddle suite --update=folder -o again --json=out.json
same "kept from the folder" "$(field kept)" "$tests"
same "the numbers of its tests" "$(grep '^test ' again)" "$(grep '^test ' suite)"
run 0 heddle replay again
sed -i '$d' folder/test-0002.replay
run 2 heddle replay --all=folder
has "folder/test-0002.replay:"

# Both ways of a jump that shared data decide, in a thread with no operation behind it.
rm -f suite
run 0 heddle suite "$ROOT/tests/suite/programs/ways.c" -o suite --cover=branches --json=out.json
same "tests for both ways" "$(field tests)" 2
grep -q 'T1 branch .*ways.c:14:9 taken$' suite && pass || fail "the way that was taken is not in the file"
grep -q 'T1 branch .*ways.c:14:9 not taken$' suite && pass || fail "the other way is not in the file"
rm -f suite
run 0 heddle suite "$ROOT/tests/suite/programs/ways.c" -o suite --cover=statements --json=out.json
same "tests for both statements" "$(field tests)" 2
rm -f suite
run 0 heddle suite heddle-out/ways-* -o suite --cover=statements
run 0 heddle cc -o plain "$ROOT/tests/suite/programs/ways.c"
run 2 heddle suite ./plain -o suite --cover=statements
has "built without -fheddle-cover"
# Statements are blocks, also several in one line; a program without a branch has no goals for branches.
cat >line.c <<'END'
#include <heddle.h>
#include <stdio.h>

int main(void)
{
    long a = heddle_range(0, 9, "a");
    if (a > 7) puts("large");
    switch (a) { case 2: puts("two"); break; default: break; }
}
END
run 0 heddle suite line.c -o suite --cover=statements --json=out.json
same "tests for blocks of a line" "$(field tests)" 2
grep -q 'T0 statement line.c:7:16$' suite && pass || fail "the block behind the jump is not in the file"
run 0 heddle suite line.c -o suite --cover=branches --json=out.json
same "ways of a jump and of a switch" "$(field goals)" 4
grep -q 'T0 branch line.c:8:5 case 1$' suite && pass || fail "the case is not in the file"
printf 'int main(void) { return 0; }\n' >straight.c
run 0 heddle suite straight.c -o suite --cover=branches --json=out.json
same "tests of a program without branches" "$(field tests)" 1
same "optimal" "$(field optimal)" True

# At most so many tests: the best ones stay, and what is lost is listed. Without the limit an update brings all back.
rm -f suite
run 3 heddle suite counter.c -o suite --max=3 --json=out.json
has '3 tests in suite for 4 goals' '3 of which are reached' '--max=3: 1 goal is in no test:' '    T'
same "tests" "$(field tests)" 3
same "lost goals" "$(field lost)" 1
same "lost goals in the file" "$(grep -c '^lost ' suite)" 1
same "goals in the file" "$(grep -c '^goal ' suite)" 3
same "files" "$(grep -c '^test ' suite)" 3
run 0 heddle replay suite
has '3 of 3 tests pass'
run 0 heddle suite --update=suite --json=out.json
same "tests again" "$(field tests)" 4
run 3 heddle suite --update=suite --max=1
has 'dropped: others reach more goals (--max)' '1 test in suite'
same "files left" "$(grep -c '^test ' suite)" 1
run 0 heddle suite counter.c -o suite --max=4 --json=out.json
same "nothing lost" "$(field lost)" 0
