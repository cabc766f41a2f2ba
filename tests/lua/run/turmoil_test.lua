--- Everything at once, at random times: people come and go, touch, take, share and give back; they set its
--- emotion, speech and gaze; sequences, levels, holds, reloads and sounds occur. In every tick no DOF exceeds
--- its limits or its speed, nothing fails, and the run goes on. A schedule is a seed; `make soak` runs more
--- of them, longer, on all robots.
local random = require "brio.random"
local robots = require "brio.robots"
local suggest = require "brio.lib.suggest"
local words = require "brio.prompt.words"

local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1
local rate = 50

local by_name = {}
for _, word in ipairs(words.list) do by_name[word.name] = word end

--- Actions of people: each makes lines for the prompt, or acts on the run.
local texts = { "Hello *there* you.", "a", "{play nod} one {pause 0.3} two", "*", "{", "{{}}",
  "\xff\0 12 345 !?...", ("long "):rep(80), "{look at me} hm {wink} ok." }
local emotions = { "happy", "sad", "surprised", "angry", "tired", "afraid" }
local events = { "nod", "shake", "yawn", "wink", "pathetic", "surprise", "greet", "sleep", "wake" }
local sounds = { "x", 3, { position = "there" }, { position = { 0 / 0, 0, 0 } }, { direction = { 0, 0, 0 } },
  { yaw = 1e300, pitch = 0 / 0 }, { yaw = 1 }, { position = { -1, 2, 1 } } }
local settings = { "true", "{ level = 0 }", "{ level = 0.3 }" }

local Person = {}
Person.__index = Person

function Person:pick(list) return list[self.stream:whole(#list)] end
function Person:number(least, most) return self.stream:uniform(least, most) end

--- Send a line to the prompt. It may be refused, with a message.
function Person:type(line, ...)
  self.line = line:format(...)
  local name, rest = self.line:match "^(%S+)%s*(.-)$"
  local prompt = { run = self.run.run, value = function(_, text) return pcall(load("return " .. text)) end }
  local answer, why = by_name[name].run(prompt, rest, { who = self:pick { "ann", "bob" } })
  self.t:ok(answer or type(why) == "string" and not why:find "%.lua:%d", "'%s' is answered with: %s",
    self.line, tostring(why))
end

local function go_on(p)
  p:type "go on"
  p.held = false
end

local deeds = {
  function(p) p:type("take %s", p:pick(p.parts)) end,
  function(p) p:type("share %s %.2f", p:pick(p.parts), p:number(0, 1)) end,
  function(p) p:type("give %s %.2f", p:pick { "all", p:pick(p.parts) }, p:number(0, 3)) end,
  function(p)
    local dof = p:pick(p.dofs)
    p:type("joint %s %.4f", dof.name, p:number(dof.lower, dof.upper))
  end,
  function(p) p:type("level %.2f %.2f", p:number(0, 1), p:number(0, 2)) end,
  function(p) p:type("level %s %.2f", p:pick { "gaze", "emotion", "idle", "speech", p:pick(p.parts) },
    p:number(0, 1)) end,
  function(p) p:type("feel %s %.2f", p:pick(emotions), p:number(0, 1)) end,
  function(p) p:type "feel free" end,
  function(p) p:type("act %s %.1f", p:pick { "pet", "hit", "praise", "scare" }, p:number(0, 2)) end,
  function(p) p:type("look at { %.2f, %.2f, %.2f } %.1f", p:number(-3, 3), p:number(-3, 3), p:number(0, 2),
    p:number(0.1, 3)) end,
  function(p) p:type(p:pick { "look away", "look free", "hush", "give all", "level 1 0.5" }) end,
  function(p) p:type("say %s", p:pick(texts)) end,
  function(p) p:type("idle %.2f", p:number(0, 1)) end,
  function(p) p:type("idle do %s", p:pick { "blink", "ears", "posture" }) end,
  function(p) p:type("play %s { speed = %.2f, amplitude = %.2f }", p:pick(events), p:number(0.5, 2),
    p:number(0.5, 2)) end,
  function(p) p:type("stop %s", p:pick(events)) end,
  function(p)
    p:type "hold"
    p.held = true
  end,
  function(p) p.run:emit(p:pick(events)) end,
  function(p) p.run:emit("sound", p:pick(sounds)) end,
  function(p)
    local place = { p:number(-2, 2), p:number(-2, 2), p:number(0.2, 1.8) }
    local far = { p:number(1, 5), p:number(-3, 3), p:number(-3, 3), 1 }
    p.count = p.count + 1
    p.run:see { kind = "person", id = "p" .. p.count,
      path = { { 0, table.unpack(place) }, far, { far[1] + 0.1, 0.05, 0, 0.4 } } }
  end,
  function(p) if #p.touch > 0 then p.run:input(p:pick(p.touch), p:number(0, 1) < 0.5) end end,
  function(p)
    local said = p:pick(settings)
    local good, why = p.run:reload(function(text)
      return (text:gsub("\n    idle = [^\n]*", "\n    idle = " .. said .. ",", 1)) .. "\n-- edited\n"
    end)
    p.t:ok(good, "reload: %s", tostring(why))
  end,
}

local function person(t, run, seed)
  local self = setmetatable({ t = t, run = run, stream = random.stream(seed, "turmoil"),
    dofs = run.description.dofs, count = 0,
    parts = suggest.keys(run.description.parts or {}), touch = {} }, Person)
  for _, dof in ipairs(self.dofs) do self.parts[#self.parts + 1] = dof.name end
  self.parts[#self.parts + 1] = "all"
  for _, name in ipairs(suggest.keys(run.description.inputs or {})) do
    if run.description.inputs[name].kind == "touch" then self.touch[#self.touch + 1] = name end
  end
  return self
end

--- What is wrong with the robot's position, or its speed since `before`: a sentence, or nil.
local function wrong(run, before)
  for _, dof in ipairs(run.description.dofs) do
    local value = run:measured(dof.name)
    if not (value >= dof.lower - 1e-6 and value <= dof.upper + 1e-6) then
      return ("%s is at %g"):format(dof.name, value)
    end
    local speed = before[dof.name] and math.abs(value - before[dof.name]) * rate or 0
    if speed > dof.velocity * 1.001 then
      return ("%s is at %g of its speed"):format(dof.name, speed / dof.velocity)
    end
    before[dof.name] = value
  end
end

local function turmoil(t, robot, seed, seconds)
  local run = t:run("../../../behaviors/probo.lua", { robot = robot, rate = rate, seed = seed })
  local somebody, before, next_deed = person(t, run, seed), {}, 1
  while run.now < seconds do
    if run.now >= next_deed then
      somebody:pick(somebody.held and somebody:number(0, 1) < 0.5 and { go_on } or deeds)(somebody)
      next_deed = run.now + somebody:number(0, 1) ^ 3
    end
    local fault = not run:advance(1 / rate) and "the run is over" or run.failed and "it failed"
      or wrong(run, before)
    if fault then
      return t:fail("%s, seed %d, %.2f s: %s, after '%s'", robot, seed, run.now, fault,
        tostring(somebody.line))
    end
  end
  t:equal(run:finish(), "finished")
end

for _, robot in ipairs(soak and robots.list() or { "probo", "ur3e" }) do
  test("whatever people do at any moment, it keeps within its limits and goes on: " .. robot, function(t)
    for seed = 1, soak and 10 or 1 do turmoil(t, robot, seed, soak and 60 or 12) end
    for _, line in ipairs(t.said) do t:ok(not line:find "traceback", "%s", line) end
  end)
end
