--- Faults of a compiled tree on a robot, before a run: those of its leaves, and leaves that would own one
--- DOF at once.
local attempts = require "brio.tree.execution.attempts"
local dispatch = require "brio.io.dispatch"
local owns = require "brio.tree.model.owns"
local trees = require "brio.tree.model.tree"

local check = {}

--- Maximum number of faults of one tree in a message.
check.most_faults = 50

local function add_fault_of_leaf(compiled, number, site, list)
  local record = compiled.list[number]
  local leaf = trees.kinds[record.is].record
  local why = leaf and leaf.fault and leaf.fault(record.values, site)
  for _, values in ipairs(leaf and leaf.fault and not why and attempts.variants(compiled.list, number)
      or {}) do
    why = why or leaf.fault(values, site)
  end
  if why then
    list[#list + 1] = { node = number, message = ("'%s' (%s): %s"):format(record.name, record.is, why) }
  end
end

local function faults_of_leaves(compiled, site, list, numbers)
  for index = 1, numbers and #numbers or #compiled.list do
    add_fault_of_leaf(compiled, numbers and numbers[index] or index, site, list)
    if #list >= check.most_faults then return end
  end
end

--- Whether any of these nodes of a compiled tree, or any at all, may own something.
function check.owns_something(compiled, numbers)
  for index = 1, numbers and #numbers or #compiled.list do
    local record = compiled.list[numbers and numbers[index] or index]
    if record.form.owns or record.kind == "call" and trees.kinds[record.is].record.owns then return true end
  end
  return false
end

--- Faults of a compiled tree at a site (see tree/leaves.lua; without a host): a list of {node =, message
--- =}. `place(node)`: the position of a node, in words.  `numbers`: only these nodes are new or changed;
--- then ownership is checked only if `owners`.
function check.faults(compiled, site, place, numbers, owners)
  local list = {}
  local good, why = dispatch.call(nil, dispatch.leaves, faults_of_leaves, compiled, site, list, numbers)
  if not good then
    list[#list + 1] = { node = 1, message = "its leaves cannot be looked at: " .. why:match "^[^\n]*" }
  end
  local wrong = {}
  for _, fault in ipairs(list) do wrong[fault.node] = true end
  if numbers and not owners then return list end
  for _, fault in ipairs(owns.faults(compiled, site, place, wrong)) do list[#list + 1] = fault end
  return list
end

return check
