--- The rooms of the house: what lives where and what each may use.  tests/walls.lua holds
--- every #include and require against this table; docs/architecture.md draws it.
local rooms = {}

--- Each room: the paths that begin it (the longest beginning wins), the rooms it may use
--- besides itself and engine/base, or single files of them, and the reason for the wall.
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
  { name = "engine/scene", at = { "engine/scene/" }, uses = { "engine/math", "engine/geometry", "engine/cloud" },
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
             "engine/trajectory", "engine/scene", "engine/plan", "engine/world", "engine/motor", "engine/feed",
             "drivers/driver.h", "drivers/actuator/actuator.h", "drivers/actuator/device.h", "store/store.h" },
    why = "owns threads and clock; knows the Lua machine, not the bindings" },
  { name = "engine/lua", at = { "engine/lua/" }, system = true,
    uses = { "engine/math", "engine/robot", "engine/geometry", "engine/cloud", "engine/solver", "engine/motion",
             "engine/trajectory", "engine/scene", "engine/plan", "engine/world", "engine/motor", "engine/tree", "engine/feed", "engine/runtime",
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
  { name = "lua/brio", at = { "lua/brio/" }, uses = { "brio.core", "engine/lua" },
    why = "no clock, file or random numbers but ours: that is what replays bit for bit" },
  { name = "lua/brio/commands", at = { "lua/brio/commands/", "lua/brio/attach/", "lua/brio/runs/", "lua/brio/study/verbs/", "lua/brio/cli.lua", "lua/brio/motions.lua", "lua/brio/watch.lua",
      "lua/brio/tree_live.lua", "lua/brio/replay/robot_command.lua" }, uses = { "lua/brio", "engine/lua" },
    reads_world = true, why = "a subcommand speaks with the person at the terminal" },
  { name = "behaviors", at = { "behaviors/" }, uses = { "lua/brio", "engine/lua" },
    why = "people copy them: they use what is public" },
  { name = "scripts", at = { "scripts/" }, any = true, system = true, reads_world = true,
    why = "tools see what is public" },
  { name = "tests", at = { "tests/" }, any = true, system = true, reads_world = true,
    why = "tests see what is public" },
}

--- Files of lua/brio that may use io and os, each with its reason.
rooms.reads_world = {
  ["lua/brio/upkeep/merge.lua"] = "removes the copy that it has made of a store",
  ["lua/brio/upkeep/prune.lua"] = "removes the index of the words of what it has taken out",
  ["lua/brio/upkeep/side.lua"] = "reads, copies and removes the clouds that lie beside a store, around runs and before replays",
  ["lua/brio/output.lua"] = "filters what leaves for the terminal",
  ["lua/brio/paths.lua"] = "looks where brio's own files are",
  ["lua/brio/robots.lua"] = "finds robots' folders, before a run starts",
  ["lua/brio/plain.lua"] = "reads files of plain data (robot.lua, questionnaires), before a run starts",
  ["lua/brio/testing.lua"] = "the test runner: finds files and measures time around runs",
  ["lua/brio/sandbox.lua"] = "reads the behavior's files, before they are let in",
  ["lua/brio/client.lua"] = "looks for sockets of runs: it works in programs beside them",
}

--- Files that may require a module whose name is made up at run time, each with its reason.
rooms.open_requires = {
  ["lua/brio/lib/lazy.lua"] = "loads what others name, when it is first used",
  ["lua/brio/sandbox.lua"] = "hands a behavior the public modules it asks for, from a list",
  ["lua/brio/import.lua"] = "loads the readers of its list of formats",
  ["lua/brio/export.lua"] = "loads the writers of its list of formats",
  ["lua/brio/run_export.lua"] = "loads the writers of its list of formats",
  ["lua/brio/commands/study.lua"] = "loads the verbs of its list",
  ["lua/brio/study/import.lua"] = "loads the importers of its list",
  ["lua/brio/scene_objects.lua"] = "loads the kinds of its list",
  ["lua/brio/tree_import.lua"] = "loads the readers of its list of formats",
}

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

--- Lua modules of others, and the only files that may require each.
rooms.third_party_modules = {
  ["cjson"] = { "lua/brio/commands/*", "lua/brio/attach/*", "lua/brio/client.lua", "lua/brio/document.lua", "tests/*", "scripts/*" },
  ["luv"] = { "lua/brio/commands/*", "lua/brio/attach/*", "lua/brio/runs/*", "lua/brio/study/verbs/*", "lua/brio/client.lua", "lua/brio/remote.lua", "lua/brio/cli.lua", "lua/brio/robots.lua", "lua/brio/motions.lua", "lua/brio/watch.lua", "lua/brio/process.lua", "lua/brio/desk/clerk.lua", "lua/brio/upkeep/side.lua", "lua/brio/link.lua", "lua/brio/events.lua", "lua/brio/http.lua", "lua/brio/character/speech/output.lua", "lua/brio/character/speech/voice.lua", "tests/*", "scripts/*" },
}

--- Tables whose rows stand for files: each row X(name) of `def` is the file
--- folder/prefix..name.c, and each such file has its row.  `besides`: files of the folder
--- that are no rows.  `nested`: the files lie in folders of the folder, and
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
    besides = { "lua_args.c", "lua_box.c", "lua_core.c", "lua_device.c", "lua_driver.c", "lua_goal.c", "lua_house.c",
                "lua_json.c", "lua_later.c", "lua_motor.c", "pattern.c" } },
}

--- Lists in Lua whose texts stand for files folder/<text>.lua, and each such file for a text.
rooms.lists = {
  { file = "lua/brio/cli.lua", list = "cli.commands", folder = "lua/brio/commands" },
  { file = "lua/brio/commands/study.lua", list = "command.verbs", folder = "lua/brio/study/verbs" },
  { file = "lua/brio/study/import.lua", list = "import.formats", folder = "lua/brio/study/importers" },
  { file = "lua/brio/import.lua", list = "import.formats", folder = "lua/brio/import" },
  { file = "lua/brio/export.lua", list = "export.formats", folder = "lua/brio/export" },
  { file = "lua/brio/run_export.lua", list = "run_export.formats", folder = "lua/brio/run_export" },
  { file = "lua/brio/tree_import.lua", list = "tree_import.formats", folder = "lua/brio/tree_import" },
  { file = "lua/brio/scene_objects.lua", list = "scene_objects.shipped", folder = "lua/brio/scene_objects" },
  { file = "lua/brio/ask/questionnaire.lua", list = "questionnaire.shipped", folder = "lua/brio/questionnaires" },
}

--- The top level of the repository, besides names that start with a dot.
rooms.top = { "Makefile", "README.md", "LICENSE", "docs", "engine", "lua", "scripts", "behaviors",
              "drivers", "store", "tests" }

--- Folders that may hold over `most_entries` files and folders, because each file is a row of a table, or the answer to
--- one question, and people look for it by its name.
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
rooms.undivided = {
  ["lua/brio"] = true, ["lua/brio/study"] = true, ["lua/brio/tree"] = true,
  ["tests/lua"] = true, ["tests/program"] = true, ["docs"] = true,
}

rooms.most_entries = 25          -- of a folder
rooms.most_lines = 600           -- of a file
rooms.most_function_lines = 60   -- of a function

return rooms
