# Limits of heddle: just below one everything works; just above, the report names it, and the exit status is 3.
run 3 heddle check --explore=random --max-tests=2 --cflags=-DSLEEPERS=255 sleepers.c
has '2 executions, stopped at --max-tests=2, nothing found'
run 3 heddle check --explore=random --max-tests=2 --cflags=-DSLEEPERS=256 sleepers.c
has 'not complete: 2 executions ended at a limit of heddle: more than 255 threads wait at one object at once (sleepers.c:13)'
run 3 heddle check --explore=random --max-tests=2 --depth=200000 --cflags=-DREADERS=65535 readers.c
has '2 executions, stopped at --max-tests=2, nothing found'
run 3 heddle check --explore=random --max-tests=2 --depth=200000 --cflags=-DREADERS=65536 readers.c
has 'not complete: 2 executions ended at a limit of heddle: more than 65535 read locks of one lock at once (readers.c:21)'
# A round of the loop reaches 196 blocks; there is room for 2^20.
run 0 heddle suite --cover=statements -o covered-below --cflags=-DROUNDS=5349 covered.c
run 3 heddle suite --cover=statements -o covered-above --cflags=-DROUNDS=5350 covered.c
has 'an execution reached more statements than can be recorded: some may be missing'

# --- operations of futexes that are not modelled
for operation in WAKE_OP LOCK_PI LOCK_PI2 TRYLOCK_PI UNLOCK_PI CMP_REQUEUE_PI WAIT_REQUEUE_PI FD; do
    run 3 heddle check --cflags=-DWHICH=FUTEX_$operation futexes.c
    has "ended at a limit of heddle: syscall(SYS_futex, FUTEX_$operation) is not modelled yet (futexes.c:23)"
done
run 3 heddle check --cflags=-DSLEEPERS futexes.c
has 'ended at a limit of heddle: a futex call that reaches 2 of 3 sleepers is not modelled yet (futexes.c:21)'

# --- threads that use one slot of the scheduler one after the other are told apart
run 1 heddle check "$ROOT/tests/programs/wrong/threads/owner_gone.c"
has 'unlock of a mutex that T21 holds, not T22'
