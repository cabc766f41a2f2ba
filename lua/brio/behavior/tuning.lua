--- Values of a behavior's parameters that a person or a study's condition sets before a run: { name = value
--- }.
local suggest = require "brio.lib.suggest"

local tuning = {}

--- The error in such values for a behavior's fields: a sentence, or nil.
function tuning.fault(fields, values)
  local known = fields.tune or {}
  for _, name in ipairs(suggest.keys(values or {})) do
    local param, value = known[name], values[name]
    if not param then
      return ("the behavior has no number '%s' to tune%s"):format(name,
        suggest.hint(name, suggest.keys(known)))
    elseif type(value) ~= "number" or value < param.lower or value > param.upper then
      return ("%s must be from %g to %g %s, not %s"):format(name, param.lower, param.upper, param.unit,
        tostring(value))
    end
  end
end

--- Set them in a behavior's host.
function tuning.apply(host, values)
  for name, value in next, values or {} do host.self.tune[name] = value end
end

return tuning
