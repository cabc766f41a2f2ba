--- Compiles the machines inside trees with the behavior; tree_machines_running.lua runs them.
local suggest = require "brio.lib.suggest"

local machines = {}

local function path_of(taken, path)
  local count, name = 1, path
  while taken[name] do
    count = count + 1
    name = ("%s (%d)"):format(path, count)
  end
  taken[name] = true
  return name
end

--- The form of a leaf's states: its own or, by name, the behavior's; nil and a sentence if it is invalid.
local function form_of(values, known, open)
  if not values.run then return values end
  local form = known[values.run]
  if type(form) ~= "table" or type(form.states) ~= "table" then
    return nil, ("there is no machine '%s'%s"):format(values.run,
      suggest.hint(values.run, suggest.keys(known)))
  end
  if open[values.run] then return nil, ("the machine '%s' runs itself"):format(values.run) end
  return form
end

--- Compile the machines of a state's tree: tree.machines by the values of their leaves, and spec.inside.
--- `known`: {forms = the behavior's own by name, open = names of those being compiled}; compile(path, form)
--- makes a machine of states; refuse(record, sentence) reports a fault.
function machines.compile(tree, spec, known, compile, refuse)
  local taken, open = {}, known.open
  for _, record in ipairs(tree.list) do
    local values = record.values
    if record.is == "machine" and (values.run or values.states)
        and not (tree.machines and tree.machines[values]) then
      local form, why = form_of(values, known.forms, open)
      if form then
        if values.run then open[values.run] = true end
        local made = compile(path_of(taken, spec.path .. "/" .. record.name), form)
        if values.run then open[values.run] = nil end
        made.run = values.run
        tree.machines = tree.machines or {}
        tree.machines[values] = made
        spec.inside[#spec.inside + 1] = made
      else
        refuse(record, why)
      end
    end
  end
end

return machines
