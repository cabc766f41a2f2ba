--- A tree on a ghost: it starts where the robot is, has the robot's knowledge, and changes nothing of it.
local author = require "brio.tree.author"
local cjson = require "cjson"
local preview = require "brio.trials.preview"
local situation = require "brio.operator.prompt.situation"
local sessions = require "brio.tree.session"
local store = require "brio.store"

local source = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one", memory = { force = 1, held = {}, f = print },
  tune = { near = brio.param(1.0, "m", 0.1, 2) } }
local function shelf(self)
  self:shape("shelf", { kind = "box", size = { 0.02, 0.4, 0.02 }, pose = { position = { 0.35, 0.25, 0.3 } }, physical = true })
end
b.one = { enter = shelf, tree = { "sequence", { "arm", name = "ready", preset = "ready", seconds = 1 },
  { "arm", name = "reach", pose = { position = { 0.3, 0.1, 0.3 } }, seconds = 2, tolerance = 0.05 },
  { "arm", name = "back", preset = "ready", seconds = 1 }, { "wait", name = "rest", seconds = 60 } } }
b.two = { tree = { "sequence", { "condition", name = "knows", holds = function(self)
  return self.memory.force == 7 and self.tune.near == 0.5 and self.scene:find "cup" ~= nil and #self.scene:objects() == 1
    and math.abs(self.scene:find "cup".position[1] - 1.2) < 0.05 end } } }
return b
]]

local function run_of(t) return t:run("b", { robot = "ur3e", source = source }) end

--- The result on a ghost, as another process gets it.
local function previewed(t, run, said)
  local request, why = situation.of(run.run, said)
  t:ok(request, "%s", why)
  local options = preview.options(assert(cjson.decode(store.json(request))), { seconds = 30 })
  options.title = request.title
  local result = assert(preview.run(options))
  return result, table.concat(preview.lines(result), "\n"), request
end

test("a ghost begins where the robot is, tells how leaves got on and what comes near", function(t)
  local run = run_of(t)
  run:advance(2.1)
  local result, text, request = previewed(t, run, "back")
  for name, value in next, request.start do t:near(value, run:measured(name), 1e-9, name) end
  t:equal({ result.outcome, result.title, #result.leaves, result.leaves[1].name },
    { "success", "back", 1, "back" })
  t:near(result.seconds, 1.01, 0.03)
  t:ok(result.leaves[1].progress.error < result.leaves[1].progress.tolerance, "the error at its end is told")
  t:match(text, "^a ghost of ur3e ran 'back' of [^\n]*: success after 1.0%d s\n   1  back +succeeded +1.0%d \z
    s  error [^\n]* %(tolerance 0.1 rad%)")
  result, text = previewed(t, run, "")
  t:match(result.outcome, "unfinished")
  t:match(text, "it was not over after 30 s")
  t:match(text, "\nnear: [%w_]+ and shelf, 0%.0%d+ m at %d+%.%d+ s, while back ran")
end)

test("a ghost that would touch something says so, and fails with the reason", function(t)
  local run = run_of(t)
  run:advance(0.05)
  local request = assert(situation.of(run.run, "reach"))
  for name in next, request.sources do
    request.sources[name] = request.sources[name]:gsub("0.35, 0.25, 0.3 }", "0.3, 0.1, 0.35 }")
  end
  request.document = nil
  local options = preview.options(request)
  options.title = "reach"
  local result = assert(preview.run(options))
  t:equal(result.outcome, "failure")
  t:ok(#result.near > 0 and result.near[1].b == "shelf", "it comes near the shelf")
  t:match(result.why, "no way around shelf: its start collides: [%w_]+ is [%d.]+ mm inside shelf")
end)

test("a ghost knows what the robot knows: memory, what is tuned, and who is around", function(t)
  local run = run_of(t)
  run:see { kind = "cup", id = "cup", at = { 1.2, 0, 0.5 } }
  run:advance(0.5)
  run.memory.force = 7
  run.run.host.self.tune.near = 0.5
  t:equal(previewed(t, run, "two").outcome, "success")
  run.memory.force = 8
  t:equal(previewed(t, run, "knows").outcome, "failure")
end)

test("the real robot is not moved by a hair, and nothing else of the run changes", function(t)
  local function commands(with)
    local run = run_of(t)
    run:advance(1)
    if with then previewed(t, run, "back") end
    local objectives = #run.solver:objectives()
    run:advance(2)
    if with then previewed(t, run, "ready") end
    t:ok(#run.solver:objectives() <= objectives + 64)
    run:advance(1)
    run:close()
    return run.run.report.commands
  end
  t:equal(commands(true), commands(false), "every command, bit for bit")
end)

test("a tree that has been edited while it runs is previewed as it is now", function(t)
  local function edited(tree)
    local run = t:run("b",
      { source = ([[local brio = require "brio" local b = brio.behavior "b" { robot = "ur3e", start = "one" }
b.one = { tree = { "sequence", %s, { "wait", name = "rest", seconds = 0.2 } } } return b]]):format(tree) })
    run:advance(0.1)
    local one = assert(sessions.of(run.run.host, run.run.host.machine.states.one))
    t:ok(one:edit(assert(author.insert(one.document, { behind = one.document:find "rest" },
      { "wait", name = "late", seconds = 0.3 },
      one:ids())), "ann"))
    run:advance(0.01)
    return run
  end
  local run = edited '{ "wait", name = "long", seconds = 0.5 }'
  local result = previewed(t, run, "")
  t:equal(result.outcome, "success")
  t:equal(result.leaves[3].name, "late")
  t:equal(previewed(t, run, "late").title, "late")
  run = edited '{ "action", name = "act", tick = function() end }'
  t:match(select(2, situation.of(run.run, "")), "the edited tree contains functions")
end)

test("an edited tree that sets an object up is previewed", function(t)
  local run = t:run("b",
    { source = [[local brio = require "brio" local b = brio.behavior "b" { robot = "ur3e", start = "one" }
b.one = { tree = { "sequence", { "setup_object", object = "cup", timeout = 2 },
  { "wait", name = "rest", seconds = 0.2 } } } return b]] })
  run:see { kind = "cup", id = "cup", at = { 1.2, 0, 0.5 } }
  run:advance(1)
  local one = assert(sessions.of(run.run.host, run.run.host.machine.states.one))
  assert(one:edit(assert(author.set(one.document, one.document:find "rest", "seconds", 0.4)), "ann"))
  run:advance(0.01)
  local result = previewed(t, run, "")
  t:equal({ result.outcome, result.leaves[1].success, result.why }, { "success", 1 })
end)

test("what cannot be previewed is said", function(t)
  local run = run_of(t)
  run:advance(0.1)
  local function why(said) return select(2, situation.of(run.run, said)) end
  t:match(why "bakc", "there is no state or node 'bakc' with a tree %(did you mean 'back'%?%)")
  t:match(why "arm", "no state or node 'arm'")
  local bare = t:run("b", { source = 'local brio = require "brio" local b = brio.behavior "b" { \z
    robot = "ur3e", start = "one" } b.one = {} return b' })
  bare:advance(0.1)
  t:match(select(2, situation.of(bare.run, "")), "has no tree")
end)
