--- A world whose contents are exchanged while it runs, as when its file is edited.
local world = require "brio.world"

--- In a Lua state of its own no other module is there.
test("a world's pictures need no module but the world's", function(t)
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "w"))
  file:write([[local w = require "brio.world".new { depth = { rate = 0 } }
    local pose, cloud = w:look()
    print(pose and #cloud)]])
  file:close()
  local program = (os.getenv "BRIO_BUILD" or "build") .. "/brio"
  local out <close> = assert(io.popen(("%s lua %s 2>&1"):format(program, path)))
  t:equal(out:read "a", "3200\n")
  os.remove(path)
end)

test("a sensor and a depth camera with a lower rate report in its first period", function(t)
  local function made(rate, pictures)
    return world.new { sensor = { rate = rate }, depth = { rate = pictures },
      objects = { { id = "o", path = { { 0, 1, 0 } } } } }
  end
  local w = made(10, 0)
  w:advance(100)
  t:equal(#w:detect(), 1)
  for _ = 1, 2000 do t:ok(w:look()) end
  w:exchange(made(1, 5))
  w:advance(101)
  t:equal(#w:detect(), 1)
  t:ok(w:look(), "a picture")
  t:equal(#w:detect(), 0)
  t:equal(w:look(), nil)
  w:advance(102)
  t:equal(#w:detect(), 1)
  t:ok(w:look(), "a picture")
end)

local function with_door(more)
  local door = { id = "office", at = { 2, 0 } }
  for key, value in next, more do door[key] = value end
  return world.new { sensor = { identity = true, occlusion = false, noise = 0.1 }, doors = { door } }
end

test("a door whose latch is taken out is free", function(t)
  local w = with_door {}
  w:advance(0.1)
  w:step()
  t:equal(w:state("office").latched, "yes")
  w:exchange(with_door { handle = "pull", latch = false })
  w:advance(0.2)
  w:step()
  t:equal(w:state("office").latched, "no")
end)

test("what sensors see of a door goes on with the same noise over an edit", function(t)
  local one, other = with_door {}, with_door {}
  for tick = 1, 5 do
    one:advance(tick)
    other:advance(tick)
    if tick == 3 then other:exchange(with_door {}) end
    local seen, expected = other:detect(), one:detect()
    t:equal(#seen, 2)
    for i = 1, 2 do t:equal(seen[i].position[1], expected[i].position[1]) end
  end
end)

test("a disturbance that found no room undoes nothing of others", function(t)
  local events = {}
  for i = 1, 16 do events[i] = { at = 0, what = "blind", kind = "k" .. i, seconds = 10 } end
  events[17] = { at = 0, what = "blind", kind = "k1", seconds = 1 }
  local w = world.new { events = events, objects = { { id = "o", kind = "k1", path = { { 0, 1, 0 } } } } }
  local seen = {}
  for tick = 1, 12 do
    w:advance(tick)
    w:step()
    seen[tick] = #w:detect()
  end
  t:equal(table.concat(seen), "000000000111")
end)

test("a repeated event takes up its rhythm at any time", function(t)
  for _, now in ipairs { 100.005, 1e9, 1e300 } do
    local w = world.new {}
    w:advance(now)
    w:exchange(world.new { things = { { id = "b", at = { 0, 0 } } },
      events = { { at = 0, every = 0.01, what = "put", id = "b", to = { 1, 1 } } } })
    t:equal(w:pose("b").position[1], 0)
    if now < 1e9 then
      w:advance(now + 0.004)
      w:step()
      t:equal(w:pose("b").position[1], 0)
      w:advance(now + 0.006)
      w:step()
      t:equal(w:pose("b").position[1], 1)
    end
  end
end)

test("lists of a building that are none are refused", function(t)
  local function room(more)
    local one = { id = "r", box = { 0, 0, 3, 3 } }
    for key, value in next, more do one[key] = value end
    return function() return world.new { rooms = { one } } end
  end
  t:raises(room { without = "north" }, "without must be a list, not string")
  t:raises(room { without = { north = true } }, "without must be a list")
  t:raises(room { doors = { side = "north" } }, "doors must be a list")
  t:raises(function()
    world.new { walls = { { id = "w", from = { 0, 0 }, to = { 3, 0 }, openings = { at = 1 } } } }
  end, "openings must be a list")
  t:ok(room { without = { "north" }, doors = { { side = "south", at = 1 } } }())
end)
