--- `brio tree`: behavior trees as a person reads them, and what is wrong with them.
local cli = require "brio.cli"

local command = {
  name = "tree",
  summary = "print the behavior trees of a behavior, or one that is written as JSON, and say what is wrong with them",
  usage = "brio tree FILE.lua|FILE.json",
  options = {
    cli.load,
  },
}

local function complain(file, faults)
  for _, fault in ipairs(faults) do
    local place = fault.line and fault.line > 0 and ("%s:%d"):format(file, fault.line) or file
    print(place .. ": " .. fault.message)
  end
  return 3
end

--- A tree that is written as JSON.  Its actions and conditions are the names of what it lacks here.
local function print_json(file)
  local trees = require "brio.tree"
  local text, why = require("brio.file").read(file, 64 << 20)
  if not text then return nil, why end
  local good, form = pcall(require("brio.document").json, text, file)
  if not good then return nil, require("brio.clip").failure(form) or tostring(form) end
  local made, faults = trees.compile(form)
  if not made then return complain(file, faults) end
  print(trees.print(made))
  return 0
end

--- The trees of a behavior's states.
local function print_behavior(file)
  local trees, behavior = require "brio.tree", require "brio.behavior"
  local loaded, faults, unread = require("brio.runner").load(file, {})
  if not loaded then
    if not faults then return nil, unread end
    return complain(file, faults)
  end
  local count = 0
  behavior.each_state(loaded.machine, function(state)
    if not state.tree then return end
    count = count + 1
    print(("%s%s"):format(count > 1 and "\n" or "", state.path))
    print(trees.print(state.tree))
  end)
  if count == 0 then return nil, file .. ": none of its states has a tree" end
  return 0
end

function command.run(args)
  if #args ~= 1 then
    cli.error("tree expects one file: %s", command.usage)
    return 2
  end
  local code, why = (args[1]:match "%.json$" and print_json or print_behavior)(args[1])
  if not code then cli.error("%s", why) end
  return code or 1
end

return command
