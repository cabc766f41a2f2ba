--- The explanation of a DOF's value: the contributions of sources in the last tick, the result, and the
--- objectives that pull at it.
---
---     print(why.of(host, "HeadPitch"))
---     HeadPitch has the command 0.1498 rad (mixed from sources)
---       -0.2000  below: what the states want
---        0.0500  nod, in sequences: +0.2500
---     ...
local suggest = require "brio.lib.suggest"

local why = {}

--- One line for each source with a track of the DOF.
local function source_line(row)
  if row.said ~= "on" then return ("  %9s  %s, in %s: %s"):format("", row.name, row.stage, row.said) end
  local made = row.over and ("adds %+.4f"):format(row.value) or row.blends
    and ("%.4f and %.2f of what is below"):format(row.value, row.share)
    or ("%.4f"):format(row.value)
  return ("  %9.4f  %s, in %s: %s"):format(row.after, row.name, row.stage, made)
end

--- One line for each objective that pulls at the joint.
local function pull_line(row)
  return ("  %8.0f%%  %s%s%s"):format(100 * math.abs(row.share), row.share < 0 and "against it " or "",
    row.objective, row.weight and (", weight %.3g"):format(row.weight) or "")
end

local Why = { __name = "why" }

function Why.__tostring(self)
  local lines = { ("%s has the command %.4f %s; %s"):format(self.dof, self.command, self.unit,
    self.owner and ("%s owns it (%s)"):format(self.owner, self.whose) or self.follow > 0
      and "a bridge leads back to what states want"
      or "no source moves it") }
  lines[2] = ("  %9.4f  below: %s"):format(self.below, self.outside and "what scripts ask for"
    or "what states want")
  for _, row in ipairs(self.from) do lines[#lines + 1] = source_line(row) end
  if math.abs(self.mixed - self.combined) > 1e-12 then
    lines[#lines + 1] = ("  %9.4f  mixed"):format(self.mixed)
  end
  if self.bridge ~= 0 then
    lines[#lines + 1] = ("  %9.4f  with %+.4f left of a bridge"):format(self.mixed + self.bridge, self.bridge)
  end
  if self.filter ~= 0 then
    lines[#lines + 1] = ("  %9.4f  filtered: %+.4f"):format(self.value, self.filter)
  end
  if self.follow > 0 and not self.outside then
    lines[#lines + 1] = ("  %9.4f  found by the solver, which follows it with weight %g"):format(self.command,
      self.follow)
  end
  if #self.pulls > 0 then lines[#lines + 1] = "  of what pulls at it:" end
  for _, row in ipairs(self.pulls) do
    if math.abs(row.share) >= 0.005 then lines[#lines + 1] = pull_line(row) end
  end
  return table.concat(lines, "\n")
end

--- The explanation of a DOF as a table: dof, unit, command, below, combined, mixed, bridge, filter, value,
--- follow, owner (a source's name), whose ("autonomy", "script", "operator"), `from`, a list of {name,
--- stage, whose, said, before, after, value, share} from bottom to top, and `pulls`, the objectives that
--- pull at it, strongest first, over the last tenth of a second: {objective, share, weight}, see
--- solver:pulls. Raises if there is no such DOF.
function why.of(host, name)
  local tracks = host.tracks
  local number = tracks.numbers[name]
  if not number then
    error(("the robot has no DOF '%s'%s"):format(tostring(name),
      suggest.hint(tostring(name), suggest.keys(tracks.numbers))), 0)
  end
  local story, list = tracks.player:why(number)
  local dof, from, stages = host.description.dofs[number], {}, {}
  for _, source in ipairs(tracks.player:sources()) do stages[source.source] = source end
  for _, row in ipairs(list) do
    local source = stages[row.source] or {}
    from[#from + 1] = { name = source.name or "?", stage = source.stage or "?", said = row.said,
      before = row.before, after = row.after,
      whose = tracks.playing[row.source] and tracks.playing[row.source].owner, value = row.a, share = row.b,
        over = row.b == 1,
      blends = row.b > 0 and row.b < 1 }
  end
  local owner = story.owner and stages[story.owner]
  return setmetatable({
    dof = name, unit = dof.unit, outside = dof.outside or nil, command = host.actuator:state(name).command,
      below = story.below,
    combined = story.combined, mixed = story.mixed, bridge = story.bridge, filter = story.filter,
    value = story.value, follow = story.follow,
    owner = owner and owner.name or nil, whose = owner and (tracks.playing[story.owner] or {}).owner or nil,
      from = from,
    pulls = host.solver:pulls(name),
  }, Why)
end

return why
