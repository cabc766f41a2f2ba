--- Runs every test and closes with "N passed, N failed" (and ", N skipped").
---   lua5.4 tests/run.lua --build BUILD [--soak] [--sanitizer] [--only PART] [--names FILE] [--usual FILE]
---     [--verbose]
--- --soak: the long suites in full.  --sanitizer: only what runs our C code under the sanitizer that BUILD
--- was built with.  --only: an area (`--only ?` lists them), or the suites whose name contains PART.
--- --names: write every test's suite, name and verdict.  --usual: write what each suite took.  --verbose: a
--- line for each suite.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/lib/?.lua;" .. package.path

local files = require "files"
local programs = require "programs"
local progress = require "progress"
local suites = require "suites"
local uv = require "luv"

local function wrong_use(sentence)
  io.stderr:write("tests/run.lua: ", sentence, "\n")
  os.exit(2)
end

local with_value = { build = true, only = true, names = true, usual = true }
local switches = { soak = true, sanitizer = true, verbose = true }

local function read_options(words)
  local options, i = { build = "build" }, 1
  while i <= #words do
    local name = words[i]:match "^%-%-(%a+)$"
    if with_value[name] then
      i = i + 1
      options[name] = words[i] or wrong_use("--" .. name .. " needs a value")
    elseif switches[name] then options[name] = true
    else wrong_use("unknown option " .. words[i]) end
    i = i + 1
  end
  return options
end

local options = read_options(arg)
local root = files.output("cd " .. files.quote(here .. "/..") .. " && pwd -P")
if not options.build:match "^/" then options.build = root .. "/" .. options.build end
local scale = options.soak and 50 or 1

if options.only == "?" then
  print("areas: " .. table.concat(suites.area_names(), ", "))
  os.exit(0)
end

-- ------------------------------------------------------------------ the environment of a suite

local sanitizer = "exitcode=" .. programs.sanitizer_code .. ":halt_on_error=1:print_stacktrace=1"

local settings = {
  BRIO = options.build .. "/brio",
  BRIO_BUILD = options.build,
  BRIO_TEST_SCALE = tostring(scale),
  LUA_PATH = ("%s/lua/?.lua;%s/lua/?/init.lua;%s/tests/lib/?.lua;;"):format(root, root, root),
  LUA_CPATH = ("%s/lua/?.so;;"):format(options.build),
  ASAN_OPTIONS = "detect_leaks=1:" .. sanitizer,
  UBSAN_OPTIONS = sanitizer,
  TSAN_OPTIONS = sanitizer,
  LSAN_OPTIONS = ("suppressions=%s/tests/lsan.supp:print_suppressions=0"):format(root),
}

--- The folder of temporary files: in memory, where a commit of a store waits for no disk, if there is room
--- and programs may be started there.  Long suites write more than that.
local function workplace()
  local memory, least = "/dev/shm", 2 << 30 -- bytes
  local space = not options.soak and not os.getenv "TMPDIR" and uv.fs_statfs(memory)
  if not space or space.bavail * space.bsize < least then return end
  local folder = files.temporary(memory)
  local program = folder .. "/program"
  files.write(program, "#!/bin/sh\n")
  local runs = uv.fs_chmod(program, 493) and os.execute(program .. " 2>/dev/null")
  files.remove(folder)
  return runs and memory
end

local place = workplace()

--- The environment with `settings` and a folder of its own for temporary files.
local function environment(folder)
  local list = { "TMPDIR=" .. folder }
  for name, value in pairs(settings) do list[#list + 1] = name .. "=" .. value end
  for name, value in pairs(uv.os_environ()) do
    if not settings[name] and name ~= "TMPDIR" then list[#list + 1] = name .. "=" .. value end
  end
  return list
end

-- ------------------------------------------------------------------ running

--- The load, in cores, that may run at once, more than the machine has, since every suite waits for events
--- at times; and the maximum number of suites.
local cores = tonumber((files.output "nproc")) or 2
local room, most_at_once = cores + 1.5, 4 * cores

--- Remove and return the first of `waiting` that fits beside `running`; nil when none fits.
local function next_that_fits(waiting, running)
  local free, count = room, 0
  for suite in pairs(running) do
    free, count = free - suite.load, count + 1
  end
  if count >= most_at_once then return nil end
  for at, suite in ipairs(waiting) do
    if suite.load <= free or count == 0 then return table.remove(waiting, at) end
  end
end

--- Run all suites, as many at once as fit.  Returns their number.
local function run_all(list, report)
  local waiting, running = table.move(list, 1, #list, 1, {}), {}
  local start_more
  local function start(suite)
    local folder = files.temporary(place)
    running[suite] = uv.now()
    programs.start(
      { name = suite.name, command = suite.command, timeout = suite.timeout, folder = root,
        environment = environment(folder) },
      function(name, details) report:failure(suite, name, details) end,
      function(result)
        files.remove(folder)
        running[suite] = nil
        report:ended(suite, result)
        start_more()
      end)
  end
  function start_more()
    local suite = next_that_fits(waiting, running)
    while suite do
      start(suite)
      suite = next_that_fits(waiting, running)
    end
  end
  local ticker = uv.new_timer()
  ticker:start(10000, 10000, function()
    report:tick(running)
    if not next(running) then ticker:close() end
  end)
  ticker:unref()
  start_more()
  uv.run()
end

local list = suites.list(options, root)
if #list == 0 then
  print(("not ok: no suite is named by %s; areas: %s"):format(options.only or "that",
    table.concat(suites.area_names(), ", ")))
  print "0 passed, 1 failed"
  os.exit(1)
end
local report = progress.new(#list, options.verbose)
print(("%d suites at scale %d%s"):format(#list, scale,
  options.soak and " (soak)" or " (make soak runs the long ones in full)"))
io.stdout:flush()
run_all(list, report)
local failed = report:close()
if options.names then files.write(options.names, report:names()) end
if options.usual then files.write(options.usual, report:usual()) end
os.exit(failed and 1 or 0)
