--- Running machines inside trees: entered when a leaf `machine` of a running tree begins.
---
--- Such a machine is an additional region of the state that holds the tree: its wants, events and
--- transitions work as those of any inner states. It ends when it enters its state `success` or `failure`.
local machine = require "brio.behavior.machine"
local shape = require "brio.tree.model.form"

local inside = {}
local Inside = {}
Inside.__index = Inside

--- The states of a leaf's machine, as compiled with the behavior: its own, or, in a tree that was edited
--- since, those of a leaf with the same name or the same machine.
local function spec_of(active, form)
  local own = active.state.tree and active.state.tree.machines
  if own and own[form] then return own[form] end
  local path = active.state.path .. "/" .. shape.name(form)
  for _, spec in ipairs(active.state.inside) do
    if form.run and spec.run == form.run or not form.run and spec.path == path then return spec end
  end
end

--- Begin the machine of a leaf in the tree of an active state.  `form`: the leaf's values.  Return it, or
--- nil and a sentence.
function inside.begin(active, host, form)
  local spec = spec_of(active, form)
  if not spec then
    return nil, "its states are not known here: they are taken over with the behavior's file"
  end
  local region = machine.new(spec, host, active)
  region.inside = true
  table.insert(active.regions, region)
  local self = setmetatable({ region = region, host = host }, Inside)
  region:start(nil, #host.events)
  return self
end

--- The result: nil while it runs, true, or false and the reason.
function Inside:over()
  local current = self.region.current
  if not current then return false, "its states were left" end
  local name = current.state.name
  if name == "success" then return true end
  if name ~= "failure" then return nil end
  local before = self.region.previous
  return false, before and ("'%s' led to failure (%s)"):format(before.name, self.region.came or "")
    or "it began with failure"
end

--- Leave its active states.
function Inside:leave()
  local regions = self.region.parent.regions
  for index, region in ipairs(regions) do
    if region == self.region then table.remove(regions, index) break end
  end
  self.region:leave()
end

--- Hold it: its states neither tick nor react, and their timers stop; or release it.
function Inside:hold(on)
  local region, now = self.region, self.host.now
  if on then
    region.held = region.held or now
  elseif region.held then
    local held = now - region.held
    region.held = nil
    machine.shift(region, held)
  end
end

--- The path of the innermost state of its first regions.
function Inside:path()
  local region, path = self.region, nil
  while region and region.current do
    path, region = region.current.state.path, region.current.regions[1]
  end
  return path
end

return inside
