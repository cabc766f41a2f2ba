--- docs/trees/trying.md: its commands print what the page shows.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test = harness.test

local folder = harness.files.temporary()
local page = harness.files.read "docs/trees/trying.md"

--- The files of the page: behaviors by their names, the test of the door, and the door of
--- docs/trees/trees.md.
harness.files.write(folder .. "/door.lua", harness.files.read("docs/trees/trees.md"):match "```lua\n(.-)```")
for block in page:gmatch "```lua\n(.-)```" do
  local name = block:match 'brio%.behavior "([%w_]+)"' or block:match "^test%(" and "door_test"
  if name then harness.files.write(("%s/%s.lua"):format(folder, name), block) end
end

test("the commands of docs/trees/trying.md print what it says", function(t)
  local count = 0
  for command, shown in page:gmatch "```\n%$ (brio [^\n]*)\n(.-)```" do
    local run = harness.run { (command:gsub("^brio", harness.files.quote(harness.program))), cwd = folder,
      timeout = 120 }
    t:check(run.out .. run.err == shown, "%s printed:\n%s", command, run.text)
    count = count + 1
  end
  t:check(count >= 4, "%d commands are shown", count)
end)

harness.done()
