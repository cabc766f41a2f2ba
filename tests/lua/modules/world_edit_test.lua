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
