--- The DOFs that the leaves of a behavior tree own, and which leaves may own the same DOF at once.
---
--- A tree is traversed in the order in which it runs (docs/trees/trees.md): along a line, each unit ends
--- those for which it waits, and is compared with those that may still run.  The targets of gotos are
--- ignored.
local nodes = require "brio.nodes"
local parts = require "brio.robots.parts"
local suggest = require "brio.lib.suggest"

--- Leaves that are written in Lua, by name.
local leaves = {}
for _, leaf in ipairs(require "brio.tree.leaves") do leaves[leaf.name] = leaf end

local owns = {}

--- Maximum number of faults of one tree in a message.
owns.most_faults = 20

--- Kinds as the core runs them, by name.
local kinds = {}
for _, row in ipairs(nodes.kinds()) do kinds[row.name] = row end

local Walk = {}
Walk.__index = Walk

function Walk:fault(number, ...)
  if #self.faults < owns.most_faults then
    self.faults[#self.faults + 1] = { node = number, message = string.format(...) }
  end
end

--- A cache of the DOFs of leaves, by the robot's description: { sequences =, of = lists by the node's
--- record, which stays the same until the node is edited }.
local known = setmetatable({}, { __mode = "k" })

--- The cache for a site: lists of DOFs by their records.
local function known_at(site)
  local found = known[site.description]
  if not found or found.sequences ~= site.sequences then
    found = { sequences = site.sequences, of = setmetatable({}, { __mode = "k" }) }
    known[site.description] = found
  end
  return found.of
end

--- The DOFs in a leaf's `owns`, a list; without `owns`, those of its kind.  Then whether it names something
--- that the robot does not have.
function Walk:list_of(number)
  local record = self.list[number]
  local leaf = leaves[record.is]
  local names, outright = record.form.owns, false
  if not names and leaf and leaf.owns then names, outright = leaf.owns(record.values, self.site) end
  if outright then return names end
  local list, wrong = {}, false
  for _, name in ipairs(names or {}) do
    self.index = self.index or parts.index(self.site.description)
    local found, why = parts.find(self.index, name)
    if not found then self:fault(number, "'%s' owns '%s': %s", record.name, name, why) end
    table.move(found or {}, 1, #(found or {}), #list + 1, list)
    wrong = wrong or not found
  end
  return list, wrong
end

--- The DOFs that a leaf owns, as {DOF = leaf}; nil: none.
function Walk:said(number)
  local record = self.list[number]
  local list, dofs = self.known[record], {}
  if not list then
    local wrong
    list, wrong = self:list_of(number)
    if not wrong then self.known[record] = list end
  end
  for index = 1, #list do dofs[list[index]] = number end
  return next(dofs) and dofs
end

--- The DOFs of all leaves in a routine: for each DOF one leaf, the first by number.
function Walk:routine(target)
  if self.routines[target] then return self.routines[target] end
  local dofs, list, seen = {}, { target }, { [target] = true }
  for _, number in ipairs(list) do -- the list grows in the loop
    for dof, leaf in next, self.owned[number] or {} do dofs[dof] = math.min(dofs[dof] or leaf, leaf) end
    local inside = { self.list[number].kind == "gosub" and self.shape:target(number) or nil,
      table.unpack(self.children[number]) }
    for _, child in ipairs(inside) do
      if not seen[child] then list[#list + 1], seen[child] = child, true end
    end
  end
  self.routines[target] = dofs
  return dofs
end

--- Whether two leaves may have one DOF at once: both are from another program, in which the later one takes
--- it.
function Walk:may_share(a, b) return self.list[a].form.from ~= nil and self.list[b].form.from ~= nil end

--- Compare a leaf's DOFs with those of units that may still run.
function Walk:compare(dofs, alive)
  if #self.faults >= owns.most_faults then return end
  for _, other in ipairs(alive) do
    local shared = {}
    for dof, leaf in next, dofs do
      local before = other.dofs[dof]
      if before and not self:may_share(before, leaf) then
        local key = before .. " " .. leaf
        shared[key] = shared[key] or { before = before, leaf = leaf }
        table.insert(shared[key], dof)
      end
    end
    for _, key in ipairs(suggest.keys(shared)) do
      local found = shared[key]
      if not self.told[key] then
        self.told[key] = true
        table.sort(found)
        self:fault(found.leaf, "'%s' (%s) and '%s' (%s) may run at once, and both own %s%s",
          self.list[found.before].name,
          self.place(found.before), self.list[found.leaf].name, self.place(found.leaf), found[1],
          #found > 1 and (" and %d more"):format(#found - 1) or "")
      end
    end
  end
end

--- The lines of a closed node, as lists of the nodes directly in them.
function Walk:lines(number)
  local kind, children, lines = kinds[self.list[number].kind], self.children[number], {}
  if kind.branches then
    for index, child in ipairs(children) do lines[index] = { child } end
  elseif kind.parts then
    local line_of = {}
    for _, child in ipairs(children) do
      local part = self.shape:part(child)
      if not line_of[part] then
        line_of[part] = {}
        lines[#lines + 1] = line_of[part]
      end
      table.insert(line_of[part], child)
    end
  else
    lines[1] = children
  end
  return lines
end

local function merge(into, dofs) for dof, leaf in next, dofs do into[dof] = into[dof] or leaf end end

--- Visit the contents of a unit.  Return their DOFs.
function Walk:inside(number, alive)
  local kind = kinds[self.list[number].kind]
  if kind.leaf then
    local target = kind.name == "gosub" and self.shape:target(number)
    local dofs = target and self:routine(target) or self.owned[number] or {}
    self:compare(dofs, alive)
    return dofs
  end
  local all = {}
  local around = table.move(alive, 1, #alive, 1, {})
  for _, line in ipairs(self:lines(number)) do
    local still, dofs = table.move(around, 1, #around, 1, {}), {}
    for _, child in ipairs(line) do self:node(child, still, dofs) end
    if kind.at_once and next(dofs) then around[#around + 1] = { unit = line[1], dofs = dofs } end
    merge(all, dofs)
  end
  return all
end

--- Traverse a node of a line; `alive`: units that may still run, {unit, dofs}; its DOFs are added to `all`.
function Walk:node(number, alive, all)
  if kinds[self.list[number].kind].open then
    for _, child in ipairs(self.children[number]) do self:node(child, alive, all) end
    return
  end
  local first, last = self.shape:waits(number)
  if first then
    local count = #alive
    local kept = 0
    for index = 1, count do
      local one = alive[index]
      alive[index] = nil
      if one.unit < first or one.unit > last then
        kept = kept + 1
        alive[kept] = one
      end
    end
  end
  local dofs = self:inside(number, alive)
  if next(dofs) then alive[#alive + 1] = { unit = number, dofs = dofs } end
  merge(all, dofs)
end

--- The faults in the DOFs that the leaves of a compiled tree own at a site (see tree/leaves.lua): a list of
--- {node =, message =}. `place(node)`: the position of a node, in words; `wrong`: nodes with other faults,
--- which own nothing.
function owns.faults(compiled, site, place, wrong)
  local self = setmetatable({ list = compiled.list, shape = compiled.shape, site = site, place = place,
    faults = {}, told = {}, routines = {}, owned = {}, children = {}, known = known_at(site) }, Walk)
  for number, record in ipairs(self.list) do
    self.children[number] = {}
    if record.parent > 0 then table.insert(self.children[record.parent], number) end
    self.owned[number] = not (wrong and wrong[number]) and self:said(number) or nil
  end
  if next(self.owned) then self:node(1, {}, {}) end
  return self.faults
end

return owns
