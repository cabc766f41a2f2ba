--- Random sequences of edits, compared with a model that has only the rules of docs/behaviors/reload.md:
--- states that are added, removed and renamed, timers, events, runs, memory, modules, files that are broken
--- and repaired.
local random = require "brio.random"

local scale = tonumber(os.getenv "BRIO_TEST_SCALE" or "1")
local dt = 1 / 200

-- A program: what its files say ---------------------------------------------------------------------

local names = { "a", "b", "c", "d", "e", "f" }
local keys = { "one", "two", "three", "four" }
local joints = { "HeadYaw", "HeadPitch", "LElbowYaw", "RElbowYaw" }

local function draw(stream, list) return list[stream:whole(#list)] end

local function random_state(stream)
  return {
    after = 0.05 + stream:whole(100) * 0.01 - 0.003, to = stream:whole(1000),
      ping = stream:whole(3) > 1 and stream:whole(1000),
    joint = draw(stream, joints), goal = stream:whole(9) / 10,
      step = stream:whole(2) == 1 and (stream:whole(4) * 0.05 + 0.002),
  }
end

local function new_program(stream)
  local program = { states = {}, memory = { one = 1 }, field = "goal", value = 0.2, deep = 1 }
  for index = 1, 3 do program.states[names[index]] = random_state(stream) end
  program.start = "a"
  return program
end

local function sorted(map)
  local list = {}
  for key in pairs(map) do list[#list + 1] = key end
  table.sort(list)
  return list
end

--- The state with this number; if it was removed, another takes its place.
local function target(program, number)
  local list = sorted(program.states)
  return list[number % #list + 1]
end

--- The texts of the program's three files: the behavior, a module, and one that the module requires.
local function texts(program)
  local out = { 'local brio = require "brio"', "local want = brio.want",
    'local parts = require "brio_edit_parts"' }
  local memory = { "entered = {}", "steps = 0" }
  for _, key in ipairs(sorted(program.memory)) do
    memory[#memory + 1] = ("%s = %d"):format(key, program.memory[key])
  end
  out[#out + 1] = ('local made = brio.behavior "made" { robot = "pepper", start = "%s", memory = { %s } }')
    :format(program.start, table.concat(memory, ", "))
  for _, name in ipairs(sorted(program.states)) do
    local state = program.states[name]
    out[#out + 1] = ("made.%s = {"):format(name)
    out[#out + 1] = ('  wants = { want.joint_match { joint = "%s", goal = parts.%s + %g } },'):format(
      state.joint, program.field, state.goal)
    local forgets = name == "c" and "self.memory.four = nil " or "" -- a deleted field does not come back
    out[#out + 1] = ("  enter = function(self) %sself.memory.entered.%s = (self.memory.entered.%s or 0) + 1 \z
      end,"):format(forgets, name, name)
    out[#out + 1] = ('  exit = function(self) self:emit("left", { state = "%s" }) end,'):format(name)
    if state.step then
      out[#out + 1] = ("  run = function(self) while true do self:wait(%g) self.memory.steps = \z
        self.memory.steps + 1 end end,"):format(state.step)
    end
    out[#out + 1] = ('  after = { %g, "%s" },'):format(state.after, target(program, state.to))
    if state.ping then out[#out + 1] = ('  on = { ping = "%s" },'):format(target(program, state.ping)) end
    out[#out + 1] = "}"
  end
  out[#out + 1] = "return made\n"
  return {
    main = table.concat(out, "\n"),
    brio_edit_parts = ('local deep = require "brio_edit_deep"\nreturn { %s = %g + 0 * \z
      deep.number }\n'):format(program.field, program.value),
    brio_edit_deep = ("return { number = %d }\n"):format(program.deep),
  }
end

-- Edits ---------------------------------------------------------------------------------------------

local edits = {}

function edits.rename(stream, program)
  local from, to = draw(stream, sorted(program.states)), draw(stream, names)
  if program.states[to] then return end
  program.states[to], program.states[from] = program.states[from], nil
  if program.start == from then program.start = to end
end

function edits.add(stream, program) program.states[draw(stream, names)] = random_state(stream) end

function edits.remove(stream, program)
  local list = sorted(program.states)
  if #list < 2 then return end
  local gone = draw(stream, list)
  program.states[gone] = nil
  if program.start == gone then program.start = sorted(program.states)[1] end
end

function edits.timer(stream, program)
  program.states[draw(stream, sorted(program.states))].after = 0.047 + stream:whole(60) * 0.01
end

function edits.transition(stream, program)
  local state = program.states[draw(stream, sorted(program.states))]
  state.to, state.ping = stream:whole(1000), stream:whole(2) == 1 and stream:whole(1000)
end

function edits.run(stream, program)
  program.states[draw(stream, sorted(program.states))].step = stream:whole(3) > 1
    and (stream:whole(4) * 0.05 + 0.002)
end

function edits.wants(stream, program)
  local state = program.states[draw(stream, sorted(program.states))]
  state.joint, state.goal = draw(stream, joints), stream:whole(9) / 10
end

function edits.start(stream, program) program.start = draw(stream, sorted(program.states)) end

function edits.memory(stream, program)
  local key = draw(stream, keys)
  program.memory[key] = not (program.memory[key] and stream:whole(2) == 1) and stream:whole(100) or nil
end

function edits.module(stream, program) program.value = stream:whole(9) / 10 end

function edits.deep(stream, program) program.deep = stream:whole(9) end

--- Rename a field of the module: correct only when both files are saved.
function edits.field(stream, program) program.field = draw(stream, { "goal", "aim", "mark" }) end

local kinds = sorted(edits)

--- Ways to break the files, which are repaired later.
local breaks = {
  function(files) files.main = files.main .. "oops(" end,
  function(files) files.main = files.main:gsub("return made", "error 'no'", 1) end,
  function(files) files.main = files.main:gsub("joint = \"%a+\"", 'joint = "Nose"') end,
  function(files) files.main = files.main:gsub("start = \"%a\"", 'start = "nowhere"', 1) end,
  function(files) files.brio_edit_parts = "return nothing" end,
  function(files) files.brio_edit_deep = "return {" end,
  function(files) files.brio_edit_deep = "return {}" end,
  function(files) files.main = "" end,
}

-- The model -----------------------------------------------------------------------------------------

local Model = {}
Model.__index = Model

local function enter(model, name, begins)
  model.state, model.entered, model.step_at, model.begins = name, model.now, nil, begins
  model.count[name] = (model.count[name] or 0) + 1
  if name == "c" then model.memory.four = nil end
end

local function new_model(program)
  local model = setmetatable({ program = program, now = 0, memory = { steps = 0 }, count = {}, left = {} },
    Model)
  for key, value in pairs(program.memory) do model.memory[key] = value end
  return model
end

local function go(model, name)
  model.left[#model.left + 1] = model.state
  enter(model, name, true)
end

--- One tick at `now`; `ping` is when that event was fired, if it was.
function Model:tick(now, ping)
  self.now = now
  if not self.state then enter(self, self.program.start, true) end
  for _ = 1, 8 do
    local state = self.program.states[self.state]
    local timer = self.entered + state.after
    local due = timer <= now + 1e-9
    if ping and state.ping and not (due and timer < ping) then
      ping = nil
      go(self, target(self.program, state.ping))
    elseif due then
      if ping and ping < timer then ping = nil end
      go(self, target(self.program, state.to))
    else
      break
    end
  end
  local step = self.program.states[self.state].step
  if not step then return end
  if self.begins then
    self.begins, self.step_at = nil, now + step
  elseif now >= self.step_at - 1e-9 then
    self.memory.steps, self.step_at = self.memory.steps + 1, now + step
  end
end

--- Another version replaces the program between two ticks.
function Model:take(program)
  local old = self.program
  self.program = program
  for key, value in pairs(program.memory) do
    if self.memory[key] == nil and old.memory[key] == nil then self.memory[key] = value end
  end
  local before, now = old.states[self.state], program.states[self.state]
  if not now then
    go(self, program.start)
  elseif now.step ~= before.step then
    self.begins, self.step_at = now.step and true, nil -- its text differs: it starts again
  end
end

-- Holding one against the other -----------------------------------------------------------------------

local function copy(value)
  if type(value) ~= "table" then return value end
  local made = {}
  for key, item in pairs(value) do made[key] = copy(item) end
  return made
end

local function memory_text(memory, entered)
  local parts = {}
  for _, key in ipairs(sorted(memory)) do
    if key ~= "entered" then parts[#parts + 1] = key .. "=" .. memory[key] end
  end
  for _, name in ipairs(sorted(entered)) do parts[#parts + 1] = name .. ":" .. entered[name] end
  return table.concat(parts, " ")
end

local function compare(t, run, model, where)
  local host = run.run.host
  t:equal(run.failed, nil, where)
  t:equal(run.state, model.state, where .. ": the state")
  t:near(host.top.current.entered, model.entered, 1e-9, where .. ": when it was entered")
  t:equal(memory_text(run.memory, run.memory.entered), memory_text(model.memory, model.count),
    where .. ": memory")
  return #t.faults == 0
end

local function folder_of(run) return run.run.loaded.file:match("^(.*)/") end

--- Save the files that differ from their last save, all at once.
local function save(run, saved, files)
  local given = {}
  for name, text in pairs(files) do
    if saved[name] ~= text then
      given[name == "main" and run.run.loaded.file or folder_of(run) .. "/" .. name .. ".lua"] = text
      saved[name] = text
    end
  end
  return run.run.reloader:by_hand(given)
end

--- Break the files in a way that matters.  Return whether that was refused with nothing changed.
local function broken_save(t, run, saved, program, stream, where)
  local files, host = texts(program), run.run.host
  draw(stream, breaks)(files)
  local version, sources = host.version, copy(host.sources)
  local good, why = save(run, saved, files)
  t:equal(good, nil, where .. ": a broken file")
  t:ok(type(why) == "string" and #why > 5, where .. ": it says why")
  t:equal(host.version, version)
  for name, text in pairs(sources) do t:equal(host.sources[name], text) end
end

local function edit_and_run(t, seed)
  local stream = random.stream(seed, "edits")
  local program, saved = new_program(stream), {}
  local first = texts(program)
  local run = t:run("made", { source = (first.main:gsub('require "brio_edit_parts"', "{ goal = 0.2 }", 1)),
    recorded = true })
  t:equal(save(run, saved, first), true)
  local model, ticks = new_model(program), 0
  for step = 1, 30 do
    for _ = 1, stream:whole(80) do
      local ping
      if stream:whole(30) == 1 then
        ping = run.now
        run:emit "ping"
      end
      run:advance(dt)
      model:tick(ticks / 200, ping)
      ticks = ticks + 1
    end
    local where = ("seed %d step %d"):format(seed, step)
    if not compare(t, run, model, where .. ", before") then return end
    if stream:whole(3) == 1 then broken_save(t, run, saved, program, stream, where) end
    program = copy(program)
    local did = {}
    for _ = 1, stream:whole(4) do
      did[#did + 1] = draw(stream, kinds)
      edits[did[#did]](stream, program)
    end
    where = where .. ": " .. table.concat(did, " ")
    local good, why = save(run, saved, texts(program))
    t:equal(good, true, where .. ": " .. tostring(why))
    model:take(program)
    if not compare(t, run, model, where) then return end
  end
  run:finish()
  model.left[#model.left + 1] = model.state
  local left = {}
  for _, row in ipairs(run:sql "SELECT json_extract(data, '$.state') AS state FROM events WHERE name = \z
    'left' ORDER BY id") do
    left[#left + 1] = row.state
  end
  table.remove(model.left) -- the run decides how the last one ends
  t:equal(table.concat(left, "", 1, #model.left), table.concat(model.left), "what was left")
  t:equal(run:sql("SELECT count(*) AS n FROM states WHERE left_at IS NULL")[1].n, 0)
  run:close()
end

test("any sequence of edits comes to what the rules say", function(t)
  local rounds = scale > 1 and math.floor(12 * scale) or 6 -- make test takes a sample
  print(("# %d sequences of 30 edits, seeds 1 to %d"):format(rounds, rounds))
  for seed = 1, rounds do
    edit_and_run(t, seed)
    if #t.faults > 0 then return end
  end
end)

-- Motion --------------------------------------------------------------------------------------------

--- A behavior that pulls joints and links with great weight, in changing directions.
local function pulling(stream, run_joints, fails)
  local out = { 'local brio = require "brio"', "local want = brio.want",
    'local made = brio.behavior "made" { robot = "pepper", start = "a" }',
    "made.a = { blend = " .. draw(stream, { 0, 0.02, 0.3 }) .. ", wants = {" }
  for _, joint in ipairs(run_joints) do
    if stream:whole(3) == 1 then
      out[#out + 1] = ('want.joint_match { joint = "%s", goal = %g, weight = %d },'):format(joint,
        stream:uniform(-2, 2), stream:whole(200))
    end
  end
  if stream:whole(2) == 1 then
    out[#out + 1] = ('want.position_match { link = "r_gripper", goal = { %g, %g, %g }, weight \z
      = %d },'):format(stream:uniform(-1, 1),
      stream:uniform(-1, 1), stream:uniform(0, 1.5), stream:whole(500))
  end
  out[#out + 1] = "want.joint_velocity_minimization { weight = 0.1 } },"
  if fails then
    out[#out + 1] = ("tick = function(self) if self:elapsed() > %g then error 'ouch' end end,"):format(fails)
  end
  out[#out + 1] = "} return made\n"
  return table.concat(out, "\n")
end

--- Tracks every joint's command from tick to tick: the greatest share of its limits.
local function new_follower(run)
  local limits, before = run.description.robot:variables(), {}
  local follower = { velocity = 0, acceleration = 0, beyond = 0 }
  function follower:look()
    for _, limit in ipairs(limits) do
      local now, last = run:command(limit.name), before[limit.name] or {}
      local speed = last.at and (now - last.at) / dt
      if speed then self.velocity = math.max(self.velocity, math.abs(speed) / limit.velocity) end
      if last.speed then
        self.acceleration = math.max(self.acceleration,
          math.abs(speed - last.speed) / dt / limit.acceleration)
      end
      self.beyond = math.max(self.beyond, now - limit.upper, limit.lower - now)
      before[limit.name] = { at = now, speed = speed }
    end
  end
  return follower
end

test("commands stay within limits of position, speed and acceleration, whatever is swapped whenever",
  function(t)
  local stream, swaps, rolled = random.stream(1, "motion"), math.floor(150 * scale), 0
  local run = t:run("made", { source = pulling(stream, {}) })
  local follower, pulled = new_follower(run), {}
  for _, variable in ipairs(run.description.robot:variables()) do pulled[#pulled + 1] = variable.name end
  for n = 1, swaps do
    local fails = stream:whole(4) == 1 and stream:uniform(0, 0.1)
    local version = run.run.host.version
    t:equal(run:reload(function() return pulling(stream, pulled, fails) .. "-- " .. n end), true)
    for _ = 1, stream:whole(40) do
      run:advance(dt)
      follower:look()
    end
    if fails and run.run.host.version == version then rolled = rolled + 1 end
  end
  print(("# %d swaps at random moments, %d rolled back: %.4f of speed, %.4f of acceleration, %.1e beyond a \z
    range (seed 1)")
    :format(swaps, rolled, follower.velocity, follower.acceleration, follower.beyond))
  t:ok(rolled > swaps / 20, "%d were rolled back", rolled)
  t:ok(follower.acceleration > 0.9 and follower.acceleration < 1.001,
    "acceleration reached %.4f of its limit", follower.acceleration)
  t:ok(follower.velocity > 0.5 and follower.velocity < 1 + 1e-6, "speed reached %.6f of its limit",
    follower.velocity)
  t:ok(follower.beyond <= 1e-9, "it went %g beyond a range", follower.beyond)
end)
