# A short front for meson: `make help` lists what there is.
BUILD ?= build

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@scripts/setup
	@meson setup $(BUILD)

.PHONY: all
