--- Reads, compiles and checks the files of a running behavior, apart from the run: in the thread of
--- brio.loader, or at once if the run is driven by hand.
---
--- Results are lists of texts, which reload.lua reads:
---   begins, FILE, COUNT, then for each file: name, source, bytecode, hash   its file was called and returned
---     a behavior, which is being checked: the run may load it meanwhile
---   behavior, FILE, COUNT, then the same                                    it passed
---   same, FILE                     the refused text is again the one that runs
---   world, FILE, source, hash      people and objects of the simulated world move differently
---   robot, FILE, source, hash, then the changed settings of the robot (see robots/live.lua and
---     lib/serialize.lua)
---   refused, FILE, sentence        the error; the running version continues
local clock = require "brio.clock"
local extension = require "brio.extension"
local live = require "brio.robots.live"
local parcel = require "brio.lib.serialize"
local robots = require "brio.robots.catalog"
local loading = require "brio.run.load"
local sandbox = require "brio.behavior.sandbox.sandbox"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"
local trial = require "brio.behavior.trial"

local checker = {}
local Checker = {}
Checker.__index = Checker

--- A faulty file may be only half written: it is refused once it has not changed for this long, s.
checker.patience = 0.15

--- Files that were judged before they had settled are read again after this time, s, whatever the watch
--- reports. It is longer than the time that the watch lets a change settle.
checker.most_settling = 0.5

--- Maximum garbage that may stay uncollected while files are judged repeatedly, kB.
checker.most_garbage = 65536

--- The settings of a checker as a list of texts, for a run with these options.  They contain the texts that
--- run, since a file may be saved before the checker reads it for the first time.
function checker.settings(run, options)
  local packages = type(options.packages) == "table" and options.packages[1] or options.packages
  local data = { [run.world_file or 1] = run.world_source or nil }
  for name, text in next, run.description.texts or {} do data[name] = text end
  data[1] = nil
  local names = suggest.keys(data)
  local list = { options.file, options.robot or "", packages or "", tostring(run.seed), run.world_file or "",
    table.concat(options.load or {}, "\n"), run.description.floats and "floats" or "", tostring(#names) }
  for _, set in ipairs { data, run.loaded.sources } do
    for _, name in ipairs(suggest.keys(set)) do
      list[#list + 1] = name
      list[#list + 1] = set[name]
    end
  end
  return list
end

--- Make a checker from settings.  `announce(list)`: hands over a list of texts at once, while a check goes
--- on; nil: there is no thread, and nothing is announced.
function checker.new(settings, announce)
  local self = setmetatable({
    announce = announce,
    file = settings[1], packages = settings[3] ~= "" and { settings[3] } or nil,
    seed = math.tointeger(tonumber(settings[4])), world = settings[5] ~= "" and settings[5] or nil,
    floats = settings[7] == "floats" or nil,
    judged = {}, running = {}, pending = {}, absent = {}, edits = {},
  }, Checker)
  for file in settings[6]:gmatch("[^\n]+") do extension.load(file) end -- this may be another thread's Lua
  local data, last = {}, 8 + 2 * tonumber(settings[8])
  for index = 9, #settings, 2 do
    (index <= last and data or self.running)[settings[index]] = settings[index + 1]
  end
  for name, source in next, self.running do self.judged[name] = source end
  local loaded = loading.load(self.file, { seed = self.seed, files = self:given(self.running) })
  self.robot_name = settings[2] ~= "" and settings[2] or loaded and loaded.definition.fields.robot or "pepper"
  self.robot_said = loaded and loaded.definition.fields.robot
  self.world_said = loaded and loaded.definition.fields.world
  self.description = robots.find(self.robot_name,
    { packages = self.packages, texts = next(data) and data or nil, floats = self.floats })
  self.trial = self.description and trial.new(self.description)
  self.robot = self.description and self.description.file:match("%.lua$") and self.description.file
  self.measured = self.robot and self.description.calibration
  self:know_data()
  -- unless the run has loaded it
  if self.measured and data[self.robot] then self.judged[self.measured] = false end
  for name, text in next, data do self.judged[name] = text end
  return self
end

--- Mark the data files (world, robot, calibration) as judged, with their text on disk.
function Checker:know_data()
  for _, name in ipairs { self.world or false, self.robot or false, self.measured or false } do
    if name then self.judged[name] = sandbox.read(name) or false end
  end
end

--- The given texts in the form that sandbox.load expects.
function Checker:given(texts, only)
  local given = {}
  for name, source in next, texts do given[name] = source and { source = source } or nil end
  return { given = given, only = only, absent = self.absent, chunks = {}, made = {} }
end

--- The names of all relevant files, sorted.
function Checker:list()
  local names = { [self.file] = true }
  local held = self.held and self.held.judged or {}
  for _, set in ipairs { self.running, self.judged, self.absent, self.edits, held } do
    for name in next, set do names[name] = true end
  end
  return suggest.keys(names)
end

--- The texts of all files now, and which of them differ from the last judged text.
function Checker:read()
  local texts, changed = {}, {}
  for _, name in ipairs(self:list()) do
    texts[name] = self.edits[name] or sandbox.read(name) or false
    if texts[name] ~= (self.judged[name] or false) then changed[#changed + 1] = name end
  end
  return texts, changed
end

local function same_texts(a, b)
  for name, text in next, a do
    if b[name] ~= text then return false end
  end
  for name in next, b do
    if a[name] == nil then return false end
  end
  return true
end

-- Judging -----------------------------------------------------------------------------------------

--- Whether the loaded behavior can replace the running one on its robot and world: a sentence if not.
function Checker:fault_of_place(fields)
  if fields.robot ~= self.robot_said then
    return ("%s: the robot cannot be changed while it runs: that takes a restart"):format(self.file)
  elseif fields.world ~= self.world_said then
    return ("%s: another world takes a restart"):format(self.file)
  end
end

--- The fault of a behavior on a robot: a sentence, or nil.
function Checker:fault_on_robot(loaded, description)
  local known = self.trial.description
  self.trial.description = description
  local faults = loading.faults_on(loaded, description, self.trial)
  self.trial.description = known
  return #faults > 0 and loading.sentence(faults) or nil
end

--- The bytecode and the hash of a file, made once in a check; data has no bytecode.
local function compiled(files, name, source)
  local chunk = files.chunks[name]
  local made = files.made[name]
  if not made or chunk and made.code == "" then
    made = { code = chunk and string.dump(chunk) or "", hash = store.hash(source) }
    files.made[name] = made
  end
  return made
end

--- A list of texts about a version: `sources`, {file = text}, and `files` as they were loaded.
local function report(kind, file, sources, files)
  local names = suggest.keys(sources)
  local news = { kind, file, tostring(#names) }
  for _, name in ipairs(names) do
    local made = compiled(files, name, sources[name])
    news[#news + 1], news[#news + 2] = name, sources[name]
    news[#news + 1], news[#news + 2] = made.code, made.hash
  end
  return news
end

--- Announce a version whose file was called and is being checked, with all files that it may load yet.
function Checker:announce_version(texts, sources, files)
  if not self.announce or same_texts(sources, self.running) then return end
  local all = {}
  for name, text in next, texts do
    if text and name ~= self.world and name ~= self.robot and name ~= self.measured then all[name] = text end
  end
  for name, text in next, sources do all[name] = text end
  self.announce(report("begins", self.file, all, files))
end

--- Judge the behavior's files, with the given texts.
function Checker:judge_behavior(texts)
  local sources = {}
  self.absent = {}
  if not texts[self.file] then
    return { "refused", self.file, ("cannot read %s: it is gone, or may not be read"):format(self.file) }
  end
  local files = self:given(texts)
  local function announce() return self:announce_version(texts, sources, files) end
  local loaded, found, unread = loading.load(self.file,
    { seed = self.seed, files = files, sources = sources, prepare = announce })
  for name, source in next, sources do texts[name] = source end
  if not loaded then return { "refused", self.file, unread or loading.sentence(found) } end
  local fault = self.trial and self:fault_on_robot(loaded, self.trial.description)
    or self:fault_of_place(loaded.definition.fields)
  if fault then return { "refused", self.file, fault } end
  for name in next, self.running do
    if not sources[name] then texts[name] = nil end -- not used
  end
  if same_texts(sources, self.running) then return { "same", self.file } end
  self.running = sources
  return report("behavior", self.file, sources, files)
end

function Checker:judge_world(texts)
  local source = texts[self.world]
  if not source then return { "refused", self.world, "cannot read " .. self.world } end
  local made, why = loading.open_world(self.world, self.seed, source, self.description)
  if not made then return { "refused", self.world, why } end
  return { "world", self.world, source, store.hash(source) }
end

--- Judge the robot's file.  Only some of it may change while the robot moves: see robots/live.lua.  The
--- running behavior must be valid with the new roles.
function Checker:judge_robot(texts, changed)
  local options = { packages = self.packages, floats = self.floats }
  local good, found, why = pcall(robots.find, self.robot_name, options)
  if not (good and found) then return { "refused", self.robot, good and why or tostring(found) } end
  local fault = live.fault(self.description, found)
  if fault then return { "refused", self.robot, ("%s: %s"):format(self.robot, fault) } end
  if not live.same(found.roles, self.description.roles) then
    local sentence = self:fault_of_roles(found, texts)
    if sentence then
      return { "refused", self.robot, ("%s: with its roles, %s"):format(self.robot, sentence) }
    end
  end
  if self.trial then self.trial.description = found end
  local file = changed[self.robot] and self.robot or self.measured
  local source = texts[file] or ""
  local news = { "robot", file, source, store.hash(source) }
  parcel.put(news, live.parts(found))
  return news
end

--- The fault of the running behavior on the robot as it is described now.
function Checker:fault_of_roles(found, texts)
  local loaded = loading.load(self.file, { seed = self.seed, files = self:given(texts) })
    or loading.load(self.file, { seed = self.seed, files = self:given(self.running, true) })
  return loaded and self.trial and self:fault_on_robot(loaded, found) or nil
end

--- Judges in this order: a behavior may use what the robot's file defines since the same save.
local judges = { "judge_robot", "judge_world", "judge_behavior" }

--- Judge what changed.  Return the list of reports.
function Checker:judge(texts, changed)
  local said, asked = {}, {}
  for _, name in ipairs(changed) do
    local of_robot = name == self.robot or name == self.measured
    asked[name == self.world and "judge_world" or of_robot and "judge_robot" or "judge_behavior"] = true
    asked[name] = true
  end
  for _, judge in ipairs(judges) do
    if asked[judge] then said[#said + 1] = self[judge](self, texts, asked) end
  end
  return said
end

local function any_refused(said)
  for _, news in ipairs(said) do
    if news[1] == "refused" then return true end
  end
  return false
end

-- Steps -------------------------------------------------------------------------------------------

--- Judge the files with their texts now, unless they have been judged with the same texts: self.held has
--- the reports.
function Checker:hold(texts, changed)
  local held, now, running = self.held, clock.monotonic(), self.running
  if held and same_texts(held.texts, texts) then return end
  local before = {}
  for name, text in next, texts do before[name] = text end
  local judged = { texts = before, judged = texts, said = self:judge(texts, changed), since = now }
  for name, text in next, texts do -- modules that were read for the first time
    if before[name] == nil then before[name] = text end
  end
  judged.running = self.running
  self.running, self.held = running, judged
  self.used = true
end

--- Read the files; append reports to self.pending.  Faults are reported when the files have not changed for
--- `patience` seconds.  Return when to read again, s, if necessary.
function Checker:look(patience)
  local texts, changed = self:read()
  if #changed == 0 then
    self.held = nil
    return nil
  end
  self:hold(texts, changed)
  local held = self.held
  local left = held.since + patience - clock.monotonic()
  if left > 0 and any_refused(held.said) then return left end
  self.held, self.judged, self.running = nil, held.judged, held.running
  table.move(held.said, 1, #held.said, #self.pending + 1, self.pending)
  return nil
end

--- Requests of people, by name.
local requests = {}

--- {"now"}: judge all files again, including unchanged ones.
function requests.now(self)
  self.judged, self.held, self.again = {}, nil, true
  self:know_data()
end

--- {"back", name, source, ...}: run the version with these files again.
function requests.back(self, request)
  local texts = {}
  for index = 2, #request, 2 do texts[request[index]] = request[index + 1] end
  local files = self:given(texts, true)
  local loaded, faults, unread = loading.load(self.file, { seed = self.seed, files = files })
  if not loaded then
    self.pending[#self.pending + 1] = { "refused", self.file, unread or loading.sentence(faults) }
    return
  end
  self.running = loaded.sources
  self.pending[#self.pending + 1] = report("behavior", self.file, loaded.sources, files)
end

--- {"runs", name, source, ...}: the files that run now, after a rollback.
function requests.runs(self, request)
  self.running = {}
  for index = 2, #request, 2 do self.running[request[index]] = request[index + 1] end
end

function Checker:obey(request) requests[request[1]](self, request) end

--- One step, as runtime/script/loader.h describes it.  Return a report, the files to watch, and when to
--- step again.
function Checker:step(saved_at, request)
  if request then self:obey(request) end
  self.asked = request or self.asked -- a report on a request has no time of saving
  -- no collection while somebody waits for the result: it is done when nothing is left to report
  collectgarbage "stop"
  local again = self:look(checker.patience)
  local news = table.remove(self.pending, 1)
  if news then
    news[#news + 1] = self.asked and "0" or tostring(saved_at)
    again = 0
  else
    self.asked = nil
    if self.used and (not self.held or collectgarbage "count" > checker.most_garbage) then
      self.used = nil
      collectgarbage()
    end
  end
  return news, self:list(), again
end

--- Files have changed but not settled: judge the behavior's files now, as runtime/script/loader.h describes
--- it. The next step reports the result if the files are still the same.  Return the maximum time until
--- that step, s.  The robot's file is judged only when it has settled, since later checks depend on it.
function Checker:glance()
  local texts, changed = self:read()
  for _, name in ipairs(changed) do
    if name == self.robot or name == self.measured then return checker.most_settling end
  end
  collectgarbage "stop"
  if #changed > 0 then self:hold(texts, changed) end
  local held = self.held
  if not (held and any_refused(held.said)) then return checker.most_settling end
  return math.max(held.since + checker.patience - clock.monotonic(), 0)
end

--- All reports at once, for a run that is driven by hand.  `edits`, {file = text}, replace the texts on
--- disk.
function Checker:judge_now(edits, request)
  for name, text in next, edits or {} do self.edits[name] = text end
  if request then self:obey(request) end
  self:look(0)
  local said = self.pending
  self.pending = {}
  return said
end

return checker
