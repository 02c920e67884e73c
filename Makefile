# Joc: build, test, install.
#
#   make                 the command build/release/joc; installs what is missing for that (Debian)
#   make play            installs what is missing (Debian), builds, and starts a game at the terminal
#   make test            everything that checks: unit tests in two builds, the error corpus, every game, the examples of the docs
#   make bench           speeds, side by side in one run
#   make fuzz            fuzz targets (clang), FUZZ_SECONDS each
#   make install DESTDIR= PREFIX=/usr/local
#   make fmt-check       layout: no tabs or blanks at line ends, rule files as `joc fmt` writes them
#
# Variants stand side by side in build/VARIANT and need no clean between them:
#   release   optimised for this machine; ARCH= builds for any (ARCH=x86-64-v3 for a family)
#   asan      address, leak and undefined-behaviour sanitizers
#   cover     coverage counters
#   fuzz      clang with libFuzzer
# VARIANT=asan make ... builds that one; WERROR=1 makes warnings errors.

VARIANT ?= release
ARCH    ?= native
PREFIX  ?= /usr/local
WERROR  ?=
B       := build/$(VARIANT)
ifeq ($(origin CC),default)
CC      := gcc
endif
BISON   ?= bison
FLEX    ?= flex
FUZZ_SECONDS ?= 60
VERSION := 0.1.0

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
ifneq ($(WERROR),)
WARN += -Werror
endif

MARCH := $(if $(ARCH),-march=$(ARCH))
OPT_release := -O3 $(MARCH) -DNDEBUG
OPT_asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPT_cover   := -O0 -g --coverage
OPT_fuzz    := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -DJOC_FUZZ
ifeq ($(VARIANT),fuzz)
CC := clang
endif
ifeq ($(OPT_$(VARIANT)),)
$(error no variant '$(VARIANT)': release, asan, cover or fuzz)
endif

CPPFLAGS := -D_GNU_SOURCE -DJOC_VERSION='"$(VERSION)"' -I. -Igrammar -I$(B)/grammar
CFLAGS   := -std=c11 $(WARN) $(OPT_$(VARIANT)) -pthread
LDFLAGS  := $(OPT_$(VARIANT)) -pthread
LIBS     := -lyaml -lutf8proc -lm -ldl
CLI_LIBS := -lreadline -ljansson
DATA     := -DJOC_DATA='"$(PREFIX)/share/joc"'

# The machine's loops are compiled once for each width of a set, in words of 64 bits.
WIDTHS := 1 2 4 8 16

GRAMMAR := $(wildcard grammar/*.c)
LIBRARY := $(GRAMMAR) $(wildcard interp/compile/*.c) $(filter-out interp/machine/vm.c,$(wildcard interp/machine/*.c)) \
           $(wildcard interp/native/*.c) $(wildcard interp/formats/*.c) $(wildcard interp/play/*.c) $(wildcard interp/*.c)
COMMAND := $(wildcard interp/cli/*.c)
PLAIN   := $(filter-out tests/plain/main.c,$(wildcard tests/plain/*.c))
REFERENCE := $(wildcard tests/reference/*.c)
BENCH   := $(wildcard tests/bench/*.c)
SUITES  := $(wildcard tests/test_*.c)
FUZZERS := $(wildcard tests/fuzz/*.c)

objects  = $(patsubst %.c,$(B)/%.o,$(1))
PARSER  := $(if $(wildcard grammar/joc.y),$(B)/grammar/joc.tab.o $(B)/grammar/joc.lex.o)
VM      := $(if $(wildcard interp/machine/vm.c),$(foreach w,$(WIDTHS),$(B)/interp/machine/vm_$(w).o))
LIB_OBJ := $(call objects,$(LIBRARY)) $(PARSER) $(VM) $(B)/interp/native/source.o
CLI_OBJ := $(call objects,$(COMMAND))
ALL_OBJ := $(LIB_OBJ) $(CLI_OBJ) $(call objects,$(PLAIN) $(wildcard tests/plain/main.c) $(REFERENCE) $(BENCH) $(SUITES) $(FUZZERS) tests/mutate.c)

# What a build needs. Where a header or a program of it is not there, the Debian packages are installed before anything is compiled, as by `make play`.
NEEDED  := yaml.h utf8proc.h readline/readline.h jansson.h
header   = $(wildcard $(foreach d,/usr/include /usr/include/* /usr/local/include $(subst :, ,$(CPATH) $(C_INCLUDE_PATH)),$(d)/$(1)))
program  = $(wildcard $(1) $(addsuffix /$(1),$(subst :, ,$(PATH))))
MISSING := $(if $(wildcard /etc/debian_version),$(strip $(foreach h,$(NEEDED),$(if $(call header,$(h)),,$(h))) $(foreach c,$(firstword $(CC)) $(BISON) $(FLEX),$(if $(call program,$(c)),,$(c)))))
READY   := $(if $(MISSING),needed-packages)

.DEFAULT_GOAL := all
.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: all lib plain suites play packages needed-packages wished-packages test test-variant bench fuzz mutate cover install uninstall fmt-check clean man FORCE

all: $(B)/joc
lib: $(B)/libjoc.a
plain: $(if $(wildcard tests/plain/main.c),$(B)/plain)
suites: $(patsubst tests/%.c,$(B)/tests/%,$(SUITES))

# ---- compiling ----------------------------------------------------------------------------------------------------------------------

# A file that changes when the flags do, so that other flags rebuild (but WERROR alone does not).
$(B)/flags: FORCE | $(READY)
	@mkdir -p $(@D)
	@echo '$(CC) $(subst ','"'"',$(CPPFLAGS) $(filter-out -Werror,$(CFLAGS)))' | cmp -s - $@ || \
	 echo '$(CC) $(subst ','"'"',$(CPPFLAGS) $(filter-out -Werror,$(CFLAGS)))' > $@
$(B)/data: FORCE
	@mkdir -p $(@D)
	@echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' > $@

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/interp/rules.o: CPPFLAGS += $(DATA)
$(B)/interp/rules.o: $(B)/data

$(B)/interp/machine/vm_%.o: interp/machine/vm.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-pedantic -Wno-psabi -DWORDS=$* -MMD -MP -c -o $@ $<

# The machine's sources as a text in the library, for games that get a machine of their own.
NATIVE := interp/machine/vm.c interp/machine/machine.c
$(B)/interp/native/source.c: interp/native/source.awk $(NATIVE) $(wildcard interp/machine/*.h) interp/game.h interp/whole.h interp/op.def
	@mkdir -p $(@D)
	awk -f interp/native/source.awk $(NATIVE) > $@
$(B)/interp/native/source.o: $(B)/interp/native/source.c $(B)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The parser: generated files are not committed.
GENERATED := -Wno-shadow -Wno-conversion -Wno-sign-conversion -Wno-missing-prototypes -Wno-format-nonliteral -Wno-unused-function
$(B)/grammar/joc.tab.c $(B)/grammar/joc.tab.h &: grammar/joc.y | $(READY)
	@mkdir -p $(@D)
	$(BISON) -Wall -Wcounterexamples -Werror --header=$(B)/grammar/joc.tab.h -o $(B)/grammar/joc.tab.c $<
$(B)/grammar/joc.lex.c $(B)/grammar/joc.lex.h &: grammar/joc.l | $(READY)
	@mkdir -p $(@D)
	$(FLEX) --header-file=$(B)/grammar/joc.lex.h -o $(B)/grammar/joc.lex.c $<
$(B)/grammar/joc.tab.o $(B)/grammar/joc.lex.o: $(B)/grammar/%.o: $(B)/grammar/%.c $(B)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) $(GENERATED) -MMD -MP -c -o $@ $<
$(if $(PARSER),$(call objects,$(GRAMMAR)) $(PARSER)): | $(if $(PARSER),$(B)/grammar/joc.tab.h $(B)/grammar/joc.lex.h)

$(B)/libjoc.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/joc: $(CLI_OBJ) $(B)/libjoc.a
	$(CC) $(LDFLAGS) -o $@ $(CLI_OBJ) $(B)/libjoc.a $(CLI_LIBS) $(LIBS)

# The plain evaluator of the tests: slow, obvious, independent of the machine.
$(B)/libplain.a: $(call objects,$(PLAIN))
	@rm -f $@
	$(AR) rcs $@ $^
$(B)/plain: $(B)/tests/plain/main.o $(B)/libplain.a $(B)/libjoc.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

# Generators written from the rules of single games.
$(B)/libreference.a: $(call objects,$(REFERENCE))
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/tests/%: $(B)/tests/%.o $(B)/libplain.a $(B)/libreference.a $(B)/libjoc.a
	$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -ljansson $(LIBS)
.PRECIOUS: $(B)/tests/%.o $(B)/%.o

# How many slips the checker finds, and how near it points (docs/validation.md): every mutation of every rule file.
$(B)/mutate: $(B)/tests/mutate.o $(B)/libjoc.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/bench: $(call objects,$(BENCH)) $(B)/libplain.a $(B)/libjoc.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/fuzz/%: $(B)/tests/fuzz/%.o $(B)/libplain.a $(B)/libjoc.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

-include $(patsubst %.o,%.d,$(ALL_OBJ))

# ---- using --------------------------------------------------------------------------------------------------------------------------

PACKAGES := gcc make bison flex libyaml-dev libutf8proc-dev libreadline-dev libjansson-dev
TEST_PACKAGES := $(PACKAGES) libcmocka-dev
# Only compared with: a JSON Schema validator. Without it that one comparison is left out.
WISHED_PACKAGES := python3-jsonschema python3-yaml

# Installs the Debian packages of $(NEED) that are missing; elsewhere it only says what is needed.
define get_packages
	@command -v dpkg-query >/dev/null 2>&1 || { echo 'not a Debian system; needed: $(1)' >&2; exit 0; }; \
	missing=; for p in $(1); do \
	  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	[ -z "$$missing" ] && exit 0; \
	echo "installing$$missing" >&2; \
	if [ "$$(id -u)" = 0 ]; then root=; elif command -v sudo >/dev/null 2>&1; then root=sudo; \
	else echo "these Debian packages are missing and need root:$$missing" >&2; exit 1; fi; \
	$$root apt-get install -y -qq $$missing >/dev/null 2>&1 || \
	{ $$root apt-get update -qq && $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing >/dev/null; }
endef

wished-packages:
	$(call get_packages,$(WISHED_PACKAGES))

packages:
	$(call get_packages,$(TEST_PACKAGES))

needed-packages:
	$(call get_packages,$(PACKAGES))

GAME ?= damarziana
play:
	$(call get_packages,$(PACKAGES))
	@$(MAKE) --no-print-directory -s VARIANT=release all
	@if [ -t 0 ] && [ -t 1 ]; then exec build/release/joc play $(GAME); \
	else build/release/joc show $(GAME) && build/release/joc moves $(GAME); fi

# One after the other: the sanitized build first, then the one that is shipped.
TEST_VARIANTS ?= asan release
test:
	$(call get_packages,$(TEST_PACKAGES))
	-@$(MAKE) --no-print-directory -s wished-packages || echo 'not installed: $(WISHED_PACKAGES); the schemas will not be compared with another validator' >&2
	@set -e; for v in $(TEST_VARIANTS); do \
	  $(MAKE) --no-print-directory VARIANT=$$v all plain suites; done
	@tests/run $(TEST_VARIANTS)

test-variant: all plain suites
	@tests/run $(VARIANT)

bench:
	@$(MAKE) --no-print-directory -s VARIANT=release build/release/bench all
	@build/release/bench $(BENCH_ARGS)

MUTATE_ARGS ?= --most 2000
mutate:
	@$(MAKE) --no-print-directory -s VARIANT=release build/release/mutate
	@build/release/mutate $(MUTATE_ARGS) games/*.joc

fuzz:
	@$(MAKE) --no-print-directory -s VARIANT=fuzz $(patsubst tests/fuzz/%.c,build/fuzz/fuzz/%,$(FUZZERS))
	@set -e; for f in $(patsubst tests/fuzz/%.c,%,$(FUZZERS)); do \
	  mkdir -p build/fuzz/corpus/$$f; \
	  [ -d tests/fuzz/seeds/$$f ] && seeds=tests/fuzz/seeds/$$f || seeds=games; \
	  echo "fuzz $$f"; build/fuzz/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 \
	    -artifact_prefix=build/fuzz/$$f- build/fuzz/corpus/$$f $$seeds; done

# Coverage of the suites, by file.
cover:
	@$(MAKE) --no-print-directory VARIANT=cover all plain suites
	@find build/cover -name '*.gcda' -delete
	@tests/run cover
	@find build/cover -name '*.gcda' ! -path '*/tests/*' | while read -r f; do gcov -n -o "$$f" "$$f" 2>/dev/null; done | \
	 awk '/^File/ { f = $$2 } /^Lines executed/ && f !~ /usr/ { split($$0, p, /[:% ]+/); printf "%6.1f %%  %s\n", p[3], f; f = "/usr" }' | sort -u

man: docs/joc.1
docs/joc.1: FORCE
	@$(MAKE) --no-print-directory -s VARIANT=release all
	@build/release/joc --man > $@

fmt-check:
	@! grep -nP '\t| +$$' $$(git ls-files '*.c' '*.h' '*.def' '*.y' '*.l' | grep -v '^grammar/joc.[yl]$$') /dev/null || { echo 'tabs or blanks at the end of lines' >&2; exit 1; }
	@for f in $$(git ls-files '*.c' '*.h' '*.md' '*.joc' '*.yaml'); do \
	  [ -z "$$(tail -c 1 $$f)" ] || { echo "$$f: no line end at the end" >&2; exit 1; }; done
	@$(MAKE) --no-print-directory -s VARIANT=release all
	@build/release/joc fmt --check games/*.joc

# ---- installing ---------------------------------------------------------------------------------------------------------------------

I := $(DESTDIR)$(PREFIX)
install:
	@$(MAKE) --no-print-directory VARIANT=release all
	install -d $(I)/bin $(I)/lib/pkgconfig $(I)/include $(I)/share/joc $(I)/share/man/man1 $(I)/share/bash-completion/completions
	install -m 755 build/release/joc $(I)/bin/joc
	install -m 644 build/release/libjoc.a $(I)/lib/libjoc.a
	install -m 644 interp/joc.h $(I)/include/joc.h
	install -m 644 docs/joc.1 $(I)/share/man/man1/joc.1
	build/release/joc --completion > $(I)/share/bash-completion/completions/joc
	cp -R games schemas $(I)/share/joc/
	printf '%s\n' 'prefix=$(PREFIX)' 'Name: libjoc' 'Description: rules of board games, checked, compiled and played' \
	  'Version: $(VERSION)' 'Libs: -L$${prefix}/lib -ljoc $(LIBS) -pthread' 'Cflags: -I$${prefix}/include' > $(I)/lib/pkgconfig/libjoc.pc

uninstall:
	rm -f $(I)/bin/joc $(I)/lib/libjoc.a $(I)/lib/pkgconfig/libjoc.pc $(I)/include/joc.h $(I)/share/man/man1/joc.1 \
	  $(I)/share/bash-completion/completions/joc
	rm -rf $(I)/share/joc

clean:
	rm -rf build
