--- Edits of large trees: a tree of 3,000 nodes is prepared in the slack, and an edit then queries only the
--- leaves that it adds or whose DOFs it changes.
local leaves = require "brio.tree.leaves"
local sessions = require "brio.tree.editing.session"
local trees = require "brio.operator.prompt.trees"

--- A tree of 30 groups of 10 rows of 9 leaves, most of which own an arm.
local behavior = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
local tree = { "sequence", name = "all of it", { "wait", name = "walk up", seconds = 500 } }
for g = 1, 30 do
  local group = { "sequence", name = "group " .. g }
  for k = 1, 10 do
    local row = { "sequence", name = ("row %d.%d"):format(g, k) }
    for m = 1, 9 do
      local name = ("leaf %d.%d.%d"):format(g, k, m)
      row[m + 1] = m % 3 == 0 and { "wait", name = name, seconds = 2 }
        or { "arm", name = name, joints = { elbow_joint = 0.5 }, seconds = 2 }
    end
    group[k + 1] = row
  end
  tree[g + 2] = group
end
b.one = { tree = tree }
return b]]

--- Count how often an arm's leaf is queried for its DOFs while `fn` runs; return that and the results of fn.
local function asked(fn)
  local arm, count
  for _, leaf in ipairs(leaves) do
    if leaf.name == "arm" then arm = leaf end
  end
  local owns = arm.owns
  count, arm.owns = 0, function(...)
    count = count + 1
    return owns(...)
  end
  local made = table.pack(pcall(fn))
  arm.owns = owns
  return count, assert(made[1], made[2]) and made[2]
end

test("an edit of a hundred nodes of a tree of 3,000 asks only its own leaves what they own", function(t)
  local run = t:run("source", { robot = "ur3e", source = behavior })
  run:advance(0.05)
  local host = run.run.host
  local function say(line)
    local count, done = asked(function()
      return select(-1, trees.run({ run = run.run }, line, { who = "ann", client = 1 }))
    end)
    return done, count
  end
  t:match(say "delete group 20", "^the tree of 'one' has 3032 nodes and is made ready to be edited: send it \z
    again")
  repeat sessions.slack(host) until not host.sessions_asked
  for _, case in ipairs {
    { "delete group 20", "^'group 20' is deleted with 100 nodes in it$", 0 },
    { "undo", "^taken back: 'group 20' is deleted", 60 },
    { "move group 20 behind group 2", "^'group 20' is in 'all of it' behind 'group 2'$", 0 },
    { "undo", "^taken back: 'group 20' is in", 0 },
    { "set leaf 3.2.1 name the leaf", 'is called "the leaf"', 1 },
  } do
    local said, count = say(case[1])
    t:match(said, case[2])
    t:ok(count <= case[3], "%s: %d leaves were asked", case[1], count)
  end
end)
