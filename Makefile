# A short front for meson and ninja. `make help` says what there is.
BUILD ?= build
PREFIX ?= /usr/local

# In CI nothing may be missing, and no warning is allowed: what meson would leave out by itself is demanded.
STRICT := $(if $(TETROPT_NO_SKIP),-Dauto_features=enabled -Dwerror=true)

.DEFAULT_GOAL := all

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

all: $(BUILD)/build.ninja ## build the program at build/tetropt
	@ninja -C $(BUILD)

$(BUILD)/build.ninja: | setup-build
	@meson setup $(BUILD) --prefix=$(PREFIX) $(STRICT)

# setup-build-test installs what building and testing need.
setup-%:
	@scripts/setup $(subst -, ,$*)

test: setup-build-test $(BUILD)/build.ninja ## build and run every test
	@# A folder configured before the test packages were there learns of them.
	@[ -z "$(STRICT)" ] && grep -q test_base $(BUILD)/build.ninja || \
	    meson setup --reconfigure $(BUILD) $(STRICT)
	@scripts/npm-setup
	@scripts/python-setup $(BUILD)
	@ninja -C $(BUILD)
	@meson test -C $(BUILD) --print-errorlogs
	@scripts/skipped $(BUILD)

python: setup-build-test ## build the Python package and install it in build/venv
	@scripts/python-setup --install $(BUILD)

demo: all ## a whole game, placement by placement, and how it is judged
	@scripts/demo $(BUILD)/tetropt

bench: all ## the signature of the computation, and how fast it went
	@$(BUILD)/tetropt bench

check: setup-build-test-check ## formatting, includes, both compilers, sanitizers, signature, two minutes of fuzzing
	@scripts/check quick

check-all: setup-build-test-check-package all ## everything in check, and what takes long
	@scripts/check all

fuzz: setup-build-check ## fuzz every reader, FUZZ_SECONDS=60 in total
	@scripts/fuzz $(or $(FUZZ_SECONDS),60)

page: setup-build-check ## build the page of `serve` (web/dist) from web/ and the C sources
	@scripts/npm-setup
	@scripts/build-page

site: ## write the web UI as a site of plain files, for any web host, into SITE (build-site)
	@scripts/build-site $(or $(SITE),build-site)

format: setup-check ## clang-format all sources
	@find src tests include examples bindings -name '*.[ch]' -exec clang-format -i {} +

install: all ## install under PREFIX (default /usr/local); DESTDIR is honoured
	@meson configure $(BUILD) --prefix=$(PREFIX)
	@meson install -C $(BUILD)

dist: ## the source archive in build-dist/
	@scripts/build-dist

package: setup-build-package ## Debian packages, a wheel and the source archive in build-package/
	@scripts/build-package

clean: ## remove what was built
	@rm -rf $(BUILD) build-*

.PHONY: help all test demo bench check check-all fuzz page site format install dist package clean
