# brio: build, run, test.  `make help` lists what there is.
#
# `make run` and `make test` work on a bare Debian 12: scripts/setup.sh installs what
# scripts/packages.txt names and is skipped when nothing is missing.

BUILD    ?= build
# the same folder has the same name, however it is said: what is rebuilt hangs on names
override BUILD := $(subst $(CURDIR)/,,$(BUILD))
PREFIX   ?= /usr/local
ifeq ($(origin CC),default)
CC = gcc
endif
LUA      ?= lua5.4
SANITIZE ?=
OPTIMIZE ?= -O2
CORES    ?= $(shell nproc 2>/dev/null || echo 2)
# RELEASE=1: without asserts; without what only asserts call there would be warnings
RELEASE  ?=
# `make test ONLY=trees`: the suites with this in their name
ONLY     ?=

PACKAGES = lua5.4 lua5.4-luv libuv sqlite3 nlopt expat cairo libmd qhull_r libserialport libpcre2-8 liblzf \
           libzstd
WARNINGS = -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith
# -ffp-contract=off: the same sums on every machine and compiler, so that a run repeats
# bit for bit.  -fno-math-errno: sqrt is one instruction.  -fno-semantic-interposition: calls
# within a file are direct, as nobody puts functions of their own in place of ours.
# `CFLAGS=-g1` for lines in backtraces, `CFLAGS=-g3` for a debugger
CFLAGS  ?= $(if $(SANITIZE),-g1)
ALLFLAGS = -std=c11 -D_GNU_SOURCE $(OPTIMIZE) -fPIC -ffp-contract=off -fno-math-errno -pthread \
           -fno-semantic-interposition \
           $(WARNINGS) $(if $(RELEASE),-DNDEBUG -Wno-unused-function) $(if \
           $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer) \
           -Iengine -I. -I$(BUILD)/generated $(PACKAGE_FLAGS) $(CFLAGS)
# asked for once, not for every file
PACKAGE_FLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(PACKAGES) 2>/dev/null))
# cairo is loaded when something is drawn
# what throws (Ipopt) is loaded later: the address sanitizer looks for the functions of C++ when a program
# starts
LIBS     = $(filter-out -lcairo,$(shell pkg-config --libs $(PACKAGES) 2>/dev/null)) -lm -ldl -pthread \
           $(if $(SANITIZE),-Xlinker --no-as-needed -lstdc++ -Xlinker --as-needed)

# What simulates bodies with mass is a shared object of its own, built where its library is
# (packages-physics.txt), and loaded by runs that ask for it.
MUJOCO_SRC = $(wildcard engine/physics/mujoco/*.c)
PHYSICS    = $(if $(wildcard /usr/include/mujoco/mujoco.h),$(BUILD)/brio_mujoco.so)

# The same of Ipopt (packages-ipopt.txt), a second method for trajectories.
IPOPT_SRC = $(wildcard engine/trajectory/ipopt/*.c)
IPOPT     = $(if $(wildcard /usr/include/coin/IpStdCInterface.h),$(BUILD)/brio_ipopt.so)

# What sees through cameras is a program of its own, built where its libraries are
# (scripts/make/packages-vision.txt), and a shared object that it loads for faces and people
# (scripts/make/packages-people.txt).
CAMERA_SRC  = $(call sources,drivers/cameras)
CAMERA_LIBS = -lapriltag -ljpeg -lpng
CAMERA      = $(if $(and $(wildcard /usr/include/apriltag/apriltag.h),$(wildcard \
              /usr/include/jpeglib.h),$(wildcard \
              /usr/include/png.h)),$(BUILD)/brio_camera)
OPENCV_SRC  = $(wildcard drivers/cameras/finders/opencv/*.cpp)
OPENCV      = $(if $(and $(CAMERA),$(wildcard \
              /usr/include/opencv4/opencv2/objdetect.hpp)),$(BUILD)/brio_opencv.so)
# A second simulator, with which tests compare the first one (packages-bench.txt); they are skipped without
# it.
JUDGE = $(if $(wildcard /usr/include/ode/ode.h),-lode)

# What has no Lua in it is libbrio; the program adds the runtime, the bindings and main.
LIBRARY_ROOMS = base math robot dynamics geometry cloud solver trajectory scene vision world physics motor \
                motion tree plan feed
sources     = $(wildcard $(1:%=%/*.c) $(1:%=%/*/*.c) $(1:%=%/*/*/*.c))
LIBRARY_SRC = $(filter-out $(MUJOCO_SRC) $(IPOPT_SRC) $(CAMERA_SRC),$(call \
              sources,$(LIBRARY_ROOMS:%=engine/%) drivers)) $(wildcard store/*.c store/recording/*.c \
              store/packing/*.c)
BINDING_SRC = $(call sources,engine/lua)
RUNTIME_SRC = $(call sources,engine/runtime)
PROGRAM_SRC = $(RUNTIME_SRC) engine/main.c
UNIT_ROOMS  = $(patsubst tests/%/,%,$(sort $(dir $(wildcard tests/engine/*/test_*.c \
              tests/engine/*/*/test_*.c tests/store/test_*.c \
              tests/drivers/test_*.c tests/drivers/*/test_*.c))))
# The tests of the program that sees are built where that is.
ifeq ($(CAMERA),)
UNIT_ROOMS := $(filter-out engine/cameras,$(UNIT_ROOMS))
endif
FUZZ_SRC    = $(wildcard tests/fuzz/fuzz_*.c)
BENCH_SRC   = $(wildcard scripts/bench/*/*.c)

object = $(patsubst %.c,$(BUILD)/object/%.o,$(1))
LIBRARY_OBJ = $(call object,$(LIBRARY_SRC)) $(BUILD)/object/store_sql.o
UNITS   = $(foreach room,$(UNIT_ROOMS),$(BUILD)/units/$(subst /,_,$(room)))
FUZZERS = $(patsubst tests/%.c,$(BUILD)/%,$(FUZZ_SRC))
BENCHES = $(patsubst scripts/bench/%.c,$(BUILD)/bench/%,$(BENCH_SRC))
WITNESS = $(BUILD)/witness
PROGRAM = $(BUILD)/brio
MODULE  = $(BUILD)/lua/brio.so
EXTENSION = $(BUILD)/brio_samples.so

.PHONY: all release run test bench ledger soak lint physics ipopt vision people readers studio \
  check-sanitizers install clean help setup program units fuzzers benches
.SUFFIXES:
.SECONDARY:
.DELETE_ON_ERROR:

all: setup
	@$(MAKE) --no-print-directory program

release: setup
	@$(MAKE) --no-print-directory -j$(CORES) BUILD=$(BUILD)/release RELEASE=1 program

help:
	@echo "make            build $(PROGRAM), libbrio and the Lua module"
	@echo "make release    the same without asserts, in $(BUILD)/release;" \
	  "RELEASE=1 BUILD=$(BUILD)/release install"
	@echo "make run        the kiosk on the built-in simulator, about 20 seconds, then its story"
	@echo "make test       every test, about five minutes; closes with 'N passed, N failed'"
	@echo "make test ONLY=tree     the suites with 'tree' in their name"
	@echo "make bench      speed, each row beside a peer or a limit"
	@echo "make ledger     what fixed workloads cost in instructions, each beside its row"
	@echo "make soak       the long suites in full"
	@echo "make lint       cppcheck, clang-tidy and luacheck"
	@echo "make check-sanitizers   the tests under address, undefined-behavior and thread sanitizers"
	@echo "make physics    install MuJoCo, and build with it: \`brio run --physics mujoco\`"
	@echo "make vision     install the libraries of cameras, and build with them: tags in pictures"
	@echo "make people     the same with OpenCV: faces and people, too"
	@echo "make ipopt      install Ipopt, a second method for trajectories, and build with it"
	@echo "make studio     fetch and bundle the libraries of the page of \`brio studio\` with npm"
	@echo "make readers    fetch from npm what tests read exported files with (tests skip that without it)"
	@echo "make install PREFIX=/usr/local"
	@echo "make clean"

setup:
	@sh scripts/setup.sh scripts/packages.txt

run: all
	@rm -f $(BUILD)/kiosk.db $(BUILD)/kiosk.db-wal $(BUILD)/kiosk.db-shm
	@$(PROGRAM) run behaviors/kiosk.lua --robot pepper --for 20 --store $(BUILD)/kiosk.db
	@$(PROGRAM) history --store $(BUILD)/kiosk.db

test: setup
	@$(MAKE) --no-print-directory -j$(CORES) program units fuzzers
	@$(LUA) tests/run.lua --build $(BUILD) $(if $(ONLY),--only '$(ONLY)')

soak: setup
	@$(MAKE) --no-print-directory -j$(CORES) program units fuzzers
	@$(LUA) tests/run.lua --build $(BUILD) --soak $(if $(ONLY),--only '$(ONLY)')

bench: setup
	@sh scripts/setup.sh --optional scripts/packages-bench.txt
	@$(MAKE) --no-print-directory -j$(CORES) program benches
	@$(LUA) scripts/bench/run.lua --build $(BUILD)

ledger: setup
	@sh scripts/setup.sh --optional scripts/packages-lint.txt
	@$(MAKE) --no-print-directory -j$(CORES) program
	@$(LUA) scripts/ledger.lua --build $(BUILD)

lint: setup
	@sh scripts/setup.sh scripts/packages-lint.txt
	@$(LUA) scripts/lint.lua

# The optional library of physics, and what is built with it.
physics: setup
	@sh scripts/setup.sh scripts/packages-physics.txt
	@$(MAKE) --no-print-directory -j$(CORES) program

# The optional method for trajectories, and what is built with it.
ipopt: setup
	@sh scripts/setup.sh scripts/packages-ipopt.txt
	@$(MAKE) --no-print-directory -j$(CORES) program

# The optional libraries of cameras, and what is built with them: tags; faces and people.
vision: setup
	@sh scripts/setup.sh scripts/make/packages-vision.txt
	@$(MAKE) --no-print-directory -j$(CORES) program

people: vision
	@sh scripts/setup.sh scripts/make/packages-people.txt
	@$(MAKE) --no-print-directory -j$(CORES) program

# The libraries of the studio's page: fetched by npm as its lock file says, without their scripts, and
# bundled. npm must be here.
STUDIO = lua/brio/studio/bundle
studio: all
	@command -v npm >/dev/null || { echo \
	  "brio: the studio's page needs npm (Debian: apt install npm)" >&2; exit 1; }
	@mkdir -p $(BUILD)/npm $(BUILD)/studio
	@cp $(STUDIO)/* $(BUILD)/npm
	@cd $(BUILD)/npm && npm ci --no-fund --no-audit --ignore-scripts --loglevel=error
	@cd $(BUILD)/npm && node_modules/.bin/esbuild $(notdir $(wildcard $(STUDIO)/*.js)) --bundle --minify \
	  --format=esm \
	  --log-level=warning --outdir=../studio

# The reference reader of MCAP files; node and npm must be here.
readers:
	@npm install --no-fund --no-audit --ignore-scripts --prefix $(BUILD)/readers @mcap/core@2.2.2 \
	  @mcap/support@1.1.0

check-sanitizers: setup
	@sh scripts/setup.sh scripts/packages-lint.txt
	@$(MAKE) --no-print-directory -j$(CORES) BUILD=$(BUILD)/asan CC=clang SANITIZE=address,undefined \
	  OPTIMIZE=-O1 program units fuzzers
	@$(LUA) tests/run.lua --build $(BUILD)/asan --sanitizer
	@$(MAKE) --no-print-directory -j$(CORES) BUILD=$(BUILD)/tsan CC=clang SANITIZE=thread OPTIMIZE=-O1 program \
	  units
	@$(LUA) tests/run.lua --build $(BUILD)/tsan --sanitizer --only threads

program: $(PROGRAM) $(MODULE) $(BUILD)/libbrio.so $(BUILD)/libbrio.a $(EXTENSION) $(PHYSICS) $(IPOPT) \
  $(CAMERA) $(OPENCV) $(BUILD)/compiled/.made
units: $(UNITS) $(WITNESS) $(PHYSICS) $(IPOPT) $(CAMERA)
fuzzers: $(FUZZERS)
benches: $(BENCHES)

# The library compiled, which the program takes while the sources are as they were.
LIBRARY_LUA = $(shell find lua -name '*.lua')
$(BUILD)/compiled/.made: $(LIBRARY_LUA) scripts/make/compile.lua
	@mkdir -p $(BUILD)
	@$(LUA) scripts/make/compile.lua lua $(BUILD)/compiled && touch $@

# A test runs about once for each time that it is compiled: its checks name their lines, and only sanitizers
# need more. The tests of three rooms compute a lot.
$(BUILD)/object/tests/%: OPTIMIZE = -O0
$(BUILD)/object/tests/engine/cloud/% $(BUILD)/object/tests/engine/solver/% \
  $(BUILD)/object/tests/engine/cameras/%: OPTIMIZE = -O1

# What runs in every tick; the same sums in the same order, as with -O2.
TICK_ROOMS = engine/math engine/robot engine/geometry engine/solver engine/motor engine/motion \
             engine/runtime/motor \
             engine/plan/timing drivers/actuator
# What computes for seconds.
LONG_ROOMS = engine/trajectory
$(foreach room,$(TICK_ROOMS) $(LONG_ROOMS),$(eval $(BUILD)/object/$(room)/%: OPTIMIZE = -O3))

# One shell makes the folder where it is missing, says what is compiled, and becomes the compiler.
compile = [ -d $(@D) ] || mkdir -p $(@D); echo "  CC   $(1)"; exec

$(BUILD)/object/%.o: %.c Makefile
	@$(call compile,$<) $(CC) $(ALLFLAGS) -MMD -MP -c $< -o $@

# The schema and the views travel inside the program.
$(BUILD)/generated/store_sql.c: scripts/make/embed_sql.lua $(wildcard store/schema/*.sql store/views/*.sql)
	@mkdir -p $(@D)
	@$(LUA) scripts/make/embed_sql.lua store/schema store/views > $@

$(BUILD)/object/store_sql.o: $(BUILD)/generated/store_sql.c
	@mkdir -p $(@D)
	@$(CC) $(ALLFLAGS) -c $< -o $@

$(BUILD)/libbrio.a: $(LIBRARY_OBJ)
	@rm -f $@
	@ar rcs $@ $^

$(BUILD)/libbrio.so: $(LIBRARY_OBJ)
	@echo "  LINK $@"
	@$(CC) $(ALLFLAGS) -shared $^ -o $@ $(LIBS)

# What unpacks samples is built into the program, and again as an extension that the stock sqlite3 loads,
# which knows nothing of sanitizers.
PACKED_SRC = $(wildcard store/packing/packed*.c)
$(call object,$(PACKED_SRC)): ALLFLAGS += -DSQLITE_CORE
EXTENSION_OBJ = $(patsubst %.c,$(BUILD)/extension/%.o,store/extension/brio_samples.c $(PACKED_SRC) \
                store/packing/pack.c store/packing/block.c engine/base/grid.c engine/base/crc32.c \
                engine/base/text.c engine/base/error.c)

$(BUILD)/extension/%.o: %.c Makefile
	@$(call compile,$< (extension)) $(CC) $(filter-out -fsanitize=% -DSQLITE_CORE,$(ALLFLAGS)) \
	  -fvisibility=hidden -MMD -MP -c $< -o $@

$(EXTENSION): $(EXTENSION_OBJ)
	@echo "  LINK $@"
	@$(CC) $(filter-out -fsanitize=%,$(ALLFLAGS)) -shared -Wl,-Bsymbolic $^ -o $@ -lm

$(BUILD)/brio_mujoco.so: $(call object,$(MUJOCO_SRC))
	@echo "  LINK $@"
	@$(CC) $(ALLFLAGS) -shared $^ -o $@ -lmujoco -lm

$(BUILD)/brio_ipopt.so: $(call object,$(IPOPT_SRC))
	@echo "  LINK $@"
	@$(CC) $(ALLFLAGS) -shared $^ -o $@ -lipopt -lm

$(BUILD)/brio_camera: $(call object,$(CAMERA_SRC)) $(BUILD)/libbrio.a
	@echo "  LINK $@"
	@$(CC) $(ALLFLAGS) $^ -o $@ $(CAMERA_LIBS) $(LIBS)

$(BUILD)/brio_opencv.so: $(OPENCV_SRC) drivers/cameras/finders/opencv/opencv.h
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CXX) -std=c++17 $(OPTIMIZE) -fPIC -Wall -Wextra -Werror -fvisibility=hidden -Iengine -I. -isystem \
	  /usr/include/opencv4 \
	  -shared $(OPENCV_SRC) -o $@ -lopencv_objdetect -lopencv_imgproc -lopencv_core

# One program holds everything; its symbols are exported because luv and cjson, loaded
# by Lua, and shared objects with drivers or objectives look them up in it.
$(PROGRAM): $(call object,$(PROGRAM_SRC) $(BINDING_SRC)) $(BUILD)/libbrio.a
	@echo "  LINK $@"
	@$(CC) $(ALLFLAGS) -rdynamic $(filter %.o,$^) -Wl,--whole-archive $(BUILD)/libbrio.a -Wl,--no-whole-archive \
	  -o $@ $(LIBS)

# The same bindings for a stock lua5.4: require "brio".  Lua itself is not linked in.
$(MODULE): $(call object,$(BINDING_SRC) $(RUNTIME_SRC)) $(BUILD)/libbrio.a
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(ALLFLAGS) -shared $(filter %.o,$^) -Wl,--whole-archive $(BUILD)/libbrio.a -Wl,--no-whole-archive \
	  -o $@ $(filter-out -llua5.4 -llua5.4-luv,$(LIBS))

# The unit tests of a room are one program, linked to a shared library: libbrio, or what a stock lua5.4 loads
# where a test needs the runtime or the bindings.
define unit_program
$(BUILD)/units/$(subst /,_,$(1)): $(call object,$(wildcard tests/$(1)/*.c) tests/check.c tests/allocations.c \
  $(4)) $(2)
	@mkdir -p $$(@D)
	@echo "  TEST tests/$(1)"
	@$$(CC) $$(ALLFLAGS) $$(filter %.o,$$^) -o $$@ -L$$(dir $(2)) -l:$$(notdir $(2)) \
	  -Wl,-rpath,'$$$$ORIGIN/..:$$$$ORIGIN/../lua' $(3) $$(LIBS) $(if $(filter %/judge,$(1)),$(JUDGE))
endef
WITH_LUA = engine/lua engine/runtime engine/runtime/motor
$(foreach room,$(UNIT_ROOMS),$(eval $(call unit_program,$(room),$(if $(filter \
  $(WITH_LUA),$(room)),$(MODULE),$(BUILD)/libbrio.so),$(if \
  $(filter engine/cameras,$(room)),$(CAMERA_LIBS)),$(if $(filter engine/cameras,$(room)),$(filter-out \
  %/main.c,$(CAMERA_SRC))))))

# A robot in a process of its own, which tests of faults command.
$(WITNESS): tests/program/witness.c
	@mkdir -p $(@D)
	@echo "  TEST $<"
	@$(CC) -std=c11 -D_GNU_SOURCE -O1 $< -o $@ -lm

# What reads bytes of other people's devices and files is fuzzed under sanitizers in every build, so in `make
# test`: the rooms that parse are compiled once more, and stand before those of the library. A library under
# sanitizers has them once already.
FUZZ_CHECKS = -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
fuzzed = $(patsubst %.c,$(BUILD)/fuzzed/%.o,$(1))
FUZZED_wire   = $(wildcard $(addprefix drivers/, protocols/*.c emulators/*.c servo/*.c servo/tables/*.c \
                cia402/*.c)) \
                drivers/ports/exchange.c engine/base/json.c
FUZZED_cloud  = $(wildcard $(addprefix engine/cloud/, *.c files/*.c index/*.c readers/*.c))
FUZZED_feed   = $(wildcard engine/feed/*.c engine/feed/*/*.c) \
                $(addprefix engine/, base/json.c base/crc32.c scene/mask.c scene/camera.c)
FUZZED_urdf   = $(wildcard engine/robot/*.c engine/robot/formats/*.c)
FUZZED_mjcf   = $(FUZZED_urdf)
FUZZED_blocks = $(PACKED_SRC) store/packing/pack.c store/packing/block.c engine/base/grid.c
$(call fuzzed,$(PACKED_SRC)): ALLFLAGS += -DSQLITE_CORE

$(BUILD)/fuzzed/%.o: %.c Makefile
	@$(call compile,$< (sanitized)) $(CC) $(ALLFLAGS) $(FUZZ_CHECKS) -MMD -MP -c $< -o $@

define fuzz_program
$(BUILD)/fuzz/fuzz_$(1): $(call fuzzed,tests/fuzz/fuzz_$(1).c $(if $(SANITIZE),,$(FUZZED_$(1)))) \
  $(BUILD)/libbrio.so
	@mkdir -p $$(@D)
	@echo "  FUZZ $(1)"
	@$$(CC) $$(ALLFLAGS) $$(FUZZ_CHECKS) $$(filter %.o,$$^) -o $$@ -L$(BUILD) -lbrio -Wl,-rpath,'$$$$ORIGIN/..' \
	  $$(LIBS)
endef
$(foreach name,$(FUZZ_SRC:tests/fuzz/fuzz_%.c=%),$(eval $(call fuzz_program,$(name))))

MOTOR_OBJ = $(call object,$(wildcard engine/runtime/motor/*.c engine/runtime/tape/*.c) \
            engine/runtime/live_poses.c)

$(BUILD)/bench/%: scripts/bench/%.c Makefile $(MOTOR_OBJ) $(BUILD)/libbrio.a
	@mkdir -p $(@D)
	@echo "  BENCH $<"
	@$(CC) $(ALLFLAGS) $< $(MOTOR_OBJ) $(BUILD)/libbrio.a -o $@ $(LIBS)

install: all
	rm -rf $(DESTDIR)$(PREFIX)/include/brio
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/lua/5.4 $(DESTDIR)$(PREFIX)/share/lua/5.4 \
	  $(DESTDIR)$(PREFIX)/share/brio $(DESTDIR)$(PREFIX)/include/brio
	install $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/brio
	install -m 644 $(BUILD)/libbrio.so $(BUILD)/libbrio.a $(DESTDIR)$(PREFIX)/lib
	install -m 644 $(MODULE) $(DESTDIR)$(PREFIX)/lib/lua/5.4/brio.so
	install -m 644 $(EXTENSION) $(DESTDIR)$(PREFIX)/lib/brio_samples.so
	$(if $(PHYSICS),install -m 644 $(PHYSICS) $(DESTDIR)$(PREFIX)/lib/brio_mujoco.so)
	$(if $(IPOPT),install -m 644 $(IPOPT) $(DESTDIR)$(PREFIX)/lib/brio_ipopt.so)
	$(if $(CAMERA),install $(CAMERA) $(DESTDIR)$(PREFIX)/bin/brio_camera)
	$(if $(OPENCV),install -m 644 $(OPENCV) $(DESTDIR)$(PREFIX)/lib/brio_opencv.so)
	cp -R lua/brio $(DESTDIR)$(PREFIX)/share/lua/5.4/
	if [ -d $(BUILD)/studio ]; then install -d $(DESTDIR)$(PREFIX)/share/brio/studio && cp $(BUILD)/studio/* \
	  $(DESTDIR)$(PREFIX)/share/brio/studio; fi
	rm -rf $(DESTDIR)$(PREFIX)/lib/brio && install -d $(DESTDIR)$(PREFIX)/lib/brio
	$(LUA) scripts/make/compile.lua $(DESTDIR)$(PREFIX)/share/lua/5.4 $(DESTDIR)$(PREFIX)/lib/brio/compiled \
	  $(PREFIX)/share/lua/5.4
	cp -R behaviors drivers/robots drivers/gamepads drivers/arduino $(DESTDIR)$(PREFIX)/share/brio/
	cd engine && find . \( -name '*.h' -o -name '*.def' \) ! -path './lua/*' ! -path './runtime/*' ! -path \
	  './physics/mujoco/*' -exec install -D -m 644 {} $(DESTDIR)$(PREFIX)/include/brio/{} \;
	install -m 644 drivers/*.h store/*.h $(DESTDIR)$(PREFIX)/include/brio
	find drivers store \( -name '*.h' -o -name '*.def' \) ! -path 'drivers/cameras/*' -exec install -D -m 644 \
	  {} $(DESTDIR)$(PREFIX)/include/brio/{} \;
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/share/doc/brio
	sed -e 's|@PREFIX@|$(PREFIX)|' -e \
	  "s|@VERSION@|$$(sed -n 's/^return "\(.*\)"$$/\1/p' lua/brio/version.lua)|" \
	  -e 's|@LIBS@|$(LIBS)|' scripts/make/brio.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/brio.pc
	install -m 644 README.md LICENSE $(DESTDIR)$(PREFIX)/share/doc/brio
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/brio/docs $(DESTDIR)$(PREFIX)/share/brio/annotations
	cp -R docs $(DESTDIR)$(PREFIX)/share/doc/brio/
	cp -R docs/annotations $(DESTDIR)$(PREFIX)/share/brio/
	install -D -m 644 scripts/clients/brio.py $(DESTDIR)$(PREFIX)/share/brio/clients/brio.py
	install -D -m 644 docs/brio.1 $(DESTDIR)$(PREFIX)/share/man/man1/brio.1
	install -D -m 644 docs/completion/brio.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/brio
	install -D -m 644 docs/completion/_brio $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_brio

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/object $(BUILD)/fuzzed $(BUILD)/extension -name '*.d' 2>/dev/null)
