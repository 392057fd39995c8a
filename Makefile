# librwa: make help.  V=1 shows the commands.
MAKEFLAGS += --no-builtin-rules
VERSION = 0.1.0
SOMAJOR = 0
BUILD  ?= build
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
# Debug builds (sanitizers, valgrind, fuzzer) leave NDEBUG out: there asserts and *_check() run.
# -g1: functions and lines, at four fifths of the time to compile that -g takes; for variables, CFLAGS="-O0 -g".
CFLAGS ?= -O2 -g1 -DNDEBUG
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
PKGS = jansson zlib
# igraph and libxml2 keep their headers in folders of their own; their warnings are not ours.
FOREIGN := $(patsubst -I%,-isystem%,$(filter -I%,$(or $(shell pkg-config --cflags igraph libxml-2.0 2>/dev/null),\
             -I/usr/include/igraph -I/usr/include/libxml2)))
ALLFLAGS = -std=c11 -D_XOPEN_SOURCE=700 -DRWA_VERSION='"$(VERSION)"' -fPIC -fvisibility=hidden $(WARN) \
           -pthread -Iinclude -Ilib -I. $(FOREIGN) '-ffile-prefix-map=$(CURDIR)=.' -MMD -MP $(CFLAGS)
LIBS = -lglpk -ljansson -ligraph -lxml2 -lz -lm
# The shared libraries of igraph, GLPK and libxml2 load about twenty others, which takes longer than planning a small
# network does: the command has the archives, with what these need, of each library of which all of that is installed.
archives_-lglpk = libglpk.a libcolamd.a libamd.a libsuitesparseconfig.a libgmp.a libltdl.so.7
archives_-ligraph = libigraph.a
archives_-ljansson = libjansson.a
archives_-lxml2 = libxml2.a liblzma.a
archives_-lz = libz.a
found = $(foreach file,$(1),$(wildcard $(shell $(CC) -print-file-name=$(file))))
complete = $(if $(filter $(words $(1)),$(words $(call found,$(1)))),$(call found,$(1)))
COMMAND_LIBS = $(foreach lib,$(LIBS),$(or $(call complete,$(archives_$(lib))),$(lib)))
# In place of ICU, whose tables would make up two thirds of the command
NO_ICU = $(if $(filter %/libxml2.a,$(COMMAND_LIBS)),$(BUILD)/gen/no_icu.o)

LIB_SRC  = $(sort $(wildcard lib/*/*.c lib/*/*/*.c solvers/*.c))
# Files built into the library: a table for each of these, of the files below it
EMBEDDED = devices fibers modulations networks pages papers
embedded_devices = $(wildcard data/devices/*.json)
embedded_fibers = $(wildcard data/fibers/*.json)
embedded_modulations = $(wildcard data/modulations/*.json)
embedded_networks = $(wildcard data/networks/*.json)
embedded_pages = $(wildcard lib/view/*.html)
embedded_papers = $(wildcard data/papers/*.csv)
LIB_OBJ  = $(LIB_SRC:%.c=$(BUILD)/%.o) $(EMBEDDED:%=$(BUILD)/gen/%.o)
CLI_SRC  = $(sort $(wildcard cli/*.c cli/commands/*.c))
CLI_OBJ  = $(CLI_SRC:%.c=$(BUILD)/%.o)
TEST_SRC = $(sort $(wildcard tests/*/*_test.c))
TESTS    = $(TEST_SRC:%.c=$(BUILD)/%)
SO = $(BUILD)/librwa.so.$(VERSION)
# Debian has the modules of bench-networks for its own Python.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
# The folder below PREFIX in which this Python looks for modules.
PYTHONDIR ?= $(or $(shell $(PYTHON) -c 'import sys; \
   print(*[p for p in sys.path if p.startswith("$(PREFIX)/lib/") and p.endswith("-packages")][:1])' \
   2> /dev/null),$(PREFIX)/lib/python3/dist-packages)
Q = $(if $(V),,@)

.PHONY: all always docs figures comparison demo test bench bench-networks bench-time check-asan check-builds \
  check-clang check-valgrind deps install uninstall deb clean help test-units test-cli test-structure test-browser \
  test-long golden-record
all: $(BUILD)/rwa $(SO) $(BUILD)/librwa.a $(BUILD)/rwa.pc  ## build the command and the library

help:  ## this list
	@sed -e ':join' -e '/## .*\\$$/ { N; s/ *\\\n */ /; b join' -e '}' $(firstword $(MAKEFILE_LIST)) | \
	  awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}'

deps:  ## install what is missing to build and test (Debian, Ubuntu)
	@sh tools/deps.sh

demo: deps  ## build, plan the two examples, check both
	@$(MAKE) --no-print-directory all
	@sh tools/demo.sh $(BUILD)/rwa $(BUILD)/demo

# All cores, unless the caller said how many jobs; each target's output in one piece.  Only in a recipe does MAKEFLAGS
# contain -j.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2> /dev/null || echo 2))
PARALLEL = $(MAKE) --no-print-directory --output-sync=target $(JOBS)

test: deps  ## the tests, on all cores (minutes); make test-long runs the longer ones
	+@$(PARALLEL) all $(TESTS)
	+@$(PARALLEL) $(UNIT_NAMES:%=run/%) $(CLI_NAMES:%=run/%) $(STRUCTURE_NAMES:%=run/%) run/golden
	@sh tools/sum-tests.sh $(RESULTS) $(UNIT_NAMES) $(CLI_NAMES) $(STRUCTURE_NAMES) golden

# In the library free() is base_free(), see there.
$(LIB_OBJ): ALLFLAGS += -include base/memory.h
# madvise() is no part of POSIX
$(BUILD)/lib/base/memory.o: ALLFLAGS += -D_DEFAULT_SOURCE

.SECONDEXPANSION:
$(EMBEDDED:%=$(BUILD)/gen/%.c): $(BUILD)/gen/%.c: tools/embed.sh $$(embedded_$$*)
	@mkdir -p $(@D)
	$(Q)sh tools/embed.sh embedded_$* $(embedded_$*) > $@.tmp && mv $@.tmp $@
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c Makefile
	$(if $(V),,@echo "  CC $<")
	$(Q)$(CC) $(ALLFLAGS) -c $< -o $@
$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC $<")
	$(Q)$(CC) $(ALLFLAGS) -c $< -o $@

# The archive is one object whose internal names are local, so that it cannot clash with a program's own.
$(BUILD)/librwa.a: $(LIB_OBJ)
	$(if $(V),,@echo "  AR $@")
	$(Q)ld -r -o $(BUILD)/librwa-all.o $(LIB_OBJ)
	$(Q)objcopy --localize-hidden $(BUILD)/librwa-all.o
	$(Q)rm -f $@ && ar rcs $@ $(BUILD)/librwa-all.o
# Tests reach lib/base too.
$(BUILD)/librwa-test.a: $(LIB_OBJ)
	$(Q)rm -f $@ && ar rcs $@ $(LIB_OBJ)
$(SO): $(LIB_OBJ)
	$(if $(V),,@echo "  LD $@")
	$(Q)$(CC) -shared -Wl,-soname,librwa.so.$(SOMAJOR) -Wl,-z,defs $(CFLAGS) $(LDFLAGS) $(LIB_OBJ) $(LIBS) -o $@
	$(Q)ln -sf $(notdir $@) $(BUILD)/librwa.so.$(SOMAJOR) && ln -sf librwa.so.$(SOMAJOR) $(BUILD)/librwa.so
$(BUILD)/gen/no_icu.c: tools/no-icu.sh $$(call found,libxml2.a)
	@mkdir -p $(@D)
	$(Q)sh $^ > $@.tmp && mv $@.tmp $@
$(BUILD)/rwa: $(CLI_OBJ) $(BUILD)/librwa-test.a $$(NO_ICU)
	$(if $(V),,@echo "  LD $@")
	$(Q)$(CC) $(CFLAGS) -pthread $(LDFLAGS) $^ $(COMMAND_LIBS) -o $@
# Written anew each time: PREFIX may be another one when it is installed.
$(BUILD)/rwa.pc: always
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR:$(PREFIX)/%=$${prefix}/%)' 'includedir=$${prefix}/include' '' \
	  'Name: librwa' \
	  'Description: collectives on optical interconnects: planned, proven, checked' 'Version: $(VERSION)' \
	  'Requires.private: $(PKGS)' 'Libs: -L$${libdir} -lrwa' \
	  "Libs.private: $$(sh tools/static-libs.sh '$(CC)')" 'Cflags: -I$${includedir}' > $@

# Many programs of one file each: a quicker linker, where there is one, and fewer optimisations halve the time to build
# them.
GOLD := $(if $(shell $(CC) -fuse-ld=gold -Wl,--version 2> /dev/null),-fuse-ld=gold)
$(BUILD)/tests/%: tests/%.c $(BUILD)/librwa-test.a $(wildcard tests/support/*.h)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC $<")
	$(Q)$(CC) $(ALLFLAGS:-O2=-O1) $(GOLD) -DRWA_TEST_DATA='"$(CURDIR)/tests"' $< $(BUILD)/librwa-test.a $(LDFLAGS) \
	  $(LIBS) -lcunit -o $@

# Each test is a target run/NAME of its own, so that make -j runs them side by side.
RESULTS = $(BUILD)/results
RUN = @sh tools/run-test.sh $(RESULTS)
UNIT_NAMES = $(TEST_SRC:tests/%.c=%)
CLI_NAMES = $(patsubst tests/%.sh,%,$(sort $(wildcard tests/cli/*_test.sh)))
STRUCTURE_NAMES = dependencies core tests python exports headers memory abi format packages
.PHONY: $(UNIT_NAMES:%=run/%) $(CLI_NAMES:%=run/%) $(STRUCTURE_NAMES:%=run/%) run/golden
$(UNIT_NAMES:%=run/%): run/%: $(BUILD)/tests/%
	$(RUN) $* $<
$(CLI_NAMES:%=run/%): run/%: tests/%.sh $(BUILD)/rwa
	$(RUN) $* sh $< $(BUILD)/rwa
run/dependencies run/memory: run/%: all
	$(RUN) $* sh tools/check-$*.sh $(BUILD)
run/exports: $(SO)
	$(RUN) exports sh tools/check-exports.sh $(SO)
run/headers run/abi run/format: run/%:
	$(RUN) $* sh tools/check-$*.sh
run/python: all
	$(RUN) python sh tests/python/run.sh $(BUILD)
run/tests:
	$(RUN) tests $(PYTHON) tools/check-tests.py
run/core:
	$(RUN) core $(PYTHON) tests/structure/core.py
# Both install from the build folder: one after the other.
run/packages: all
	$(RUN) packages sh -c 'sh tools/check-install.sh $(BUILD) && sh tools/check-deb.sh $(BUILD)'
# Plans and bounds of a grid of settings beside those recorded in tests/golden.
GOLDEN = $(PYTHON) tests/golden/golden.py
run/golden: $(BUILD)/rwa
	$(RUN) golden $(GOLDEN) compare $< --every 20 --most 5

# The thorough tests: a test and its arguments, separated by commas, on each line; then the scripts, each with a rule of
# its own.  `make long/NAME` runs one of them.
LONG_TESTS = \
  api/soak_test,10000000,10000,1000 \
  assign/large_test,thorough \
  assign/reach_test,thorough \
  bound/optimum_test,thorough \
  bound/epoch_test,thorough \
  check/gsnr_test,thorough \
  check/property_test,1000000 \
  plan/cancel_test,thorough \
  plan/plan_test,thorough \
  plan/quickest_test,2000 \
  plan/random_test,10000 \
  plan/reduce_test,thorough \
  plan/taps_test,thorough \
  schedule/mutation_test,100000 \
  scheme/broken_test,thorough \
  scheme/compose_test,thorough \
  scheme/line_test,thorough \
  scheme/logical_test,thorough \
  scheme/nearest_test,thorough \
  scheme/pipelined_test,thorough \
  scheme/schemes_test,thorough \
  state/journal_test,100000,200,/dev/shm \
  state/model_test,thorough
LONG_SCRIPTS = busy golden limits proportion python readers stopped
comma = ,
LONG_NAMES = $(foreach line,$(LONG_TESTS),$(firstword $(subst $(comma), ,$(line))))
LONG = $(LONG_NAMES:%=long/%) $(LONG_SCRIPTS:%=long/%)
long_arguments = $(wordlist 2,9,$(subst $(comma), ,$(filter $(1)$(comma)%,$(LONG_TESTS))))
.PHONY: $(LONG)
$(LONG_NAMES:%=long/%): long/%: $(BUILD)/tests/%
	$(RUN) long/$* $< $(call long_arguments,$*)
# All plans and bounds
long/golden: $(BUILD)/rwa
	$(RUN) long/golden $(GOLDEN) compare $<
# Random commands under --time-limit
long/limits: $(BUILD)/rwa
	$(RUN) long/limits $(PYTHON) tests/limits/limits.py $< --count 300
# Random commands stopped by SIGINT or a short limit
long/stopped: $(BUILD)/rwa
	$(RUN) long/stopped $(PYTHON) tests/limits/limits.py $< --stop --count 300
# The same plans on a busy machine
long/busy: $(BUILD)/rwa
	$(RUN) long/busy $(PYTHON) tests/limits/busy.py $<
# Small inputs that ask for much: their time and memory
long/proportion: $(BUILD)/rwa
	$(RUN) long/proportion $(PYTHON) tests/limits/proportion.py $<
# 50 times Ctrl-C, 10,000 plans
long/python: all
	$(RUN) long/python sh tests/python/run.sh $(BUILD) thorough
# Sizes up to 2^40 in every number of every small input: their time and memory
long/readers: $(BUILD)/rwa
	$(RUN) long/readers $(PYTHON) tools/probe-readers.py $<
test-long: deps  ## the longer tests, before each release and large change: random cases by the thousand, wide sweeps, \
                    time limits (hours)
	+@$(PARALLEL) $(LONG)
	@sh tools/sum-tests.sh $(RESULTS) $(LONG)

test-units: $(UNIT_NAMES:%=run/%)
	@sh tools/sum-tests.sh $(RESULTS) $(UNIT_NAMES)
test-cli: $(CLI_NAMES:%=run/%)
	@sh tools/sum-tests.sh $(RESULTS) $(CLI_NAMES)
test-structure: $(STRUCTURE_NAMES:%=run/%)
	@sh tools/sum-tests.sh $(RESULTS) $(STRUCTURE_NAMES)

golden-record: $(BUILD)/rwa  ## record them anew, after a change that is meant
	@$(GOLDEN) record $<

test-browser: $(BUILD)/rwa  ## the interactive pages in headless Chromium (fetches playwright-core with npm; a minute)
	@sh tests/browser/run.sh $(BUILD)

# How well a time limit is kept is judged at full speed.
check-asan:  ## the tests of the modules and of the command under the address and undefined-behaviour sanitizers
	$(MAKE) BUILD=build-asan CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined" \
	  LDFLAGS="-fsanitize=address,undefined" CLI_NAMES="$(filter-out cli/limits_test,$(CLI_NAMES))" all test-units test-cli
# Unit tests that take valgrind less than a minute each.
VALGRIND_UNITS = assignment/assignment base/allocator check/assignment check/faults check/ports demand/demand_files \
                 demand/demands cost/overlap delivery/delivery_state fiber/modulations foreign/chakra foreign/import \
                 foreign/stream foreign/table fuzz/replay network/files network/network place/circuits power/taps \
                 routing/paths schedule/lists state/chain view/map
check-valgrind:  ## every command on small inputs, and the smaller unit tests, under valgrind (ten minutes)
	@$(MAKE) --no-print-directory BUILD=build-valgrind CFLAGS="-O1 -g" all $(VALGRIND_UNITS:%=build-valgrind/tests/%_test)
	@UNITS="$(VALGRIND_UNITS)" sh tools/check-valgrind.sh build-valgrind
.PHONY: check-simgrid
check-simgrid: $(BUILD)/rwa  ## plans timed by SimGrid, another judge of time and sharing (skips where it is not \
                                installed)
	@sh tests/simgrid/run.sh $(BUILD)/rwa $(BUILD)
.PHONY: check-tsan
check-tsan:  ## threads on shared objects under the thread sanitizer
	$(MAKE) BUILD=build-tsan CFLAGS="-O1 -g -fsanitize=thread" LDFLAGS=-fsanitize=thread build-tsan/tests/api/threads_test
	TSAN_OPTIONS=halt_on_error=1 build-tsan/tests/api/threads_test
check-builds:  ## spaces, read-only sources, -j1, clang, two builds of the same bytes, 32 bits, s390x, analysers, \
                  lintian (twenty minutes)
	@sh tools/check-builds.sh

check-clang:  ## everything once more with clang, warnings as errors
	$(MAKE) BUILD=build-clang CC=clang CFLAGS="-O1 -g -Werror" all test-units

# The command without its main and with a clock of the fuzzer's in place of the terminal (tests/fuzz/command.c).
FUZZ_OBJ = $(patsubst %.c,$(BUILD)/%.o,tests/fuzz/fuzz.c tests/fuzz/command.c) \
           $(filter-out $(BUILD)/cli/main.o $(BUILD)/cli/progress.o,$(CLI_OBJ)) $(BUILD)/cli/rwa_main.o
$(BUILD)/cli/rwa_main.o: $(BUILD)/cli/main.o
	$(Q)objcopy --redefine-sym main=rwa_main $< $@
$(BUILD)/fuzz: $(FUZZ_OBJ) $(BUILD)/librwa-test.a
	$(if $(V),,@echo "  LD $@")
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer -pthread $^ $(LIBS) -o $@
# Loaded by afl-fuzz, which has no sanitizers.
$(BUILD)/schedule_mutator.so: tests/fuzz/schedule_mutator.c lib/base/random.c tests/support/schedule_mutator.h
	$(if $(V),,@echo "  LD $@")
	$(Q)clang -std=c11 -O2 -fPIC -shared $(WARN) -Iinclude -Ilib -I. $(filter %.c,$^) -ljansson -o $@
SECONDS = 60
ENGINE = libfuzzer
FUZZ_BUILD = $(if $(filter afl,$(ENGINE)),build-afl,build-fuzz)
FUZZ_CC = $(if $(filter afl,$(ENGINE)),afl-clang-fast,clang)
.PHONY: fuzz
fuzz: all  ## every reader, SECONDS=60 each, or one of tests/fuzz/corpus: TARGET=schedule (needs clang; with \
              ENGINE=afl, afl++)
	@$(MAKE) --no-print-directory BUILD=$(FUZZ_BUILD) CC=$(FUZZ_CC) $(FUZZ_BUILD)/fuzz $(FUZZ_BUILD)/schedule_mutator.so \
	  CFLAGS="-O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined"
	@sh tests/fuzz/run.sh $(ENGINE) $(FUZZ_BUILD) $(BUILD)/rwa $(SECONDS) $(TARGET)

.PHONY: coverage
coverage:  ## lines and branches of lib/ and solvers/ that the unit and command tests reach (needs gcov; ten minutes)
	@find build-coverage -name '*.gcda' -delete 2> /dev/null || true
	@GCOV_ERROR_FILE=/dev/null $(MAKE) --no-print-directory BUILD=build-coverage LDFLAGS=--coverage \
	  CFLAGS="-O0 -g -DNDEBUG --coverage -fprofile-update=atomic" all test-units test-cli
	@sh tools/coverage.sh build-coverage

bench: $(BUILD)/tests/bench/bench $(BUILD)/tests/bench/dynamic  ## lightpaths per second and bytes per lightpath, \
                                                                   beside plain ways to do it
	@sh tools/bench.sh $<
	@$(BUILD)/tests/bench/dynamic

bench-networks: $(BUILD)/rwa $(BUILD)/tests/bench/igraph_greedy  ## wavelengths, bounds and times on known networks, \
                                              beside other solvers, into docs/reference/benchmarks.md
	@$(PYTHON) tests/bench/networks.py $^ > $(BUILD)/benchmarks.md && \
	  sed -n '/^## Time against its bound/,$$p' docs/reference/benchmarks.md >> $(BUILD)/benchmarks.md && \
	  mv $(BUILD)/benchmarks.md docs/reference/benchmarks.md

# The command with a table of schemes that lacks NAME, or several: rwa-without-NAME+NAME.
$(BUILD)/without/%.c: lib/scheme/schemes.c lib/scheme/schemes.inc
	@mkdir -p $(@D)
	$(Q)sed -e '/^#include "scheme\/schemes.inc"/{r lib/scheme/schemes.inc' -e 'd' -e '}' $< | \
	  sed $(foreach name,$(subst +, ,$*),-e '/^SCHEME($(name))/d') > $@
$(BUILD)/without/%.o: $(BUILD)/without/%.c
	$(Q)$(CC) $(ALLFLAGS) -include base/memory.h -c $< -o $@
$(BUILD)/rwa-without-%: $(CLI_OBJ) $(BUILD)/without/%.o $(BUILD)/librwa-test.a $$(NO_ICU)
	$(Q)$(CC) $(CFLAGS) -pthread $(LDFLAGS) $^ $(COMMAND_LIBS) -o $@
.PRECIOUS: $(BUILD)/without/%.c
.PHONY: bench-assign
bench-assign: $(BUILD)/rwa  ## whether `rwa assign` needs more, proves less or serves fewer than another build \
                               (ARGUMENTS="OLD --every 9")
	@$(PYTHON) tests/bench/assign.py $(firstword $(ARGUMENTS)) $< $(wordlist 2,99,$(ARGUMENTS))
.PHONY: bench-ablation
bench-ablation: $(BUILD)/rwa  ## what auto loses without each scheme, over two grids of settings (an hour; \
                                 ARGUMENTS="--every 6")
	@$(PYTHON) tests/bench/ablation.py $(BUILD) $(ARGUMENTS)
.PHONY: bench-relations
bench-relations: $(BUILD)/rwa  ## whether looser settings are slower (ARGUMENTS="--settings 500 --seed 2")
	@$(PYTHON) tests/bench/relations.py $< $(ARGUMENTS)

bench-time: $(BUILD)/rwa  ## time against its lower bound over a grid of networks, collectives and messages, \
                             into docs/reference/benchmarks.md (20 minutes on two cores)
	@$(PYTHON) tests/bench/compare_builds.py $< $< --every 1 --jobs 2 --save-new $(BUILD)/cells.json
	@$(PYTHON) tests/bench/time.py $(BUILD)/cells.json --write docs/reference/benchmarks.md

FIGURES = optree-fig-4 optree-fig-5 optree-fig-6 optree-fig-7 wrht-fig-4 wrht-fig-5
SLIDES = tree time cut budget erlang
figures: $(FIGURES:%=docs/figures/%.svg) docs/figures/wavefront-16.svg docs/figures/nsfnet-blocking.svg
figures: $(SLIDES:%=docs/figures/lecture-%.svg)
figures:  ## draw the figures of papers, README and lecture anew (minutes; needs gnuplot, chromium, npm)
docs/figures/wavefront-16.svg: always $(BUILD)/rwa
	$(BUILD)/rwa plan --network ring:16 --wavelengths 2 --scheme wavefront -q -o $(BUILD)/wavefront.jsonl \
	  > $(BUILD)/wavefront.txt
	$(BUILD)/rwa show $(BUILD)/wavefront.jsonl -o $@
docs/figures/%.svg: always $(BUILD)/rwa
	@mkdir -p $(@D)
	$(BUILD)/rwa reproduce $(firstword $(subst -fig-, ,$*)) --item fig-$(lastword $(subst -, ,$*)) --format csv \
	  --plot $@ > $(BUILD)/$*.csv

comparison: $(BUILD)/rwa  ## what auto gains over the papers' schemes, for docs/reference/comparison.md; fails where \
                             it is slower (twenty minutes)
	@for p in optree wrht; do $< reproduce $$p --item comparison --format csv > $(BUILD)/$$p.csv && \
	  sh tools/comparison.sh $(BUILD)/$$p.csv || exit 1; done
	@sh tools/comparison-models.sh $<

docs/figures/nsfnet-blocking.svg: always $(BUILD)/rwa
	@mkdir -p $(@D)
	$(BUILD)/rwa traffic --network nsfnet14-21 -w 16 --load 60..140 --routing shortest,alternate,least-loaded \
	  --policy first-fit,random --requests 1000000 --plot $@ > $(BUILD)/nsfnet-blocking.txt

# Five slides of a lecture: two are views of pages, saved in a browser.
docs/figures/lecture-tree.svg docs/figures/lecture-time.svg: $(BUILD)/both.html
docs/figures/lecture-tree.svg: SLIDE = tree.html\#block=0&view=tree
docs/figures/lecture-time.svg: SLIDE = both.html\#view=time
docs/figures/lecture-tree.svg docs/figures/lecture-time.svg:
	sh tests/browser/run.sh $(BUILD) '$(BUILD)/$(SLIDE)' $@
$(BUILD)/both.html: docs/figures/wavefront-16.svg
	cd $(BUILD) && ./rwa plan --network ring:16 -w 2 --scheme optree --radix 4,4 -q -o tree.jsonl > tree.txt && \
	  ./rwa show tree.jsonl -o tree.html && ./rwa show tree.jsonl wavefront.jsonl -o both.html
docs/figures/lecture-cut.svg: always $(BUILD)/rwa
	$(BUILD)/rwa assign --network nsfnet14-21 -q -o $(BUILD)/nsfnet.jsonl > $(BUILD)/nsfnet.txt
	$(BUILD)/rwa show $(BUILD)/nsfnet.jsonl --proof -o $@
docs/figures/lecture-budget.svg: always $(BUILD)/rwa
	$(BUILD)/rwa plan --network ring:128 -w 8 --scheme one-stage -q -o $(BUILD)/one.jsonl > $(BUILD)/one.txt
	$(BUILD)/rwa check $(BUILD)/one.jsonl --device onoc-typical --lightpath 13 --plot $@ \
	  > $(BUILD)/budget.txt || [ $$? -eq 1 ]
docs/figures/lecture-erlang.svg: always $(BUILD)/rwa
	$(BUILD)/rwa traffic --network line:2 --model undirected -w 8 --load 4..8 --requests 2000000 --plot $@ \
	  > $(BUILD)/erlang.txt

# A page for every command, from its --help.
$(BUILD)/man/made: $(BUILD)/rwa tools/man.sh
	@mkdir -p $(@D)
	$(Q)for c in $$($(BUILD)/rwa --help | \
	    awk '/^Commands:/ { inside = 1; next } !NF { inside = 0 } inside { print $$1 }'); do \
	  sh tools/man.sh $(BUILD)/rwa $$c > $(@D)/rwa-$$c.1 || exit 1; done
	$(Q)touch $@
docs: $(BUILD)/man/made  ## the manual pages, and the API reference from the headers (needs doxygen)
	@if command -v doxygen > /dev/null 2>&1; then mkdir -p $(BUILD)/docs && \
	  { cat docs/Doxyfile; echo 'OUTPUT_DIRECTORY = $(BUILD)/docs'; echo 'PROJECT_NUMBER = $(VERSION)'; } | doxygen - && \
	  echo "$(BUILD)/docs/api/index.html"; else echo "docs: the API reference is skipped, there is no doxygen"; fi

install: all $(BUILD)/man/made  ## into DESTDIR and PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/include/rwa \
	  $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/doc/librwa/examples
	install $(BUILD)/rwa $(DESTDIR)$(PREFIX)/bin/rwa
	install -m 644 $(SO) $(BUILD)/librwa.a $(DESTDIR)$(LIBDIR)
	ln -sf librwa.so.$(VERSION) $(DESTDIR)$(LIBDIR)/librwa.so.$(SOMAJOR)
	ln -sf librwa.so.$(SOMAJOR) $(DESTDIR)$(LIBDIR)/librwa.so
	install -m 644 $(BUILD)/rwa.pc $(DESTDIR)$(LIBDIR)/pkgconfig/librwa.pc
	install -m 644 include/rwa.h $(DESTDIR)$(PREFIX)/include
	install -m 644 include/rwa/*.h $(DESTDIR)$(PREFIX)/include/rwa
	install -m 644 docs/examples/*.* $(DESTDIR)$(PREFIX)/share/doc/librwa/examples
	install -m 644 docs/man/rwa.1 $(BUILD)/man/rwa-*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	$(BUILD)/rwa completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rwa
	$(BUILD)/rwa completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_rwa
	install -d $(DESTDIR)$(PYTHONDIR)/rwa/include
	install -m 644 python/rwa/*.[pt]y* $(DESTDIR)$(PYTHONDIR)/rwa
	install -m 644 include/rwa/*.h $(DESTDIR)$(PYTHONDIR)/rwa/include
uninstall:  ## what install put there, from the same DESTDIR and PREFIX
	rm -f $(DESTDIR)$(PREFIX)/bin/rwa $(DESTDIR)$(LIBDIR)/librwa.so $(DESTDIR)$(LIBDIR)/librwa.so.$(SOMAJOR) \
	  $(DESTDIR)$(LIBDIR)/librwa.so.$(VERSION) $(DESTDIR)$(LIBDIR)/librwa.a $(DESTDIR)$(LIBDIR)/pkgconfig/librwa.pc \
	  $(patsubst %,$(DESTDIR)$(PREFIX)/%,$(wildcard include/rwa.h include/rwa/*.h)) \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rwa $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_rwa \
	  $(DESTDIR)$(PREFIX)/share/man/man1/rwa.1 $(DESTDIR)$(PREFIX)/share/man/man1/rwa-*.1
	rm -rf $(DESTDIR)$(PYTHONDIR)/rwa $(DESTDIR)$(PREFIX)/share/doc/librwa
	-rmdir $(DESTDIR)$(PREFIX)/include/rwa 2> /dev/null
deb:  ## Debian packages librwa0, librwa-dev, rwa and python3-rwa, in build/deb
	@sh tools/deb.sh $(BUILD) $(VERSION) $(SOMAJOR)
clean:  ## remove what was built
	rm -rf build build-afl build-asan build-clang build-fuzz build-coverage build-tsan build-valgrind

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
