--- The demonstrations with an obstacle that a person puts into the way of a hand, by the word `obstacle`: in
--- the middle of the way of a leaf that has just begun.  What the robot does is judged by a solver of its
--- own. make test has the can on the tray at a low rate; make soak all of them, at the rate of a robot.
package.path = "tests/lua/ways/?.lua;" .. package.path

local operators = require "brio.operator.desk.operators"
local runs = require "arm_runs"

--- Ticks a second.
local function rate_of(t) return t:long() and 200 or 50 end

--- The line that puts a box of 5 cm where the hand of a leaf's motion will be halfway.
local function line_of(run, moving, link)
  local motions = run.run.host.motions
  local joints = motions:told()
  for d, name in ipairs(moving.dofs) do joints[name] = moving.way:value(d, moving.way.seconds / 2) end
  local at = run.description.robot:forward(motions:configuration(joints)).links[link].position
  return ("obstacle crate %.4f %.4f %.4f 0.05 0.05 0.05"):format(at[1], at[2], at[3])
end

--- Run a demonstration until its tree has ended; when the motion of `leaf` has begun, put the crate into it;
--- take it away after `seconds`, if given.  Return its state and on what `thing` is, the least distance from
--- the crate, m, the events `planned_around`, and the nodes that failed.
local function demonstrate(t, said)
  local run = t:run(said.file, { rate = rate_of(t), recorded = true, with_world = true,
    operators = assert(operators.read("", "said")) })
  local judge, put, least, gone = runs.judge(run, "pelvis"), nil, math.huge, nil
  local function says(line)
    local fields = run.run.prompt:perform { kind = "say", text = line, who = "ann", device = "prompt",
      received = 0 }
    t:ok(fields.text, "%s: %s", line, tostring(fields.error))
  end
  while run.now < 60 do
    run:advance(1 / rate_of(t))
    for _, moving in ipairs(not put and run.run.host.motions and run.run.host.motions.list or {}) do
      local share = moving.name:find(said.leaf, 1, true) and #moving.dofs > 3 and moving:share() or 0
      if share > 0.02 and share < 0.3 then
        says(line_of(run, moving, said.link))
        put = run.now
        break
      end
    end
    if put and not gone then least = math.min(least, judge().crate or math.huge) end
    if put and said.seconds and not gone and run.now > put + said.seconds then
      says "obstacle crate off"
      gone = true
    end
    if run.state ~= said.state then break end
  end
  t:ok(put, "no crate was put")
  local ended = { run.state, said.thing and run.world:state(said.thing).on }
  run.run:close()
  local db = assert(require("brio.store").open(run.store))
  local planned = db:query [[SELECT json_extract(data, '$.leaf') AS leaf, json_extract(data, '$.bent') AS bent
    FROM events WHERE name = 'planned_around' AND json_extract(data, '$.around') = 'crate' ORDER BY t]]
  local failed = db:query "SELECT name, why FROM tree_nodes WHERE status = 'failure'"
  db:close()
  return ended, least, planned, failed
end

test("a can is put onto the tray though a crate comes into the way of the hand that carries it", function(t)
  local ended, least, planned = demonstrate(t, { file = "../../../behaviors/pick_and_place.lua",
    state = "placing",
    leaf = "right goes over the tray", link = "right_palm", seconds = 1.5, thing = "can" })
  t:equal(ended, { "placed", "tray" })
  t:ok(least > 0.002, "it kept %g m", least)
  t:match(planned[1].leaf, "right goes over the tray")
  t:equal(planned[1].bent, 1)
end)

test("balls are sorted around a crate; where a ball cannot be reached, it is given up", function(t)
  if not t:long() then return end
  local ended, least, planned = demonstrate(t, { file = "../../../behaviors/sort_balls.lua",
    state = "sorting",
    leaf = "left goes over the bin", link = "left_palm", seconds = 3 })
  t:equal(ended, { "sorted" })
  t:ok(least > 0.002, "it kept %g m", least)
  t:match(planned[1].leaf, "left goes over the bin")
end)

test("a door whose handle is behind a crate stays shut: ways there are refused with pair and depth",
  function(t)
  if not t:long() then return end
  local ended, least, _, failed = demonstrate(t, { file = "../../../behaviors/pull_door.lua",
    state = "opening",
    leaf = "to the handle", link = "right_palm" })
  t:equal(ended, { "stuck" })
  t:ok(least > 0.002, "it kept %g m", least)
  local why = ""
  for _, node in ipairs(failed) do why = node.name == "to the handle" and node.why or why end
  t:match(why, "no way around crate: .*right_hand is [%d.]+ mm inside crate")
end)
