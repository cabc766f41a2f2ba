-- What comes into a run from outside is noted, tick by tick, and read back in the same order.
local store, tape = require "brio.store", require "brio.tape"

local path = os.tmpname()
local writer = assert(store.record(path))
writer:begin { behavior = "kiosk.lua", robot = "pepper", seed = 1 }
local noting = tape.record(writer)
noting:tick(12, 0.06)
noting:note("prompt", { who = "eve", text = "play nod" })
noting:close()
writer:close()

local back, db = tape.replay(), assert(store.open(path))
for row in db:rows "SELECT id, tick, bytes FROM tapes WHERE run = 1 ORDER BY id" do
  back:feed(row.id, row.tick, row.bytes)
end
db:close()
back:tick(12, 0.06)
print(back:ask "gamepad" == nil)                             --> true
local found, request = back:ask "prompt"
print(found, request.who, request.text)                      --> true	eve	play nod
print(back:over(), back:parted() == nil)                     --> true	true
for _, suffix in ipairs { "", "-wal", "-shm" } do os.remove(path .. suffix) end
