# The front door. Meson does the work; `make` leaves the program at build/dodona.
BUILD = build
prefix = /usr/local

.PHONY: all setup demo test asan bench format install clean

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

# Installs what is missing, or says the one line that would.
setup:
	@scripts/setup.sh

$(BUILD)/build.ninja: | setup
	@log=$$(meson setup $(BUILD) --prefix $(prefix)) || { echo "$$log"; exit 1; }

demo: all
	@scripts/demo.sh $(BUILD)/dodona

test: all
	@tests/summary.sh $(BUILD)

# The whole suite again, under AddressSanitizer and UndefinedBehaviorSanitizer.
asan: BUILD = build-asan
asan: setup
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) --buildtype debugoptimized \
	  -Db_sanitize=address,undefined -Db_lundef=false
	@ninja -C $(BUILD) --quiet
	@tests/summary.sh $(BUILD)

bench: all
	@meson test -C $(BUILD) --benchmark --verbose

format:
	@scripts/setup.sh clang-format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: all
	@meson configure $(BUILD) --prefix $(prefix)
	@DESTDIR=$(DESTDIR) meson install -C $(BUILD)

clean:
	@rm -rf build build-asan
