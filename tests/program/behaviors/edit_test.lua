--- `brio edit` as people and graphical editors use it: the list of parts, one edit, refusals, undo, JSON.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local cjson = require "cjson"
local test, files = harness.test, harness.files

local text = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "ur3e", start = "wait" }

-- Nothing happens.
made.wait = {
  blend = 0.6, -- s
  wants = { want.joint_match { joint = "wrist_1_joint", goal = 0.2 } },
  tick = function(self) self:every(1) end,
}

return made
]]

test("a part is found, changed in its line, refused by the loader, and brought back", function(t)
  local folder = t:folder()
  local file = folder .. "/made.lua"
  files.write(file, text)
  local function edit(...)
    local words = { ... }
    for index, word in ipairs(words) do words[index] = files.quote(word) end
    return harness.run(("XDG_STATE_HOME=%s/state %s edit %s %s"):format(folder, files.quote(harness.program),
      file,
      table.concat(words, " ")))
  end
  local list = edit()
  t:code(list, 0)
  t:has(list.out, "  tick  function(self) self:every(1) end  computed")
  local set = edit("set", "wait.blend", "0.8")
  t:code(set, 0)
  t:has(set.out, "-  blend = 0.6, -- s\n+  blend = 0.8, -- s\n")
  local refused = edit("set", "wait.wants[1].jont", '"wrist_1_joint"', "--json")
  t:code(refused, 3)
  t:has(cjson.decode(refused.out).error, "did you mean 'joint'?")
  t:has(edit("set", "wait.tick", "1").err, "computed in line 9")
  t:code(edit("set", "wait.blend", "0.9", "--hash", ("0"):rep(64)), 3)
  t:code(edit("undo"), 0)
  t:equal(files.read(file), text, "the same bytes")
  -- Where a new text cannot be written, the old one stays.
  harness.run(("mkdir %s.new"):format(file))
  t:code(edit("redo"), 1)
  t:equal(files.read(file), text)
  t:code(edit("st", "wait.blend"), 2)
  t:equal(files.output("ls " .. folder), "made.lua\nstate", "nothing else is left")
end)

harness.done()
