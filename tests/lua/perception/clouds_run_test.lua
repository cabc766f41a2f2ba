--- Clouds in a run: recordings on the fast clock, their use in a behavior, and faults in rows.
local cloud = require "brio.cloud"
local clouds = require "brio.perception.clouds"

local source = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "looking", memory = { told = {}, counts = {} } }
local function note(event)
  return function(self, data) table.insert(self.memory.told, ("%s %s %.2f"):format(event, data.name, self.now)) end
end
made.looking = {
  tick = function(self)
    local depth = self:cloud "depth"
    if depth then table.insert(self.memory.counts, #depth) end
  end,
  on = { clouds_heard = note "heard", clouds_lost = note "lost" },
}
return made
]]

--- A list of clouds, without a folder: number k has k points in a row, seen ten times a second.
local function recording(t, count)
  local list = t:temporary ".jsonl"
  local handle = assert(io.open(list, "w"))
  for k = 1, count do
    local path = t:temporary ".pcd"
    local file = assert(io.open(path, "w"))
    file:write("VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH ", k,
      "\nHEIGHT 1\nPOINTS ", k, "\nDATA ascii\n")
    for index = 1, k do file:write(("%g %g 1\n"):format(index, k)) end
    file:close()
    handle:write(('{"t": %.1f, "file": "%s"}\n'):format(50 + k / 10, path))
  end
  handle:close()
  return list
end

local function run_with(t, said, options)
  options = options or {}
  options.source, options.clouds = source, said
  return t:run("clouds_made.lua", options)
end

test("recorded clouds come at their times, the newest alone", function(t)
  local run = run_with(t, { "depth=file:" .. recording(t, 5) .. ",frame=tool0" })
  run:advance(0.35)
  local newest = run.run.clouds:find "depth"
  t:equal(#newest, 4)
  t:equal((newest:point(4)), { 4, 4, 1 })
  local about = newest:facts()
  t:equal(about.frame, "tool0")
  t:near(about.time, 0.3, 1e-9)
  run:advance(2)
  t:equal(#newest, 5, "the same value shows what is newest")
  t:equal(run.memory.told, { "heard depth 0.00", "lost depth 1.41" })
  local counts = run.memory.counts
  t:equal({ counts[1], counts[20], counts[21], counts[41], counts[61], counts[81] }, { 1, 1, 2, 3, 4, 5 })
end)

test("a run with recorded clouds repeats", function(t)
  local list = recording(t, 8)
  local function once()
    local run = run_with(t, { "depth=file:" .. list .. ",speed=3.7" })
    run:advance(0.5)
    return run.memory.counts
  end
  local first = once()
  t:equal(once(), first)
  t:ok(#first > 90, "most ticks have one")
end)

test("an index is built anew for a new cloud", function(t)
  local run = run_with(t, { "depth=file:" .. recording(t, 5) })
  run:advance(0.15)
  local newest, all = run.run.clouds:find "depth", { kind = "sphere", size = { 200, 200, 200 } }
  t:equal((newest:count(all)), 2)
  run:advance(0.3)
  t:equal((newest:count(all)), 5)
end)

test("without a name the newest of all is told, and what is offered comes by the same way", function(t)
  local run = run_with(t, { "depth=file:" .. recording(t, 1) })
  local own, fresh = cloud.new { points = { { 1, 2, 3 }, { 4, 5, 6 } } }, true
  run.run.clouds:offer("simulated", function()
    local is_fresh = fresh
    fresh = false
    return own, is_fresh
  end)
  t:equal(run.run.clouds:find(), nil)
  run:advance(0.1)
  t:equal(#run.run.clouds:find "simulated", 2)
  run:advance(0.1)
  t:ok(run.run.clouds:find() ~= nil, "one of them")
  t:equal(run.run.clouds:find "other", nil)
end)

test("a file that cannot be read is refused, and the next one is taken", function(t)
  local list, good = t:temporary ".jsonl", recording(t, 1)
  local first = assert(io.open(good)):read "l"
  local handle = assert(io.open(list, "w"))
  handle:write('{"t": 0, "file": "nowhere.pcd"}\n{"t": 0.1, "file": "', list, '"}\n',
    (first:gsub('"t": [%d.]+', '"t": 0.2')), "\n")
  handle:close()
  local run = run_with(t, { "depth=file:" .. list })
  run:advance(1)
  local state = run.run.clouds:states()[1]
  t:equal(state.refused, { read = 1, cut = 1 })
  t:equal(#run.run.clouds:find "depth", 1)
  t:match(table.concat(t.said, "\n"), "warning: clouds 'depth': 1 refused: reading failed")
end)

test("what is wrong with clouds is told before the run", function(t)
  t:match(clouds.fault { depth = { from = "shm:a", fram = "x" } },
    "clouds.depth has no field 'fram' %(did you mean 'frame'")
  t:match(clouds.fault { depth = { from = "shm:a", points = 0 } }, "points must be from 1 to 1.6e%+07, not 0")
  t:equal(clouds.fault { depth = { from = "shm:a", axes = "right down forward", unit = 0.001 } }, nil)
  t:raises(function() run_with(t, { "shm:depth" }) end, "needs the real clock")
  t:raises(function() run_with(t, { "file:/nowhere" }) end, "no file and no folder")
  local list = t:temporary ".jsonl"
  local handle = assert(io.open(list, "w"))
  handle:write '{"t": 1, "file": "a.pcd"}\n{"t": "x"}\n'
  handle:close()
  t:raises(function() run_with(t, { "file:" .. list }) end, "line 2")
end)
