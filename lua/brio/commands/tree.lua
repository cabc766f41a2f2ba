--- `brio tree`: behavior trees in readable form, with their errors.
local cli = require "brio.terminal.cli"

local command = {
  name = "tree",
  summary = "print the trees of a behavior, of JSON, or of another program (IHMC, BehaviorTree.CPP), with \z
    their mistakes",
  usage = "brio tree FILE.lua|FILE.json|FILE.xml [--with NAME=VALUE] [--resave DIR], or brio tree --live \z
    [RUN] [options]",
  options = {
    { "with", "NAME=VALUE", "a parameter of the tree; can be repeated", many = true },
    { "resave", "DIR", "write another program's file into this folder, with all its content" },
    { "live", nil, "show a running tree, with keys; RUN: see docs/analysis/runs.md; none: the only one" },
    { "in", "STATE", "live: the tree of that state, if several run" },
    { "rate", "HZ", "live: updates per second, 0.2 to 60; default 30" },
    { "once", nil, "live: print it once and exit; default if the output is no terminal" },
    { "color", "WHEN", "live: auto (default), always or never; NO_COLOR applies" },
    { "ascii", nil, "live: only ASCII characters; default if the locale is not UTF-8" },
    { "as", "NAME", "live: your name, for the record; default: your user's name" },
    { "token", "TEXT", "live: the token of a group's prompt; default: read beside the socket" },
    cli.load,
  },
}

local function complain(file, faults)
  for _, fault in ipairs(faults) do
    local place = fault.line and fault.line > 0 and ("%s:%d"):format(fault.file or file, fault.line)
      or fault.file or file
    print(place .. ": " .. fault.message)
  end
  return 3
end

--- Print a tree file with sample values of its parameters.  Its actions and conditions are names of skills,
--- which it lacks here.
local function print_own(file, with)
  local trees, forms = require "brio.tree.model.tree", require "brio.tree.files.expand"
  local context = forms.context { with = with, sample = true, file = file }
  local made, faults = require("brio.tree.files.build").compile(file:match "[^/]+$", context)
  if not made and not faults[1].name then
    local message = faults[1].message
    return nil, message:find(file:match "[^/]+$", 1, true) and message or file .. ": " .. message
  end
  if not made then return complain(file, faults) end
  for _, line in ipairs(forms.params_of(file:match "[^/]+$", context)) do print(line) end
  print(trees.print(made))
  return 0
end

--- Write a file of another program again, into a folder.
local function resave(loaded, file, folder)
  local path = folder:gsub("(.)/+$", "%1") .. "/" .. file:match "[^/]+$"
  local good, why = cli.make_folder(folder)
  if good then good, why = cli.write(path, require("brio.formats.tree.readers").write(loaded)) end
  if not good then return nil, why end
  print("wrote " .. path)
  return 0
end

--- Trees of another program.
local function print_imported(file, text, folder)
  local trees, files = require "brio.tree.model.tree", require "brio.file"
  local function read(path) return (files.read(path, 64 << 20)) end
  local loaded, why = require("brio.formats.tree.readers").load(text, file, read)
  if not loaded then return nil, why end
  if folder then return resave(loaded, file, folder) end
  if not loaded.trees[1] then print(file .. ": no tree, models of nodes alone") end
  for index, tree in ipairs(loaded.trees) do
    local made, faults = trees.compile(tree.form)
    if not made then return complain(file, faults) end
    print(("%s%s\n%s"):format(index > 1 and "\n" or "", tree.name, trees.print(made)))
  end
  return 0
end

--- A data file: a tree of brio, or of another program.
local function print_data(file, folder, with)
  local text, why = require("brio.file").read(file, 64 << 20)
  if not text then return nil, why end
  if not file:match "%.json$" or require("brio.formats.tree.readers").find(text) then
    return print_imported(file, text, folder)
  end
  if folder then return nil, file .. ": no tree of another program, nothing was written" end
  return print_own(file, with)
end

--- The trees of a behavior's states.
local function print_behavior(file, _, with)
  if require("brio.tree.files.files").is_tree(file) then return print_own(file, with) end
  local trees, behavior = require "brio.tree.model.tree", require "brio.behavior.define"
  local loaded, faults, unread = require("brio.run.runner").load(file, {})
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
  if args.live then
    if #args <= 1 then return require("brio.terminal.tree_live").run(args) end
    cli.error("tree --live expects one run at most: %s", command.usage)
    return 2
  end
  if #args ~= 1 then
    cli.error("tree expects one file: %s", command.usage)
    return 2
  end
  local data = args[1]:match "%.json$" or args[1]:match "%.xml$" or args[1]:match "%.btproj$"
  if args.resave and not data then
    cli.error("--resave writes a .json or .xml file of another program again")
    return 2
  end
  local with = cli.settings(args, {}, "with")
  if not with then return 2 end
  for name, value in next, with do
    if value == "true" or value == "false" then with[name] = value == "true" end
  end
  local code, why = (data and print_data or print_behavior)(args[1], args.resave, with)
  if not code then cli.error("%s", why) end
  return code or 1
end

return command
