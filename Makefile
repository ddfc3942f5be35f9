# The front door. Meson does the work; `make` leaves the program at build/dodona.
BUILD = build
prefix = /usr/local

.PHONY: all setup demo model models cards web js r-package test quick asan ubsan tsan bench format install dist \
  release clean

# make LANGUAGES="en de" builds the models of these languages alone, until others are named or LANGUAGES=all.
# For `make models` they are those to train or pack.
comma = ,
languages = $(if $(filter models,$(MAKECMDGOALS)),,$(subst $() ,$(comma),$(strip $(LANGUAGES))))

all: $(BUILD)/build.ninja
	@$(if $(languages),meson configure $(BUILD) -Dlanguages=$(languages))
	@if [ -t 1 ]; then cd $(BUILD) && ninja; else \
	  log=$$(ninja -C $(BUILD) --quiet) || { echo "$$log"; exit 1; }; fi

# Installs what is missing, or says the one line that would.
setup:
	@scripts/setup.sh

# Meson looks for models when it configures, so it does that again when others have come.
$(BUILD)/build.ninja: models/. | setup
	@log=$$(meson setup $(BUILD) $(if $(wildcard $@),--reconfigure,--prefix $(prefix))) || \
	  { echo "$$log"; exit 1; }

demo: all
	@scripts/demo.sh $(BUILD)/dodona

# The English models, from UD English EWT, running text and what a teacher made of it: see models/README.md.
model: all
	@scripts/model.sh $(BUILD)/dodona "$(or $(TREEBANK),../shared/treebanks/en_ewt)" \
	  "$(or $(TEXT),../shared/text/en.txt.xz)" "$(or $(SILVER),silver.conllu)"

# A model for each treebank of a folder, with an index and a table of scores; with PACK=models those that there are
# are packed instead.
OUT = trained-models
models: all
	@test -n "$(TREEBANKS)$(PACK)" || { echo 'name the folder: make models TREEBANKS=path' >&2; exit 1; }
	@python3 -B scripts/models.py $(BUILD)/dodona "$(TREEBANKS)" "$(OUT)" --pack "$(PACK)" \
	  --version "$(VERSION)" --languages "$(LANGUAGES)" --about "$(ABOUT)" --settings="$(SETTINGS)" \
	  $(if $(SILVER),--silver "$(SILVER)")

# docs/languages.md, from the models that were built and the test files of their treebanks.
cards: all
	@test -n "$(TREEBANKS)" || { echo 'name the folder: make cards TREEBANKS=path' >&2; exit 1; }
	@python3 -B scripts/cards.py $(BUILD)/dodona "$(TREEBANKS)" docs/languages.md --about "$(ABOUT)"

# The Python package is tested where its tools are; root gets them, others are told how.
test: all
	@tests/python/interpreter.sh >/dev/null || scripts/setup.sh python3-dev python3-cffi \
	  python3-setuptools python3-wheel python3-pip python3-pytest || true
	@tests/summary.sh $(BUILD)

# What to run while you work: unit tests, all systems against exhaustive search on small trees, and the
# program's basics, within a minute.
quick: all
	@DODONA_EXACT_CONFIGURATIONS=1000 tests/summary.sh $(BUILD) --suite quick

# The page that needs no server; SOURCES has those of zlib, zstd and utf8proc. See docs/server.md.
web: all
	@scripts/web.sh "$(SOURCES)"

# The npm package, build-web/dodona-VERSION.tgz; SOURCES as for `make web`, once. See docs/js.md.
js: all
	@scripts/js.sh "$(SOURCES)"

# The source package for R, build/r/dodona_VERSION.tar.gz, with the English model, or those of LANGUAGES; see docs/r.md.
r-package: all
	@scripts/r-package.sh $(BUILD)/r $(BUILD) $(patsubst en,english,$(LANGUAGES))
	@ls $(BUILD)/r/dodona_*.tar.gz

# The whole suite again, under AddressSanitizer and UndefinedBehaviorSanitizer. Their checks add
# paths that gcc then warns of, so warnings are left to the plain build.
asan: setup
	@test -f build-asan/build.ninja || log=$$(meson setup build-asan --buildtype debugoptimized \
	  -Db_sanitize=address,undefined -Db_lundef=false -Dwerror=false) || { echo "$$log"; exit 1; }
	@log=$$(ninja -C build-asan --quiet 2>&1) || { echo "$$log"; exit 1; }
	@DODONA_EXACT_CONFIGURATIONS=20000 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	  tests/summary.sh build-asan

# clang's UndefinedBehaviorSanitizer knows some more, such as NULL + 0; it needs clang and its
# runtime, which Debian has in libclang-rt-VERSION-dev.
ubsan: setup
	@test -f build-ubsan/build.ninja || log=$$(CC=clang meson setup build-ubsan \
	  --buildtype debugoptimized -Db_sanitize=undefined -Db_lundef=false) || { echo "$$log"; exit 1; }
	@log=$$(ninja -C build-ubsan --quiet 2>&1) || { echo "$$log"; exit 1; }
	@UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 tests/summary.sh build-ubsan \
	  --suite unit --suite alloc --suite fuzz --suite cli --suite examples

# What threads may share, under ThreadSanitizer: one model and many parsers, what they only read, and
# the program's own threads.
tsan: setup
	@test -f build-tsan/build.ninja || log=$$(meson setup build-tsan --buildtype debugoptimized \
	  -Db_sanitize=thread -Db_lundef=false -Dwerror=false) || { echo "$$log"; exit 1; }
	@log=$$(ninja -C build-tsan --quiet 2>&1) || { echo "$$log"; exit 1; }
	@TSAN_OPTIONS=halt_on_error=1 tests/summary.sh build-tsan threads sharing stream examples cli-parse \
	  cli-stream cli-text

bench: all
	@SYSTEMS="$(SYSTEMS)" ITERATIONS="$(ITERATIONS)" bench/run.sh $(BUILD)/bench/bench $(TREEBANK)

format:
	@scripts/setup.sh clang-format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: all
	@meson configure $(BUILD) --prefix $(prefix)
	@DESTDIR=$(DESTDIR) meson install -C $(BUILD)

# What is committed, and nothing else: build/meson-dist/dodona-VERSION.tar.gz with its checksum.
dist: all
	@meson dist -C $(BUILD) --no-tests --formats gztar

# What a release offers to download, in dist/; see CONTRIBUTING.md.
release:
	@ARCHES="$(ARCHES)" MIRROR="$(MIRROR)" scripts/release.sh

clean:
	@rm -rf build build-asan build-tsan build-release bindings/python/build bindings/python-models/build
