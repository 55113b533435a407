# Files for machines: JUnit's XML, annotations, TAP, and SARIF as far as its contents go (tests/browser validates it
# against the published schema).
replay_file() { sed -n 's/^to see it again: heddle replay //p' <<<"$out" | head -n 1; }
sarif() { python3 -c "
import json
s = json.load(open('out.sarif'))
run = s['runs'][0]
results = run['results']
$1"; }

# --- SARIF: one flow per thread, in the order of execution
run 1 heddle check --sarif=out.sarif race.c
run 0 sarif '
r, = results
assert s["version"] == "2.1.0" and r["ruleId"] == "data-race" and run["tool"]["driver"]["rules"][r["ruleIndex"]]["id"] == "data-race"
place = r["locations"][0]["physicalLocation"]
assert place["artifactLocation"] == {"uri": "race.c", "uriBaseId": "SRCROOT"} and place["region"]["startLine"] == 8, place
flows = r["codeFlows"][0]["threadFlows"]
assert [f["id"] for f in flows] == ["T1", "T2"], flows
orders = [l["executionOrder"] for f in flows for l in f["locations"]]
assert sorted(orders) == list(range(1, len(orders) + 1)) and all(l["location"]["message"]["text"] for f in flows for l in f["locations"]), orders
assert [l["message"]["text"] for l in r["relatedLocations"]] == ["the earlier access"], r["relatedLocations"]
assert r["suppressions"] == [] and run["invocations"][0]["exitCode"] == 1'
fingerprints() { python3 -c 'import json; print(sorted(r["partialFingerprints"]["heddle/v1"] for r in json.load(open("out.sarif"))["runs"][0]["results"]))'; }

# --- fingerprints: other lines above do not change them; two findings differ; another text of the line does
for program in race deadlock uaf two_failures; do
    heddle check --stop=never --sarif=out.sarif $program.c >/dev/null
    before=$(fingerprints)
    mkdir -p shifted && { printf '/* one */\n\n/* two */\n' && cat $program.c; } >shifted/$program.c
    (cd shifted && heddle check --stop=never --sarif=../out.sarif $program.c >/dev/null)
    same "fingerprints of $program" "$(fingerprints)" "$before"
done
run 0 sarif 'prints = [r["partialFingerprints"]["heddle/v1"] for r in results]
assert len(set(prints)) == len(prints) == 4, prints'
heddle check --sarif=out.sarif race.c >/dev/null
before=$(fingerprints)
sed 's/counter++;/counter += 1;/' race.c >shifted/race.c
(cd shifted && heddle check --sarif=../out.sarif race.c >/dev/null)
[ "$(fingerprints)" != "$before" ] && pass || fail "another source text has another fingerprint"

# --- related locations of a deadlock and of a block; suppressed results; names that are no plain URI
run 1 heddle check --sarif=out.sarif deadlock.c
run 0 sarif 'texts = [l["message"]["text"] for l in results[0]["relatedLocations"]]
assert any("waits for" in t for t in texts) and any(" took " in t for t in texts), texts'
run 1 heddle check --sarif=out.sarif uaf.c
run 0 sarif 'texts = [l["message"]["text"] for r in results for l in r["relatedLocations"]]
assert "the block was freed here" in texts and "the block was allocated here" in texts, texts'
run 0 heddle check --suppress=<(echo data-race) --sarif=out.sarif --junit=out.xml race.c
run 0 sarif 'assert all(r["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "data-race"}] for r in results) and results and run["invocations"][0]["exitCode"] == 0'
run 0 python3 -c 'import xml.etree.ElementTree as x; r = x.parse("out.xml").getroot(); assert r.get("failures") == "0" and r.get("skipped") == str(int(r.get("tests")) - 1) and any(c.get("name") == "all schedules" and not len(c) for c in r), x.tostring(r)'
mkdir -p 'a folder' && cp race.c 'a folder/50% race.c'
run 1 heddle check --sarif=out.sarif 'a folder/50% race.c'
run 0 sarif 'assert results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20folder/50%25%20race.c"'
run 0 heddle check --sarif=out.sarif clean.c
run 0 sarif 'assert results == [] and run["invocations"][0]["toolExecutionNotifications"][0]["level"] == "note"'
run 2 heddle check --sarif=/nonexistent/out.sarif clean.c
has '/nonexistent/out.sarif'

# --- JUnit
run 1 heddle check --stop=never --junit=out.xml two_failures.c
run 0 python3 -c 'import xml.etree.ElementTree as x; r = x.parse("out.xml").getroot(); assert r.get("tests") == r.get("failures") == "4", r.attrib; assert sorted(c[0].get("type") for c in r) == ["assertion"] * 2 + ["data-race"] * 2'
run 3 heddle check --max-tests=1 --races=off --explore=dfs --junit=out.xml behind.c
run 0 python3 -c 'import xml.etree.ElementTree as x; r = x.parse("out.xml").getroot(); assert (r.get("tests"), r.get("errors")) == ("1", "1") and r[0][0].get("type") == "max-tests", x.tostring(r)'

# --- annotations of GitHub Actions, only there
run 1 heddle check race.c
hasnt '::warning'
GITHUB_ACTIONS=true run 1 heddle check two_failures.c
has '::error file=two_failures.c,line=16,col=5,title=heddle%3A assertion::assertion failed: seen != 2 (heddle replay heddle-out/'
GITHUB_ACTIONS=true run 0 heddle check --suppress=<(echo '*') race.c
hasnt '::warning'

# --- TAP: a folder, a list
rm -rf heddle-out
run 1 heddle check race.c
one=$(replay_file)
run 1 heddle check deadlock.c
other=$(replay_file)
run 1 heddle replay --all=heddle-out --tap
same "TAP" "$(grep -v '^  \(kind\|message\)' <<<"$out")" "TAP version 13
1..2
not ok 1 - $other
  ---
  ...
not ok 2 - $one
  ---
  ..."
has '  kind: "deadlock"' '  message: "deadlock: 3 threads are blocked forever"'
run 1 heddle replay --tap "$one" "$other"
has '1..2' "not ok 1 - $one"
run 0 heddle suite -o tests.suite clean.c
run 0 heddle replay --all=tests.suite --tap
has 'TAP version 13' 'ok 1 - tests.suite --test=1'
hasnt 'not ok'
mkdir empty
run 2 heddle replay --all=empty
has 'empty: there is no replay file and no suite in this folder'
run 2 heddle replay --tap "$one"
has '--tap is for suites, folders, or several files'

# --- progress: first the program, then samples, at last the status
run 1 heddle check --progress=made.progress deadlock.c
out=$(cat made.progress)
has '{ "program": "deadlock.c", "process": ' '{ "status": 1 }'
same "the last line" "$(tail -n 1 made.progress)" '{ "status": 1 }'
run 2 heddle check --progress=nowhere/made.progress deadlock.c
has 'heddle: nowhere/made.progress: cannot be written: No such file or directory'
