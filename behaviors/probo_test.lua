--- A huggable robot during a minute of its world, and during a session of ten minutes with somebody at the
--- prompt.
local words = require "brio.prompt.words"

--- Execute a line as at the prompt. Return its answer; a refused line is a failure of the test.
local function typed(t, run, line)
  local name, rest = line:match "^(%S+)%s*(.-)$"
  for _, word in ipairs(words.list) do
    if word.name == name then
      local answer, why = word.run({ run = run.run, value = function(_, text) return pcall(load("return "
        .. text)) end }, rest,
        { who = "ann" })
      t:ok(answer, "%s: %s", line, tostring(why))
      return answer
    end
  end
  t:fail("there is no word '%s'", name)
end

local function visitor(id, from, to)
  return { kind = "person", id = id, path = {
    { from, 3, 1, 0.75 }, { from + 3, 0.85, 0.25, 0.75 }, { (from + to) / 2, 0.85, -0.25, 0.75 },
      { to, 0.9, 0.2, 0.75 },
    { to + 4, 3.8, -2, 0.75 },
  } }
end

-- A minute -------------------------------------------------------------------------------------------

test("its minute: it looks at who passes, greets who comes, likes to be stroked, and sleeps when nobody is \z
  there", function(t)
  local run = t:run("probo.lua", { recorded = true, with_world = true, rate = 25 })
  run:advance(5)
  t:equal(run.state, "awake.alone")
  t:ok(run:command "NeckPan" > -0.1, "ben is on its left, or straight ahead")
  run:advance(8)
  t:equal(run.state, "awake.company")
  local before = run.run.host.emotion.valence
  run:advance(6.5)
  t:ok(run.run.host.emotion.valence > before + 0.1, "stroking makes it happier: %.2f, then %.2f", before,
    run.run.host.emotion.valence)
  t:equal(run.memory.stroked, 2)
  run:advance(11)
  t:equal(run.state, "awake.alone")
  run:advance(29)
  t:equal(run.state, "asleep")
  run:advance(3)
  t:near(run:command "EyelidLeft", -1, 0.01)
  run:finish()
  local owners = run:sql "SELECT DISTINCT owner FROM ownership WHERE dof = 'EyelidLeft'"
  local had = {}
  for _, row in ipairs(owners) do had[row.owner] = true end
  for _, owner in ipairs { "emotion", "blink", "wink", "yawn", "fall_asleep" } do
    t:ok(had[owner], "%s never had the lids", owner)
  end
  t:equal(#run:sql "SELECT * FROM faults", 0)
end)

for _, robot in ipairs { "pepper", "ur3e" } do
  test("the same character on " .. robot .. ", as far as its body goes", function(t)
    local run = t:run("probo.lua", { robot = robot, with_world = true, rate = 25, recorded = true })
    run:advance(13)
    t:equal(run.state, "awake.company")
    for _, name in ipairs { "nod", "shake", "yawn", "wink", "pathetic", "surprise" } do
      run:emit(name)
      run:advance(0.5)
    end
    run:advance(45)
    t:equal(run.state, "asleep")
    t:equal(run:finish(), "finished")
    t:equal(#run:sql "SELECT * FROM faults", 0)
    local played = {}
    for _, row in ipairs(run:sql "SELECT DISTINCT name FROM sources") do played[row.name] = true end
    for _, name in ipairs { "greet", "nod", "shake", "yawn", "wink", "pathetic", "surprise",
      "fall_asleep" } do
      t:ok(played[name], "it never did a %s", name)
    end
  end)
end

-- What it feels and shows ----------------------------------------------------------------------------

test("petting raises valence monotonically, the face goes to happy, and it decays", function(t)
  local run = t:run("probo.lua", { rate = 25 })
  run:see { kind = "person", id = "ann", at = { 0.8, 0, 0.75 }, during = 60 }
  run:advance(12)
  local emotion, last = run.run.host.emotion, nil
  run:input("touch_head", true)
  run:advance(0.1)
  local corners = run:command "MouthCornerLeft"
  for _ = 1, 80 do
    run:advance(0.05)
    t:ok(not last or emotion.valence >= last - 1e-9, "valence falls from %.4f to %.4f under a hand", last
      or 0, emotion.valence)
    last = emotion.valence
  end
  local up = run:command "MouthCornerLeft"
  t:ok(up > corners + 0.1, "its mouth goes up from %.2f to %.2f", corners, up)
  run:input("touch_head", false)
  run:advance(6)
  t:ok(emotion.valence < last, "it calms down")
end)

test("who comes and does not touch it is begged", function(t)
  local run = t:run("probo.lua", { rate = 25, recorded = true })
  run:see { kind = "person", id = "ann", at = { 0.8, 0, 0.75 }, during = 60 }
  run:advance(20)
  run:finish()
  t:equal(#run:sql "SELECT * FROM sources WHERE name = 'pathetic'", 1)
  t:equal(#run:sql "SELECT * FROM speech WHERE text LIKE '%stroke%'", 1)
end)

test("a blink that is due while it feels surprised keeps off the lids, and runs on the ears", function(t)
  local function lids_and_ears(asked)
    local run = t:run("probo.lua", { rate = 25, seed = 2 })
    run:advance(2)
    run.run.host.emotion:override(0, 1, "ann")
    run:advance(1)
    if asked then run.run.host.idle:blink() end
    local lids, ears = {}, {}
    for index = 1, 30 do
      run:advance(0.02)
      lids[index], ears[index] = run:command "EyelidLeft", run:command "EarLeft"
    end
    return lids, ears
  end
  local lids, ears = lids_and_ears(true)
  local lids_without, ears_without = lids_and_ears(false)
  t:near(lids, lids_without, 1e-12, "lids")
  t:ok(lids[1] > 0.6, "the eyes are wide open: %.2f", lids[1])
  local most = 0
  for index, value in ipairs(ears) do most = math.max(most, math.abs(value - ears_without[index])) end
  t:ok(most > 0.03, "the ears give by %.3f", most)
end)

-- Ten minutes with somebody at the prompt ------------------------------------------------------------

local rate = 20

local Session = {}
Session.__index = Session

--- A run with a person at the prompt, checked in every tick: nothing exceeds its limits, no joint is too
--- fast.
local function session(t)
  local run = t:run("probo.lua", { rate = rate, recorded = true, seed = 5 })
  return setmetatable({ t = t, run = run, host = run.run.host, before = {}, tick = 0, fastest = 0 }, Session)
end

--- Check all DOFs: sums may exceed the ranges of the face, motor commands may not.
function Session:look()
  self.tick = self.tick + 1
  for _, dof in ipairs(self.run.description.dofs) do
    if not dof.outside or self.tick % 8 == 0 then
      local value = dof.outside and self.run:measured(dof.name) or self.run:command(dof.name)
      if not (value >= dof.lower - 1e-6 and value <= dof.upper + 1e-6) then self.beyond = dof.name end
      local before = not dof.outside and self.before[dof.name]
      if before then self.fastest = math.max(self.fastest, math.abs(value - before) * rate / dof.velocity) end
      self.before[dof.name] = value
    end
  end
end

--- Let time pass.
function Session:pass(seconds, each)
  for _ = 1, math.floor(seconds * rate + 0.5) do
    self.run:advance(1 / rate)
    self:look()
    if each then each() end
  end
end

function Session:type(line) return typed(self.t, self.run, line) end

--- The minimum and maximum of some DOFs over some seconds.
function Session:spans(seconds, names)
  local least, most = {}, {}
  self:pass(seconds, function()
    for _, name in ipairs(names) do
      local value = self.run:command(name)
      least[name], most[name] = math.min(least[name] or value, value), math.max(most[name] or value, value)
    end
  end)
  return least, most
end

--- ann comes and strokes it.
local function is_stroked(at)
  local t, run, host = at.t, at.run, at.host
  at:pass(6)
  t:equal(run.state, "awake.alone")
  run:see(visitor("ann", 0, t:long() and 280 or 220))
  at:pass(10)
  t:equal(run.state, "awake.company")
  local valence = host.emotion.valence
  run:input("touch_head", true)
  at:pass(4)
  run:input("touch_head", false)
  t:ok(host.emotion.valence > valence, "stroked, it feels %.2f, before %.2f", host.emotion.valence, valence)
  at:pass(10)
end

--- A minute (20 s in make test) in which she controls the head, while the face continues by itself.
local function gives_its_head(at)
  local t, run = at.t, at.run
  at:type "take head"
  at:type "joint NeckPan 0.4"
  at:type "joint NeckTilt -0.1"
  at:pass(2)
  local least, most = at:spans(t:long() and 58 or 18, { "NeckPan", "NeckTilt", "EyelidLeft" })
  t:near({ least.NeckPan, most.NeckPan }, { 0.4, 0.4 }, 2e-3, "NeckPan")
  t:near({ least.NeckTilt, most.NeckTilt }, { -0.1, -0.1 }, 2e-3, "NeckTilt")
  t:ok(most.EyelidLeft - least.EyelidLeft > 0.5, "it blinks meanwhile")
  at:type "give head 2"
  at:pass(30)
  t:ok(math.abs(run:command "NeckPan" - 0.4) > 0.02, "the head is its own again")
end

--- She sets its emotion and releases it; then she makes it speak, and triggers all its gestures.
local function is_told(at)
  local t, run = at.t, at.run
  at:type "feel happy 0.9"
  at:pass(5)
  local happy = run:command "MouthCornerLeft"
  at:type "feel sad 0.9"
  at:pass(5)
  local sad = run:command "MouthCornerLeft"
  t:ok(happy > 0.5 and sad < -0.4, "its mouth at happy %.2f, at sad %.2f", happy, sad)
  at:type "feel free"
  at:pass(10)
  t:equal(at.host.emotion:taken(), false)
  at:type "say Hello, how are you *today*?"
  local least, most = at:spans(4, { "MouthOpen" })
  t:ok(most.MouthOpen - least.MouthOpen > 0.2, "its mouth moves by %.2f", most.MouthOpen - least.MouthOpen)
  for _, name in ipairs { "nod", "shake", "yawn", "wink", "pathetic", "surprise", "greet" } do
    run:emit(name)
    at:pass(6)
  end
  at:type "play nod"
  at:pass(4)
end

--- She lowers its autonomy to 0, and raises it gradually again.
local function does_less_and_more(at)
  local t, run = at.t, at.run
  run:input("touch_belly", true) -- a robot that is touched does not beg
  at:type "level 0 1"
  at:pass(8)
  local names = { "NeckPan", "EarLeft", "EyelidLeft" }
  local least, most = at:spans(5, names)
  for _, name in ipairs(names) do t:near(most[name], least[name], 1e-4, name .. " at level 0") end
  run:input("touch_belly", false)
  at:type "level 1 5"
  at:type "idle 0.8"
  at:pass(6)
  least, most = at:spans(30, { "EarLeft" })
  t:ok(most.EarLeft - least.EarLeft > 0.05, "it lives again")
  at:type "look at { 1.5, 0.8, 0.8 } 3"
  at:pass(t:long() and 43 or 23) -- meanwhile ann leaves
  at:type "share trunk 0.5"
  at:type "joint TrunkTilt 0.8"
  at:pass(5)
  local tilt = run:command "TrunkTilt"
  t:ok(tilt > -0.2 and tilt < 0.8, "half the trunk is hers: %.2f", tilt)
  at:type "give all"
  at:pass(12)
  t:equal(run.state, "awake.alone")
end

--- Nobody is there: it sleeps until a hand wakes it. Another person comes, and it is sent to sleep.
local function sleeps(at)
  local t, run = at.t, at.run
  at:pass(30)
  t:equal(run.state, "asleep")
  at:pass(8)
  local _, most = at:spans(10, { "EyelidLeft" })
  t:near(most.EyelidLeft, -1, 0.01)
  run:input("touch_trunk", true)
  at:pass(0.5)
  run:input("touch_trunk", false)
  at:pass(4)
  t:equal(run.state, "awake.alone")
  t:ok(run:command "EyelidLeft" > -0.9, "it is awake")
  run:see(visitor("eve", 0, 100))
  at:pass(30)
  run:emit "sleep"
  at:pass(12)
  t:equal(run.state, "asleep")
  run:emit "wake"
  at:pass(t:long() and 60 or 10)
  run:emit "shake"
  at:pass(t:long() and 602 - run.now or 10) -- make test ends here, make soak after ten minutes
end

--- What the store has about the session: owners of DOFs, gestures, blinks.
local function is_told_by_the_store(at)
  local t, run = at.t, at.run
  t:equal(#run:sql "SELECT * FROM faults", 0, "faults")
  local had = {}
  local owners = run:sql "SELECT DISTINCT owner, whose FROM ownership WHERE dof IN \z
    ('EyelidLeft', 'NeckPan', 'NeckTilt')"
  for _, row in ipairs(owners) do had[row.owner] = row.whose end
  for _, owner in ipairs { "emotion", "yawn", "wink", "pathetic", "surprise", "fall_asleep", "nod", "shake",
    "take head" } do
    t:ok(had[owner], "%s owned neither lids nor neck", owner)
  end
  t:equal(had["take head"], "operator")
  t:equal(had.yawn, "script")
  local before
  for _, row in ipairs(run:sql "SELECT name FROM sources WHERE who = 'idle' AND kind = 'sequence' ORDER BY \z
    started, id") do
    t:ok(row.name ~= before, "%s twice in a row", row.name)
    before = row.name
  end
  local lids = run:sql
    [[SELECT count(*) AS n FROM track_sources b JOIN track_sources s ON s.run = b.run AND s.dof = b.dof
    AND b.started < s.ended AND s.started < b.ended
    WHERE b.dof = 'EyelidLeft' AND b.name LIKE 'blink%' AND s.name = 'surprise']]
  t:equal(lids[1].n, 0, "blinks that had the lids in a surprise")
end

test("ten minutes with a person who strokes, takes, gives, feels, says and triggers", function(t)
  local at = session(t)
  is_stroked(at)
  gives_its_head(at)
  is_told(at)
  does_less_and_more(at)
  sleeps(at)
  t:equal(at.beyond, nil, "a DOF beyond its limits")
  t:ok(at.fastest <= 1 + 1e-6, "a joint at %.3f of its speed", at.fastest)
  t:equal(at.run:finish(), "finished")
  is_told_by_the_store(at)
end)
