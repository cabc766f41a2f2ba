--- Runs that are recorded while somebody talks to them, and their replays.
local replay = require "brio.replay"
local runner = require "brio.runner"
local store = require "brio.store"

local talks = {}

--- Replay the newest run of a store.  Return the report, and the replay, which is closed.
function talks.replayed(t, path, options)
  local made, why = replay.open { store = path, say = function() end, run = options and options.run }
  t:ok(made, "%s", tostring(why))
  local report = made:go(options and options.seconds)
  made:close()
  return report, made
end

--- A report's result, in a line.
function talks.said(report)
  local d = report.difference
  return report.equal and "equal" or ("tick %d: %s (%s %s) %s"):format(d.tick, d.sentence,
    d.wanted or "", d.found or "", table.concat(d.before, "; "))
end

--- Write files into a folder of the test's own; return their paths.
function talks.written(t, name, text)
  local path = t:temporary("_" .. name)
  local file = assert(io.open(path, "w"))
  file:write(text):close()
  return path
end

local head = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "rest", safe = "rest", memory = { drawn = 0, n = 0, left = false },
  MORE }
]]

local plain = head .. [[
made.rest = {
  wants = {
    want.joint_match { joint = "HeadYaw", goal = function(self) return 0.3 * math.sin(3 * self.now) + self.memory.drawn end, weight = 20 },
    want.joint_match { joint = "HeadPitch", goal = 0.1, weight = 5 },
  },
  when = { function(self)
    if math.random() < 0.05 then self.memory.drawn = 0.2 * math.random() end
    LOOP
    return false
  end, "busy" },
  on = { poke = "busy" },
}
made.busy = {
  wants = { want.joint_match { joint = "HeadYaw", goal = -0.4, weight = 20 },
    want.joint_match { joint = "HeadPitch", goal = function(self) return -0.2 * self.memory.drawn end, weight = 9 } },
  after = { 0.6, "rest" },
}
return made
]]

--- A behavior's text; `loop`: code in its condition, each tick.
function talks.behavior(loop) return (plain:gsub("MORE", "", 1):gsub("LOOP", loop or "", 1)) end

--- A run that calls talk(run, tick, say, pad, track) at the start of each tick: say(line) types at the
--- prompt, pad(...) is a gamepad's input, track(text) a tracker's datagram.  Returns the store, and the run.
function talks.talked(t, file, options, seconds, talk)
  local path = t:temporary ".db"
  local made = { file = file, clock = "fast", store = path, seed = 3, say = function() end,
    front = { socket = t:temporary ".sock" } }
  for key, value in next, options or {} do made[key] = value end
  local run = assert(runner.new(made))
  local front, waiting, work, tick = run.front.real, {}, run.work, -1
  local pads, packets = {}, {}
  local proxy = { poll = function() return table.remove(waiting, 1) end, reply = function() return true end,
    gamepad = function() return table.unpack(table.remove(pads, 1) or {}) end,
    datagram = function() return table.unpack(table.remove(packets, 1) or { nil, 0 }, 1, 2) end }
  run.front.real = setmetatable(proxy, { __index = function(_, name)
    return function(_, ...) return front[name](front, ...) end
  end })
  local function say(line, kind)
    waiting[#waiting + 1] = { kind = kind or "say", client = 1, id = 1, who = "eve", role = "author",
      device = "prompt", text = line, received = 0 }
  end
  function run:work(now, dt)
    tick = tick + 1
    if talk then
      talk(self, tick, say, function(...) pads[#pads + 1] = { ... } end,
        function(text) packets[#packets + 1] = { text, now } end)
    end
    return work(self, now, dt)
  end
  assert(run:go(seconds))
  run:close()
  return path, run
end

--- The first field of a query's first row.
function talks.count(t, path, sql)
  local db = assert(store.open(path))
  local rows, why = db:query(sql)
  t:ok(rows, "%s", tostring(why))
  db:close()
  return rows[1] and select(2, next(rows[1]))
end

--- What a person types in the first 450 ticks.
function talks.words(_, tick, say)
  if tick == 100 then say "emit poke" end
  if tick == 150 then say "tune nothing 3" end
  if tick == 160 then say "tempo 0.4" end
  if tick == 390 then say "tempo 1.5" end
  if tick == 200 then say "self.memory.drawn = 0.3 self:emit 'poke'" end
  if tick == 300 then say "hold" end
  if tick == 340 then say "go on" end
  if tick == 400 then say "go busy" end
  if tick == 420 then say "panic" end
  if tick == 421 then say("", "panic") end
  if tick == 450 then say "release" end
end

--- Record a run with `words` on the real clock that has so many ticks. Where the machine stood still between
--- two ticks for longer than `gap` (s, nil: any), record another one.
function talks.talked_ticks(t, file, ticks, gap)
  for _ = 1, 20 do
    local last, longest = nil, 0
    local path = talks.talked(t, file, { clock = "real" }, 600, function(run, tick, say)
      local now = run.host.now
      longest, last = math.max(longest, now - (last or now)), now
      talks.words(run, tick, say)
      if tick == ticks then run.engine:stop "script" end
    end)
    if longest < (gap or math.huge) then return path end
  end
  error "the machine stood still in each of 20 runs"
end

return talks
