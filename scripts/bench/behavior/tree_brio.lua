--- The cost of trees in brio, with leaves in Lua and all changes recorded: each line is a name and times, us
--- of the program's CPU time, including the store's thread.
---     build/brio lua scripts/bench/behavior/tree_brio.lua
local cjson = require "cjson"
local recorder = require "brio.record.recorder"
local store = require "brio.store"
local trees = require "brio.tree"

local nodes, ticks, batch, loads, edits = 1000, 8000, 100, 10, 200

local function tell(name, times)
  for index, time in ipairs(times) do times[index] = ("%.3f"):format(time * 1e6) end
  print(name .. "\t" .. table.concat(times, " "))
end

local site = { call = function(fn, ...) return fn(nil, ...) end }

--- Conditions that are all evaluated in each tick; one in `every` changes its result each time.
local function recorded(every)
  local tick, form = 0, { "parallel", failures = 1e6 }
  local function changes() return tick % 2 == 0 end
  local function stays() return true end
  for index = 1, nodes do
    form[index + 1] = { "condition", name = "c" .. index, holds = index % every == 0 and changes or stays }
  end
  local path = os.tmpname()
  local writer = assert(store.record(path, {}))
  assert(writer:begin { robot = "none" })
  local own, host = recorder.new(writer), { now = 0 }
  local tree = trees.begin(assert(trees.compile { "loop", { "selector", form, { "succeed" } } }), site,
    function(made) return own:tree(nil, made, host) end)
  local times, start = {}, os.clock()
  for index = 1, ticks do
    tick, host.now = index, index
    tree:work(index)
    if index % batch == 0 then
      local now = os.clock()
      times[#times + 1], start = (now - start) / batch, now
    end
  end
  local closing = os.clock()
  writer:finish {}
  local lost = writer:lost()
  writer:close()
  closing = os.clock() - closing
  local db = assert(store.open(path))
  local kept = db:query("SELECT count(*) AS n FROM tree_records")[1].n
  db:close()
  for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(path .. ending) end
  assert(lost == 0 and kept == ticks, ("%d rows were lost, %d of %d kept"):format(lost, kept, ticks))
  return times, closing
end

local some, closing = recorded(100)
tell("some", some)
local all, later = recorded(1)
tell("all", all)
tell("close", { closing, later })

--- A tree of `count` nodes in groups of ten; the first ten leaves run long.
local function grouped(count)
  local form = { kind = "sequence", name = "root", children = {} }
  for group = 1, count // 10 do
    local children = {}
    for index = 1, 9 do
      children[index] = { kind = "wait", name = ("w%d_%d"):format(group, index), seconds = 1e6,
        after = group < 3 and "beginning" or nil }
    end
    form.children[group] = { kind = "sequence", name = "g" .. group, children = children }
  end
  return form
end

local function load(form)
  collectgarbage()
  local start = os.clock()
  trees.begin(assert(trees.compile(type(form) == "string" and cjson.decode(form) or form)), site)
  return os.clock() - start
end

local form = grouped(10000)
local text, from_table, from_json = cjson.encode(form), {}, {}
for index = 1, loads do from_table[index], from_json[index] = load(form), load(text) end
tell("table", from_table)
tell("json", from_json)

local tree = trees.begin(assert(trees.compile(grouped(nodes))), site)
tree:work(0)
local function timed(count, edit)
  local times = {}
  for index = 1, count do
    local start = os.clock()
    tree:migrate(assert(trees.edit(tree.compiled, edit(index))))
    times[index] = os.clock() - start
  end
  return times
end

collectgarbage()
collectgarbage "stop" -- as in an engine's tick
tell("set", timed(edits, function(index) return {
  { verb = "set", node = 500, form = { "wait", seconds = index } } } end))
tell("insert", timed(edits, function(index)
  return { { verb = "insert", parent = 2, before = 3, form = { "wait", name = "put in", seconds = 1 } },
    index > 1 and
    { verb = "remove", node = tree.compiled.shape:id(3) } or nil }
end))

--- A run whose tree is edited as by a person: an operation that is checked on its robot, recorded for undo,
--- and applied to the running tree.
local function edited_run(count)
  local path = os.tmpname() .. ".lua"
  local file = assert(io.open(path, "w"))
  file:write(([[
local b = require("brio").behavior "b" { robot = "ur3e", start = "one" }
local tree = { "sequence", name = "root" }
for group = 1, %d do
  local list = { "sequence", name = "g" .. group }
  for index = 1, 9 do
    list[index + 1] = { "wait", name = ("w%%d_%%d"):format(group, index), seconds = 1e3,
      after = group < 3 and "beginning" or nil }
  end
  tree[group + 1] = list
end
b.one = { tree = tree }
return b]]):format(count // 10))
  file:close()
  local run = assert(require("brio.runner").new { file = path, clock = "fast", world_data = {} })
  os.remove(path)
  run:advance(0.1)
  return run, assert(require("brio.tree.session").of(run.host, run.host.machine.states.one))
end

local author = require "brio.tree.author"
collectgarbage "restart"
local run, session = edited_run(nodes)
local doc, ids = session.document, session:ids()

local function as_people_do(make)
  local times = {}
  for index = 1, edits do
    local op = assert(make(index))
    local start = os.clock()
    assert(session:edit(op, "ann"))
    times[index] = os.clock() - start
  end
  return times
end

local field = doc:find "w50_5"
-- the first edit compiles the whole tree again, with ids
assert(session:edit(author.set(doc, field, "seconds", 5), "ann"))
collectgarbage()
collectgarbage "stop"
tell("people_set", as_people_do(function(index) return author.set(doc, field, "seconds", 10 + index) end))
collectgarbage()
tell("people_insert", as_people_do(function(index)
  return index % 2 == 1 and author.insert(doc, { behind = field }, { "wait", name = "new" }, ids)
    or { op = "undo" }
end))
collectgarbage()
tell("people_move", as_people_do(function(index)
  return author.move(doc, field, { into = doc:find("g" .. 10 + index % 50), first = true })
end))
run:close()
