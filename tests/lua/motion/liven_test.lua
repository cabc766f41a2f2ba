--- Liveliness that is fitted to a demonstration, and written into a behavior.
local liven = require "brio.motion.liven"
local noise = require "brio.noise"

local function demonstration(amplitude, frequency, octaves, beta, seconds, seed)
  local values, gain = {}, 2 ^ (-(beta - 1) / 2)
  for index = 1, seconds * 100 do
    values[index] = 0.7 + 0.0001 * index + amplitude * noise.octaves(seed, frequency * index / 100, octaves,
      2, gain)
  end
  return { name = "HeadYaw", unit = "rad", rate = 100, values = values }
end

test("noise of known size and frequency is found again", function(t)
  for index, case in ipairs { { 0.05, 0.25, 1, 1.5 }, { 0.2, 1.0, 1, 1.5 }, { 0.01, 0.5, 1, 1.5 } } do
    local found = assert(liven.fit(demonstration(case[1], case[2], case[3], case[4], 300, index)))
    t:near(found.amplitude / case[1], 1, 0.12)
    t:near(math.log(found.frequency / case[2], 2), 0, 0.3)
    t:equal(found.octaves, 1)
    t:ok(found.misfit < 0.15, "misfit %.2f", found.misfit)
  end
end)

test("noise of several octaves is found with its power where it was", function(t)
  for index, case in ipairs { { 0.1, 0.125, 4, 1.5 }, { 0.1, 0.25, 4, 2.2 } } do
    local found = assert(liven.fit(demonstration(case[1], case[2], case[3], case[4], 600, index + 10)))
    t:near(found.amplitude / case[1], 1, 0.2)
    t:ok(found.octaves > 1 and found.misfit < 0.2, "%d octaves, misfit %.2f", found.octaves, found.misfit)
    local again = assert(liven.fit(demonstration(found.amplitude, found.frequency, found.octaves, found.beta,
      600, index + 20)))
    t:near(math.log(again.frequency / found.frequency, 2), 0, 1.01)
  end
end)

test("what is too short or does not move is said", function(t)
  t:ok(select(2, liven.fit(demonstration(0.1, 0.5, 1, 1.5, 5, 1))):find("at least 10 s", 1, true))
  local still = demonstration(0, 0.5, 1, 1.5, 20, 1)
  t:ok(select(2, liven.fit(still)):find("hardly moves", 1, true))
end)

local behavior = [[
local idle_behavior = brio.behavior "b" { robot = "pepper", start = "idle" }
idle_behavior.idle = {
  wants = {
    want.collision_avoidance {},
  },
}
idle_behavior.other = {
  wants = { want.joint_limits {} },
}
]]

test("properties are written into a state, and anew in place of those before", function(t)
  local once = assert(liven.insert(behavior, "idle", { "want.a {},", "want.b {}," }))
  t:ok(once:find("  wants = {\n    -- fitted to a demonstration\n    want.a {},\n    want.b {},\n    -- end \z
    of what was fitted\n    want.collision", 1, true), once)
  local twice = assert(liven.insert(once, "idle", { "want.c {}," }))
  t:ok(twice:find("    -- fitted to a demonstration\n    want.c {},\n    -- end of what was fitted\n    \z
    want.collision", 1, true), twice)
  t:ok(not twice:find("want.a", 1, true))
  t:ok(select(2, liven.insert(behavior, "idl", { "x" })):find("no state written as", 1, true))
  t:ok(select(2, liven.insert(behavior, "other", { "x" })):find("on a line of its own", 1, true))
end)

test("what is written is what a state may want", function(t)
  local line = liven.text("HeadYaw", { amplitude = 0.0512345, frequency = 0.25, octaves = 3, beta = 1.5 })
  t:equal(line, 'want.joint_liveliness { joint = "HeadYaw", goal = 0.05123, frequency = 0.25, octaves = 3, \z
    beta = 1.5 },')
  local made = load("local want = ... return " .. line:sub(1, -2))(require "brio.want")
  t:equal(made.kind, "joint_liveliness")
end)
