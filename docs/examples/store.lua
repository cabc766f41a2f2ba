-- Recording and asking, outside a run.
local store = require "brio.store"

local path = os.tmpname()
local writer = assert(store.record(path))
assert(writer:begin { behavior = "by hand", robot = "none", seed = 7, clock = "fast" })
writer:put("events", { tick = 0, t = 0, name = "hello", source = "example", data = store.json { n = 1 } })
assert(writer:finish { duration = 0.0, ticks = 1, outcome = "finished" })
assert(writer:close())

local db = assert(store.open(path))
for _, row in ipairs(assert(db:query("select name, data from events where run = ?", 1))) do
  print(row.name, row.data)                           --> hello	{"n":1}
end
print(select(3, db:query "delete from events") ~= nil)  --> true
db:close()
for _, suffix in ipairs { "", "-wal", "-shm" } do os.remove(path .. suffix) end
