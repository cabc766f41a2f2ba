--- Trees over time: the plan and the run, as text and as a picture.
local carrier = require "brio.trials.carrier"
local chart = require "brio.draw.chart"
local cjson = require "cjson"
local store = require "brio.store"
local timeline = require "brio.trials.timeline"
local trees = require "brio.tree"

local function act(name, seconds, after)
  return { "action", name = name, seconds = seconds, after = after }
end

local function planned(form, longest)
  local compiled = assert(trees.compile(form))
  local plan = timeline.plan(compiled, {}, longest)
  local list = {}
  for index, bar in ipairs(plan.bars) do
    list[index] = ("%s %.2f-%.2f%s"):format(compiled.list[bar.node].name, bar.started, bar.ended,
      bar.unknown and "?" or "")
  end
  table.sort(list)
  return plan, table.concat(list, ", "), compiled
end

test("the thesis' layering example goes from 11.7 to 7.6 s", function(t)
  -- Calvert 2026: a walk of 7.58 s and two arm moves, one after the other, and layered.
  local plan = planned { "sequence", act("walk", 7.58), act("left arm", 2.06), act("right arm", 2.06) }
  t:near(plan.seconds, 11.7, 0.01)
  plan = planned { "sequence", act("walk", 7.58), act("left arm", 2.06, "beginning"), act("right arm", 2.06) }
  t:near(plan.seconds, 7.58, 0.01)
end)

test("a plan takes what leaves say, 1 s where nobody does, and nothing for what is at once", function(t)
  local _, text = planned { "sequence", { "wait", name = "w", seconds = 2 }, { "wait", name = "default" },
    { "action", name = "a" },
    { "condition", name = "c", holds = print }, { "foreign", name = "f" }, { "checkpoint" } }
  t:equal(text, "a 6.00-7.00?, c 7.00-7.00, checkpoint 8.00-8.00, default 2.00-6.00, f 7.00-8.00?, w \z
    0.00-2.00")
end)

test("closed nodes, fallbacks, loops and gotos are planned as they would be run", function(t)
  local _, text = planned { "sequence",
    { "fallback", try = { act("try", 1) }, catch = { act("catch", 1) }, finally = { act("last", 1) } },
    { "loop", times = 2, act("turn", 0.5) }, { "parallel", act("x", 1), act("y", 2) } }
  t:equal(text, "fallback 0.00-2.00, last 1.00-2.00, loop 2.00-3.00, parallel 3.00-5.00, try 0.00-1.00, \z
    turn 2.00-2.50, "
    .. "turn 2.50-3.00, x 3.00-4.00, y 3.00-5.00")
  local plan, caught = planned { "fallback", try = { { "fail" } }, catch = { act("catch", 1) } }
  t:match(caught, "catch 0.00%-1.00")
  t:ok(not plan.endless)
  plan = planned({ "sequence", act("again", 1), { "goto", to = "again" } }, 10)
  t:ok(plan.endless and plan.seconds >= 10 and plan.seconds < 11)
  plan = planned { "loop", { "succeed" } }
  t:ok(plan.endless and #plan.bars < 1100, "a loop of nothing ends, too")
end)

local source = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
b.one = { tree = { "sequence", { "wait", name = "first", seconds = 0.5 }, { "wait", name = "beside", seconds = 0.2, after = "beginning" },
  { "retry", times = 3, pause = 0.1, after = "all", { "action", name = "knob", seconds = 0.3 } }, { "wait", name = "long", seconds = 9 } } }
return b
]]

test("how it went stands beside how it was planned", function(t)
  local run = t:run("b", { source = source, recorded = true,
    leaves = { knob = { fails = { 1 }, seconds = 0.4, why = "it slips" } } })
  run:advance(2)
  local compiled = run.rehearsal.watch.trees[1].compiled
  run:close()
  local db = assert(store.open(run.store))
  local went = assert(timeline.of_run(db, 1, cjson.decode))[1]
  db:close()
  t:equal(went.state, "one")
  local plan = timeline.plan(compiled, {})
  local lines = timeline.lines(compiled.list)
  t:equal(timeline.lines(went.nodes), lines, "a recorded tree has the same lines")
  local text = table.concat(timeline.text(lines, plan, went), "\n")
  for line in text:gmatch "[^\n]+" do t:ok(utf8.len(line) <= 80, "%s", line) end
  t:match(text, "\n  2 first +plan %-%- +0.50 s\n +went == +0.50 s\n")
  t:match(text, "\n  5   knob +plan +%-+ +0.30 s\n +went +=+x=+ +2 x 0.4%d s\n", "deeper in, failed once")
  t:match(text, "\n  6 long +plan .* 9.00 s\n +went +=+> +0.[56]%d s", "it ran still")
  local pictures = timeline.panel("one", lines, plan, went)
  t:equal(#pictures.legend, 4)
  local path = t:temporary ".svg"
  t:ok(chart.draw(path, { title = "b", from = 0, to = plan.seconds, panels = { pictures }, left = 170 }))
  local file = assert(io.open(path))
  local drawn = file:read "a"
  file:close()
  t:ok(#drawn > 2000 and drawn:find "^<%?xml", "a picture of %d bytes", #drawn)
end)

test("a tree that is a file becomes a behavior", function(t)
  local path, texts = carrier.behavior("dir/it's.json", "ur3e")
  t:equal(path, "dir/it's.json.lua")
  t:match(texts[path], [[tree = "it's.json"]])
  t:match(texts[path], [[robot = "ur3e"]])
  t:equal(carrier.behavior "door.lua", "door.lua")
end)
