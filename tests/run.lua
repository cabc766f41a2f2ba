--- Runs every test and closes with "N passed, N failed" (and ", N skipped").
---   lua5.4 tests/run.lua --build BUILD [--soak] [--sanitizer] [--only PART]
--- --soak: the long suites in full.  --sanitizer: only what runs our C code under the
--- sanitizer that BUILD was made with.  --only: programs whose name contains PART.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/lib/?.lua;" .. package.path

local files = require "files"
local programs = require "programs"
local uv = require "luv"

local function wrong_use(sentence)
  io.stderr:write("tests/run.lua: ", sentence, "\n")
  os.exit(2)
end

local function read_options(words)
  local options, i = { build = "build" }, 1
  while i <= #words do
    local name = words[i]:match "^%-%-(%a+)$"
    if name == "build" or name == "only" then
      i = i + 1
      options[name] = words[i] or wrong_use("--" .. name .. " needs a value")
    elseif name == "soak" or name == "sanitizer" then options[name] = true
    else wrong_use("unknown option " .. words[i]) end
    i = i + 1
  end
  return options
end

local options = read_options(arg)
local root = files.output("cd " .. files.quote(here .. "/..") .. " && pwd -P")
local build = options.build:match "^/" and options.build or root .. "/" .. options.build
local scale = options.soak and 50 or 1

-- ------------------------------------------------------------------ what there is to run

local function find(where, pattern)
  return files.lines(("cd %s && find %s -maxdepth 2 -name '%s' -type f 2>/dev/null | sort")
                     :format(files.quote(root), where, pattern))
end

local function built(where, pattern)
  return files.lines(("find %s -maxdepth 2 -name '%s' -type f -perm -100 2>/dev/null | sort")
                     :format(files.quote(build .. "/tests/" .. where), pattern))
end

local list = {}

--- How much of the machine, in cores, all that run at once may take together: more than two, since everything waits at times.
local room = 2.8

--- What computes takes a core, units a little less; programs that drive brio mostly wait, and no more than so many of them run at
--- once. What asks how quick or smooth something is takes half of the room, after all others.
local computing, unit, waiting, most_waiting, apart = 1, 0.8, 0.3, 4, 1.4

--- `load`: how much of the machine it takes, in cores; all of it unless said.
local function add(part, name, command, seconds, load)
  list[#list + 1] = { part = part, name = name, command = command, load = load or room,
                      timeout = seconds * (options.soak and 20 or 1) * (options.sanitizer and 4 or 1) }
end

local function add_built(where, pattern, seconds)
  for _, path in ipairs(built(where, pattern)) do
    add(where, path:sub(#build + 8), files.quote(path), seconds, unit)
  end
end

--- Every so many-th of a list, from `part` on.
local function dealt(paths, part, parts)
  local chosen = {}
  for at = part, #paths, parts do chosen[#chosen + 1] = paths[at] end
  return chosen
end

local function add_lua_tests()
  local brio = files.quote(build .. "/brio")
  if options.only == "threads" then
    local kiosk = find("behaviors", "kiosk_test.lua")[1]
    if kiosk then add("threads", kiosk, brio .. " test --tap " .. kiosk, 120) end
    return
  end
  for _, folder in ipairs { "tests/lua", "behaviors" } do
    local parts = folder == "tests/lua" and 6 or 3
    for part = 1, parts do
      local chosen = dealt(find(folder, "*_test.lua"), part, parts)
      local name = parts > 1 and ("%s, part %d of %d"):format(folder, part, parts) or folder
      if #chosen > 0 then add("lua", name, brio .. " test --tap " .. table.concat(chosen, " "), 240, computing) end
    end
  end
end

--- Programs that ask how quick or how smooth something is, or that take all there is of the machine: after all others, and
--- two at once at most.
local alone = {
  ["tests/program/hostile_test.lua"] = apart, ["tests/program/outside_test.lua"] = apart,
  ["tests/program/profile_test.lua"] = room,
}

--- Programs that take longest: they begin first, so that nothing has to be waited for at the end.
local long = { tryout = 1, devices = 2, lua_driver = 3, kill = 4, prompt = 5, faults = 6, blocking = 7, replay = 8, move = 9 }

--- The programs that drive brio, those that take long first.
local function driving()
  local paths, place = find("tests/program", "*_test.lua"), {}
  for at, path in ipairs(paths) do place[path] = long[path:match "([%w_]+)_test%.lua$"] or 100 + at end
  table.sort(paths, function(a, b) return place[a] < place[b] end)
  return paths
end

local function collect()
  for _, path in ipairs(options.sanitizer and {} or driving()) do
    add("program", path, "lua5.4 " .. path, 300, alone[path] or waiting)
  end
  if not options.sanitizer then add("walls", "tests/walls.lua", "lua5.4 tests/walls.lua", 60, computing) end
  for _, where in ipairs { "engine", "store", "drivers" } do add_built(where, "test_*", 120) end
  add_built("fuzz", "fuzz_*", 400)
  add_lua_tests()
  local chosen, last = {}, {}
  for _, program in ipairs(list) do
    if not options.only or program.part == options.only or program.name:find(options.only, 1, true) then
      table.insert(program.load >= apart and last or chosen, program)
    end
  end
  return table.move(last, 1, #last, #chosen + 1, chosen) -- what runs alone stops nobody else that way
end

-- ------------------------------------------------------------------ in which surroundings

local sanitizer = "exitcode=" .. programs.sanitizer_code .. ":halt_on_error=1:print_stacktrace=1"

local surroundings = {
  BRIO = build .. "/brio",
  BRIO_BUILD = build,
  BRIO_TEST_SCALE = scale,
  LUA_PATH = ("%s/lua/?.lua;%s/lua/?/init.lua;%s/tests/lib/?.lua;;"):format(root, root, root),
  LUA_CPATH = ("%s/lua/?.so;;"):format(build),
  ASAN_OPTIONS = "detect_leaks=1:" .. sanitizer,
  UBSAN_OPTIONS = sanitizer,
  TSAN_OPTIONS = sanitizer,
  LSAN_OPTIONS = ("suppressions=%s/tests/lsan.supp:print_suppressions=0"):format(root),
}

local function prefix()
  local words = {}
  for name, value in pairs(surroundings) do words[#words + 1] = name .. "=" .. files.quote(tostring(value)) end
  table.sort(words)
  return "env -C " .. files.quote(root) .. " " .. table.concat(words, " ") .. " "
end

-- ------------------------------------------------------------------ running and telling

local function show(program, result)
  local counts = ("%d ok"):format(result.passed)
  if result.failed > 0 then counts = counts .. (", %d FAILED"):format(result.failed) end
  if result.skipped > 0 then counts = counts .. (", %d skipped"):format(result.skipped) end
  print(("%-48s %-28s %6.1f s"):format(program.name, counts, result.seconds))
  for _, note in ipairs(result.notes) do print("    " .. note) end
  for _, line in ipairs(result.shown) do print("    " .. line) end
  io.stdout:flush()
end

--- Take the first of `chosen` out of it for which there is room beside those that run; nil: there is none.
local function next_that_fits(chosen, running)
  local free, wait = room + 1e-9, 0
  for _, one in ipairs(running) do
    free = free - one.program.load
    if one.program.load == waiting then wait = wait + 1 end
  end
  for at, program in ipairs(chosen) do
    if program.load <= free and not (program.load == waiting and wait >= most_waiting) then return table.remove(chosen, at) end
  end
end

--- Wait until one of those that run has ended, and take it out of them.
local function take_ended(running)
  while true do
    for index, one in ipairs(running) do
      if one.has_ended() then return table.remove(running, index) end
    end
    uv.sleep(20)
  end
end

--- Run all, as many at once as there is room for.
local function run_all(chosen)
  local total = { passed = 0, failed = 0, skipped = 0, skips = {} }
  local running = {}
  local environment = prefix()
  while #chosen > 0 or #running > 0 do
    local next_one = next_that_fits(chosen, running)
    if next_one then
      local plain = { name = next_one.name, command = environment .. next_one.command, timeout = next_one.timeout }
      local finish, has_ended = programs.start(plain)
      running[#running + 1] = { program = next_one, finish = finish, has_ended = has_ended }
    else
      local ended = take_ended(running)
      local result = ended.finish()
      show(ended.program, result)
      for _, count in ipairs { "passed", "failed", "skipped" } do total[count] = total[count] + result[count] end
      table.move(result.skips, 1, #result.skips, #total.skips + 1, total.skips)
    end
  end
  return total
end

local function show_skips(skips)
  local names, order = {}, {}
  for _, skip in ipairs(skips) do
    if not names[skip.why] then
      names[skip.why] = {}
      order[#order + 1] = skip.why
    end
    table.insert(names[skip.why], skip.name)
  end
  for _, why in ipairs(order) do print(("skipped: %s: %s"):format(why, table.concat(names[why], ", "))) end
end

local chosen = collect()
print(("tests at scale %d%s"):format(scale, options.soak and " (soak)" or " (make soak runs the long suites in full)"))
local total = run_all(chosen)
show_skips(total.skips)
if total.passed + total.failed == 0 then
  print "not ok: there was no test to run"
  total.failed = 1
end
print(("%d passed, %d failed"):format(total.passed, total.failed)
      .. (total.skipped > 0 and (", %d skipped"):format(total.skipped) or ""))
os.exit(total.failed > 0 and 1 or 0)
