--- What is wrong with a compiled tree on a robot, before anything runs: what its leaves say of themselves, and who would
--- own one DOF at once.
local owns = require "brio.tree.owns"
local script = require "brio.script"
local trees = require "brio.tree"

local check = {}

--- CPU time that the leaves of one tree may take to look at themselves, s.
check.budget = 2

--- So many faults of one tree are said.
check.most_faults = 50

local function faults_of_leaves(compiled, site, list)
  for number, record in ipairs(compiled.list) do
    local leaf = trees.kinds[record.is].record
    local why = leaf and leaf.fault and leaf.fault(record.values, site)
    if why then list[#list + 1] = { node = number, message = ("'%s' (%s): %s"):format(record.name, record.is, why) } end
    if #list >= check.most_faults then return end
  end
end

--- Faults of a compiled tree at a site (see leaves.lua; it has no host): a list of {node =, message =}.  `place(node)`: where
--- a node is, in words.
function check.faults(compiled, site, place)
  local list = {}
  local good, why = script.call(check.budget, faults_of_leaves, compiled, site, list)
  if not good then list[#list + 1] = { node = 1, message = "its leaves cannot be looked at: " .. why:match "^[^\n]*" } end
  for _, fault in ipairs(owns.faults(compiled, site, place)) do list[#list + 1] = fault end
  return list
end

return check
