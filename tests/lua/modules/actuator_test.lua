local brio = require "brio"
local actuator = brio.actuator

local function opened(changes)
  local options = {
    driver = "sim",
    axes = {
      { name = "yaw", lower = -2, upper = 2, velocity = 3, acceleration = 20 },
      { name = "pitch", lower = -0.5, upper = 0.5, velocity = 3, acceleration = 20, start = 0.1 },
      { name = "lid" },
    },
    groups = { head = { "yaw", "pitch" }, eyes = { "lid" } },
  }
  for key, value in pairs(changes or {}) do options[key] = value end
  return actuator.open(options)
end

test("the simulator says what it is", function(t)
  for _, driver in ipairs(actuator.drivers()) do
    t:ok(#driver.doc > 0, driver.name)
    if driver.name == "simulator" then
      t:equal(driver.alias, "sim")
      t:equal(driver.simulated, true)
      t:match(driver.doc, "No gravity, rigid bodies or contact")
      t:equal(driver.settings[1].name, "natural_frequency")
      t:equal(driver.settings[1].default, 8.0)
    end
  end
end)

test("targets are clamped and reached", function(t)
  local a = opened()
  t:equal(a:target "pitch", 0.1)
  t:equal(a:target("yaw", 1.5), 1.5)
  t:equal(a:target("pitch", -9), -0.5)
  t:equal(a:step(3), true)
  t:near(a:state("yaw").position, 1.5, 1e-6)
  t:near(a:states().pitch.position, -0.5, 1e-6)
  t:equal(a:state("yaw").valid, true)
  t:equal(a:state("yaw").target, 1.5)
  a:targets { yaw = -1, lid = 0.5 }
  t:equal(a:target "yaw", -1.0)
  t:equal(a:target "lid", 0.5)
  t:equal(a:error(), nil)
end)

test("axes, limits and groups have names", function(t)
  local a = opened()
  t:equal(table.concat(a:axes(), " "), "yaw pitch lid")
  t:equal(a:limits("yaw").upper, 2.0)
  t:equal(a:limits("lid").velocity, math.huge)
  local groups = a:groups()
  t:equal(table.concat(groups.head, " "), "yaw pitch")
  t:equal(table.concat(groups.eyes, " "), "lid")
end)

test("no step is faster than the limits", function(t)
  local a = opened()
  a:target("yaw", 2)
  local before, velocity = 0, 0
  for _ = 1, 300 do
    a:step(0.005)
    local now = a:state "yaw"
    t:ok(math.abs(now.position - before) <= 3 * 0.005 + 1e-9, "velocity")
    t:ok(math.abs(now.velocity - velocity) <= 20 * 0.005 + 1e-9, "acceleration")
    before, velocity = now.position, now.velocity
  end
end)

test("a disabled axis stays where it is", function(t)
  local a = opened()
  a:enable("yaw", false)
  a:target("yaw", 1)
  a:step(1)
  t:equal(a:state("yaw").position, 0.0)
  t:equal(a:state("yaw").enabled, false)
  a:enable "yaw"
  t:equal(a:target "yaw", 0.0)
end)

test("it watches a world and keeps it alive", function(t)
  local w = brio.world.new { people = { { id = "ann", path = { { 0, 0, 0 }, { 2, 2, 0 } } } } }
  local a = opened { world = w }
  a:step(1)
  t:near(w:pose("ann").position[1], 1, 1e-9)
  w = nil -- luacheck: ignore
  collectgarbage()
  t:equal(a:step(0.1), true)
end)

test("noise repeats with its seed", function(t)
  local function positions(seed)
    local a, list = opened { seed = seed, settings = { noise = 0.01 } }, {}
    for i = 1, 5 do
      a:step(0.005)
      list[i] = a:state("yaw").position
    end
    return table.concat(list, " ")
  end
  t:equal(positions(1), positions(1))
  t:ok(positions(1) ~= positions(2), "another seed gives other noise")
end)

test("wrong use raises", function(t)
  local a = opened()
  t:raises(function() a:target "yav" end, "did you mean 'yaw'")
  t:raises(function() a:target("yaw", 0 / 0) end, "yaw must be a finite number")
  t:raises(function() a:targets { yaw = 1, pitsch = 2 } end, "did you mean 'pitch'")
  t:equal(a:target "yaw", 0.0)
  t:raises(function() a:targets { 1, 2 } end, "by name")
  t:raises(function() a:step(-1) end, "dt")
  t:raises(function() opened { driver = "simm" } end, "there is no driver 'simm'")
  t:raises(function() opened { settings = { latenzy = 1 } } end, "did you mean 'latency'")
  t:raises(function() opened { axes = { { name = "yaw" }, { name = "yaw" } }, groups = {} } end, "two axes")
  t:raises(function() opened { axes = { { name = "yaw", velocity = 0 } }, groups = {} } end, "above 0")
  t:raises(function() opened { groups = { head = { "nose" } } } end, "group 'head'")
  t:raises(function() opened { world = 3 } end, "brio.world")
  t:raises(function() actuator.open { driver = "sim" } end, "axes must be a table")
  a:close()
  a:close()
  t:raises(function() a:target "yaw" end, "closed")
end)
