# The folder that a suite is, and what runs it.
rm -rf suite
run 0 heddle suite counter.c -o suite --json=out.json
tests=$(field tests)
has "no suite is smaller"
same "the manifest's first line" "$(head -n 1 suite/suite.txt)" "heddle suite 1"
grep -q '^source ../counter.c$' suite/suite.txt && pass || fail "the manifest does not name its source"
same "tests in the manifest" "$(grep -c '^test ' suite/suite.txt)" "$tests"
same "goals in the manifest" "$(grep -c '^goal ' suite/suite.txt)" "$(field goals)"
run 0 heddle replay suite/test-0001.replay
has "the test passes"
run 0 heddle replay suite/* --junit=junit.xml
has "$tests of $tests tests pass"
python3 - "$tests" <<'END' && pass || fail "the XML is wrong"
import sys, xml.etree.ElementTree as tree
suite = tree.parse("junit.xml").getroot()
assert suite.tag == "testsuite" and suite.get("tests") == sys.argv[1] and suite.get("failures") == "0"
assert len(suite.findall("testcase")) == int(sys.argv[1])
END
printf 'include suite/suite.mk\ncheck: check-suite\n' >Makefile
run 0 make -s check
has "$tests of $tests tests pass"
mkdir elsewhere && mv suite counter.c elsewhere/ && rm -rf heddle-out
run 0 heddle replay --all=elsewhere/suite
has "$tests of $tests tests pass"
mv elsewhere/suite elsewhere/counter.c .

# Both ways of a jump that shared data decide, in a thread with no operation behind it.
rm -rf suite
run 0 heddle suite "$ROOT/tests/suite/programs/ways.c" -o suite --cover=branches --json=out.json
same "tests for both ways" "$(field tests)" 2
grep -q 'T1 branch .*ways.c:14:9 taken$' suite/suite.txt && pass || fail "the way that was taken is not in the manifest"
grep -q 'T1 branch .*ways.c:14:9 not taken$' suite/suite.txt && pass || fail "the other way is not in the manifest"
rm -rf suite
run 0 heddle suite "$ROOT/tests/suite/programs/ways.c" -o suite --cover=statements --json=out.json
same "tests for both statements" "$(field tests)" 2
rm -rf suite
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
grep -q 'T0 statement line.c:7:16$' suite/suite.txt && pass || fail "the block behind the jump is not in the manifest"
run 0 heddle suite line.c -o suite --cover=branches --json=out.json
same "ways of a jump and of a switch" "$(field goals)" 4
grep -q 'T0 branch line.c:8:5 case 1$' suite/suite.txt && pass || fail "the case is not in the manifest"
printf 'int main(void) { return 0; }\n' >straight.c
run 0 heddle suite straight.c -o suite --cover=branches --json=out.json
same "tests of a program without branches" "$(field tests)" 1
same "optimal" "$(field optimal)" True

# At most so many tests: the best ones stay, and what is lost is listed. Without the limit an update brings all back.
rm -rf suite
run 3 heddle suite counter.c -o suite --max=3 --json=out.json
has '3 tests in suite for 4 goals' '3 of which are reached' '--max=3: 1 goal is in no test:' '    T'
same "tests" "$(field tests)" 3
same "lost goals" "$(field lost)" 1
same "lost goals in the manifest" "$(grep -c '^lost ' suite/suite.txt)" 1
same "goals in the manifest" "$(grep -c '^goal ' suite/suite.txt)" 3
same "files" "$(ls suite/*.replay | wc -l)" 3
run 0 heddle replay --all=suite
has '3 of 3 tests pass'
run 0 heddle suite --update=suite --json=out.json
same "tests again" "$(field tests)" 4
run 3 heddle suite --update=suite --max=1
has 'dropped: others reach more goals (--max)' '1 test in suite'
same "files left" "$(ls suite/*.replay | wc -l)" 1
run 0 heddle suite counter.c -o suite --max=4 --json=out.json
same "nothing lost" "$(field lost)" 0
