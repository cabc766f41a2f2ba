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
