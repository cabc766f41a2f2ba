local nodes = require "brio.nodes"

test("a parallel that begins again counts nothing of before, even if the tree is edited", function(t)
  local tree = assert(nodes.new {
    { kind = "sequence", parent = 0, id = 0 }, { kind = "parallel", parent = 1, id = 1 },
    { kind = "wait", seconds = 5, parent = 2, id = 2 }, { kind = "wait", seconds = 5, parent = 2, id = 3 },
    { kind = "wait", seconds = 1, parent = 1, id = 4 } })
  tree:begin()
  tree:work(0)
  tree:again(2)
  tree:migrate(assert(tree:edited { { verb = "set", node = 4, record = { kind = "wait", seconds = 2 } } }))
  tree:work(1)
  t:equal(tree:status(2), "running")
  tree:work(5.5)
  t:equal(tree:status(2), "running")
  tree:work(6)
  t:equal(tree:status(2), "success")
end)

test("the depth of a node is its own, not that of the one before it", function(t)
  local list = { { kind = "sequence", parent = 0 } }
  for i = 1, 199 do list[i + 1] = { kind = "sequence", parent = i } end
  list[201] = { kind = "succeed", parent = 200 }
  t:ok(nodes.new(list), "200 deep")
  list[202] = { kind = "succeed", parent = 1 }
  t:ok(nodes.new(list), "one more in the root")
  list[203] = { kind = "sequence", parent = 1 }
  for i = 204, 402 do list[i] = { kind = "sequence", parent = i - 1 } end
  t:ok(nodes.new(list), "200 deep twice")
  list[403] = { kind = "succeed", parent = 402 }
  local _, why, code = nodes.new(list)
  t:match(why, "more than 200 deep")
  t:equal(code, "limit")
end)

--- A parallel whose goto waits for a finally branch, in its second tick.
local function about_to_jump()
  local tree = assert(nodes.new {
    { kind = "sequence", parent = 0, id = 0 }, { kind = "parallel", parent = 1, id = 1 },
    { kind = "fallback", parent = 2, id = 2 },
    { kind = "wait", seconds = 9, parent = 3, part = "try", id = 3 },
    { kind = "wait", seconds = 3, parent = 3, part = "finally", id = 4 },
    { kind = "goto", to = "end", parent = 2, id = 5 }, { kind = "wait", seconds = 1, parent = 1, id = 6 },
    { kind = "wait", name = "end", seconds = 1, parent = 1, id = 7 },
    { kind = "wait", seconds = 1, parent = 1, id = 8 } })
  tree:begin()
  tree:work(0)
  tree:work(1)
  return tree
end

test("a node that is removed while its goto waits for a finally branch holds nothing", function(t)
  local tree = about_to_jump()
  t:equal(tree:status(2), "running")
  tree:migrate(assert(tree:edited { { verb = "remove", node = 1 } }))
  local status
  for now = 2, 9 do status = tree:work(now) end
  t:equal(status, "success")
end)

test("a goto whose target is removed while it waits for a finally branch is a failure", function(t)
  local tree = about_to_jump()
  tree:migrate(assert(tree:edited { { verb = "remove", node = 5 }, { verb = "remove", node = 7 } }))
  t:equal(tree:work(2), "running")
  t:equal(#tree:running(), 3)
  t:equal(tree:work(9), "failure")
  t:equal(select(3, tree:status(2)), "the target of a goto was deleted")
  tree:next(6)
  tree:automatic(true)
  for now = 10, 12 do tree:work(now) end
  t:equal(tree:status(6), "success")
  t:equal(tree:status(7), "success")
end)

test("what is saved after a goto can be restored, also if the tree is smaller since", function(t)
  for _, seconds in ipairs { 0, 1 } do
    local tree = assert(nodes.new {
      { kind = "sequence", parent = 0, id = 0 }, { kind = "goto", to = "on", parent = 1, id = 1 },
      { kind = "wait", parent = 1, id = 2 }, { kind = "wait", parent = 1, id = 3 },
      { kind = "wait", parent = 1, id = 4 }, { kind = "fallback", name = "on", parent = 1, id = 5 },
      { kind = "wait", seconds = seconds, parent = 6, part = "try", id = 6 },
      { kind = "wait", seconds = 9, parent = 6, part = "finally", id = 7 } })
    tree:begin()
    tree:work(0)
    local edits = {}
    for id = 1, 4 do edits[id] = { verb = "remove", node = id } end
    local smaller = assert(tree:edited(edits))
    tree:migrate(smaller)
    tree:work(1)
    tree:work(2)
    t:equal(tree:status(4), "running")
    local other = nodes.new(smaller)
    t:equal(other:restore(tree:save(), 2, 0), true)
    other:work(3)
    t:equal(other:status(4), "running")
  end
end)

test("a loop that has turned for weeks runs on and can be restored", function(t)
  for _, loop in ipairs { { kind = "loop", parent = 0 }, { kind = "retry", times = 0, parent = 0 } } do
    local tree = assert(nodes.new { loop,
      { kind = loop.kind == "loop" and "succeed" or "fail", parent = 1 } })
    tree:begin()
    tree:work(0)
    local numbers, found = tree:save(), 0
    for i, number in ipairs(numbers) do -- which of the numbers is the count
      local changed = table.move(numbers, 1, #numbers, 1, {})
      changed[i] = number == 1 and 1 << 30 or number
      local other = nodes.new(tree)
      if number == 1 and other:restore(changed, 0, 0) and other:turn(1) == 1 << 30 then
        found = found + 1
        for now = 1, 3 do t:equal(other:work(now), "running") end
        t:ok(other:turn(1) >= 1 << 30, "%d turns", other:turn(1))
        t:equal(nodes.new(tree):restore(other:save(), 0, 0), true)
      end
    end
    t:equal(found, 1)
  end
end)

test("time that has passed counts over two restores in a row", function(t)
  local tree = assert(nodes.new { { kind = "sequence", parent = 0 },
    { kind = "wait", seconds = 10, parent = 1 } })
  tree:begin()
  tree:work(100)
  tree:work(106)
  for _, ended in ipairs { 106, 1, 1 } do -- the times of processes, the later of which live for a second
    local next = nodes.new(tree)
    t:equal(next:restore(tree:save(), 0, -ended), true)
    tree = next
    tree:work(0)
    tree:work(1)
  end
  t:near(select(2, tree:status(2)), 9, 1e-9)
  t:equal(tree:work(2.1), "success")
end)

test("the state that an older version saved can be restored", function(t)
  local tree = assert(nodes.new { { kind = "wait", seconds = 10, parent = 0 } })
  -- saved at 108 s by version 1 of the format, in which -1 is no time
  local old = { 1, 1, 1, 0, 1, 0, 1, -1, 0, 1, 0, -1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 100, -1, -1, 0 }
  t:equal(tree:restore(old, 0, -108), true)
  tree:work(0)
  t:equal(select(2, tree:status(1)), 8.0)
end)

test("no saved state, also a changed one, makes a tree that nobody can halt or that stands", function(t)
  local tree = assert(nodes.new { { kind = "sequence", parent = 0 },
    { kind = "wait", seconds = 1, parent = 1 }, { kind = "wait", seconds = 1, parent = 1 } })
  tree:begin()
  tree:work(0)
  for flag = 1, 4, 3 do -- the flags of the root's line: it goes on without steps, it waits for a jump
    for _, form in ipairs { 2, 99 } do
      local numbers, other = tree:save(), nodes.new(tree)
      t:equal(table.concat({ table.unpack(numbers, 9, 13) }, " "), "0.0 1.0 0.0 -1.0 0.0")
      numbers[13], numbers[#numbers] = flag, form == 99 and 99 or numbers[#numbers]
      t:equal(other:restore(numbers, 0, 0), form == 2 or nil)
      other:work(0)
      other:halt()
      other:automatic(false)
      other:work(1)
      t:equal(#other:running(), 0)
      other:begin()
      for now = 2, 5 do other:work(now) end
      t:equal(other:status(3), "success")
    end
  end
  local numbers, other = tree:save(), nodes.new(tree)
  numbers[13] = 4
  t:equal(other:restore(numbers, 0, 0), true)
  for now = 0, 4 do other:work(now) end
  t:equal(other:status(3), "success")
end)

--- A leaf of a list of nodes.
local function leaf(name, parent) return { kind = "call", name = name, is = name, parent = parent } end

test("only what has begun is stopped or held", function(t)
  local told = {}
  local tree = assert(nodes.new({ leaf("a", 0) },
    function(_, _, fresh) told[#told + 1] = fresh and "b" or "w" end,
    function() told[#told + 1] = "stop" end,
    function(_, _, on) told[#told + 1] = on and "hold" or "free" end))
  tree:begin()
  tree:work(0)
  tree:again(1)
  tree:again(1) -- before the next tick: there is nothing more to stop
  tree:pause(1, true)
  tree:work(1)
  tree:pause(1, false)
  tree:work(2)
  tree:pause(1, true)
  tree:pause(1, false)
  tree:halt()
  t:equal(table.concat(told, " "), "b stop b hold free stop")
end)

test("a leaf that would begin in the tick of another's error begins in the next one", function(t)
  for _, kind in ipairs { "call", "choose" } do
    local told, stops = {}, 0
    local tree = assert(nodes.new({ { kind = "fallback", parent = 0 }, leaf("a", 1),
      { kind = kind, name = "b", is = "b", parent = 1 } }, function(node, _, fresh)
      told[#told + 1] = node .. (fresh and "!" or "")
      if node == 2 then error "it breaks" end
    end, function() stops = stops + 1 end))
    tree:begin()
    local good, why = pcall(tree.work, tree, 0)
    t:equal(good, false)
    t:match(why, "it breaks")
    if kind == "choose" then tree:halt() t:equal(stops, 0) tree:begin() pcall(tree.work, tree, 0) end
    tree:work(1)
    tree:work(2)
    t:equal(table.concat(told, " "), kind == "call" and "2! 3! 3" or "2! 2! 3! 3")
  end
end)

test("a function of the tree cannot drive it while it is halted, begun or edited", function(t)
  local list, tree, edited = { { kind = "parallel", parent = 0 } }, nil, nil
  for i = 1, 400 do list[i + 1] = leaf("leaf " .. i, 1) end
  for _, drive in ipairs { "begin", "halt", "reset", "migrate", "prepare", "again", "pause" } do
    local stops, refused = 0, 0
    local function meddle()
      stops = stops + 1
      for _, other in ipairs { "begin", "work", "halt", "migrate", "save" } do
        local good, why = pcall(tree[other], tree, other == "migrate" and edited or 9)
        refused = refused + (not good and why:find "its own functions cannot drive it" and 1 or 0)
      end
      t:equal(tree:id(2), 1) -- reading is no driving
    end
    tree = assert(nodes.new(list, function() end, meddle, meddle))
    edited = assert(tree:edited { { verb = "remove", node = 1 },
      { verb = "insert", parent = 0, list = list } })
    tree:begin()
    tree:work(0)
    local node = drive == "again" and 2 or 1
    tree[drive](tree, (drive == "migrate" or drive == "prepare") and edited or node, true)
    local all = drive == "begin" or drive == "halt" or drive == "reset" or drive == "pause"
    local expected = all and 400 or 1
    t:equal(stops, expected)
    t:equal(refused, 5 * stops)
    t:ok(pcall(tree.work, tree, 1), "and then it can be driven")
  end
end)

test("a tree that the collector has freed is closed to a __gc that still has it", function(t)
  local said = {}
  do
    -- finalizers are called in reverse order of creation: the tree's before that of what refers to it
    local last = setmetatable({}, { __gc = function(self)
      for _, name in ipairs { "status", "work", "begin", "id", "save", "described", "edited" } do
        said[#said + 1] = select(2, pcall(self.tree[name], self.tree, 1))
      end
      said[#said + 1] = select(2, pcall(nodes.new, self.tree))
    end })
    last.tree = assert(nodes.new { { kind = "wait", seconds = 1, parent = 0 } })
  end
  collectgarbage()
  collectgarbage()
  t:equal(#said, 8)
  for _, why in ipairs(said) do t:match(why, "it is closed") end
end)

test("a reason or an error whose text cannot be made ends the tick in order", function(t)
  local without = setmetatable({}, { __tostring = function() error "no text" end })
  local raises = false
  local tree = assert(nodes.new({ leaf("a", 0) }, function()
    if raises then error(without) end
    return false, without
  end))
  tree:begin()
  t:equal(tree:work(0), "failure")
  t:equal(select(3, tree:status(1)), "a reason that has no text")
  raises = true
  tree:begin()
  local good, why = pcall(tree.work, tree, 1)
  t:equal(good, false)
  t:match(why, "a reason that has no text")
  raises = false
  tree:begin()
  t:equal(tree:work(2), "failure")
end)
