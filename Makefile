# A short front end to meson and ninja. `make help` lists the targets.
BUILD ?= build
PREFIX ?= /usr/local

# In CI no library may be missing, and no warning is allowed.
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
	@# A build configured before the test packages were installed has no tests yet.
	@[ -z "$(STRICT)" ] && grep -q test_base $(BUILD)/build.ninja || \
	    meson setup --reconfigure $(BUILD) $(STRICT)
	@$(MAKE) --no-print-directory -j3 all npm-packages python-packages
	@# Many tests wait for something half of their time.
	@meson test -C $(BUILD) --print-errorlogs --num-processes $$(($$(nproc) + 2))
	@scripts/skipped $(BUILD)

# What the tests take from the registries of npm and Python.
npm-packages:
	@scripts/npm-setup
python-packages:
	@scripts/python-setup $(BUILD)

python: setup-build-test ## build the Python package and install it in build/venv
	@scripts/python-setup --install $(BUILD)

demo: all ## solve twenty pieces and show every placement
	@scripts/demo $(BUILD)/tetropt

bench: all ## the signature of the computation, and how fast it went
	@$(BUILD)/tetropt bench

check: setup-build-test-check all ## formatting, includes, both compilers, sanitizers, signature, a little fuzzing
	@scripts/check quick

check-all: setup-build-test-check-package test ## `make test`, `make check`, and what takes long
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

.PHONY: help all test demo bench check check-all fuzz page site format install dist package clean \
    npm-packages python-packages
