# Runs that are kept: --store, and what 'heddle runs' says about them.
run 0 heddle check --store=runs.db clean.c
run 1 heddle check --store=runs.db --html=out.html assertion.c
kept=$out
run 3 heddle check --store=runs.db --max-tests=7 --json=out.json long.c

run 0 heddle runs --store=runs.db
has 'run  time' 'clean.c' 'assertion.c' 'long.c'
follows 'long.c' 'assertion.c'
follows 'assertion.c' 'clean.c'
run 0 heddle runs --store=runs.db show 2
has 'run 2 of ' 'assertion.c' 'status 1' 'stopped at the first finding' 'assertion assertion.c:' \
    'heddle replay heddle-out/assertion-assertion-' ' executions, 1 findings' 'assertion.c: '
same "the replay is the one that the check has named" "$(sed -n 's/^ *heddle replay //p' <<<"$out")" \
    "$(sed -n 's/^to see it again: heddle replay //p' <<<"$kept")"
run 0 heddle runs --store=runs.db export 3
same "the export is what --json writes" "$out" "$(cat out.json)"
run 1 heddle runs --store=runs.db diff 1 2
has '+ assertion assertion.c:'
run 0 heddle runs --store=runs.db diff 2 1
has '- assertion assertion.c:'
run 0 heddle runs --store=runs.db diff 2 2
same "no difference" "$out" ""
run 0 heddle runs --store=runs.db prune 1
has '2 runs removed'
run 0 heddle runs --store=runs.db list
has 'long.c'
hasnt 'assertion.c'
run 0 python3 -c 'import sqlite3; d = sqlite3.connect("runs.db"); n = [d.execute("SELECT count(*) FROM %s WHERE run <> 3" % t).fetchone()[0] for t in ("findings", "progress", "lines")]; assert n == [0, 0, 0], n; assert d.execute("PRAGMA journal_mode").fetchone()[0] == "wal"'
run 0 heddle check --store=runs.db clean.c # numbers are not used again
run 0 heddle runs --store=runs.db show 4

# --- checks that end at the same time are all kept
run 0 heddle cc -o clean clean.c
for i in 1 2 3 4; do heddle check --store=together.db ./clean >/dev/null & done
wait
run 0 heddle runs --store=together.db
same "each check is kept" "$(grep -c clean <<<"$out")" 4

# --- what has been shown is on the disk, also if heddle is killed then
run 0 python3 -c 'import subprocess as s; p = s.Popen(["heddle", "check", "--store=killed.db", "assertion.c"], stdout=s.PIPE); print(p.stdout.readline()); p.kill(); p.wait()'
run 0 heddle runs --store=killed.db show 1
has 'assertion assertion.c:'

# --- the usual database: no option is needed, other checks in the folder add to it, and it forgets old runs
unset HEDDLE_OPTIONS
run 0 heddle check ./clean
run 1 heddle check assertion.c
run 0 heddle runs
has 'clean' 'assertion.c'
run 1 heddle runs diff 1 2
has '+ assertion assertion.c:'
run 0 heddle check --store=off ./clean
HEDDLE_OPTIONS=store=off run 0 heddle check ./clean
same "neither is kept" "$(heddle runs | wc -l)" 3
run 2 heddle runs --store=off
has 'heddle: --store=off keeps no runs'
python3 -c 'import sqlite3; d = sqlite3.connect("heddle-out/runs.db"); d.executemany("INSERT INTO runs (program) VALUES (?)", [("x",)] * 300); d.commit()'
run 0 heddle check ./clean
same "the latest 200 are kept" "$(heddle runs | wc -l)" 201
run 0 python3 -c 'import sqlite3; d = sqlite3.connect("heddle-out/runs.db"); assert not d.execute("SELECT count(*) FROM findings").fetchone()[0]'
mkdir -p file && touch file/heddle-out
run 0 env -C file heddle check ../clean
has 'heddle: the run is not stored: heddle-out: exists and is not a folder' '2 executions, everything explored, nothing found'
same "one line says it" "$(wc -l <<<"$out")" 2

# --- mistakes
while IFS='|' read -r words sentence; do
    run 2 heddle runs --store=runs.db $words
    has "heddle: $sentence"
done <<'MISTAKES'
show 99|runs.db: there is no run 99; 'heddle runs' lists them
export 2|runs.db: there is no run 2; 'heddle runs' lists them
diff 3 2|runs.db: there is no run 2; 'heddle runs' lists them
show|'heddle runs show' needs 1 number (see 'heddle runs --help')
diff 1|'heddle runs diff' needs 2 numbers (see 'heddle runs --help')
show one|'heddle runs show' needs 1 number (see 'heddle runs --help')
forget|there is no 'heddle runs forget'; there are: list, show, diff, export, prune
MISTAKES
run 2 heddle runs --store=none.db
has "heddle: none.db: there is no such database; 'heddle check' keeps its runs in one"

# --- a database that cannot be written: the check goes on, and says why the run is not kept
not_kept() { # message
    has "heddle: the run is not stored: $1" '2 executions, everything explored, nothing found'
}
head -c 8192 /dev/urandom >damaged.db
run 0 heddle check --store=damaged.db clean.c
not_kept 'damaged.db: file is not a database'
cp runs.db torn.db
python3 -c 'f = open("torn.db", "r+b"); f.seek(4096); f.write(b"\xff" * 8192)'
run 0 heddle check --store=torn.db clean.c
not_kept 'torn.db: database disk image is malformed'
python3 -c 'import sqlite3; d = sqlite3.connect("other.db"); d.execute("CREATE TABLE t (x)"); d.commit()'
run 0 heddle check --store=other.db clean.c
not_kept 'other.db: this is not a database of heddle'
run 0 heddle check --store=none/runs.db clean.c
not_kept 'none/runs.db: unable to open database file'
python3 -c 'import sqlite3, time; d = sqlite3.connect("runs.db"); d.execute("BEGIN IMMEDIATE"); open("locked", "w"); time.sleep(600)' &
holder=$!
while [ ! -e locked ]; do sleep 0.1; done
run 0 heddle check --store=runs.db clean.c
not_kept 'runs.db: database is locked'
kill $holder
mkdir -p small
inside() { # size and options of a file system that is mounted at `small`, command
    unshare -rm sh -c 'mount -t tmpfs -o "$1" none small && shift && exec "$@"' sh "$@"
}
run 0 inside size=16k heddle check --store=small/runs.db clean.c
not_kept 'small/runs.db: database or disk is full'
run 0 inside ro heddle check --store=small/runs.db clean.c
not_kept 'small/runs.db: unable to open database file'
