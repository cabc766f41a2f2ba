--- Objects of a run whose inputs pass the run's gate (brio.io.input_gate).
local door = require "brio.io.input_gate"
local front = require "brio.front"
local random = require "brio.random"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"
local tapes = require "brio.tape"

local taped = {}

--- The gate of a run with these options; nil: the run has no tape.
function taped.gate(options)
  if options.replay then return options.replay end
  return options.store and door.recording() or nil
end

-- The front ----------------------------------------------------------------------------------------

--- The front of a run: the input of people and their devices, behind the gate. `real` is nil in a replay.
local Front = {}
Front.__index = function(_, name)
  if Front[name] or name == "real" then return Front[name] end
  return function(self, ...) -- other functions of the front
    return door.must("prompt", function(...) return self.real[name](self.real, ...) end, ...)
  end
end

local function poll(real) return real:poll() end
local function stops(real) return real:stops() end
local function clients(real) return real:clients() end
local function gamepad(real) return real:gamepad() end
local function datagram(real) return real:datagram() end
local function dropped(real) return real:dropped() end
local function same(value) return value end

--- The next line of a client, or nil.
function Front:poll() return door.ask("prompt", poll, self.real) end
function Front:stops() return door.value("stops", "", stops, self.real) or 0 end

--- The number of lines that the front has dropped.
function Front:dropped() return door.value("clients", "dropped", dropped, self.real) or 0 end

--- The number of attached clients.
function Front:clients() return door.value("clients", "", clients, self.real) or 0 end

--- The next event of the gamepad, or nil.
function Front:gamepad() return door.ask("gamepad", gamepad, self.real) end

function Front:datagram()
  local text, received = door.ask("tracker", datagram, self.real)
  if text then return text, received end
  return nil, door.value("tracker", "left out", same, received) or 0
end

--- Output to clients, which a replay omits.
function Front:reply(...) return self.real == nil or self.real:reply(...) end
function Front:log(...) return self.real == nil or self.real:log(...) end
function Front:push(...) return self.real == nil or self.real:push(...) end
function Front:path() return self.real and self.real:path() or "a replay" end

function Front:token()
  if self.real then return self.real:token() end
end

function Front:warning() return self.real and self.real:warning() or nil end

function Front:close()
  if self.real then self.real:close() end
end

--- Open a front as front.open does, behind `gate`.
function taped.open_front(gate, options)
  if gate and gate.replays then return setmetatable({}, Front) end
  local real, why = front.open(options)
  if not real or not gate then return real, why end
  return setmetatable({ real = real }, Front)
end

--- Let clients of a front request the poses of an engine, which are output, and no input of the run.
function taped.show(engine, opened)
  local real = opened
  if getmetatable(opened) == Front then real = opened.real end
  if real then engine:show(real) end
end

-- Changed files ------------------------------------------------------------------------------------

--- The hash of a text of a report (see run/checker.lua): it comes next, or after the text's bytecode.
local function hash_in(news, index)
  for place = index + 1, index + 2 do
    local text = news[place] or ""
    if #text == 64 and text:find "^%x+$" then return text end
  end
end

--- A list of texts for the tape: long texts by their hash, and without bytecode.
local function shortened(news)
  local made = {}
  for index, text in ipairs(news) do
    if text:sub(1, 4) == "\27Lua" then made[index] = ""
    else made[index] = #text > 200 and { hash = door.keep(text, hash_in(news, index)) } or text end
  end
  return made
end

--- The texts of such a list, read back.
local function lengthened(list)
  local news = {}
  for index, item in ipairs(list) do news[index] = type(item) == "table" and door.text(item.hash) or item end
  return news
end

local Loader = {}
Loader.__index = Loader

--- The watcher of files (brio.loader), behind the gate; `real` is nil in a replay, or if there is none.
function taped.loader(real) return setmetatable({ real = real }, Loader) end

function Loader:take()
  local news = door.ask("news", function()
    local came = self.real and self.real:take()
    self.came = came
    return came and shortened(came)
  end)
  if not news then return nil end
  return self.came or lengthened(news)
end

function Loader:ask(request) return door.must("news", function() return self.real:ask(request) end) end

function Loader:close()
  if self.real then self.real:close() end
end

--- The results of judge(), which returns lists of texts, for files at once.
function taped.judged(judge)
  local came
  local lists = door.must("news", function()
    came = judge()
    local made = {}
    for index, news in ipairs(came) do made[index] = shortened(news) end
    return made
  end)
  if came then return came end
  local all = {}
  for index, list in ipairs(lists or {}) do all[index] = lengthened(list) end
  return all
end

--- Whether work that is done in slices is ready now: work() continues it, and returns true and its results
--- when it is. In a replay it is ready in the same tick as in the run, and finish() completes it at once.
function taped.prepared(work, finish)
  if not door.replays() then
    local got = table.pack(work())
    door.ask("prepared", function() return got[1] and true or nil end)
    return table.unpack(got, 1, got.n)
  end
  if door.ask "prepared" then return finish() end
  return false
end

--- Random numbers for a version that is loaded while another runs: from a stream of its own during loading,
--- so that the results do not depend on when that is, then from `stream`.
function taped.stream(stream, seed, hash)
  local own = { now = random.stream(seed, "load " .. hash) }
  function own:uniform(...) return self.now:uniform(...) end
  function own:whole(...) return self.now:whole(...) end
  function own:normal() return self.now:normal() end
  function own:loaded() self.now = stream end
  return own
end

-- The motor side -----------------------------------------------------------------------------------

--- Status and events of the motor side (engine:motors), for scripts.
function taped.motors(run)
  if not run.engine:lives() then return run.engine:motors() end
  return door.must("motors", run.engine.motors, run.engine)
end

--- The next event of the motor side, or nil.
function taped.motor_event(run)
  if not run.engine:lives() then return run.engine:motor_event() end
  return door.ask("motor_event", run.engine.motor_event, run.engine)
end

-- Beginning of a run -------------------------------------------------------------------------------

--- The machine type and the build, by which a replay recognizes that its bits can be equal.
taped.machine = tapes.machine()

--- Record from what the run was put together.
function taped.begin(run, options)
  local gate = run.gate
  if not gate then return end
  local versions = {}
  for _, sources in ipairs { run.host.hashes, run.data } do
    for _, name in ipairs(suggest.keys(sources)) do versions[#versions + 1] = sources[name] end
  end
  local made, missing = door.options(options)
  gate:begin({
    options = made, missing = missing, front = run.front ~= nil, reload = run.reloader.loader ~= nil,
    robot_hash = run.description.robot:hash(), simulated = run.actuator:repeats(), machine = taped.machine,
    engine_version = require "brio.version", load = taped.objects(options.load), file = run.loaded.file,
  }, versions)
end

--- The hashes of shared objects that were loaded.
function taped.objects(files)
  local list = {}
  for index, file in ipairs(files or {}) do
    list[index] = { file = file, hash = store.hash(require("brio.file").read(file, 2 ^ 28) or "") }
  end
  return list
end

return taped
