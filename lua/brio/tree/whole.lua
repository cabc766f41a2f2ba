--- A tree as its author has it, made into what runs in one go: expanded (forms.lua) and compiled (tree.lua).
---
---     local made, faults = whole.compile(tree, context)   a form or a file's name; context: see forms.context
---     local made, faults = whole.again(made, form)        an edited form in the place of the one that `made` came from
---
--- What is made also has `document` (what it was made of), `context` and `origins`; faults have `file` and `line` where they are
--- in a file of a tree.
local forms = require "brio.tree.forms"
local trees = require "brio.tree"

local whole = {}

function whole.compile(tree, context)
  local form, faults, origins = forms.expand(tree, context)
  local made
  if #faults == 0 then made, faults = trees.compile(form) end
  for _, fault in ipairs(faults) do fault.file, fault.line = forms.place(fault, origins) end
  if not made then return nil, faults end
  made.document, made.origins, made.context = tree, origins, context
  return made, {}
end

--- The states that a machine of an edited tree runs: those that the same leaf, or one of that name, ran before.
local function machine_of(before, values)
  for known, spec in next, before.machines or {} do
    if known.run == values.run and known.states == values.states then return spec end
  end
end

function whole.again(before, form)
  local made, faults = whole.compile(form, before.context)
  if not made then return nil, faults end
  made.document = before.document
  for _, record in ipairs(made.list) do
    local spec = record.is == "machine" and machine_of(before, record.values)
    if spec then
      made.machines = made.machines or {}
      made.machines[record.values] = spec
    elseif record.is == "machine" then
      faults[#faults + 1] = { name = record.name, form = record.form,
        message = ("'%s' (machine): states are written in the behavior's file, and taken over from there"):format(record.name) }
    end
  end
  if #faults > 0 then return nil, faults end
  return made, faults
end

return whole
