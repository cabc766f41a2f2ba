--- The rooms of the project: which paths belong to each and what each may use.  tests/walls.lua checks
--- every #include and require against this table; docs/engine/architecture.md draws it.
local rooms = {}

--- Each room: the path prefixes that belong to it (the longest prefix wins), the rooms it may use
--- apart from itself and engine/base, or single files of them, and the reason for the limit.
--- `system`: may include headers of the operating system.  `reads_world`: its Lua may use
--- io and os.  `any`: may use all rooms.
rooms.list = {
  { name = "engine/base", at = { "engine/base/" }, uses = {}, system = true,
    why = "what every room stands on stands on nothing but libc" },
  { name = "engine/math", at = { "engine/math/" }, uses = {},
    why = "usable in drivers, tests and tools without a robot" },
  { name = "engine/robot", at = { "engine/robot/" }, uses = { "engine/math" }, system = true,
    why = "a robot is read from files and knows no shapes' distances" },
  { name = "engine/geometry", at = { "engine/geometry/" }, uses = { "engine/math" },
    why = "shapes know no joints: poses come in as arrays" },
  { name = "engine/cloud", at = { "engine/cloud/" }, uses = { "engine/math", "engine/geometry" },
    why = "points and what is found in them: who saw them and what they mean is above" },
  { name = "engine/solver", at = { "engine/solver/" },
    uses = { "engine/math", "engine/robot", "engine/geometry" },
    why = "a pose problem in, a pose out: no time, file or Lua" },
  { name = "engine/motion", at = { "engine/motion/" }, uses = { "engine/math", "engine/solver/goal.h" },
    why = "numbers per DOF: an ear works like a joint" },
  { name = "engine/tree", at = { "engine/tree/" }, uses = {},
    why = "nodes, results and time: what a leaf does is its host's, so random trees test it alone" },
  { name = "engine/trajectory", at = { "engine/trajectory/" }, system = true,
    uses = { "engine/math", "engine/robot", "engine/geometry", "engine/solver", "engine/motion/track.h" },
    why = "what allocates and thinks for seconds cannot be called from the tick" },
  { name = "engine/scene", at = { "engine/scene/" },
    uses = { "engine/math", "engine/geometry", "engine/cloud" },
    why = "link frames are pushed in: a scene replays without a robot" },
  { name = "engine/plan", at = { "engine/plan/" },
    uses = { "engine/math", "engine/robot", "engine/geometry", "engine/scene" },
    why = "thinks off the tick" },
  { name = "engine/motor", at = { "engine/motor/" }, uses = { "engine/math" },
    why = "numbers per axis and time steps: no thread, clock, device or robot, so tests drive it alone" },
  { name = "engine/feed", at = { "engine/feed/" }, system = true,
    uses = { "engine/math", "engine/geometry", "engine/cloud", "engine/scene" },
    why = "what other programs send is judged before anything of a run sees it: fuzzed alone" },
  { name = "engine/world", at = { "engine/world/" },
    uses = { "engine/math", "engine/geometry", "engine/cloud", "engine/robot" },
    why = "what the simulator driver and the tests share" },
  { name = "engine/runtime", at = { "engine/runtime/" }, system = true,
    uses = { "engine/math", "engine/robot", "engine/geometry", "engine/solver", "engine/motion",
             "engine/trajectory", "engine/scene", "engine/plan", "engine/world", "engine/motor",
               "engine/feed",
             "drivers/driver.h", "drivers/actuator/actuator.h", "drivers/actuator/device.h",
               "store/store.h" },
    why = "owns threads and clock; knows the Lua machine, not the bindings" },
  { name = "engine/lua", at = { "engine/lua/" }, system = true,
    uses = { "engine/math", "engine/robot", "engine/geometry", "engine/cloud", "engine/solver",
      "engine/motion",
             "engine/trajectory", "engine/scene", "engine/plan", "engine/world", "engine/motor",
               "engine/tree", "engine/feed", "engine/runtime",
             "drivers", "store" },
    why = "translation only: if an `if` is about robots, it belongs below" },
  { name = "engine/main.c", at = { "engine/main.c" }, any = true, system = true,
    why = "the only file that sees every room and wires them" },
  { name = "drivers", at = { "drivers/" }, uses = { "engine/math", "engine/motor/mapping.h" }, system = true,
    why = "bytes to SI values" },
  { name = "drivers/families/simulator", at = { "drivers/families/simulator" },
    uses = { "engine/math", "engine/motor/mapping.h", "engine/world", "drivers" },
    why = "the simulator is one row among the drivers, and the only one with a world" },
  { name = "store", at = { "store/" }, uses = {}, system = true,
    why = "named columns and blobs: knows no robot" },
  { name = "brio.core", at = {}, uses = {},
    why = "the door to the C modules: the library opens it, once" },
  { name = "lua/brio", at = { "lua/brio/" },
    uses = { "brio.core", "engine/lua", "lua/brio/public.lua", "lua/brio/version.lua", "lua/brio/behavior",
             "lua/brio/behavior/wants", "lua/brio/operator", "lua/brio/perception" },
    why = "what `require \"brio\"` gives people, and nothing else" },
  { name = "lua/brio/public.lua", at = { "lua/brio/public.lua" }, uses = {},
    why = "names for people outside: the library itself says which file it means" },
  { name = "lua/brio/version.lua", at = { "lua/brio/version.lua" }, uses = {}, why = "one text" },
  { name = "lua/brio/lib", at = { "lua/brio/lib/" }, uses = { "engine/lua" },
    why = "what every room stands on knows no robot, run or file format" },
  { name = "lua/brio/formats", at = { "lua/brio/formats/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/version.lua" },
    why = "bytes of other programs to plain tables and back: no robot" },
  { name = "lua/brio/io", at = { "lua/brio/io/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/version.lua" },
    why = "all that comes into a run passes here, or a replay would lack it" },
  { name = "lua/brio/motion", at = { "lua/brio/motion/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/io" },
    why = "numbers per DOF over time: no behavior or run" },
  { name = "lua/brio/perception", at = { "lua/brio/perception/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/io" },
    why = "what is seen, and never what to do about it" },
  { name = "lua/brio/behavior/sandbox", at = { "lua/brio/behavior/sandbox/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/io", "lua/brio/public.lua" },
    why = "what a script may see is decided before anything of it runs" },
  { name = "lua/brio/behavior/wants", at = { "lua/brio/behavior/wants/" },
    uses = { "engine/lua", "lua/brio/lib" },
    why = "objectives as tables: the solver's words, checked" },
  { name = "lua/brio/devices", at = { "lua/brio/devices/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/io", "lua/brio/motion", "lua/brio/behavior/sandbox" },
    why = "motors, inputs and gamepads, whatever they move" },
  { name = "lua/brio/robots", at = { "lua/brio/robots/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/io", "lua/brio/perception",
             "lua/brio/devices" },
    why = "what a robot is: no run, behavior or pose over time" },
  { name = "lua/brio/draw", at = { "lua/brio/draw/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/perception", "lua/brio/version.lua" },
    why = "numbers in, pictures out" },
  { name = "lua/brio/record", at = { "lua/brio/record/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/behavior/sandbox", "lua/brio/devices",
             "lua/brio/robots", "lua/brio/version.lua" },
    why = "rows of the store, written and read: who writes them is above" },
  { name = "lua/brio/character", at = { "lua/brio/character/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/io", "lua/brio/motion",
             "lua/brio/perception", "lua/brio/behavior/wants",
             "lua/brio/devices", "lua/brio/robots" },
    why = "sources and objectives, as behaviors have them: it knows no behavior" },
  { name = "lua/brio/tree/execution", at = { "lua/brio/tree/execution/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/io", "lua/brio/motion",
             "lua/brio/perception", "lua/brio/behavior/wants",
             "lua/brio/robots" },
    why = "what leaves share while they run: no kinds of leaves" },
  { name = "lua/brio/tree/leaves", at = { "lua/brio/tree/leaves/", "lua/brio/tree/leaves.lua" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/io", "lua/brio/motion",
             "lua/brio/perception", "lua/brio/robots",
             "lua/brio/character", "lua/brio/tree/execution" },
    why = "one file a leaf: none knows the tree that it is in" },
  { name = "lua/brio/tree/model", at = { "lua/brio/tree/model/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/io/dispatch.lua", "lua/brio/robots",
             "lua/brio/tree/execution", "lua/brio/tree/leaves" },
    why = "a tree as a table, compiled: where its text came from does not matter" },
  { name = "lua/brio/formats/motion", at = { "lua/brio/formats/motion/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/motion", "lua/brio/record" },
    why = "one file a format of motions, recorded runs among them" },
  { name = "lua/brio/formats/run", at = { "lua/brio/formats/run/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/draw", "lua/brio/record",
             "lua/brio/robots", "lua/brio/version.lua" },
    why = "one file a format of recorded runs: read from the store alone" },
  { name = "lua/brio/formats/tree", at = { "lua/brio/formats/tree/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/tree/model" },
    why = "one file a format of trees" },
  { name = "lua/brio/tree/files", at = { "lua/brio/tree/files/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/io/dispatch.lua", "lua/brio/formats",
             "lua/brio/formats/tree", "lua/brio/behavior/sandbox", "lua/brio/tree/model" },
    why = "from an author's files to one tree, without a run" },
  { name = "lua/brio/behavior", at = { "lua/brio/behavior/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/behavior/sandbox", "lua/brio/behavior/wants",
             "lua/brio/robots", "lua/brio/tree/model",
             "lua/brio/tree/files" },
    why = "states and events: which robot, store or person is its host's" },
  { name = "lua/brio/tree/editing", at = { "lua/brio/tree/editing/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/io", "lua/brio/motion",
             "lua/brio/robots", "lua/brio/tree/model",
             "lua/brio/tree/files", "lua/brio/behavior" },
    why = "operations on documents: who asks for them is above" },
  { name = "lua/brio/operator", at = { "lua/brio/operator/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/io", "lua/brio/motion", "lua/brio/perception",
             "lua/brio/behavior/sandbox",
             "lua/brio/behavior/wants", "lua/brio/character", "lua/brio/behavior", "lua/brio/tree/model",
             "lua/brio/tree/execution",
             "lua/brio/tree/editing" },
    why = "what people ask of a run: the run is handed to it" },
  { name = "lua/brio/run", at = { "lua/brio/run/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/io", "lua/brio/motion",
             "lua/brio/perception",
             "lua/brio/behavior/sandbox", "lua/brio/behavior/wants", "lua/brio/devices", "lua/brio/robots",
             "lua/brio/record",
             "lua/brio/character", "lua/brio/behavior", "lua/brio/tree/execution", "lua/brio/tree/model",
             "lua/brio/tree/editing",
             "lua/brio/operator", "lua/brio/version.lua" },
    why = "puts a run together: it uses all that runs, and nothing that is done with runs" },
  { name = "lua/brio/behavior/review", at = { "lua/brio/behavior/review/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/io/dispatch.lua", "lua/brio/behavior/sandbox",
             "lua/brio/devices", "lua/brio/behavior", "lua/brio/run" },
    why = "hints about a behavior that could run: no run waits for them" },
  { name = "lua/brio/trials", at = { "lua/brio/trials/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/behavior/sandbox", "lua/brio/robots",
             "lua/brio/tree/model", "lua/brio/tree/files",
             "lua/brio/behavior", "lua/brio/run" },
    why = "tests, repetitions and previews are runs like any other" },
  { name = "lua/brio/analysis", at = { "lua/brio/analysis/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/motion", "lua/brio/record" },
    why = "asks stores: nothing of it runs a robot" },
  { name = "lua/brio/study", at = { "lua/brio/study/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/formats/motion", "lua/brio/io",
             "lua/brio/draw",
             "lua/brio/behavior/sandbox", "lua/brio/behavior", "lua/brio/operator", "lua/brio/run",
             "lua/brio/analysis", "lua/brio/version.lua" },
    why = "a package on the library: no run knows it" },
  { name = "lua/brio/runs", at = { "lua/brio/runs/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/io", "lua/brio/record" },
    reads_world = true, why = "finds runs, and speaks with those that go on, from another program" },
  { name = "lua/brio/terminal", at = { "lua/brio/terminal/" },
    uses = { "engine/lua", "lua/brio/lib", "lua/brio/formats", "lua/brio/formats/motion", "lua/brio/io",
             "lua/brio/motion", "lua/brio/record",
             "lua/brio/robots", "lua/brio/tree/model", "lua/brio/operator", "lua/brio/run", "lua/brio/runs" },
    reads_world = true, why = "what is shown to the person at the terminal, and what they type" },
  { name = "lua/brio/commands", at = { "lua/brio/commands/", "lua/brio/commands.lua" }, any = true,
    reads_world = true, why = "a subcommand puts the rooms below to use for one purpose" },
  { name = "behaviors", at = { "behaviors/" }, uses = { "lua/brio", "lua/brio/public.lua", "engine/lua" },
    why = "people copy them: they use what is public" },
  { name = "scripts", at = { "scripts/" }, any = true, system = true, reads_world = true,
    why = "tools see what is public" },
  { name = "tests", at = { "tests/" }, any = true, system = true, reads_world = true,
    why = "tests see what is public" },
}

--- Files of lua/brio that may use io and os, each with its reason.
rooms.reads_world = {
  ["lua/brio/analysis/upkeep/merge.lua"] = "removes the copy that it has made of a store",
  ["lua/brio/analysis/upkeep/prune.lua"] = "removes the index of the words of what it has taken out",
  ["lua/brio/record/side_files.lua"] =
    "reads, copies and removes the clouds that lie beside a store, around runs and before replays",
  ["lua/brio/lib/paths.lua"] = "looks where brio's own files are",
  ["lua/brio/robots/catalog.lua"] = "finds robots' folders, before a run starts",
  ["lua/brio/io/data_file.lua"] = "reads files of plain data (robot.lua, questionnaires), before a \z
    run starts",
  ["lua/brio/trials/testing.lua"] = "the test runner: finds files and measures time around runs",
  ["lua/brio/behavior/sandbox/sandbox.lua"] = "reads the behavior's files, before they are let in",
  ["lua/brio/operator/tokens.lua"] = "reads who may attach, before a run starts",
}

--- Files that may require a module whose name is computed at run time, each with its reason.
rooms.open_requires = {
  ["lua/brio/lib/lazy.lua"] = "loads what others name, when it is first used",
  ["lua/brio/behavior/sandbox/sandbox.lua"] = "hands a behavior the public modules it asks for, from a list",
  ["lua/brio/init.lua"] = "its fields are modules, by their public names",
  ["lua/brio/public.lua"] = "finds a module's file by its public name, from a list",
  ["lua/brio/formats/motion/readers.lua"] = "loads the readers of its list of formats",
  ["lua/brio/formats/motion/writers.lua"] = "loads the writers of its list of formats",
  ["lua/brio/formats/run/writers.lua"] = "loads the writers of its list of formats",
  ["lua/brio/commands.lua"] = "loads the command of its list that is asked for",
  ["lua/brio/commands/study.lua"] = "loads the verbs of its list",
  ["lua/brio/study/import.lua"] = "loads the importers of its list",
  ["lua/brio/perception/objects.lua"] = "loads the kinds of its list",
  ["lua/brio/formats/tree/readers.lua"] = "loads the readers of its list of formats",
}

--- Requires inside a function that point up, "FROM > TO" = the reason.  The search for circles skips them.
--- Instead of adding one, move what both files need into a room below, or pass a function in.
rooms.late_requires = {
  ["lua/brio/behavior/sandbox/sandbox.lua > lua/brio/init.lua"] =
    "a script that is loaded asks for `brio`, whose fields come from the rooms above",
}

--- The file whose function makes every call into code that people write: no other calls script.call.
rooms.dispatcher = "lua/brio/io/dispatch.lua"

--- Headers of the C standard that any room may include: arithmetic, text and memory.
rooms.standard_headers = [[assert complex ctype errno fenv float inttypes iso646 limits math stdalign
  stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath uchar wchar wctype]]

--- Headers of the operating system, time and threads, for the rooms marked `system`.
rooms.system_headers = [[dirent dlfcn fcntl glob langinfo libgen locale netdb poll pthread sched semaphore
  setjmp pwd grp signal spawn termios threads time unistd arpa/* net/* netinet/* sys/* linux/* asm/* malloc execinfo]]

local lua_files = { "engine/lua/*", "engine/runtime/script/script.c", "engine/runtime/script/script.h",
  "engine/runtime/script/place*", "engine/runtime/script/loader*", "engine/runtime/script/driver_script*",
  "engine/main.c", "tests/engine/runtime/*", "tests/engine/lua/*" }

--- Third-party headers, and the only files that may include each ("*" stands for any text).
rooms.third_party_headers = {
  ["lua.h"] = lua_files,
  ["lauxlib.h"] = lua_files,
  ["lualib.h"] = lua_files,
  ["uv.h"] = { "engine/runtime/loop.c", "engine/runtime/script/file_watch.c", "engine/runtime/front/client.h",
    "engine/runtime/front/gamepad.c", "engine/runtime/front/tracker.c" },
  ["luv/*"] = { "engine/main.c", "engine/runtime/loop.c" },
  ["lua_cjson.h"] = { "engine/main.c" },
  ["sqlite3.h"] = { "store/db.c", "store/db.h", "tests/store/*", "tests/fuzz/fuzz_blocks.c" },
  ["sqlite3ext.h"] = { "store/packing/packed_internal.h", "store/extension/brio_samples.c" },
  ["expat.h"] = { "engine/robot/xml.c" },
  ["nlopt.h"] = { "engine/solver/backends/nlopt.c", "scripts/bench/*" },
  ["libqhull_r/*"] = { "engine/math/hull.c" },
  ["cairo*.h"] = { "engine/lua/draw/lua_canvas.c" },
  ["libserialport.h"] = { "drivers/ports/serial.c" },
  ["pcre2.h"] = { "engine/lua/base/lua_regex.c" },
  ["atomic"] = { "engine/base/threads/atomic.h" },
  ["emmintrin.h"] = { "engine/geometry/four.h" },
  ["lzf.h"] = { "engine/cloud/readers/pcd.c", "tests/engine/cloud/test_cloud_file.c" },
  ["nanoflann.hpp"] = { "scripts/bench/*" },
  ["zstd.h"] = { "engine/lua/base/lua_archive.c" },
  ["sha2.h"] = { "engine/base/hash.c" },
  ["kdl/*"] = { "scripts/bench/*" },
  ["urdf_parser/*"] = { "scripts/bench/*" },
  ["dart/*"] = { "scripts/bench/*" },
  ["Eigen/*"] = { "scripts/bench/*" },
  ["fcl/*"] = { "scripts/bench/*", "tests/peers/*" },
}

--- Third-party Lua modules, and the only files that may require each.
rooms.third_party_modules = {
  ["cjson"] = { "lua/brio/commands/*", "lua/brio/terminal/*", "lua/brio/runs/client.lua",
    "lua/brio/formats/json.lua", "tests/*", "scripts/*" },
  ["luv"] = { "lua/brio/commands.lua", "lua/brio/commands/*", "lua/brio/terminal/*", "lua/brio/runs/*",
    "lua/brio/robots/catalog.lua",
    "lua/brio/io/process.lua", "lua/brio/io/stream.lua", "lua/brio/io/loop_events.lua",
             "lua/brio/io/http.lua", "lua/brio/operator/tokens.lua",
    "lua/brio/operator/desk/file_watch.lua", "lua/brio/record/side_files.lua",
             "lua/brio/character/speech/output.lua",
    "lua/brio/character/speech/voice.lua", "tests/*", "scripts/*" },
}

--- Tables whose rows stand for files: each row X(name) of `def` is the file
--- folder/prefix..name.c, and each such file has its row.  `besides`: files of the folder
--- that have no row.  `nested`: the files are in subfolders, and
--- prefix..name.."_"..part..".c" belongs to the row of that name.
rooms.tables = {
  { def = "engine/solver/objectives.def", folder = "engine/solver/objectives", prefix = "" },
  { def = "engine/solver/goals.def", folder = "engine/solver/goals", prefix = "" },
  { def = "engine/solver/features/features.def", folder = "engine/solver/features", prefix = "",
    besides = { "feature.c" } },
  { def = "engine/solver/backends.def", folder = "engine/solver/backends", prefix = "" },
  { def = "engine/motion/curves.def", folder = "engine/motion/curves", prefix = "" },
  { def = "engine/motion/keyframes.def", folder = "engine/motion/keyframes", prefix = "" },
  { def = "engine/plan/planners.def", folder = "engine/plan/planners", prefix = "" },
  { def = "engine/cloud/readers.def", folder = "engine/cloud/readers", prefix = "" },
  { def = "engine/plan/ways.def", folder = "engine/plan/ways", prefix = "" },
  { def = "engine/world/disturbances.def", folder = "engine/world/disturbances", prefix = "" },
  { def = "engine/feed/places.def", folder = "engine/feed/places", prefix = "" },
  { def = "engine/tree/kinds.def", folder = "engine/tree/kinds", prefix = "" },
  { def = "drivers/drivers.def", folder = "drivers/families", prefix = "", besides = { "board.c" } },
  { def = "drivers/protocols.def", folder = "drivers/protocols", prefix = "",
    besides = { "checksum.c", "wire.c", "words.c" } },
  { def = "drivers/emulators.def", folder = "drivers/emulators", prefix = "",
    besides = { "emulator.c", "joints.c", "port.c", "replay.c", "shaft.c" } },
  { def = "engine/lua/modules.def", folder = "engine/lua", prefix = "lua_", nested = true,
    besides = { "lua_args.c", "lua_box.c", "lua_core.c", "lua_device.c", "lua_driver.c", "lua_goal.c",
      "lua_house.c",
                "lua_json.c", "lua_later.c", "lua_motor.c", "pattern.c" } },
}

--- Lists in Lua whose strings stand for files folder/<string>.lua; each such file is in the list.
rooms.lists = {
  { file = "lua/brio/commands.lua", list = "commands.list", folder = "lua/brio/commands" },
  { file = "lua/brio/commands/study.lua", list = "command.verbs", folder = "lua/brio/commands/study" },
  { file = "lua/brio/study/import.lua", list = "import.formats", folder = "lua/brio/study/import" },
  { file = "lua/brio/formats/motion/readers.lua", list = "import.formats",
    folder = "lua/brio/formats/motion/readers" },
  { file = "lua/brio/formats/motion/writers.lua", list = "export.formats",
    folder = "lua/brio/formats/motion/writers" },
  { file = "lua/brio/formats/run/writers.lua", list = "run_export.formats",
    folder = "lua/brio/formats/run/writers" },
  { file = "lua/brio/formats/tree/readers.lua", list = "tree_import.formats",
    folder = "lua/brio/formats/tree/readers" },
  { file = "lua/brio/perception/objects.lua", list = "scene_objects.shipped",
    folder = "lua/brio/perception/objects" },
  { file = "lua/brio/study/questionnaires/questionnaire.lua", list = "questionnaire.shipped",
    folder = "lua/brio/study/questionnaires/shipped" },
}

--- The top level of the repository, without names that start with a dot.
rooms.top = { "Makefile", "README.md", "LICENSE", "docs", "engine", "lua", "scripts", "behaviors",
              "drivers", "store", "tests" }

--- Folders that may hold over `most_entries` files and folders: each file is a row of a table, or answers
--- one question, and people look it up by its name.
rooms.families = {
  ["engine/solver/objectives"] = "one file an objective",
  ["lua/brio/tree/leaves"] = "one file a kind of leaf",
  ["lua/brio/commands"] = "one file a command",
  ["store/schema"] = "one file a migration",
  ["store/views"] = "one file a view",
  ["docs/reference"] = "one page a Lua module, made by scripts/docs.lua",
  ["docs/annotations/brio"] = "one file a Lua module, made by scripts/docs.lua",
  ["docs/examples"] = "one file a Lua module: each is part of its page",
  ["behaviors"] = "one file a behavior, with its world and its test beside it",
}

--- Folders that are still to be divided.  A folder leaves this list when it is.
rooms.undivided = {}

rooms.most_entries = 25          -- of a folder
rooms.most_lines = 600           -- of a file
rooms.most_function_lines = 60   -- of a function

return rooms
