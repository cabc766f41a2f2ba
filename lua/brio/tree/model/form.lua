--- Fields of a tree node's table: its kind, its children, its name.
local form = {}

--- The lists of children that fallbacks have, in the order in which they run.
form.parts = { "try", "catch", "finally" }

--- A node's kind, or nil.
function form.kind(node)
  return type(node.kind) == "string" and node.kind or type(node[1]) == "string" and node[1] or nil
end

--- The list with a node's children, and the index of the first.
function form.list(node)
  if type(node.children) == "table" then return node.children, 1 end
  return node, type(node[1]) == "string" and 2 or 1
end

local named_by = { "name", "sequence", "does", "holds", "run" }

--- Name of a node with these fields: its name, or its sequence, function or tree, or its kind.
function form.called(fields, kind)
  for _, field in ipairs(named_by) do
    if type(fields[field]) == "string" then return fields[field] end
  end
  return tostring(kind or "a node")
end

--- The displayed name of a node.
function form.name(node) return form.called(node, form.kind(node)) end

local function walk(node, visit, depth, left)
  if type(node) ~= "table" or depth == 0 or left.nodes == 0 then return end
  left.nodes = left.nodes - 1
  visit(node)
  local list, first = form.list(node)
  for index = first, type(list) == "table" and #list or 0 do walk(list[index], visit, depth - 1, left) end
  for _, part in ipairs(form.parts) do
    if type(node[part]) == "table" then
      for _, child in ipairs(node[part]) do walk(child, visit, depth - 1, left) end
    end
  end
end

--- Call visit(node) for a node and its descendants, in document order, up to a maximum number and depth.
function form.each(node, visit, most, deepest)
  walk(node, visit, deepest or 101, { nodes = most or 100001 })
end

return form
