# odori: `make help` lists the targets. Everything that is made lies below $(BUILD).

BUILD  ?= build
CONFIG ?= release
OUT    := $(BUILD)/$(CONFIG)

PREFIX        ?= /usr/local
bindir        ?= $(PREFIX)/bin
libdir        ?= $(PREFIX)/lib
includedir    ?= $(PREFIX)/include
datadir       ?= $(PREFIX)/share
mandir        ?= $(datadir)/man
completiondir ?= $(datadir)/bash-completion/completions

VERSION   := $(shell sed -n 's/^\#define OD_VERSION "\(.*\)"/\1/p' include/odori/odori.h)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))
SONAME    := libodori.so.$(SOVERSION)

newest = $(shell command -v $(1)-14 || echo $(1))
CLANG        ?= $(call newest,clang)
CLANG_TIDY   ?= $(call newest,clang-tidy)
CLANG_FORMAT ?= $(call newest,clang-format)
FUZZ_SECONDS ?= 10
ifeq ($(origin CC),default)
CC := $(if $(shell command -v gcc),gcc,cc)
endif

# ---- flags ---------------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
        -Wpointer-arith -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wdouble-promotion -Werror

# Compilers may fuse a * b + c into one rounding where the machine can; then the same dance would
# give other bytes on another machine. -ffp-contract=off keeps both roundings everywhere.
# Nobody reads errno after a mathematical function; without it sqrtf is one instruction.
ALL_CFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc $(WARN) -g -fPIC -fvisibility=hidden \
              -ffp-contract=off -fno-math-errno -pthread

SANITIZE := -fno-omit-frame-pointer -fno-sanitize-recover=all
flags_release  := -O2
flags_debug    := -O0
flags_asan     := -O1 -fsanitize=address,undefined $(SANITIZE)
flags_tsan     := -O1 -fsanitize=thread $(SANITIZE)
flags_coverage := -O0 --coverage
flags_fuzz     := -O1 -fsanitize=fuzzer-no-link,address,undefined $(SANITIZE)
ifeq ($(flags_$(CONFIG)),)
$(error CONFIG=$(CONFIG) is none of release, debug, asan, tsan, coverage, fuzz)
endif
ifeq ($(CONFIG),fuzz)
CC := $(if $(findstring clang,$(CC)),$(CC),$(CLANG))
endif

# CFLAGS and LDFLAGS of the user come last, so that they win.
COMPILE = $(CC) $(ALL_CFLAGS) $(flags_$(CONFIG)) $(CFLAGS) $(LIB_CFLAGS)
LINK    = $(CC) $(flags_$(CONFIG)) -pthread $(CFLAGS) $(LDFLAGS)

# cglm is used through its headers alone: it is not linked.
LIB_CFLAGS := $(shell pkg-config --cflags libcjson cglm zlib 2>/dev/null || echo -I/usr/include/cjson)
LIBS       := $(shell pkg-config --libs libcjson zlib 2>/dev/null || echo -lcjson -lz) -lm
TEST_LIBS  := $(shell pkg-config --libs cmocka 2>/dev/null || echo -lcmocka)

# Short lines unless V=1.
say = $(if $(V),,@printf '%-4s%s\n' '$(1)' '$(2)';)

# ---- what is built -------------------------------------------------------------------------------

sources = $(sort $(wildcard $(1)))
objects = $(patsubst %.c,$(OUT)/obj/%.o,$(1))

CLI_SOURCES := $(call sources,src/cli/*.c)
LIB_SOURCES := $(filter-out $(CLI_SOURCES),$(call sources,src/*/*.c))
HEADERS     := $(call sources,include/odori/*.h)
PRESETS     := $(filter-out %.schema.json,$(call sources,mappings/*.json))
MAN1        := $(call sources,man/*.1)
MAN5        := $(call sources,man/*.5)
MAN7        := $(call sources,man/*.7)

CLI_OBJECTS := $(call objects,$(CLI_SOURCES))
LIB_OBJECTS := $(call objects,$(LIB_SOURCES))
ifneq ($(wildcard mappings/embed.sh),)
LIB_OBJECTS += $(OUT)/gen/presets_data.o
endif

UNIT         := $(call sources,tests/unit/test_*.c)
UNIT_HELP    := $(filter-out $(UNIT),$(call sources,tests/unit/*.c))
BENCH        := $(call sources,tests/bench/bench_*.c)
FUZZ         := $(call sources,tests/fuzz/fuzz_*.c)
MEASURE      := $(call sources,tests/measure/*.c)
UNIT_PROGRAM  := $(patsubst tests/unit/%.c,$(OUT)/test/%,$(UNIT))
BENCH_PROGRAM := $(patsubst tests/bench/%.c,$(OUT)/bench/%,$(BENCH))
FUZZ_PROGRAM  := $(patsubst tests/fuzz/%.c,$(OUT)/fuzz/%,$(FUZZ))
MEASURE_PROGRAM := $(patsubst tests/measure/%.c,$(OUT)/measure/%,$(MEASURE))

STATIC  := $(OUT)/libodori.a
SHARED  := $(OUT)/libodori.so.$(VERSION)
PROGRAM := $(if $(CLI_SOURCES),$(OUT)/odori)

.PHONY: all demo test bench fuzz coverage lint format install uninstall installcheck clean deps help FORCE
.PHONY: run-demo run-test run-bench run-fuzz run-coverage run-lint programs \
        lint-format lint-tidy lint-cppcheck lint-gcc lint-clang lint-man
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:

all: $(STATIC) $(OUT)/libodori.so $(PROGRAM)

ifeq ($(CONFIG),release)
ifneq ($(PROGRAM),)
all: $(BUILD)/odori
$(BUILD)/odori: $(PROGRAM)
	@ln -sfn $(CONFIG)/odori $@
endif
endif

# All that can be compiled without a fuzzer.
programs: all $(UNIT_PROGRAM) $(BENCH_PROGRAM) $(MEASURE_PROGRAM)

# Changes when the compiler, a flag or the list of sources does: all is built anew then.
MEMBERS   := $(LIB_OBJECTS) $(CLI_OBJECTS) $(UNIT_HELP)
SIGNATURE := $(CC) $(ALL_CFLAGS) $(flags_$(CONFIG)) $(CFLAGS) $(LIB_CFLAGS) $(LDFLAGS) $(LIBS)
$(OUT)/flags: FORCE
	@mkdir -p $(OUT)
	@echo '$(SIGNATURE)' | cmp -s - $@ || echo '$(SIGNATURE)' >$@
$(OUT)/members: FORCE
	@mkdir -p $(OUT)
	@echo '$(MEMBERS)' | cmp -s - $@ || echo '$(MEMBERS)' >$@
FORCE:

$(OUT)/obj/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) -MMD -MP -c $< -o $@

$(OUT)/obj/tests/unit/%.o: ALL_CFLAGS += -Itests/unit
$(OUT)/obj/tests/bench/%.o: ALL_CFLAGS += -Itests/bench

$(OUT)/gen/presets_data.c: mappings/embed.sh $(PRESETS) $(OUT)/members mappings
	@mkdir -p $(@D)
	$(call say,GEN,$@)sh mappings/embed.sh $(PRESETS) >$@

$(OUT)/gen/presets_data.o: $(OUT)/gen/presets_data.c $(OUT)/flags
	$(call say,CC,$<)$(COMPILE) -MMD -MP -c $< -o $@

$(STATIC): $(LIB_OBJECTS) $(OUT)/members
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $(LIB_OBJECTS)

$(SHARED): $(LIB_OBJECTS) $(OUT)/members
	$(call say,LD,$@)$(LINK) -shared -Wl,-soname,$(SONAME) -o $@ $(LIB_OBJECTS) $(LIBS)

$(OUT)/libodori.so: $(SHARED)
	@ln -sfn $(<F) $(OUT)/$(SONAME)
	@ln -sfn $(SONAME) $@

$(OUT)/odori: $(CLI_OBJECTS) $(STATIC)
	$(call say,LD,$@)$(LINK) -o $@ $(CLI_OBJECTS) $(STATIC) $(LIBS)

# What tests share is an archive, so that a test of the lowest layer links nothing above it.
$(OUT)/libtest.a: $(call objects,$(UNIT_HELP)) $(OUT)/members
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $(filter %.o,$^)

$(OUT)/test/%: $(OUT)/obj/tests/unit/%.o $(OUT)/libtest.a $(STATIC)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(LINK) -o $@ $< $(OUT)/libtest.a $(STATIC) $(TEST_LIBS) $(LIBS)

$(OUT)/bench/%: $(OUT)/obj/tests/bench/%.o $(STATIC)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(LINK) -o $@ $< $(STATIC) $(LIBS)

$(OUT)/measure/%: $(OUT)/obj/tests/measure/%.o $(STATIC)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(LINK) -o $@ $< $(STATIC) $(LIBS)

$(OUT)/fuzz/%: $(OUT)/obj/tests/fuzz/%.o $(STATIC)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(LINK) -fsanitize=fuzzer -o $@ $< $(STATIC) $(LIBS)

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)

# ---- packages ------------------------------------------------------------------------------------

# Each target that needs packages first sees to them, then calls make again, which now finds them.
PACKAGES          := libcjson-dev libcglm-dev zlib1g-dev libcmocka-dev pkg-config
PACKAGES_fuzz     := clang-14 libclang-rt-14-dev
PACKAGES_lint     := clang-14 clang-tidy-14 clang-format-14 cppcheck mandoc

# $(call install_packages,NAMES): installs what dpkg does not have; silent when nothing is missing.
define install_packages
@if [ '$(DEPS)' != skip ] && command -v dpkg-query >/dev/null; then \
    missing=; \
    for p in $(1); do \
        [ "$$(dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || missing="$$missing $$p"; \
    done; \
    if [ -n "$$missing" ]; then \
        sudo=; [ "$$(id -u)" = 0 ] || sudo='sudo '; \
        run="$${sudo}env DEBIAN_FRONTEND=noninteractive apt-get"; \
        echo "$$run install -y --no-install-recommends$$missing   (DEPS=skip leaves this alone)"; \
        $$run install -y --no-install-recommends $$missing </dev/null || { \
            echo "$$run update"; $$run update </dev/null && \
            $$run install -y --no-install-recommends $$missing </dev/null; }; \
    fi; \
fi
endef

deps:
	$(call install_packages,$(PACKAGES))

demo test bench fuzz coverage lint:
	$(call install_packages,$(PACKAGES) $(PACKAGES_$@))
	@$(MAKE) --no-print-directory run-$@ $(if $(filter fuzz coverage,$@),CONFIG=$@)

# ---- demo, tests ---------------------------------------------------------------------------------

run-demo: all
	$(OUT)/odori convert -f samples/dance.bvh -t samples/model.pmx -o $(BUILD)/dance.vmd
	@echo
	@echo 'The dance is in $(BUILD)/dance.vmd. To see it: open MikuMikuDance, drop samples/model.pmx (or any'
	@echo 'other model) on its window, then $(BUILD)/dance.vmd, and press Play.'

SCRIPTS := $(call sources,tests/cli/*.sh tests/golden/*.sh)
ifeq ($(CONFIG),release)
SCRIPTS += $(filter-out tests/run.sh tests/install.sh,$(call sources,tests/*.sh))
endif

# What scripts see of the build.
SCRIPT_ENV = ODORI='$(abspath $(OUT)/odori)' OUT='$(abspath $(OUT))' BUILD='$(BUILD)' CC='$(CC)' \
             VERSION='$(VERSION)' CONFIG='$(CONFIG)'

run-test: all $(UNIT_PROGRAM)
	@$(SCRIPT_ENV) sh tests/run.sh $(OUT)/log $(UNIT_PROGRAM) $(SCRIPTS)

installcheck: all
	@$(SCRIPT_ENV) sh tests/run.sh $(OUT)/log tests/install.sh

run-bench: all $(BENCH_PROGRAM)
	@for b in $(BENCH_PROGRAM) $(call sources,tests/bench/*.sh); do \
	    echo "== $$(basename $$b)"; \
	    case $$b in *.sh) $(SCRIPT_ENV) sh $$b;; *) $$b;; esac || exit 1; \
	done

run-fuzz: $(FUZZ_PROGRAM)
	@sh tests/fuzz/run.sh $(BUILD)/fuzz $(FUZZ_SECONDS) $(FUZZ_PROGRAM)

run-coverage: all $(UNIT_PROGRAM)
	@find $(OUT) -name '*.gcda' -delete
	-@$(SCRIPT_ENV) sh tests/run.sh $(OUT)/log $(UNIT_PROGRAM) $(SCRIPTS)
	@gcov -n $$(find $(OUT)/obj/src -name '*.gcda') 2>/dev/null | awk -f tests/coverage.awk

# ---- lint ----------------------------------------------------------------------------------------

ALL_C := $(call sources,src/*/*.c tests/*/*.c)
ALL_H := $(call sources,include/odori/*.h src/*/*.h tests/*/*.h)
# The static analyzer explores each function up to max-nodes; its default takes three times as long.
LINT_CFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -Itests/unit -Itests/bench $(LIB_CFLAGS) \
               -Xclang -analyzer-config -Xclang max-nodes=50000
LINTS := format tidy cppcheck gcc clang man

# Every check runs even when one before it failed; each says what it found when it failed.
run-lint:
	@mkdir -p $(BUILD)/lint; passed=0; failed=0; \
	case "$$MAKEFLAGS" in *jobserver*) jobs=;; *) jobs=-j$$(nproc);; esac; \
	for lint in $(LINTS); do \
	    log=$(BUILD)/lint/$$lint.log; \
	    if $(MAKE) --no-print-directory -k $$jobs --output-sync lint-$$lint >$$log 2>&1; then \
	        passed=$$((passed + 1)); echo "PASS lint-$$lint"; \
	    else \
	        failed=$$((failed + 1)); echo "FAIL lint-$$lint (all of it in $$log)"; \
	        grep -iE '(error|warning|style|portability|performance): ' $$log | head -n 60; \
	    fi; \
	done; \
	echo "$$passed passed, $$failed failed, 0 skipped"; [ $$failed = 0 ]

lint-format:
	@bad=0; for file in $(ALL_C) $(ALL_H); do \
	    $(CLANG_FORMAT) --dry-run -Werror $$file 2>/dev/null || { echo "$$file: error: needs make format"; bad=1; }; \
	done; exit $$bad

# One stamp for each file: what did not change since it was clean is not read again.
lint-tidy: $(patsubst %.c,$(BUILD)/lint/%.tidy,$(ALL_C))
$(BUILD)/lint/%.tidy: %.c $(ALL_H) .clang-tidy tests/.clang-tidy
	@mkdir -p $(@D)
	@$(CLANG_TIDY) --quiet $< -- $(LINT_CFLAGS)
	@touch $@

lint-cppcheck:
	@mkdir -p $(BUILD)/lint/cppcheck
	@cppcheck --enable=warning,performance,portability --error-exitcode=1 --inline-suppr --std=c11 --quiet \
	    --suppress=missingIncludeSystem --cppcheck-build-dir=$(BUILD)/lint/cppcheck -j $$(nproc) -Iinclude -Isrc \
	    -Itests/unit $(ALL_C)

# The warnings of gcc need its optimiser, those of clang do not.
lint-gcc:
	@$(MAKE) --no-print-directory CC=gcc BUILD=$(if $(filter gcc,$(CC)),$(BUILD),$(BUILD)/lint/gcc) programs
lint-clang:
	@$(MAKE) --no-print-directory CC=$(CLANG) CONFIG=debug BUILD=$(BUILD)/lint/clang programs

lint-man:
	@$(if $(MAN1)$(MAN5)$(MAN7),mandoc -Tlint -Wwarning $(MAN1) $(MAN5) $(MAN7))

format:
	$(CLANG_FORMAT) -i $(ALL_C) $(ALL_H)

# ---- install -------------------------------------------------------------------------------------

INSTALLED := $(bindir)/odori $(libdir)/libodori.a $(libdir)/libodori.so.$(VERSION) $(libdir)/$(SONAME) \
             $(libdir)/libodori.so $(libdir)/pkgconfig/odori.pc $(completiondir)/odori \
             $(addprefix $(includedir)/odori/,$(notdir $(HEADERS))) \
             $(addprefix $(datadir)/odori/mappings/,$(notdir $(wildcard mappings/*.json))) \
             $(addprefix $(mandir)/man1/,$(notdir $(MAN1))) $(addprefix $(mandir)/man5/,$(notdir $(MAN5))) \
             $(addprefix $(mandir)/man7/,$(notdir $(MAN7)))
INSTALL ?= install

install: all
	$(INSTALL) -d $(addprefix $(DESTDIR),$(sort $(dir $(INSTALLED))))
	$(INSTALL) -m 755 $(OUT)/odori $(DESTDIR)$(bindir)/odori
	$(INSTALL) -m 644 $(STATIC) $(DESTDIR)$(libdir)
	$(INSTALL) -m 755 $(SHARED) $(DESTDIR)$(libdir)
	ln -sfn $(notdir $(SHARED)) $(DESTDIR)$(libdir)/$(SONAME)
	ln -sfn $(SONAME) $(DESTDIR)$(libdir)/libodori.so
	$(INSTALL) -m 644 $(HEADERS) $(DESTDIR)$(includedir)/odori
	sed -e 's|@prefix@|$(PREFIX)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
	    -e 's|@version@|$(VERSION)|' src/odori.pc.in >$(DESTDIR)$(libdir)/pkgconfig/odori.pc
	$(if $(PRESETS),$(INSTALL) -m 644 $(wildcard mappings/*.json) $(DESTDIR)$(datadir)/odori/mappings)
	$(if $(MAN1),$(INSTALL) -m 644 $(MAN1) $(DESTDIR)$(mandir)/man1)
	$(if $(MAN5),$(INSTALL) -m 644 $(MAN5) $(DESTDIR)$(mandir)/man5)
	$(if $(MAN7),$(INSTALL) -m 644 $(MAN7) $(DESTDIR)$(mandir)/man7)
	$(OUT)/odori completion bash >$(DESTDIR)$(completiondir)/odori

uninstall:
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	-rmdir $(DESTDIR)$(includedir)/odori $(DESTDIR)$(datadir)/odori/mappings $(DESTDIR)$(datadir)/odori

clean:
	rm -rf $(BUILD)

help:
	@echo 'make              the program build/odori and the library build/release/libodori.*'
	@echo 'make demo         convert the sample dance and say how to open it'
	@echo 'make test         unit tests and scripts'
	@echo 'make bench        speed and memory, as ratios of one run'
	@echo 'make fuzz         each fuzz target for FUZZ_SECONDS ($(FUZZ_SECONDS))'
	@echo 'make coverage     tests with line coverage for each file'
	@echo 'make lint         format, clang-tidy, cppcheck, gcc and clang builds, man pages'
	@echo 'make format       apply the format'
	@echo 'make install      PREFIX=$(PREFIX), DESTDIR, bindir, libdir, includedir, mandir; also uninstall'
	@echo 'make installcheck install into a scratch folder and use what was installed'
	@echo 'make deps         install the missing packages (demo, test, bench, fuzz, coverage, lint do it too)'
	@echo 'make clean        remove $(BUILD)'
	@echo
	@echo 'CONFIG=release|debug|asan|tsan|coverage|fuzz, BUILD=folder, CC=gcc|clang, DEPS=skip, V=1'
