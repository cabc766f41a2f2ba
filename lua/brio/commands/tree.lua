--- `brio tree`: behavior trees as a person reads them, and what is wrong with them.
local cli = require "brio.cli"

local command = {
  name = "tree",
  summary = "print the trees of a behavior, of JSON, or of another program (IHMC, BehaviorTree.CPP), and what is wrong with them",
  usage = "brio tree FILE.lua|FILE.json|FILE.xml [--resave DIR]",
  options = {
    { "resave", "DIR", "write another program's file there, with all that is in it" },
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
local function print_json(file, text)
  local trees = require "brio.tree"
  local good, form = pcall(require("brio.document").json, text, file)
  if not good then return nil, require("brio.clip").failure(form) or tostring(form) end
  local made, faults = trees.compile(form)
  if not made then return complain(file, faults) end
  print(trees.print(made))
  return 0
end

--- Write a file of another program again, into a folder.
local function resave(loaded, file, folder)
  local path = folder:gsub("(.)/+$", "%1") .. "/" .. file:match "[^/]+$"
  require("luv").fs_mkdir(folder, 493)
  local good, why = cli.write(path, require("brio.tree_import").write(loaded))
  if not good then return nil, why end
  print("wrote " .. path)
  return 0
end

--- Trees of another program.
local function print_imported(file, text, folder)
  local trees, files = require "brio.tree", require "brio.file"
  local loaded, why = require("brio.tree_import").load(text, file, function(path) return (files.read(path, 64 << 20)) end)
  if not loaded then return nil, why end
  if folder then return resave(loaded, file, folder) end
  for index, tree in ipairs(loaded.trees) do
    local made, faults = trees.compile(tree.form)
    if not made then return complain(file, faults) end
    print(("%s%s\n%s"):format(index > 1 and "\n" or "", tree.name, trees.print(made)))
  end
  return 0
end

--- A file of data: a tree of ours, or of another program.
local function print_data(file, folder)
  local text, why = require("brio.file").read(file, 64 << 20)
  if not text then return nil, why end
  if file:match "%.xml$" or require("brio.tree_import").find(text) then return print_imported(file, text, folder) end
  if folder then return nil, file .. ": no tree of another program, nothing was written" end
  return print_json(file, text)
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
  local data = args[1]:match "%.json$" or args[1]:match "%.xml$"
  if args.resave and not data then
    cli.error("--resave writes a .json or .xml file of another program again")
    return 2
  end
  local code, why = (data and print_data or print_behavior)(args[1], args.resave)
  if not code then cli.error("%s", why) end
  return code or 1
end

return command
