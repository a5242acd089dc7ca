# A short front for meson and ninja. `make help` says what there is.
BUILD ?= build
PREFIX ?= /usr/local
MESON_TEST = meson test -C

.DEFAULT_GOAL := all

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

all: setup-build $(BUILD)/build.ninja ## build the program at build/tetropt
	@ninja -C $(BUILD)

setup-%:
	@scripts/setup $(subst -, ,$*)

$(BUILD)/build.ninja:
	@meson setup $(BUILD) --prefix=$(PREFIX)

test: setup-build-test all ## build and run every test
	@meson configure $(BUILD) -Dtests=auto
	@ninja -C $(BUILD)
	@$(MESON_TEST) $(BUILD) --print-errorlogs

demo: all ## the main job, shown
	@scripts/demo $(BUILD)/tetropt

bench: all ## rates and the signature
	@$(BUILD)/tetropt bench

check: setup-build-test-check ## formatting, includes, both compilers, sanitizers, signature, a minute of fuzzing
	@scripts/check quick

check-all: setup-build-test-check ## everything in check, and what takes long
	@scripts/check all

fuzz: setup-build-check ## fuzz every reader (SECONDS_EACH=60)
	@scripts/fuzz $(or $(SECONDS_EACH),60)

format: setup-check ## clang-format all sources
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: all ## install under PREFIX (default /usr/local); DESTDIR is honoured
	@meson install -C $(BUILD)

clean: ## remove what was built
	@rm -rf build build-*

.PHONY: help all test demo bench check check-all fuzz format install clean
