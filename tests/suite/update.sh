# A suite of a program that changes.
run 0 heddle suite counter.c -o suite --json=out.json
tests=$(field tests)
sed -i '1i /* Another line. */' counter.c
run 0 heddle replay suite # the same steps in other lines
sed -i 's/counter += seen ? 10 : 1;/counter += seen ? 10 : 0;/' counter.c
run 1 heddle replay suite --junit=junit.xml
has "assertion"
grep -q '<failure type="assertion"' junit.xml && pass || fail "the XML has no failure"
sed -i 's/counter += seen ? 10 : 0;/counter += seen ? 10 : 1;/' counter.c
run 0 heddle suite --update=suite --json=out.json
same "kept" "$(field kept)" "$tests"
has "no suite is smaller"
grep -q "^lower $tests\$" suite && pass || fail "the file of an update has no bound"
same "added" "$(field added)" 0
same "dropped" "$(field dropped)" 0
sed -i 's/    flag = 1;/    flag = 1;\n    pthread_mutex_lock(\&lock);\n    pthread_mutex_unlock(\&lock);/' counter.c
run 0 heddle suite --update=suite --json=out.json
has "kept" "added"
[ "$(field added)" -gt 0 ] && pass || fail "nothing was added for the new lock"
same "tests in the folder" "$(grep -c '^test ' suite)" "$(field tests)"
same "what is unreached" "$(field unreached)" 0
run 0 heddle replay suite
run 0 heddle suite --update=suite --json=out.json
same "added when nothing changed" "$(field added)" 0
same "dropped when nothing changed" "$(field dropped)" 0
cp "$ROOT/tests/suite/programs/counter.c" counter.c
run 0 heddle suite --update=suite --json=out.json
has "dropped: "
same "unreached after going back" "$(field unreached)" 0
run 0 heddle replay suite

# A suite says which threads its numbers stand for; an update takes that over, whatever it would call them itself.
cp "$ROOT/tests/programs/right/threads/created_side_by_side.c" side_by_side.c
run 0 heddle suite side_by_side.c -o numbered --json=out.json
numbered=$(field tests)
sed -i 's/^threads .*/threads 0.1 0.2 1.1 2.1/; s/^T3 /T_ /; s/^T4 /T3 /; s/^T_ /T4 /' numbered
grep -q "^threads 0.1 0.2 1.1 2.1" numbered && pass || fail "the suite does not say which threads are which"
run 0 heddle replay numbered
run 0 heddle suite --update=numbered --json=out.json
same "tests with other numbers that are kept" "$(field kept)" "$numbered"

sed -i '/^    flag = 1;$/d' counter.c
run 3 heddle replay suite # it no longer has the steps
has "no longer fit"
