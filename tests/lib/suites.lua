--- The suites of `make test`: their commands, and what they usually take.
local files = require "files"
local usual = require "usual"

local suites = {}

--- Areas of the engine that `make test ONLY=NAME` also takes, each with patterns of names.
suites.areas = {
  behaviors = { "^behaviors/", "machine", "sandbox", "tutorial", "journal" },
  character = { "emotion", "gaze", "idle", "speech", "face", "attention", "character", "control_", "liven" },
  devices = { "^drivers", "device", "servo", "scan_test", "driver", "arduino", "families", "blocking",
    "motors", "move", "calibrat" },
  motion = { "engine/motion", "motor", "sequence", "track", "import", "play", "perform", "mixing",
    "retarget" },
  operators = { "prompt", "operator", "desk", "session", "attach", "monitor", "steps", "panic", "inputs" },
  physics = { "physics" },
  reload = { "reload", "rollback", "keep" },
  replay = { "replay", "tape", "repeat", "to_robot", "resume", "snapshot" },
  scene = { "scene", "cloud", "detector", "tracking", "perception", "world", "map", "geometry", "feed" },
  solver = { "solver", "objective", "ik_test", "inverse", "want", "weights", "shapes" },
  store = { "^store", "store", "upkeep", "export", "finding", "kill_test", "extension", "study", "damaged" },
  studies = { "study", "ask_test", "campaign" },
  trees = { "tree", "leaves", "conditions", "actions", "door", "grasp", "walk",
    "_way_test" },
}

--- The names of the areas, sorted.
function suites.area_names()
  local names = {}
  for name in pairs(suites.areas) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Whether a suite is one of those that `--only` names.
function suites.chosen(suite, only)
  if not only or suite.part == only or suite.name:find(only, 1, true) then return true end
  for _, pattern in ipairs(suites.areas[only] or {}) do
    if suite.name:find(pattern) then return true end
  end
  return false
end

local function find(root, where, pattern)
  return files.lines(("cd %s && find %s -maxdepth 2 -name '%s' -type f 2>/dev/null | sort")
                     :format(files.quote(root), where, pattern))
end

local function built(build, where)
  return files.lines(("find %s -maxdepth 1 -type f -perm -100 2>/dev/null | sort")
                     :format(files.quote(build .. "/" .. where)))
end

--- Unit tests: a suite for each file of a room, all in the room's program.
local function add_units(add, options)
  for _, program in ipairs(built(options.build, "units")) do
    local room = program:match "[^/]*$":gsub("_", "/", 1)
    for _, name in ipairs(files.lines(files.quote(program) .. " --list")) do
      local threads = name:match "^test_threads" and "threads"
      add(threads or room:match "^%a+", room .. "/" .. name, files.quote(program) .. " " .. name)
    end
  end
  for _, program in ipairs(built(options.build, "fuzz")) do
    add("fuzz", "fuzz/" .. program:match "[^/]*$", files.quote(program))
  end
end

local function add_lua(add, options, root)
  local brio = files.quote(options.build .. "/brio")
  for _, folder in ipairs { "tests/lua", "behaviors" } do
    for _, path in ipairs(find(root, folder, "*_test.lua")) do
      local threads = options.sanitizer and path == "behaviors/kiosk_test.lua"
      add("lua", path, brio .. " test --tap " .. path)
      if threads then add("threads", path .. " (threads)", brio .. " test --tap " .. path) end
    end
  end
end

--- All suites that `options` { build, only, soak, sanitizer } ask for, those that take longest first:
--- { name, part, command, timeout (s), load (cores) }.
function suites.list(options, root)
  local list = {}
  local function add(part, name, command)
    local takes = usual[name] or usual.others
    local suite = { part = part, name = name, command = command, seconds = takes[1],
                    load = math.min(1, math.max(0.2, 1.5 * takes[2] / takes[1])) } -- measured beside others
    -- ten times the usual, on a machine that is as busy as that: see `suites.patience`
    suite.timeout = math.max(suites.patience, 10 * takes[1]) * (options.soak and 20 or 1) *
      (options.sanitizer and 4 or 1)
    if suites.chosen(suite, options.only) then list[#list + 1] = suite end
  end
  if not options.sanitizer then
    for _, path in ipairs(find(root, "tests/program", "*_test.lua")) do
      add("program", path, "lua5.4 " .. path)
    end
    add("walls", "tests/walls.lua", "lua5.4 tests/walls.lua")
  end
  add_units(add, options)
  add_lua(add, options, root)
  table.sort(list, function(a, b)
    if a.seconds ~= b.seconds then return a.seconds > b.seconds end
    return a.name < b.name
  end)
  return list
end

--- The minimum timeout of any suite, s, before it counts as stuck: more than ten times the longest wait of a
--- test on a busy machine.
suites.patience = 600

return suites
