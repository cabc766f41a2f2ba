--- The script thread's side of a hot reload: takes versions that passed the checker (checker.lua), prepares
--- them in the slack between ticks, and hands them to the behavior's host, which swaps at the next tick.
---
---     reloader:now()              judge the files again, including refused and rolled-back ones
---     reloader:rollback()         restore the version before; with a hash, that version
---     reloader:versions()         the versions that have run: a list of {hash, name, since}
---
--- Each returns true, or nil and a sentence; results are reported as for any save.
local lazy = require "brio.lib.lazy"
local clock = require "brio.clock"
local door = require "brio.io.input_gate"
local history = lazy "brio.record.history"
local live = lazy "brio.robots.live"
local loading = require "brio.run.load"
local motors = require "brio.devices.motors"
local parcel = lazy "brio.lib.serialize"
local physics = lazy "brio.run.physics"
local properties = require "brio.behavior.properties"
local script = require "brio.script"
local suggest = require "brio.lib.suggest"
local taped = require "brio.io.run_tape"

local reload = {}
local Reloader = {}
Reloader.__index = Reloader

--- Minimum time for preparing a version after each tick, s; and the usual time as a multiple of the usable
--- slack, which is half of the time until the next tick.
reload.least_slack = 0.0005
reload.share = 1.5

--- If a slice ends later than allowed by this much, s, other work needs the machine: the next slices are
--- half as long, and grow again by a quarter each while they end in time.
reload.overrun = 0.0005

--- Maximum number of versions of a run that can be restored.
reload.most_versions = 64

--- Make the reloader of a run.  With options.reload, a thread watches the files from now on.
function reload.new(run, options)
  local self = setmetatable({ run = run, options = options, ran = {}, share = reload.share }, Reloader)
  self:note_version(run.host.hashes, run.host.sources)
  if options.reload then
    local loader, why = door.replays()
    if not loader then
      local settings = require("brio.run.checker").settings(run, options)
      loader, why = require("brio.loader").start("brio.run.checker", settings, options.watch == "poll")
    end
    if not loader then run:tell("warning", "files are not watched: " .. why) end
    self.loader = loader and taped.loader(loader ~= true and loader or nil)
  end
  return self
end

--- A key that identifies a version of a behavior with all its modules.
local function key_of(hashes)
  local parts = {}
  for _, name in ipairs(suggest.keys(hashes)) do parts[#parts + 1] = name .. " " .. hashes[name] end
  return table.concat(parts, "\n")
end

--- The files of `hashes` that differ from `before`, each as {name =, hash =, from =}, the behavior's own
--- first.
local function changed_files(hashes, before, main)
  local list = {}
  for _, name in ipairs(suggest.keys(hashes)) do
    if hashes[name] ~= before[name] then
      table.insert(list, name == main and 1 or #list + 1,
        { name = name, hash = hashes[name], from = before[name] })
    end
  end
  return list
end

--- Append to the list of versions: `hashes` and `sources` of the behavior and its modules.
function Reloader:note_version(hashes, sources)
  local list, main = self.ran, self.run.loaded.file
  local before = list[#list] and list[#list].hashes or {}
  list[#list + 1] = { hash = hashes[main], hashes = hashes, key = key_of(hashes), since = self.run.host.now,
                      changed = changed_files(hashes, before, main), sources = sources }
  if #list > reload.most_versions then table.remove(list, 1) end
end

-- Taking over -------------------------------------------------------------------------------------

--- Parse a report (see checker.lua): {given files, hashes by file}.
local function read_files(news)
  local given, hashes = {}, {}
  for index = 4, 3 + 4 * tonumber(news[3]), 4 do
    local code = news[index + 2]
    given[news[index]] = { source = news[index + 1], code = code ~= "" and code or nil }
    hashes[news[index]] = news[index + 3]
  end
  return given, hashes
end

--- A version that may run: {file, given, hashes; passed: its check is over, saved: when, s; printed: what its
--- file printed; loaded: it is}.
local function version_of(news)
  local given, hashes = read_files(news)
  return { file = news[2], given = given, hashes = hashes, printed = {} }
end

--- Whether a version that is being prepared has all files of `hashes` as they are there.
local function covers(version, hashes)
  for name, hash in next, hashes do
    if version.hashes[name] ~= hash then return false end
  end
  return true
end

--- Load a version apart from what runs.  Return what loading.load does.
local function load_version(self, version)
  local run = self.run
  local stream = taped.stream(run.host.stream, run.seed, version.hashes[version.file])
  local loaded, faults, unread = loading.load(version.file, {
    files = { given = version.given, only = true }, stream = stream, trusted = true,
    print = function(text) table.insert(version.printed, text) end })
  if not loaded then return nil, unread or loading.sentence(faults) end
  stream:loaded()
  return loaded
end

--- Prepare a version: load it, wait until its check has passed, and add its objectives.  Return what
--- host:swap takes, or nil and a sentence.  Runs in a coroutine.
local function prepare(self, version)
  local run, host = self.run, self.run.host
  local loaded, fault = load_version(self, version)
  if not loaded then return nil, fault end
  version.loaded = true
  while not version.passed do coroutine.yield() end
  for _, text in ipairs(version.printed) do run:tell("info", text) end
  local manager = properties.new(loaded.machine, host.solver, run.description.roles, host.properties)
  local good, made, why = pcall(manager.make, manager)
  if not (good and made) then
    manager:discard(host.properties)
    return nil, ("%s: %s"):format(version.file, good and why .. "; a restart makes more room" or made)
  end
  for _, name in ipairs(suggest.keys(loaded.sequences)) do host.tracks:compiled(loaded.sequences[name]) end
  return { definition = loaded.definition, machine = loaded.machine, sources = loaded.sources,
    properties = manager, sequences = loaded.sequences,
    version = version.hashes[version.file], hashes = version.hashes, saved = version.saved }
end

--- Begin to prepare a version, in place of any other.
function Reloader:begin(version)
  self.coming = version
  self.worker = coroutine.create(function() return prepare(self, version) end)
end

--- Forget the version that is being prepared.
function Reloader:forget() self.coming, self.worker = nil, nil end

--- Record in the store which files run in another version from `t` on.
local function record(run, hashes, sources, before, t)
  local writer = run.recorder.writer
  if not writer then return end
  for _, file in ipairs(suggest.keys(hashes)) do
    if hashes[file] ~= before[file] then writer:version(file, sources[file], before[file], t) end
  end
end

--- Record a new version of a data file: the world's or the robot's.
local function record_data(run, news)
  local file, source, hash = news[2], news[3], news[4]
  record(run, { [file] = hash }, { [file] = source }, run.data, run.host.now)
  run.data[file] = hash
end

--- Report and record that a change was refused.
function Reloader:refuse(file, sentence)
  local host = self.run.host
  local first = sentence:match("^[^\n]*")
  host.recorder:fault(host.tick, host.now, "warning", file, first, sentence ~= first and sentence or nil, nil)
  self.run:tell("warning", ("%s was not taken, version %s runs on: %s"):format(file, host.version:sub(1, 8),
    sentence))
  return nil, sentence
end

--- Report which files run in another version.
local function took_over(changed)
  local first, others = changed[1], {}
  if not first then return "the behavior runs again" end
  for index = 2, #changed do others[#others + 1] = changed[index].name end
  local place = first.from and ("version %s runs in place of %s"):format(first.hash:sub(1, 8),
    first.from:sub(1, 8))
    or ("version %s runs"):format(first.hash:sub(1, 8))
  return ("%s: %s%s"):format(first.name, place, others[1] and ", with " .. table.concat(others, ", ") or "")
end

--- Offer a prepared version for the swap.  Recording and reporting it are deferred to the slack.
function Reloader:offer(prepared)
  local run, host = self.run, self.run.host
  local before = host.hashes
  prepared.done = function()
    local since = prepared.saved and prepared.saved > 0 and (clock.monotonic() - prepared.saved) * 1000
    self:note_version(prepared.hashes, prepared.sources)
    local told
    if host.hashes == prepared.hashes then -- otherwise it failed at once
      told = took_over(changed_files(prepared.hashes, before, run.loaded.file))
        .. (since and (", %.1f ms after it was saved"):format(since) or "")
    end
    self.taken = { now = prepared, before = before, t = host.now, told = told }
  end
end

--- Record and report the version that was swapped in during the tick before.
function Reloader:tell_taken(silent)
  local taken = self.taken
  if not taken then return end
  self.taken = nil
  record(self.run, taken.now.hashes, taken.now.sources, taken.before, taken.t)
  if taken.told and not silent then self.run:tell("info", taken.told) end
end

--- A function for each kind of report, called in the slack.
local takers = {}

function takers.begins(self, news)
  self:begin(version_of(news))
  return true
end

function takers.behavior(self, news)
  local version = version_of(news)
  if not (self.worker and covers(self.coming, version.hashes)) then self:begin(version) end
  self.coming.hashes, self.coming.passed = version.hashes, true
  self.coming.saved = tonumber(news[#news])
  return true
end

function takers.same(self, news)
  self:forget()
  self.run:tell("info", ("%s: version %s is running already"):format(news[2],
    self.run.host.version:sub(1, 8)))
  return true
end

--- The world has other contents from now on.  With physics a new model is compiled first, in a thread.
function takers.world(self, news)
  local run = self.run
  local made, why = loading.open_world(news[2], run.seed, news[3], run.description)
  if not made then return self:refuse(news[2], why) end
  local function take(wrong)
    if wrong then return self:refuse(news[2], wrong) end
    run.world:exchange(made)
    run.inputs:follow(why or {})
    record_data(run, news)
    run:tell("info", ("%s: the world changes to that of version %s"):format(news[2], news[4]:sub(1, 8)))
    return true
  end
  if not run.physics then return take() end
  return physics.change(run, made, take)
end

--- The settings of motors change only while they are disarmed: now, or later when they are.
function Reloader:offer_motors(file, said)
  self.motors = { file = file, said = said }
  if self:take_motors() then return end
  self.run:tell("warning", file
    .. ": how motors count has changed: that is taken over when they are disarmed (`disarm`), not before")
end

--- Apply new settings of motors if they are disarmed.  Return whether nothing is waiting any more.
function Reloader:take_motors()
  local run, waiting = self.run, self.motors
  if not waiting then return true end
  if taped.motors(run).armed then return false end
  self.motors = nil
  local good, why = run.engine:remap(motors.mappings(waiting.said))
  if not good then return self:refuse(waiting.file, why) end
  run.description.motors = waiting.said
  run:tell("info", waiting.file
    .. ": the motors' mappings changed: devices are opened again; arm them when they stand as you expect \z
      (`arm`)")
  return true
end

--- The names, poses, roles and limits of the robot have changed.
function takers.robot(self, news)
  local run, host = self.run, self.run.host
  local now = parcel.take(news, 5)
  local changed = live.changed(run.description, now)
  if not live.same(run.description.motors, now.motors) then self:offer_motors(news[2], now.motors or {}) end
  live.take(run.description, now, run.solver, run.actuator)
  host:take_robot()
  record_data(run, news)
  if #changed == 0 and self.motors then return true end
  run:tell("info", ("%s: %s"):format(news[2], #changed == 0 and "nothing else in it that counts has changed"
    or "changed while it runs: " .. table.concat(changed, ", "):gsub("dofs", "limits and labels")))
  return true
end

function takers.refused(self, news)
  self:forget()
  return self:refuse(news[2], news[3])
end

function takers.broken(self, news)
  self.run:tell("error", "files are no longer watched: " .. news[2])
  return nil, news[2]
end

--- Continue preparing in the slack, which is `seconds` long and began at `began`.
function Reloader:prepare_in_slack(seconds, began)
  if self.coming.loaded and not self.coming.passed then return false end
  local allowed = math.max(seconds * self.share, reload.least_slack)
  local left = began + allowed - clock.monotonic()
  if left <= 0 then return false end -- earlier work has used up the slack
  local over, prepared, why = self:prepare_on(left)
  local late = clock.monotonic() - began > allowed + reload.overrun
  self.share = late and math.max(self.share / 2, 0.1) or math.min(self.share * 1.25, reload.share)
  return over, prepared, why
end

--- Continue preparing for `seconds`.  Return whether it has finished, and then: the prepared version, or
--- nil and a sentence.
function Reloader:prepare_on(seconds)
  local over, good, prepared, why = script.work(self.worker, seconds)
  if not over then return false end
  if not good then return true, nil, tostring(prepared) end
  return true, prepared, why
end

--- After a rollback: inform the store and the checker about the version that runs.
function Reloader:after_rollback()
  local host = self.run.host
  local back = host.rolled_back
  if not back then return end
  host.rolled_back = nil
  self.run:tell("error", back.sentence)
  self.ran[#self.ran].failed = true
  record(self.run, host.hashes, host.sources, host.failed_hashes or {}, back.t)
  self:note_version(host.hashes, host.sources)
  self:ask { "runs", table.unpack(self:texts_of(host.sources)) }
end

--- A list of names and texts for the checker, sorted by name.
function Reloader:texts_of(sources)
  local list = {}
  for _, name in ipairs(suggest.keys(sources)) do
    list[#list + 1], list[#list + 2] = name, sources[name]
  end
  return list
end

--- Send a request to the checker.
function Reloader:ask(request)
  if self.loader then return self.loader:ask(request) end
  if self.checker then self.checker:obey(request) end
end

--- Use the slack after a tick: at most about `seconds`.
function Reloader:slack(seconds)
  local run = self.run
  local host, began = run.host, clock.monotonic()
  self:tell_taken()
  self:after_rollback()
  if self.motors then self:take_motors() end
  if not (host.prepared or self.coming and self.coming.passed) then
    local news = self.loader and self.loader:take()
    if news then takers[news[1]](self, news)
    elseif not self.worker then return host.properties:sweep(host.now) end
  end
  if self.worker then self:prepare_some(seconds, began) end
end

--- Go on preparing in the slack; offer what is ready.  What fails before it has passed is left to its check,
--- which refuses it.
function Reloader:prepare_some(seconds, began)
  local version, run = self.coming, self.run
  local over, prepared, why = taped.prepared(function() return self:prepare_in_slack(seconds, began) end,
    function() return self:prepare_on(math.huge) end)
  if not over then return end
  self:forget()
  if prepared then
    self:offer(prepared)
    run.host.prepared = prepared
  elseif version.passed then
    self:refuse(run.loaded.file, why)
  end
end

-- By hand ------------------------------------------------------------------------------------------

--- Swap in at once what passed.  Return true, or nil and a sentence.
function Reloader:take_now(news)
  local good, why = takers[news[1]](self, news)
  if not (self.worker and self.coming.passed) then return good, why end
  local _, prepared, fault = self:prepare_on(math.huge)
  self:forget()
  if not prepared then return self:refuse(news[2], fault) end
  local host = self.run.host
  self:offer(prepared)
  host:swap(prepared)
  prepared.done()
  self:tell_taken(true)
  local failed = host.rolled_back and host.rolled_back.why
  self:after_rollback()
  host.properties:sweep(host.now)
  if failed then return nil, failed end
  return true
end

--- Judge and swap now, between two ticks, without a thread.  `edits`, {file = text}, replace the texts on
--- disk.  Return true, or nil and the sentence of what was refused or rolled back.
function Reloader:by_hand(edits, request)
  self:after_rollback()
  local all, sentence = true, nil
  local lists = taped.judged(function()
    local checker = require "brio.run.checker"
    self.checker = self.checker or checker.new(checker.settings(self.run, self.options))
    return self.checker:judge_now(edits, request)
  end)
  for _, news in ipairs(lists) do
    local good, why = self:take_now(news)
    if not good then all, sentence = nil, sentence or why end
  end
  return all, sentence
end

function Reloader:close()
  if self.loader then self.loader:close() end
  self.loader = nil
end

-- For people ---------------------------------------------------------------------------------------

--- Send a request to the checker, in its thread or at once.
local function request(self, list)
  if not self.loader then return self:by_hand(nil, list) end
  if not self.loader:ask(list) then return nil, "the loader has too much to do: try again" end
  return true
end

function Reloader:now() return request(self, { "now" }) end

--- The versions that ran, oldest first: each {hash =, since =, failed =, runs =, changed = {{name =, hash
--- =}}}.
function Reloader:versions()
  local ran, now, found = self.ran, key_of(self.run.host.hashes), false
  for index = #ran, 1, -1 do
    ran[index].runs = not found and ran[index].key == now
    found = found or ran[index].runs
  end
  return ran
end

--- Whether the behavior, or a module of it, has a hash that begins with this text.
local function has_hash(version, hash)
  for _, known in next, version.hashes do
    if known:sub(1, #hash) == hash then return true end
  end
  return false
end

--- The newest version with a file whose hash begins with `hash`; without one, the version before.
local function find_version(self, hash)
  local ran, now = self.ran, key_of(self.run.host.hashes)
  if not hash then return history.before(ran, now) end
  for index = #ran, 1, -1 do
    if ran[index].key ~= now and has_hash(ran[index], hash) then return ran[index] end
  end
end

function Reloader:rollback(hash)
  local version = find_version(self, hash)
  if not version then
    return nil, hash and ("no version '%s' ran before"):format(hash) or "there is no version before this one"
  end
  return request(self, { "back", table.unpack(self:texts_of(version.sources)) })
end

return reload
