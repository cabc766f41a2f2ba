--- The leaf `configure_detector`: requests models, classes and thresholds of a detector
--- (docs/perception/detectors.md).
local detectors = require "brio.perception.detectors"
local suggest = require "brio.lib.suggest"

local fields = {
  detector = { "string", value = "detector", doc = "which one: its name in self.detectors" },
  use = { "list", of = "string", doc = "the models to use, each in turn" },
  model = { "string", doc = "the thresholds and classes are meant of this model alone" },
  classes = { "table", doc = "settings of each: { cup = 0.7, chair = false, handle = { erosion \z
    = 2 } }" },
  enable = { "list", of = "string", doc = "classes that are wanted" },
  disable = { "list", of = "string", doc = "classes that are not" },
  reset = { "boolean", value = false, doc = "first drop all earlier requests" },
  wait = { "boolean", value = true, doc = "false: it succeeds without waiting for the answer" },
  timeout = { "number", unit = "s", lower = 0, upper = 86400, value = 2,
    doc = "maximum time of the answer" },
}
for name, range in next, detectors.settings do
  fields[name] = { "number", unit = "1", lower = range[1], upper = range[2], doc = range[3] }
end

--- Arguments of detector:configure; nil: none.
local function settings_of(form)
  local said, some = { model = form.model, classes = form.classes }, form.classes ~= nil
  for name in next, detectors.settings do
    said[name] = form[name]
    some = some or form[name] ~= nil
  end
  return some and said or nil
end

local function find(site, form)
  local known = site.self.detectors
  local found = known and known[form.detector]
  if found then return found end
  local names = {}
  for name in pairs(known or {}) do names[#names + 1] = name end
  table.sort(names)
  return nil, ("there is no detector '%s'%s"):format(form.detector, #names == 0 and ": there is none"
    or suggest.hint(form.detector, names))
end

local function say(detector, form)
  if form.reset then detector:reset() end
  if form.use then detector:use(form.use) end
  local settings = settings_of(form)
  if settings then detector:configure(settings) end
  if form.enable then detector:enable(form.enable) end
  if form.disable then detector:disable(form.disable) end
end

return {
  name = "configure_detector",
  doc = "Says to a detector which models, classes and thresholds are wanted, and waits until it has taken \z
    them.",
  fields = fields,
  fault = function(form)
    if form.model and not settings_of(form) then
      return "`model` selects thresholds or classes, but there are none"
    end
    if not (form.use or form.enable or form.disable or form.reset or settings_of(form)) then
      return "it has no request: give use, classes, enable, disable, confidence, ..."
    end
  end,
  owns = function() return {} end,
  seconds = function() return 0 end,
  work = function(site, form, memory, fresh, elapsed)
    if fresh then
      local why
      memory.detector, why = find(site, form)
      if not memory.detector then return false, why end
      local good, wrong = pcall(say, memory.detector, form)
      if not good then return false, (tostring(wrong):gsub("^.-:%d+: ", "")) end
    end
    if not form.wait then return true end
    local done, why = memory.detector:acknowledged()
    if done then return true end
    if done == nil then return false, ("the detector '%s' refuses: %s"):format(form.detector, why) end
    if elapsed < form.timeout - 1e-9 then return nil end
    return false, ("the detector '%s' has not answered for %g s"):format(form.detector, form.timeout)
  end,
  progress = function(_, form) return { text = ("asked '%s'"):format(form.detector),
    nominal = form.timeout } end,
  inherit = { "detector", "timeout" },
}
