--- A store with a size limit: how the limit is set, and what is deleted.
local run_store = require "brio.record.run_row"
local store = require "brio.store"

test("a size is said in bytes and their multiples", function(t)
  for text, bytes in pairs { ["2GB"] = 2e9, ["500 mb"] = 5e8, ["1.5g"] = 1.5e9, ["10000000"] = 1e7,
      ["16MiB"] = 16 * 2 ^ 20 } do
    t:equal(run_store.size(text), math.floor(bytes), text)
  end
  for _, text in ipairs { "much", "2XB", "-1GB", "", "1e9", "5MB" } do
    local bytes, why = run_store.size(text)
    t:ok(bytes == nil and #why > 20, "'%s' is taken", text)
  end
end)

test("a writer says how many ticks' samples went", function(t)
  local writer = store.record(t:temporary ".db", { limit = 200000 })
  writer:begin { robot = "toy" }
  writer:dofs({ "a" }, { "rad" }, { { 1e-6, 0 } })
  for tick = 0, 29999 do
    writer:sample(tick, tick / 200, { math.sin(tick) }, { 0 }, { math.sin(tick * tick) })
  end
  t:ok(writer:finish {}, "finished")
  local dropped, beyond = writer:dropped()
  t:ok(dropped > 1000 and dropped < 20000 and dropped % 1024 == 0, "%d ticks went", dropped)
  t:ok(beyond, "the last minute stays, though it is too much")
  t:ok(writer:close(), "closed")
  writer = store.record(t:temporary ".db")
  t:equal(writer:dropped(), 0)
  writer:close()
end)
