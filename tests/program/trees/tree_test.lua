--- `brio tree`: trees of a behavior and of JSON as a person reads them; and the door of docs/trees/trees.md,
--- which runs.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

local folder = harness.files.temporary()
local page = harness.files.read "docs/trees/trees.md"
local door, shown = page:match "```lua\n(.-)```", page:match "```\n%$ brio tree door%.lua\n(.-)```"
harness.files.write(folder .. "/door.lua", door)

test("the tree of the manual is printed as it says", function(t)
  local run = brio("tree", folder .. "/door.lua")
  t:code(run, 0)
  t:check(run.out == shown, "printed:\n%s", run.out)
  t:code(brio("check", folder .. "/door.lua"), 0)
end)

test("the door of the manual opens at the fourth try", function(t)
  harness.files.write(folder .. "/door_test.lua", [[
test("it opens", function(t)
  local run = t:run "door.lua"
  run:advance(5)
  t:equal(run.state, "through")
  t:equal(run.memory.tries, 4)
  t:equal(table.concat(run.memory.log, ", "), "walk up, lift the hand, turn the knob, let go, turn the knob, let go, "
    .. "turn the knob, let go, turn the knob, walk through")
end)
]])
  local run = brio("test", folder .. "/door_test.lua")
  t:code(run, 0)
  t:has(run.out, "ok it opens")
end)

test("a tree in JSON is printed, and refused in words", function(t)
  local path = folder .. "/t.json"
  harness.files.write(path, '{"kind": "loop", "times": 3, "children": [{"kind": "wait", "seconds": 2, \z
    "notes": "so long"}, {"kind": "goto", "to": "wait"}]}')
  local run = brio("tree", path)
  t:code(run, 0)
  t:has(run.out, "1  loop  times 3\n")
  t:has(run.out, "2    wait  seconds 2 s, -- so long\n")
  t:has(run.out, "3    goto  to 2 wait\n")
  for _, row in ipairs { { '{"kind": "wait", "secs": 2}', 3, "no field 'secs'" }, { "{", 1, "no JSON" },
      { "3", 1, "must be the table of a tree" },
    { '{"grasp": {"x": 1}, "pose": 2}', 1, "not a tree: its root is an object of grasp, pose" },
    { '{"kind": "fallback", "try": 7}', 3, "try must be a table" },
    { '{"kind": "fallback", "try": {"kind": "wait"}}', 0, "fallback" } } do
    harness.files.write(path, row[1])
    run = brio("tree", path)
    t:code(run, row[2])
    t:has(run.out .. run.err, row[3])
  end
end)

test("a parameter whose value stands in itself a trillion times is shown at once", function(t)
  harness.files.write(folder .. "/many.lua", [[
    local many = { 1 }
    for _ = 1, 40 do many = { many, many } end
    return { "sequence", params = { x = { "table", value = many } }, { "wait", seconds = 1 } }]])
  local run = brio("tree", folder .. "/many.lua", { timeout = 20 })
  t:code(run, 0)
  t:has(run.out, "...} unless given")
end)

test("what has no tree, or is none, is refused in words", function(t)
  local run = brio("tree", "behaviors/kiosk.lua")
  t:code(run, 1)
  t:has(run.err, "none of its states has a tree")
  t:code(brio("tree"), 2)
  t:code(brio("tree", "/no/such.lua"), 1)
  harness.files.write(folder .. "/bad.lua",
    door:gsub('"goto", to = "turn the knob"', '"goto", to = "turn the knot"'))
  for _, word in ipairs { "tree", "check" } do
    run = brio(word, folder .. "/bad.lua")
    t:code(run, 3)
    t:has(run.out, "did you mean 'turn the knob'")
  end
end)

test("another program's tree is printed as the manual says, and saved", function(t)
  local path = folder .. "/door.xml"
  harness.files.write(path, '<root BTCPP_format="4"><BehaviorTree ID="MainTree"><Fallback><Condition \z
    ID="IsDoorOpen"/>\n<!-- push -->'
    .. '<RetryUntilSuccessful num_attempts="4"><OpenDoor \z
      force="{push}"/></RetryUntilSuccessful></Fallback></BehaviorTree></root>')
  local run = brio("tree", path)
  t:code(run, 0)
  t:check(run.out == page:match "```\n%$ brio tree door%.xml\n(.-)```", "printed:\n%s", run.out)
  run = brio("tree", path, "--resave", folder .. "/saved")
  t:code(run, 0)
  t:has(run.out, "wrote " .. folder .. "/saved/door.xml")
  t:has(harness.files.read(folder .. "/saved/door.xml"),
    "      <!-- push -->\n      <RetryUntilSuccessful num_attempts=\"4\">\n")
  t:check(brio("tree", folder .. "/saved/door.xml").out == brio("tree", path).out, "saved otherwise")
  harness.files.write(folder .. "/own.json", '{"kind": "wait"}')
  run = brio("tree", folder .. "/own.json", "--resave", folder .. "/saved")
  t:code(run, 1)
  t:has(run.err, "no tree of another program")
  run = brio("tree", folder .. "/door.lua", "--resave", folder .. "/saved")
  t:code(run, 2)
end)

test("trees in files are shown as the manual says, and run", function(t)
  local manual = harness.files.read "docs/trees/files.md"
  local knob, doors = manual:match "`turn_knob.lua`:\n\n```lua\n(.-)```",
    manual:match "`doors.lua`:\n\n```lua\n(.-)```"
  harness.files.write(folder .. "/turn_knob.lua", knob)
  harness.files.write(folder .. "/doors.lua", doors)
  local count = 0
  for words, printed in manual:gmatch "```\n%$ brio (tree [^\n]*)\n(.-)```" do
    local list = {}
    for word in words:gmatch "%S+" do
      list[#list + 1] = word:match "%.lua$" and folder .. "/" .. word or word
    end
    local run = brio(table.unpack(list))
    t:code(run, 0)
    t:check(run.out == printed, "brio %s printed:\n%s", words, run.out .. run.err)
    count = count + 1
  end
  t:check(count == 2, "%d commands", count)
  t:code(brio("check", folder .. "/doors.lua"), 0)
  harness.files.write(folder .. "/doors_test.lua", [[
test("they open", function(t)
  local run = t:run "doors.lua"
  run:advance(2)
  t:equal(run.state, "through")
  t:equal(table.concat(run.memory.log, ", "), "grasp left, turned left by 1.2 rad, grasp right, turned right by 0.5 rad")
end)
]])
  local run = brio("test", folder .. "/doors_test.lua")
  t:code(run, 0)
  t:has(run.out, "ok they open")
  harness.files.write(folder .. "/turn_knob.lua", (knob:gsub('%$angle', "$angel")))
  run = brio("check", folder .. "/doors.lua")
  t:code(run, 3)
  t:has(run.out, "turn_knob.lua:7: tree: 'turn': '$angel' is no parameter here (did you mean 'angle'?)")
  t:code(brio("tree", folder .. "/turn_knob.lua", "--with", "side"), 2)
  t:code(brio("tree", folder .. "/turn_knob.lua"), 3)
end)

test("a tree in a file of its own is checked, with lines, and on a robot that is said", function(t)
  local path = folder .. "/alone.json"
  harness.files.write(path, '{"kind": "sequence", "params": {"p": {"type": "string"}}, "children": \z
    [\n{"kind": "wait"},\n{"kind": "arm", "preset": "$p"}]}')
  local run = brio("check", path)
  t:code(run, 0)
  t:has(run.out, "alone.json: good")
  run = brio("check", "--robot", "ur3e", path)
  t:code(run, 3)
  t:has(run.out, "alone.json:3: 'arm' (arm): preset: the robot ur3e has no pose '...'")
  harness.files.write(path, '{"kind": "sequence", "children": [\n{"kind": "wiat"}]}')
  run = brio("check", path)
  t:code(run, 3)
  t:has(run.out, "alone.json:2: there is no kind of node 'wiat' (did you mean 'wait'?)")
  harness.files.write(folder .. "/old.json",
    '{"name": "", "actions": [\n{"type": "RDXHandPoseAction", "side": "up", "x": 1, "y": 0, "z": 0}]}')
  run = brio("check", "--robot", "panda", folder .. "/old.json")
  t:code(run, 3)
  t:has(run.out, "old.json:2: 'RDXHandPoseAction' (arm): ")
  harness.files.write(folder .. "/p.btproj", '<root><TreeNodesModel><Action ID="x"/></TreeNodesModel></root>')
  run = brio("tree", folder .. "/p.btproj")
  t:code(run, 0)
  t:has(run.out, "no tree, models of nodes alone")
  t:code(brio("check", folder .. "/p.btproj"), 3)
  t:code(brio("check", folder .. "/none.json"), 1)
end)

harness.done()
