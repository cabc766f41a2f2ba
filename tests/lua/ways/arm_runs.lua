--- What the tests of arms that find a way share: runs of a tree, shapes that are put, and a judge of what the
--- robot does: a solver of its own, which measures and plans nothing.
local solver = require "brio.solver"

local runs = {}

--- A run of a tree on the Panda; `shapes`: by key, put at its start.
function runs.run_of(t, tree, options)
  options = options or {}
  local run = t:run("source", { robot = options.robot or "panda", recorded = options.recorded, source = ([[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
local function ended(self, data)
  self.memory.ended, self.memory.why = self.now, data and data.why
  return "two"
end
b.one = {
  enter = function(self) %s end,
  on = { tree_done = ended, tree_failed = ended,
    planned_around = function(self, data) self.memory.around, self.memory.planned = data.around, data end },
  tree = %s }
b.two = {}
return b
]]):format(options.enter or "", tree) })
  return run
end

--- Put, move or remove a shape now, as the behavior's own self:shape does.
function runs.shape(run, key, said) assert(require("brio.behavior.shapes").put(run.run.host, key, said)) end

function runs.box(size, at) return { kind = "box", size = size, pose = { position = at } } end

--- A judge: the least distance of the robot, as measured, from each shape, m; `base`: the root link of a
--- robot that moves about.
function runs.judge(run, base)
  local own = solver.new(run.description.robot, { unguarded = true })
  local known, least = {}, {}
  return function()
    for key in next, known do
      if known[key] ~= run.run.host.shapes[key] then
        own:remove_shape(key)
        known[key] = nil
      end
    end
    for key, said in next, run.run.host.shapes do
      if not known[key] then own:shape(key, said) end
      known[key] = said
    end
    local joints = {}
    for _, dof in ipairs(run.description.dofs) do
      joints[dof.name] = not dof.outside and run:measured(dof.name) or nil
    end
    own:reset({ joints = joints, base = base and run.scene:frame(base) }, true)
    own:solve(0, 0.005)
    for _, pair in ipairs(own:proximity(0.1)) do
      local key = known[pair.a] and pair.a or known[pair.b] and pair.b
      if key then least[key] = math.min(least[key] or math.huge, pair.distance) end
    end
    return least
  end
end

--- Advance until the tree has ended, judging each fourth tick; `each(now)` is called before every one.
--- Return the least distances.
function runs.finish(run, seconds, each)
  local judge, least, till = runs.judge(run), {}, run.now + (seconds or 20)
  local tick = 0
  while not run.memory.ended and not run.failed and run.now < till do
    if each then each(run.now) end
    run:advance(0.005)
    tick = tick + 1
    if tick % 4 == 0 then least = judge() end
  end
  if run.failed then error(run.failed) end
  return least
end

--- A function for `finish` that puts a shape once the arm rests on the left, and
--- returns whether it has.
function runs.at_left(run, key, make)
  local put
  return function(now)
    if put or now < 0.5 or math.abs(run:measured "panda_joint1" - 0.9) > 0.01 then return put end
    put = true
    runs.shape(run, key, make())
    return put
  end
end

return runs
