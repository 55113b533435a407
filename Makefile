# heddle's build: one Makefile, a wildcard per folder.
#
#   make          build/heddle and what it needs beside it
#   make demo     find, report and replay a real bug
#   make check    the quick part of the tests, under two minutes
#   make test     everything that shows heddle is right; ONLY=programs/deadlock: some of it
#   make bench    figures and ratios
#   make install PREFIX=/usr/local
#
# LLVM=16 builds with another LLVM than the default. DEBUG=1 builds into build-debug, with checks
# that cost time.

LLVM ?= 19
PREFIX ?= /usr/local
CC = gcc
B := build

CLANG := clang-$(LLVM)
LLVM_CONFIG := llvm-config-$(LLVM)

WARN := -Wall -Wextra -Werror
CFLAGS ?= -O2 -g
ifdef DEBUG
B := build-debug
CFLAGS += -DHD_DEBUG
endif
ALL_CFLAGS := -std=gnu17 -D_GNU_SOURCE $(WARN) $(CFLAGS) -Isrc -Iinclude -MMD -MP
SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

# What each product is made of. The engine runs inside the tested program; the
# command has the same folders and what users see.
ENGINE_FOLDERS := base sym event target check events unfold inputs explore dpor unfolder reach samplers worker
COMMAND_FOLDERS := $(ENGINE_FOLDERS) compile dwarf report supervisor store suite promela model pairs serve
RUNTIME_FOLDERS := runtime $(addprefix runtime/,core image reset sched symbolic sync kernel face libc mpi)

sources = $(foreach folder,$(1),$(wildcard src/$(folder)/*.c src/$(folder)/*.S))
objects = $(patsubst src/%,$(B)/$(1)/%.o,$(basename $(2)))

COMMAND_SOURCES := $(call sources,$(COMMAND_FOLDERS))
SERVE_SOURCES := $(call sources,serve)
ENGINE_SOURCES := $(call sources,$(ENGINE_FOLDERS))
RUNTIME_SOURCES := $(filter-out src/runtime/inline.c,$(call sources,$(RUNTIME_FOLDERS)))
# Functions of the C library that carry shadows: compiled with twins, as programs are.
FOLLOWED_SOURCES := $(patsubst %,src/runtime/libc/%.c,blocks letters numbers search sort strings)
# What every program takes from the runtime is optimised as a whole. The rest is linked
# where it is called: that a program asks for inputs is told by what it pulls in.
CORE_SOURCES := $(filter-out src/runtime/inline.c src/runtime/face/inputs.c src/runtime/face/verifier.c,\
	$(filter %.c,$(call sources,$(filter-out runtime/libc runtime/mpi,$(RUNTIME_FOLDERS)))))
PASS_SOURCES := $(call sources,compile/passes base)
SOLVE_SOURCES := $(call sources,sym/z3 base) src/sym/term.c src/sym/apply.c

LIB := $(B)/lib/heddle
PRODUCTS := $(B)/heddle $(B)/heddle-cc $(LIB)/instrument $(LIB)/solve $(LIB)/smt $(LIB)/engine.so $(LIB)/serve.so $(LIB)/libheddle_rt.a $(LIB)/inline.bc $(LIB)/heddle.gdb $(LIB)/include/heddle.h $(LIB)/include/mpi.h $(B)/heddle-mpicc

# On all cores, unless make was told how many to use.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all demo check test test-llvm16 lint bench install clean deps format unit
all: $(B)/.deps
	@$(MAKE) --no-print-directory $(PARALLEL) products
.PHONY: products
products: $(PRODUCTS)

deps $(B)/.deps: scripts/install-deps
	@mkdir -p $(B)
	@scripts/install-deps $(LLVM)
	@touch $(B)/.deps

# What only the tests, the lint and the benchmarks need.
$(B)/.test-deps: $(B)/.deps
	@scripts/install-deps $(LLVM) tests
	@touch $(B)/.test-deps

# --- the products -----------------------------------------------------------

# Every check starts the command. What it links takes longer to load than a small check does, so libraries that few
# commands need are loaded by them, and others are linked statically.
$(B)/heddle: $(call objects,obj,$(filter-out $(SERVE_SOURCES),$(COMMAND_SOURCES)) $(call sources,cli))
	$(CC) $(CFLAGS) -o $@ $^ -Wl,--export-dynamic-symbol='hd_*' -Wl,--as-needed -lcliquer \
		-Wl,-Bstatic -ldw -lelf -lsqlite3 -llzma -Wl,-Bdynamic -l:libz.so.1 -l:libbz2.so.1.0 -lm -lpthread

$(LIB)/serve.so: $(call objects,shared,$(SERVE_SOURCES))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -shared -o $@ $^ -lmicrohttpd

$(LIB)/engine.so: $(call objects,pic,$(ENGINE_SOURCES))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -O3 -flto=auto -shared -o $@ $^ -Wl,-z,defs -lm

$(LIB)/libheddle_rt.a: $(B)/rt/core.o $(call objects,rt,$(filter-out $(CORE_SOURCES),$(RUNTIME_SOURCES)))
	@mkdir -p $(@D)
	rm -f $@
	ar rcs $@ $^

# The modelled functions, by whose names programs may have functions of their own.
OWNERS := $(B)/rt/runtime/face/owners.o

$(B)/rt/core.o: $(CORE_SOURCES:src/%.c=$(B)/rt/%.bc) $(OWNERS) scripts/weaken-faces
	$$($(LLVM_CONFIG) --bindir)/llvm-link -o $(@:.o=.bc) $(filter %.bc,$^)
	$(CLANG) $(CFLAGS) -fPIC -c -o $@ $(@:.o=.bc)
	scripts/weaken-faces $@ $(OWNERS)

# Linked statically: relocating LLVM's shared library takes longer than a small file does.
$(LIB)/instrument: $(call objects,llvm,$(PASS_SOURCES))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -no-pie -Wl,--gc-sections,--as-needed -o $@ $^ $$($(LLVM_CONFIG) --link-static --ldflags --libs passes native irreader bitwriter linker) \
		-lstdc++ -lm -l:libz.so.1 -l:libzstd.so.1

# Solving is done by programs of their own, the only users of Z3: one for conditions
# on inputs, one for texts in SMT-LIB.
$(LIB)/solve: $(call objects,obj,$(SOLVE_SOURCES))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lz3

$(LIB)/smt: $(call objects,obj,$(call sources,sym/smt base) src/sym/smt.c)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lz3

$(LIB)/inline.bc: src/runtime/inline.c $(wildcard src/abi/*)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu17 -fgnu89-inline -O1 -Xclang -disable-llvm-passes -Wall -Wextra -Isrc -c -emit-llvm -o $@ $<

$(LIB)/include/%.h: include/%.h
	@mkdir -p $(@D)
	cp $< $@

# One word, for builds that take a compiler's name and no more.
$(B)/heddle-cc $(B)/heddle-mpicc: | $(B)/heddle
	ln -sf heddle $@

$(LIB)/heddle.gdb: src/runtime/heddle.gdb
	@mkdir -p $(@D)
	cp $< $@

$(B)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -DHD_LLVM='"$(LLVM)"' -c -o $@ $<

$(B)/shared/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fPIC -DHD_LLVM='"$(LLVM)"' -c -o $@ $<

# The files of pages are embedded.
$(B)/obj/%/assets.o $(B)/shared/%/assets.o $(B)/san/%/assets.o: src/%/assets.S
	@mkdir -p $(@D)
	$(CC) -Isrc -MMD -MP -c -o $@ $<
$(foreach folder,report serve,$(eval $(B)/obj/$(folder)/assets.o $(B)/shared/$(folder)/assets.o $(B)/san/$(folder)/assets.o: $(wildcard src/$(folder)/html/*)))

$(B)/pic/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -O3 -flto -fPIC -fvisibility=hidden -c -o $@ $<

# Debug information of the runtime would go into every program. The gdb script needs the types of state.c, no more.
RUNTIME_DEBUG = $(if $(DEBUG)$(filter src/runtime/core/state.c,$<),-g,-g0)
RUNTIME_CFLAGS = $(ALL_CFLAGS) $(RUNTIME_DEBUG) -include src/runtime/core/section.h -fPIC -fvisibility=hidden -fno-stack-protector -fno-omit-frame-pointer

$(B)/rt/%.o: src/%.c $(OWNERS) scripts/weaken-faces
	@mkdir -p $(@D)
	$(CLANG) $(RUNTIME_CFLAGS) -c -o $@ $<
	scripts/weaken-faces $@ $(OWNERS)

$(B)/rt/%.bc: src/%.c
	@mkdir -p $(@D)
	$(CLANG) $(RUNTIME_CFLAGS) -O1 -Xclang -disable-llvm-passes -emit-llvm -c -o $@ $<

$(call objects,rt,$(FOLLOWED_SOURCES)): $(B)/rt/%.o: $(B)/rt/%.bc $(LIB)/instrument $(LIB)/inline.bc $(OWNERS) scripts/weaken-faces
	$(LIB)/instrument -l -O2 -i $(LIB)/inline.bc -f src/$*.c -o $@ $<
	scripts/weaken-faces $@ $(OWNERS)

$(B)/rt/%.o: src/%.S
	@mkdir -p $(@D)
	$(CC) -Isrc -fPIC -MMD -MP -c -o $@ $<

$(B)/llvm/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $$($(LLVM_CONFIG) --cflags | tr ' ' '\n' | grep -v '^-[DW]NDEBUG\|^-W' | tr '\n' ' ') -c -o $@ $<

# --- tests ------------------------------------------------------------------

UNIT_SOURCES := $(filter-out tests/unit/test.c,$(wildcard tests/unit/*/*.c))
UNIT_BINARIES := $(UNIT_SOURCES:tests/%.c=$(B)/%)
SAN_LIBRARY := $(B)/san/libheddle.a

$(B)/san/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(SAN) -DHD_LLVM='"$(LLVM)"' -c -o $@ $<

$(SAN_LIBRARY): $(call objects,san,$(COMMAND_SOURCES) $(filter-out src/cli/main.c,$(call sources,cli)))
	rm -f $@
	ar rcs $@ $^

$(B)/unit/%: tests/unit/%.c tests/unit/test.c $(SAN_LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(SAN) -Itests -o $@ $< tests/unit/test.c $(SAN_LIBRARY) -lcliquer -ldw -lelf -lmicrohttpd -lsqlite3 -lm -lpthread

# The command with sanitizers, for the cases of tests/cli and tests/suite (tests/tool/cases.sh).
SAN_COMMAND := $(B)/san/heddle
$(SAN_COMMAND): $(B)/san/cli/main.o $(SAN_LIBRARY)
	$(CC) $(CFLAGS) $(SAN) -o $@ $^ -Wl,--undefined=hd_serve_server_calls -lcliquer -ldw -lelf -lmicrohttpd -lsqlite3 -lm -lpthread

# Every folder of tests has a `run` that prints what failed and, last, "N passed, N failed".
TEST_RUNNERS := $(wildcard tests/*/run)

unit: $(UNIT_BINARIES)
	@scripts/run-tests $(UNIT_BINARIES)

check: $(B)/.test-deps all
	@$(MAKE) --no-print-directory -j$$(nproc) $(UNIT_BINARIES)
	@scripts/run-tests $(UNIT_BINARIES) tests/cli/run "tests/programs/run --quick"

test: $(B)/.test-deps all
	@$(MAKE) --no-print-directory -j$$(nproc) lint $(UNIT_BINARIES) $(SAN_COMMAND)
	@COMMAND=$(abspath $(dir $(SAN_COMMAND))) scripts/run-tests $(UNIT_BINARIES) $(TEST_RUNNERS)

# The other LLVM that users have: the same compiler, the same tests of it, and
# the same numbers of executions.
test-llvm16:
	@$(MAKE) --no-print-directory B=build-llvm16 LLVM=16 build-llvm16/.test-deps all
	@B=build-llvm16 LLVM=16 scripts/run-tests tests/compile/run tests/programs/run

# With checks that cost time: structures are valid after every step (src/abi/valid.h), and operations do what
# their rows in src/abi/ops.def say.
DEBUG_RUNNERS := "tests/programs/run --quick" tests/unfold/run "tests/inputs/run" "tests/cross/run 60" \
	"tests/inputs_cross/run 15" "tests/covers/run 10" "tests/suite/run inputs" "tests/models/run atomic" "tests/pairs/run paper" \
	"tests/runtime/run validity" "tests/truth/run locks/ memory/quarantine"

.PHONY: test-debug unit-binaries
unit-binaries: $(UNIT_BINARIES) $(SAN_COMMAND)
test-debug:
	@$(MAKE) --no-print-directory DEBUG=1 build-debug/.test-deps all
	@$(MAKE) --no-print-directory DEBUG=1 -j$$(nproc) unit-binaries
	@B=build-debug scripts/run-tests $(UNIT_SOURCES:tests/%.c=build-debug/%) $(DEBUG_RUNNERS)

lint: $(B)/.test-deps
	@tests/lint/includes
	@tests/lint/names
	@tests/lint/kinds
	@tests/lint/format

format:
	@clang-format -i $$(git ls-files 'src/*.[ch]' 'tests/unit/*.[ch]' 'include/*.h')

bench: $(B)/.test-deps all
	@bench/run

.PHONY: bench-models
bench-models: $(B)/heddle
	@bench/models/run

demo: all
	@scripts/demo

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/heddle/include $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/heddle $(DESTDIR)$(PREFIX)/bin/heddle
	ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-cc
	ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-mpicc
	install -m 755 $(LIB)/instrument $(LIB)/solve $(LIB)/smt $(LIB)/engine.so $(LIB)/serve.so $(DESTDIR)$(PREFIX)/lib/heddle/
	install -m 644 $(LIB)/libheddle_rt.a $(LIB)/inline.bc $(LIB)/heddle.gdb $(DESTDIR)$(PREFIX)/lib/heddle/
	install -m 644 include/heddle.h $(DESTDIR)$(PREFIX)/include/heddle.h
	install -m 644 include/heddle.h include/mpi.h $(DESTDIR)$(PREFIX)/lib/heddle/include/
	install -m 644 docs/heddle.1 $(DESTDIR)$(PREFIX)/share/man/man1/heddle.1

clean:
	rm -rf $(B)

-include $(shell find $(B) -name '*.d' 2>/dev/null)
