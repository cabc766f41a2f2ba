--- The functions of a test file, and the runner of tests.
---
---     test("a visitor is greeted once", function(t)
---       local run = t:run "behaviors/kiosk.lua"
---       run:see { kind = "person", id = "ann", at = { 1.0, 0, 1.6 } }
---       run:advance(2)                      -- robot time: takes no real time
---       t:equal(run.state, "greet")
---     end)
---
--- Each test prints a line: "ok name", "not ok name" with its failures below, or "skip name: why".
local behavior = require "brio.behavior.define"
local copy = require "brio.lib.copy"
local paths = require "brio.lib.paths"
local random = require "brio.random"
local rehearsal = require "brio.trials.rehearsal"
local run_options = require "brio.run.options"
local schema = require "brio.lib.schema"
local shell = require "brio.lib.shell"
local suggest = require "brio.lib.suggest"
local watch = require "brio.trials.watch"

local testing = {}

local T = {}
T.__index = T

local Skip = {}

local function show(value)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for _, item in ipairs(value) do parts[#parts + 1] = show(item) end
  for _, key in ipairs(suggest.keys(value)) do parts[#parts + 1] = key .. " = " .. show(value[key]) end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

--- A text with its arguments; without arguments the text is not a format, and may contain '%'.
local function worded(text, ...)
  if select("#", ...) == 0 then return tostring(text) end
  return string.format(text, ...)
end

--- Record a failure at the line of the test, and continue.
function T:fail(...)
  local place = "?"
  for level = 2, 12 do
    local info = debug.getinfo(level, "Sl")
    if info and info.source == "@" .. self.file then
      place = ("%s:%d"):format(self.file, info.currentline)
      break
    end
  end
  self.faults[#self.faults + 1] = place .. ": " .. worded(...)
end

--- Expect equality by value: tables are compared field by field.
function T:equal(got, expected, what)
  if not copy.equal(got, expected) then
    self:fail("%s%s, expected %s", what and what .. ": " or "", show(got), show(expected))
  end
end

--- Expect numbers, or tables of numbers, that differ by at most `tolerance`.
function T:near(got, expected, tolerance, what)
  if type(tolerance) ~= "number" then
    error("t:near expects a tolerance, a number, as its third argument", 2)
  end
  if type(got) == "table" and type(expected) == "table" then
    for key, value in next, expected do
      self:near(got[key], value, tolerance, (what or "") .. "[" .. tostring(key) .. "]")
    end
  elseif not (type(got) == "number" and math.abs(got - expected) <= tolerance) then
    self:fail("%s%s, expected %s within %g", what and what .. ": " or "", show(got), show(expected),
      tolerance)
  end
end

--- Expect true, or anything but nil and false.
function T:ok(condition, what, ...)
  if condition then return end
  self:fail("%s", what and worded(what, ...) or "expected true, got " .. tostring(condition))
end

--- Raise an error for an invalid pattern.
local function check_pattern(name, pattern)
  if type(pattern) ~= "string" then
    error(("t:%s expects a pattern, not a %s"):format(name, type(pattern)), 3)
  end
end

--- Expect a text that matches a pattern.
function T:match(text, pattern)
  check_pattern("match", pattern)
  if type(text) ~= "string" or not text:match(pattern) then
    self:fail("%s does not match %q", show(text), pattern)
  end
end

--- Expect a function to raise a message that matches a pattern; without a pattern, any message.
function T:raises(fn, pattern)
  if type(fn) ~= "function" and not (getmetatable(fn) or {}).__call then
    error(("t:raises expects a function that it calls, not a %s"):format(type(fn)), 2)
  end
  if pattern ~= nil then check_pattern("raises", pattern) end
  local good, message = pcall(fn)
  if good then self:fail("nothing was raised, expected %s", pattern and show(pattern) or "an error")
  elseif not pattern then return
  elseif not tostring(message):match(pattern) then self:fail("raised %s, which does not match %q",
      show(message), pattern) end
end

--- Skip the test: it cannot run here.
function T:skip(why) error(setmetatable({ why = why }, Skip)) end

--- The path of a file or folder for this test to make, removed afterwards.
function T:temporary(suffix)
  local path = os.tmpname()
  os.remove(path)
  path = path .. (suffix or "")
  self.remove[#self.remove + 1] = path
  return path
end

-- A behavior under test ---------------------------------------------------------------------------

local Handle = {}

local computed = {
  state = function(run) return run.host:state() end,
  memory = function(run) return run.host.self.memory end,
  now = function(run) return run.host.now end,
  failed = function(run) return run.host.failed end,
  solver = function(run) return run.solver end,
  scene = function(run) return run.scene end,
  world = function(run) return run.world end,
  actuator = function(run) return run.actuator end,
  description = function(run) return run.description end,
  inputs = function(run) return run.host.self.inputs end,
}

function Handle.__index(self, key)
  if computed[key] then return computed[key](rawget(self, "run")) end
  return Handle[key]
end

--- Let robot time pass.  Return false when the run has ended.
function Handle:advance(seconds) return self.run:advance(seconds) end

--- Add a person or object to the simulated world: {kind=, id=, at={x,y,z}, during=seconds}, or with `path`
--- instead of `at` (see brio.world), whose times count from now.
function Handle:see(what)
  local now, path = self.run.host.now, {}
  for index, point in ipairs(what.path
      or { { 0, table.unpack(what.at) }, { what.during or 1e6, table.unpack(what.at) } }) do
    path[index] = { now + point[1], table.unpack(point, 2) }
  end
  self.run.world:add { kind = what.kind, id = what.id, size = what.size, path = path }
end

--- Edit the behavior's file, or another that it loaded, and reload it as after a save: edit(text) -> text.
--- Nothing on disk changes.  Return true, or nil and the fault.
function Handle:reload(edit, file)
  local name = file or self.run.loaded.file
  local text = self.edits[name] or assert(require("brio.behavior.sandbox.sandbox").read(name))
  self.edits[name] = edit(text)
  return self.run.reloader:by_hand { [name] = self.edits[name] }
end

--- Emit an event, as the behavior's own self:emit does.
function Handle:emit(name, data) self.run.host:emit(name, data, "test") end

--- Set an input, as a person at the robot would, until `run:free(name)`.
function Handle:input(name, value)
  local good, why = self.run.inputs:set(name, value, "test", true)
  if not good then error(why, 2) end
end

--- Let the simulated world set an input again.
function Handle:free(name)
  local good, why = self.run.inputs:free(name)
  if not good then error(why, 2) end
end

--- The commanded value of a DOF.
function Handle:command(name) return self.run.host.tracks:told(name, self.run.actuator:state(name).target) end

--- The measured value of a DOF.
function Handle:measured(name) return self.run.actuator:state(name).position end

--- Rows of the run's store, up to now or after finish().
function Handle:sql(query, ...)
  local store = require "brio.store"
  local db = assert(store.open(self.store))
  local rows, why = db:query(query, ...)
  db:close()
  return assert(rows, why)
end

--- Request the end and run until power-off is complete.  Return the outcome.
function Handle:finish()
  self.run.engine:stop("script")
  while self.run:advance(0.1) do end
  return self:close()
end

--- The executions of nodes so far, in the order of their beginnings: a list of {state, node, name, kind,
--- started, ended, status, why, times} (see brio.trials.watch).  Only for a run with `leaves` or `watch`.
function Handle:executions()
  if not self.rehearsal then error("run:executions needs t:run { leaves = ... } or { watch = true }", 2) end
  local list = {}
  for _, tree in ipairs(self.rehearsal.watch.trees) do
    for _, one in ipairs(tree.executions) do
      local record = tree.compiled.list[one.node]
      list[#list + 1] = { state = tree.state, node = one.node, name = record.name, kind = record.is,
        started = one.started, ended = one.ended, status = one.status, why = one.why, times = one.times }
    end
  end
  local place = {}
  for index, one in ipairs(list) do place[one] = index end
  table.sort(list, function(a, b)
    if a.started ~= b.started then return a.started < b.started end
    if a.node ~= b.node then return a.node < b.node end
    return place[a] < place[b]
  end)
  return list
end

--- End the run immediately.  Return the outcome.
function Handle:close()
  if not self.closed then self.closed = self.run:close() end
  return self.closed
end

--- The rehearsal that replaces the leaves that the test scripts, and watches trees.
local function rehearsal_of(t, said, seed)
  if not (said.leaves or t.coverage or said.watch) then return nil end
  local good, made = pcall(rehearsal.new, { leaves = said.leaves, watch = watch.new(),
    stream = random.stream(seed or 0, "leaves") })
  if not good then error(made, 3) end
  return made
end

--- Compare the test's scripts with the trees of the behavior, and add the trees to the coverage.
local function look_at_trees(t, run, leaves, options)
  local states, trees = behavior.states_with_trees(run.loaded.machine), {}
  for index, state in ipairs(states) do trees[index] = state.tree end
  local why = leaves and options.rehearsal:fault(trees)
  if why then error(why, 3) end
  if t.coverage then t.coverage:know(options.file, states) end
end

--- The data of a world file beside the test, which the test may change and pass to t:run as `world_data`.
function T:world(file)
  local data, why = require("brio.run.runner").read_world(paths.beside(self.file, file))
  if not data then error(why, 2) end
  return data
end

--- Whether long tests are enabled, as by `make soak`.
function T:long() return (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1 end

--- Texts that replace files on disk, also under the name by which a test refers to its behavior.
function T:instead(file)
  local given = {}
  for name, source in next, self.sources do
    given[name] = source
    if ("/" .. file):sub(-#name - 1) == "/" .. name or ("/" .. name):sub(-#file - 1) == "/" .. file then
      given[file] = source
    end
  end
  return given
end

--- Options of t:run in addition to those of a run (brio.run.options).
local own_options = {
  source = { "string", doc = "the behavior's text, in the place of its file's" },
  recorded = { "boolean", doc = "a store is kept, for run:sql" },
  leaves = { "table", doc = "what leaves of its trees come to (see brio.trials.rehearsal)" },
  watch = { "boolean", doc = "run:executions() needs it; `leaves` implies it" },
  with_world = { "boolean", doc = "with the behavior's own world; without it, with none" },
}
testing.options = {}
for _, record in ipairs { run_options, own_options } do
  for name, field in next, record do testing.options[name] = field end
end

--- The options of a run from those of t:run.
local function options_of(self, file, said)
  local beside, made = paths.beside(self.file, file), {}
  for name, value in next, said do
    if not own_options[name] then made[name] = value end
  end
  made.file, made.clock = paths.exists(beside) and beside or file, "fast"
  if said.source then
    made.file = self:temporary(".lua")
    local handle = assert(io.open(made.file, "w"))
    handle:write(said.source)
    handle:close()
  end
  if self.sources and not made.sources then made.sources = self:instead(made.file) end
  if said.recorded then made.store = self:temporary(".db") end
  made.say = function(level, sentence) self.said[#self.said + 1] = level .. ": " .. sentence end
  if not made.world and not made.world_data and not said.with_world then made.world_data = {} end
  return made
end

--- Run a behavior on the simulator: a file beside the test, or a path, with the options of brio.runner and
--- those above.
function T:run(file, said)
  said = said or {}
  schema.check_options(said, testing.options, "t:run")
  local options = options_of(self, file, said)
  options.rehearsal = rehearsal_of(self, said, options.seed)
  local run, why = require("brio.run.runner").new(options)
  if not run then error(why, 2) end
  for name, source in next, self.sources and options.sources or {} do
    if run.loaded.sources[name] == source then self.counts.ran_instead = true end
  end
  local handle = setmetatable({ run = run, store = options.store, edits = {}, rehearsal = options.rehearsal },
    Handle)
  self.runs[#self.runs + 1] = handle
  look_at_trees(self, run, said.leaves, options)
  return handle
end

-- Running -----------------------------------------------------------------------------------------

--- Check that every row of a run's store refers to existing rows: a dangling reference is an error of brio.
local function check_keys(t, handle)
  local db = handle.store and require("brio.store").open(handle.store)
  if not db then return end
  local row = (db:query "PRAGMA foreign_key_check" or {})[1]
  db:close()
  if row then
    t:fail("a row of %s in the store belongs to a row of %s that is not there", row.table, row.parent)
  end
end

--- Remove a file, or a folder with what is in it.
local function remove(path)
  if os.remove(path) or not os.rename(path, path) then return end -- the last: there is none
  os.execute("rm -r -- " .. shell.quote(path))
end

local function clean_up(t)
  for _, handle in ipairs(t.runs) do
    if pcall(handle.close, handle) then check_keys(t, handle) end
    if t.coverage and handle.rehearsal then t.coverage:add(handle.run.loaded.file, handle.rehearsal.watch) end
  end
  for _, path in ipairs(t.remove) do
    for _, suffix in ipairs { "", "-wal", "-shm" } do remove(path .. suffix) end
  end
end

--- A raised error, as a text.
local function text_of(raised)
  local meta = getmetatable(raised)
  if type(raised) ~= "table" or type(meta) == "table" and meta.__tostring then return tostring(raised) end
  return "raised " .. show(raised)
end

local function run_test(file, name, body, counts)
  local print = counts.say or print
  local t = setmetatable({ file = file, coverage = counts.coverage, sources = counts.sources, counts = counts,
    faults = {}, said = {}, runs = {}, remove = {} }, T)
  local good, why = xpcall(body, function(raised)
    return getmetatable(raised) == Skip and raised or debug.traceback(text_of(raised), 2)
  end, t)
  clean_up(t)
  if not good and getmetatable(why) == Skip then
    counts.skipped = counts.skipped + 1
    print(("skip %s: %s"):format(name, why.why))
    return
  end
  if not good then t.faults[#t.faults + 1] = why end
  local verdict = #t.faults == 0 and "ok" or "not ok"
  counts[#t.faults == 0 and "passed" or "failed"] = counts[#t.faults == 0 and "passed" or "failed"] + 1
  print(verdict .. " " .. name)
  for _, fault in ipairs(t.faults) do print("#   " .. fault:gsub("\n", "\n#   ")) end
  io.stdout:flush()
end

--- Run the tests of one file, counting into counts.passed, failed and skipped, and into counts.coverage if
--- there is one (see brio.trials.coverage).  counts.say replaces print; counts.sources are texts that
--- replace files on disk, and counts.ran_instead becomes true if one of them ran.
function testing.run_file(file, only, counts)
  local env = setmetatable({}, { __index = _G })
  function env.test(name, body)
    if not only or name:find(only, 1, true) then run_test(file, name, body, counts) end
  end
  local chunk, why = loadfile(file, "t", env)
  local good = chunk ~= nil
  if good then good, why = xpcall(chunk, function(raised) return debug.traceback(text_of(raised), 2) end) end
  if not good then
    counts.failed = counts.failed + 1
    local say = counts.say or print
    say("not ok " .. file .. "\n#   " .. tostring(why):gsub("\n", "\n#   "))
  end
end

return testing
