--- The leaf `policy`: controllers outside of brio that lead, succeed, fail, fall silent, send wrong data or
--- crash; the leaf ends with each.
local document = require "brio.formats.json"
local store = require "brio.store"
local uv = require "luv"

--- A controller in this program: say(state, count) returns the message for each state, "close", or nil.
--- Return its address, and the messages that it got.
local function controller(t, say)
  local path, listener = t:temporary ".sock", uv.new_pipe(false)
  local heard = { states = {} }
  assert(listener:bind(path))
  listener:listen(4, function()
    local client, buffer = uv.new_pipe(false), ""
    listener:accept(client)
    heard.connected = true
    client:read_start(function(_, bytes)
      if not bytes then
        heard.closed = true
        if not client:is_closing() then client:close() end
        return
      end
      buffer = buffer .. bytes
      for line in buffer:gmatch "([^\n]*)\n" do
        local said = document.json(line, "line")
        if said.enter then heard.enter = said elseif said.exit then heard.exit = said.exit else
          heard.states[#heard.states + 1] = said
          local answer = say(said, #heard.states)
          if answer == "close" then
            heard.connected = false
            if not client:is_closing() then client:close() end
          elseif answer and not client:is_closing() then
            client:write((type(answer) == "table" and store.json(answer) or answer) .. "\n")
          end
        end
      end
      buffer = buffer:match "[^\n]*$"
    end)
  end)
  heard.close = function()
    uv.run "nowait"
    listener:close()
    for _ = 1, 12000 do
      uv.run "nowait"
      if heard.closed or not heard.connected then break end
      uv.sleep(2)
    end
  end
  return "unix:" .. path, heard
end

local function run_of(t, address, more, options)
  options = options or {}
  options.robot = "pepper"
  options.source = ([[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
b.one = { tree = { "sequence", { "policy", policy = "wave", connect = "%s", moves = { "RShoulderPitch", "RElbowRoll" }, %s } },
  on = { tree_done = "done", boom = function() error "boom" end,
  tree_failed = function(self, data) self.memory.why = data.why return "failed" end } }
b.done, b.failed = {}, {}
return b
]]):format(address, more or "")
  return t:run("source", options)
end

test("a policy is entered, leads within limits, says that it is done, and is left", function(t)
  local address, heard = controller(t, function(state)
    return { targets = { RShoulderPitch = 0.5 }, done = state.t > 1.5 or nil }
  end)
  local run = run_of(t, address, 'parameters = { height = 1 }')
  run:advance(1.5)
  t:equal(run.state, "one")
  t:near(run:command "RShoulderPitch", 0.5, 0.02)
  run:advance(0.1)
  heard.close()
  t:equal(run.state, "done")
  t:equal({ heard.enter.enter, heard.enter.rate, heard.enter.parameters.height }, { "wave", 50, 1 })
  t:equal({ heard.enter.dofs[1].name, heard.enter.dofs[2].name, #heard.enter.dofs },
    { "RShoulderPitch", "RElbowRoll", 2 }, "in the robot's order")
end)

test("null is what a policy does not say", function(t)
  local address, heard = controller(t, function(state)
    return ('{"targets":null,"failed":null,"done":null}\n'
      .. '{"targets":{"RShoulderPitch":0.5},"failed":null,"done":%s}'):format(state.t > 0.3)
  end)
  local run = run_of(t, address)
  run:advance(0.6)
  heard.close()
  t:equal({ run.state, run.memory.why }, { "done" })
end)

test("states come at the rate that is said, and speed is bounded", function(t)
  local address, heard = controller(t, function(state)
    return { targets = { RShoulderPitch = -1.5 }, done = state.t > 1 or nil }
  end)
  local run = run_of(t, address, "rate = 20, speed = 0.1")
  local limit = 0
  for _, dof in ipairs(run.description.dofs) do
    if dof.name == "RShoulderPitch" then limit = dof.velocity end
  end
  local before, fastest = run:command "RShoulderPitch", 0
  for _ = 1, 220 do
    run:advance(0.005)
    local now = run:command "RShoulderPitch"
    fastest, before = math.max(fastest, math.abs(now - before) / 0.005), now
  end
  heard.close()
  t:equal(run.state, "done")
  t:ok(#heard.states >= 20 and #heard.states <= 23, "%d states", #heard.states)
  t:ok(fastest > 0.05 * limit and fastest < 0.15 * limit, "%g of %g", fastest, limit)
  t:equal(heard.exit, "done")
  t:near(heard.states[10].positions.RShoulderPitch, heard.states[10].commands.RShoulderPitch, 0.1)
end)

test("after so many seconds a policy is left, and has succeeded; or has failed", function(t)
  for _, case in ipairs { { "seconds = 0.4", "done" }, { "timeout = 0.4", "failed" } } do
    local address, heard = controller(t, function() return { targets = { RElbowRoll = 1 } } end)
    local run = run_of(t, address, case[1])
    run:advance(0.6)
    heard.close()
    t:equal({ run.state, heard.closed }, { case[2], true })
    t:ok(heard.exit)
    t:equal(run.memory.why, case[2] == "failed" and "the policy 'wave' is not done after 0.4 s" or nil)
  end
end)

test("whatever goes wrong, control returns and the policy is left", function(t)
  for _, case in ipairs {
    { function(_, n) return n < 5 and { targets = {} } or "close" end, "is gone" },
    { function(_, n) return n < 5 and { targets = {} } or nil end, "sends nothing for 0.1 s" },
    { function() return nil end, "sends nothing for 0.2 s" },
    { function() return { failed = "I fell\27" } end, "has failed: I fell " },
    { function() return "hello" end, "sends invalid JSON: 'hello'" },
    { function() return "7" end, "sends invalid JSON" },
    { function() return ("x"):rep(70000) end, "sends invalid JSON" },
    { function() return { targets = { LHand = 1 } } end, "wants to move 'LHand', which it may not" },
    { function() return '{"targets": {"RElbowRoll": "far"}}' end, "sends no number for RElbowRoll" },
    { function() return '{"targets": {"RElbowRoll": 1e999}}' end, "sends " },
    { function() return '{"targets": 3}' end, "sends targets that are not an object" },
  } do
    local address, heard = controller(t, case[1])
    local run = run_of(t, address, "silence = 0.1, patience = 0.2")
    run:advance(0.4)
    heard.close()
    t:equal(run.state, "failed", case[2])
    t:match(run.memory.why or "", "^the policy 'wave' " .. case[2])
    t:equal(#run.run.host.policies.list, 0)
    local there = run:command "RShoulderPitch"
    run:advance(0.3)
    t:near(run:command "RShoulderPitch", there, 0.02, "the robot rests")
  end
  local run = run_of(t, "unix:/nowhere/at/all", "patience = 0.2")
  run:advance(0.1)
  t:match(run.memory.why, "cannot be reached: /nowhere/at/all: there is no such socket")
end)

test("a policy is left when its leaf is stopped, when the behavior fails, and when the run ends", function(t)
  for _, how in ipairs { "force", "error", "end" } do
    local address, heard = controller(t, function() return { targets = { RElbowRoll = 1 } } end)
    local run = run_of(t, address)
    run:advance(0.3)
    t:equal(run.state, "one")
    if how == "force" then
      run.run.host:force(run.run.host.machine.states.done, "test")
      run:advance(0.1)
    elseif how == "error" then
      run:emit "boom"
      run:advance(0.1)
      t:ok(run.failed)
    else
      run:finish()
    end
    heard.close()
    t:ok(heard.exit and heard.closed, how)
  end
end)

test("on the real clock no tick waits for a policy", function(t)
  local address, heard = controller(t, function(state)
    return { targets = { RElbowRoll = 1 }, done = state.t > 0.4 or nil }
  end)
  local run = run_of(t, address, "patience = 600, silence = 60")
  run.run.host.sound.fast = false
  for _ = 1, 100000 do
    run:advance(0.005)
    if run.state ~= "one" then break end
    uv.sleep(1)
  end
  heard.close()
  t:equal({ run.state, run.memory.why, heard.exit }, { "done", nil, "done" })
  run = run_of(t, "unix:/nowhere/at/all", "patience = 0.3")
  run.run.host.sound.fast = false
  for _ = 1, 100 do run:advance(0.005) end
  t:match(run.memory.why or "", "cannot be reached: /nowhere/at/all: there is no such socket")
end)

test("a program is started for it, and ends with it", function(t)
  local path, script = t:temporary ".sock", t:temporary ".lua"
  local handle = assert(io.open(script, "w"))
  handle:write(([[
local uv = require "luv"
local listener = uv.new_pipe(false)
listener:bind(%q)
listener:listen(1, function()
  local client = uv.new_pipe(false)
  listener:accept(client)
  client:read_start(function(_, bytes)
    if not bytes then os.exit(0) end
    client:write '{"targets": {"RElbowRoll": 1}}\n'
  end)
end)
uv.run()
]]):format(path))
  handle:close()
  local run = run_of(t, "unix:" .. path,
    ('command = { %q, "lua", %q }, seconds = 0.3, patience = 30, silence = 30'):format(
    uv.exepath(), script), { programs = true })
  run:advance(1)
  t:equal(run.memory.why, nil)
  t:equal(run.state, "done")
  run = run_of(t, "unix:" .. path .. "x", 'command = { "no-such-program" }')
  run:advance(0.1)
  t:match(run.memory.why, "would start the program 'no%-such%-program', but this run does not allow \z
    programs of trees")
  run = run_of(t, "unix:" .. path .. "x", 'command = { "no-such-program" }', { programs = true })
  run:advance(0.1)
  t:match(run.memory.why, "there is no program 'no%-such%-program'")
end)

test("what is wrong with a policy is said before anything runs", function(t)
  for _, case in ipairs { { "tcp://x", "", "connect: an address is" },
      { "unix:/x", "command = {}", "names no program" },
    { "unix:/x", "speed = 2", "from 0.01 to 1" }, { "unix:/x", "hold = 3", "hold is true, false" } } do
    local good, why = pcall(run_of, t, case[1], case[2])
    t:equal(good, false)
    t:match(tostring(why), case[3])
  end
end)
