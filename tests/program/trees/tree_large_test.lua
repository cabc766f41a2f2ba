--- Edits of a large tree at the prompt of a run: each gets its answer when it is made, the robot goes on
--- meanwhile, and a replay makes them in the same ticks.  `make soak` edits 3,000 nodes, `make test` 1,000.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local groups = harness.scale > 1 and 30 or 10

local behavior = ([[
local brio = require "brio"
local b = brio.behavior "b" { robot = "pepper", start = "one" }
local tree = { "sequence", name = "all of it", { "wait", name = "walk up", seconds = 500 } }
for g = 1, GROUPS do
  local group = { "sequence", name = "group " .. g }
  for k = 1, 99 do
    group[k + 1] = k % 3 == 0 and { "wait", seconds = 2 }
      or { "arm", name = ("reach %d.%d"):format(g, k), side = "left", joints = { LElbowYaw = 0.5 }, seconds = 2 }
  end
  tree[g + 2] = group
end
b.one = { tree = tree }
return b
]]):gsub("GROUPS", groups)

test(("a tree of %d nodes is mirrored and taken back as a whole, and replayed to the bit")
  :format(100 * groups), function(t)
  local folder = t:folder()
  local one = { store = folder .. "/x.db", socket = folder .. "/x.sock" }
  files.write(folder .. "/b.lua", behavior)
  one.process = harness.start_brio("run", folder .. "/b.lua", "--store", one.store, "--socket", one.socket,
    "--quiet")
  harness.listening(one)
  local function edit(line, piece)
    local answer = harness.await("an answer to " .. line, function()
      local ran = harness.say(one, line)
      local said = ran.out .. ran.err -- no tree runs yet, or it is made ready
      return not harness.contains(said, "no tree runs") and not harness.contains(said, "send it again")
        and ran
    end)
    t:has(answer.out .. answer.err, piece)
  end
  edit("tree mirror all of it", "'all of it' is mirrored")
  t:has(harness.say(one, "tree show reach 7.1").out, 'side = "right"')
  edit("tree undo", "taken back: 'all of it' is mirrored")
  t:has(harness.say(one, "tree show reach 7.1").out, 'side = "left"')
  edit("tree delete group 3", "'group 3' is deleted with 99 nodes in it")
  edit("tree delete group 99", "there is no node 'group 99'")
  -- Lines that are sent at once are executed in order.
  local ran = harness.say(one, "tree rename group 4 to four\ntree undo\ntree undo")
  t:has(ran.out, 'is called "four"')
  t:has(ran.out, "taken back: 'group 3' is deleted")
  harness.signal(one.process, "INT")
  t:equal(harness.wait(one.process), 0, "exit code")
  t:has(harness.sql(one.store, "select group_concat(arguments, ' ') from operator"), "mirror all of it")
  local again = harness.brio("replay", "1", "--store", one.store)
  t:code(again, 0)
end)

harness.done()
