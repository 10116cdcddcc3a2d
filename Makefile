# The commands of this project. Each installs the Debian packages that it lacks (as root, or
# through sudo). CMakePresets.json has the builds behind them.

BUILD_PACKAGES := g++ cmake ninja-build pkg-config libcpp-httplib-dev libssl-dev libsimdjson-dev \
  nlohmann-json3-dev libyaml-dev libcli11-dev libspdlog-dev libfmt-dev prometheus-cpp-dev
TEST_PACKAGES := catch2 git patch python3 python3-yaml python3-pytest python3-jsonschema openssl
# Go tests its own client: the one in the PATH, else Debian's.
TEST_PACKAGES += $(if $(shell command -v go 2>/dev/null),,golang-go)
DEMO_PACKAGES := python3 python3-yaml openssl
LINT_PACKAGES := clang-19 clang-format-19 clang-tidy-19 shellcheck libbenchmark-dev
E2E_PACKAGES := python3 python3-yaml python3-pytest openssl
FUZZ_PACKAGES := clang-19 libclang-rt-19-dev
BENCH_PACKAGES := libbenchmark-dev nginx-light python3 python3-yaml openssl
IMAGE_PACKAGES := buildah mmdebstrap curl openssl

# Ninja finds the number of cores itself; ctest has to be told.
JOBS := $(shell nproc)
# Job manifests that the tests read besides tests/testdata; empty: those tests are not in the list.
SAMPLES_DIR ?=
E2E_FLAGS ?=
BENCH_FLAGS ?=
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 60

install = @tools/install_packages.sh
configure = cmake --preset $(1) -DSAMPLES_DIR="$(abspath $(SAMPLES_DIR))" -DBUILD_BENCHMARKS=OFF --log-level=WARNING

.PHONY: all build demo test lint format asan tsan e2e e2e-load bench fuzz soak image clean

all: build

build:
	$(install) $(BUILD_PACKAGES)
	@cmake --preset release -DBUILD_TESTING=OFF --log-level=WARNING
	@cmake --build --preset release --target tfjob-webhook

demo: build
	$(install) $(DEMO_PACKAGES)
	@/usr/bin/python3 tools/demo.py

test:
	$(install) $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@$(call configure,release) -DBUILD_TESTING=ON
	@cmake --build --preset release
	@ctest --preset release --parallel $(JOBS)

# AddressSanitizer with UndefinedBehaviorSanitizer, and ThreadSanitizer, each with all tests.
asan tsan:
	$(install) $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@$(call configure,$@) -DBUILD_TESTING=ON
	@cmake --build --preset $@
	@ctest --preset $@ --parallel $(JOBS)

lint:
	$(install) $(BUILD_PACKAGES) $(TEST_PACKAGES) $(LINT_PACKAGES)
	@cmake --preset lint -DSAMPLES_DIR="$(abspath $(SAMPLES_DIR))" -DBUILD_TESTING=ON -DBUILD_BENCHMARKS=ON --log-level=WARNING
	@tools/lint.sh build-lint

format:
	$(install) $(LINT_PACKAGES)
	@git ls-files --cached --others --exclude-standard '*.h' '*.cpp' | xargs clang-format-19 -i

# Against a real API server with the real operator, which are built from their Go modules unless
# KUBEBUILDER_ASSETS or the cache has them. E2E_FLAGS go to pytest.
e2e: build
	$(install) $(E2E_PACKAGES)
	@SAMPLES_DIR="$(abspath $(SAMPLES_DIR))" /usr/bin/python3 -m pytest tests/e2e $(E2E_FLAGS)

# The verdicts of 500 jobs that fail within a minute, among 5,000 pods: how fast, in how much memory.
e2e-load: build
	$(install) $(E2E_PACKAGES)
	@/usr/bin/python3 -m pytest tests/e2e/load_verdicts.py $(E2E_FLAGS)

# What a review costs, beside other servers. Needs Go for one of them. BENCH_FLAGS go to tests/bench/bench.py.
bench:
	$(install) $(BUILD_PACKAGES) $(TEST_PACKAGES) $(BENCH_PACKAGES)
	@$(call configure,release) -DBUILD_TESTING=ON -DBUILD_BENCHMARKS=ON
	@cmake --build --preset release
	@/usr/bin/python3 tests/bench/bench.py build $(BENCH_FLAGS)

# SOAK_SECONDS of load under each sanitizer while certificates and configuration change every 100 ms.
soak:
	$(install) $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@for preset in asan tsan; do \
	  $(call configure,$$preset) -DBUILD_TESTING=ON && \
	  cmake --build --preset $$preset --target tfjob-webhook && \
	  echo "soak under $$preset" && \
	  PROGRAM=$(CURDIR)/build-$$preset/tfjob-webhook SOAK_SECONDS=$(SOAK_SECONDS) ASAN_OPTIONS=quarantine_size_mb=8 \
	    /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/robustness/test_soak.py || exit 1; \
	done

# Each fuzz target for FUZZ_SECONDS; what it finds is kept in tests/fuzz/findings once it is mended.
fuzz:
	$(install) $(BUILD_PACKAGES) $(TEST_PACKAGES) $(FUZZ_PACKAGES)
	@cmake --preset fuzz -DBUILD_TESTING=ON --log-level=WARNING
	@cmake --build --preset fuzz
	@tests/fuzz/fuzz.sh build-fuzz $(FUZZ_SECONDS)

# Builds the Dockerfile without a Docker engine and runs the program from the image.
image:
	$(install) $(IMAGE_PACKAGES)
	@tests/manifests/build_image.sh

clean:
	rm -rf build build-debug build-asan build-tsan build-lint build-fuzz
