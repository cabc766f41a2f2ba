--- brio.tape: plain values are read back in the order of recording, and a mismatch is reported.
local store, tape = require "brio.store", require "brio.tape"

--- Record with `noting`; return a tape for reading that holds the record, and the store's path.
local function noted(t, noting)
  local path = t:temporary ".db"
  local writer = assert(store.record(path, { wait = true }))
  assert(writer:begin { behavior = "b.lua", robot = "toy", seed = 1 })
  local made = tape.record(writer)
  noting(made)
  made:close()
  assert(writer:close())
  local back, db = tape.replay(), assert(store.open(path))
  for row in db:rows "SELECT id, tick, bytes FROM tapes WHERE run = 1 ORDER BY id" do
    back:feed(row.id, row.tick, row.bytes)
  end
  db:close()
  return back, path
end

test("values come back as they were", function(t)
  local deep = { 1 }
  for _ = 1, 12 do deep = { deep, name = "in" } end
  local values = { n = 11, true, false, nil, 2 ^ 53, -1, math.mininteger, math.maxinteger, 0.1, "a\0b\255",
    deep, { 1, 2, 3, [10] = "ten", [-4] = 1.5, a = { b = {} }, ["\0"] = "zero" } }
  local back = noted(t, function(made)
    made:tick(0, 0)
    made:note("prompt", table.unpack(values, 1, values.n))
    made:note("file")
    made:note("clock", 1 / 0, -0.0, 0 / 0)
  end)
  back:tick(0, 0)
  local got = table.pack(back:ask "prompt")
  t:equal(got.n, 12)
  t:equal(table.remove(got, 1), true)
  for index = 1, values.n do
    t:equal(got[index], values[index])
    t:equal(math.type(got[index]), math.type(values[index]))
  end
  t:equal({ back:ask "file" }, { true })
  local _, huge, zero, none = back:must "clock"
  t:equal(huge, 1 / 0)
  t:equal(1 / zero, -1 / 0)
  t:ok(none ~= none, "not a number comes back")
  t:equal(back:parted(), nil)
  t:equal(back:over(), true)
end)

test("equal tables are equal bytes, whatever made them", function(t)
  local function bytes(fill)
    local _, path = noted(t, function(made)
      made:note("prompt", fill {})
    end)
    local db = assert(store.open(path))
    local rows = db:query "SELECT hex(bytes) AS bytes FROM tapes"
    db:close()
    return rows[1].bytes
  end
  local forth = bytes(function(list)
    for index = 1, 40 do list["key" .. index] = index end
    return list
  end)
  local back = bytes(function(list)
    for index = 200, 1, -1 do list["key" .. index] = index <= 40 and index or nil end
    for index = 40, 1, -1 do list["key" .. index] = index end
    return list
  end)
  t:equal(forth, back)
end)

test("what is asked for in another order is told", function(t)
  local function noting(made)
    made:tick(7, 0.035)
    made:pass "prompt"
    made:note("gamepad", "button", 304)
    made:note("prompt", { text = "nod" })
    made:tick(9, 0.045)
    made:note("job", 3)
  end
  local back = noted(t, noting)
  back:tick(7, 0.035)
  t:equal(back:ask "prompt", nil)
  t:equal({ back:ask "gamepad" }, { true, "button", 304 })
  t:equal({ back:ask "prompt" }, { true, { text = "nod" } })
  back:tick(8, 0.04)
  t:equal(back:ask "job", nil)
  t:equal(back:parted(), nil)
  back:tick(9, 0.045)
  t:equal(back:must "clock", nil)
  t:equal(back:parted(), { fault = "other", tick = 9, found_tick = 9, wanted = "clock", found = "job" })
  back = noted(t, noting)
  back:tick(7, 0.035)
  back:ask "prompt"
  back:ask "gamepad"
  back:tick(8, 0.04)
  t:equal(back:parted(), { fault = "unheard", tick = 7, found_tick = 7, found = "prompt" })
end)

test("channels are what the page about replays says", function(t)
  local file <close> = assert(io.open "docs/analysis/replay.md")
  local page, rows = file:read "a", {}
  for name in page:gmatch "\n| `([%w_]+)` |" do rows[#rows + 1] = name end
  local names = {}
  for index, channel in ipairs(tape.channels()) do names[index] = channel.name end
  t:equal(rows, names)
end)

test("wrong use is said", function(t)
  local back = tape.replay()
  t:raises(function() back:ask "gossip" end, "no such channel")
  t:raises(function() back:ask(99) end, "no such channel")
  back:close()
  t:raises(function() back:ask "prompt" end, "closed")
end)
