--- The condition `holding`: by measured positions, a hand has something between its fingers: they are as
--- far apart as the width of the object to hold, and farther than commanded.
local suggest = require "brio.lib.suggest"

--- The hand for a form: {name, link, grip, open, shut, span}; nil and a sentence.
local function find(description, form)
  local hands, names = description.hands or {}, suggest.keys(description.hands or {})
  if #names == 0 then
    return nil, ("the file of the robot %s has no width of a hand"):format(description.name)
  end
  local name = form.hand or (#names == 1 and names[1])
  if not name then
    return nil, ("which hand? The robot %s has %s: say hand"):format(description.name,
      table.concat(names, ", "))
  end
  if hands[name] then return hands[name], name end
  return nil, ("the robot %s has no hand '%s'%s"):format(description.name, name, suggest.hint(name, names))
end

--- Fingers that are this share of their range before their commands are stopped by an object.
local stopped = 0.05

--- Fingers that move through more than this share of their range in a second are not stopped, only on their
--- way to their commands.
local still = 0.2

--- The distance between the fingers, m, the distance that is commanded, m, and the rate of change of the
--- first, m/s.
local function width(site, hand)
  local state = site.host.actuator:state(hand.grip)
  if not state.valid then return nil, ("%s does not report its position"):format(hand.grip) end
  local function wide(at) return hand.span * (at - hand.shut) / (hand.open - hand.shut) end
  return wide(state.position), wide(state.command),
    hand.span * math.abs(state.velocity / (hand.open - hand.shut))
end

local function look(site, form)
  local hand, name = find(site.description, form)
  if not hand then return nil, name end
  local wide, told, speed = width(site, hand)
  if not wide then return nil, told end
  if wide < form.min or wide > form.max then
    return nil, ("the %s hand is %.3f m wide, wanted %g to %g m"):format(name, wide, form.min, form.max), wide
  end
  if speed > still * hand.span then
    return nil, ("the %s hand, which is %.3f m wide, still moves"):format(name, wide), wide
  end
  if wide - told >= stopped * hand.span then return wide end
  return nil, ("nothing stops the %s hand, which is %.3f m wide"):format(name, wide), wide
end

return {
  name = "holding",
  doc = "Succeeds if a hand holds something, of a given width if any; waits until its timeout, then fails.",
  fields = {
    hand = { "string", doc = "which of the robot's hands, as its file calls them" },
    min = { "number", unit = "m", lower = 0, upper = 1, value = 0.01, doc = "so wide at least" },
    max = { "number", unit = "m", lower = 0, upper = 1, value = 1, doc = "so wide at most" },
    timeout = { "number", unit = "s", lower = 0, upper = 3600, value = 0,
      doc = "maximum time to wait; 0: checked once" },
  },
  fault = function(form, site)
    if form.min > form.max then
      return ("min, %g m, is above max, %g m: it can never succeed"):format(form.min, form.max)
    end
    local hand, why = find(site.description, form)
    return not hand and why or nil
  end,
  owns = function() return {} end,
  seconds = function() return nil end,
  work = function(site, form, memory, _, elapsed)
    local wide, why = look(site, form)
    memory.wide = wide
    if wide then return true end
    if elapsed < form.timeout - 1e-9 then return nil end
    return false, why
  end,
  asks = true,
  progress = function(site, form)
    local wide, why, off = look(site, form)
    return { value = wide or off, unit = "m", nominal = form.timeout,
      text = wide and ("%.3f m wide"):format(wide) or why }
  end,
  mirror = function(form, m) return { hand = form.hand and m:name(form.hand) } end,
  inherit = { "hand", "min", "max" },
}
