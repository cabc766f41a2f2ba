--- Makes a tree in one call: expands it (expand.lua) and compiles it (tree/model/tree.lua).
---
---     local made, faults = whole.compile(tree, context)   a form or a file's name; context: see
---                                                         forms.context
---     local made, faults = whole.again(made, form)        an edited form in place of that of `made`
---
--- The result also has `document` (its source), `context` and `origins`; faults have `file` and `line` if
--- they are in a file of a tree.
local forms = require "brio.tree.files.expand"
local trees = require "brio.tree.model.tree"

local whole = {}

--- Expand and compile a form, or the file of a name.  Return the tree, or nil and a list of faults.
function whole.compile(tree, context)
  local form, faults, origins = forms.expand(tree, context)
  local made
  if #faults == 0 then made, faults = trees.compile(form) end
  for _, fault in ipairs(faults) do fault.file, fault.line = forms.place(fault, origins) end
  if not made then return nil, faults end
  made.document, made.origins, made.context = tree, origins, context
  return made, {}
end

--- Compile an edited form in place of that of `before`, with its context.  Results as of compile.
function whole.again(before, form)
  local made, faults = whole.compile(form, before.context)
  if made then made.document = before.document end
  return made, faults
end

return whole
