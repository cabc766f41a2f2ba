--- The leaf `action`: calls a function of the behavior.
return {
  name = "action",
  doc = "Does something over some ticks: tick(self, elapsed) returns true when done, or false and why.",
  fields = { does = "string", with = "table", enter = "function", tick = "function", exit = "function",
    seconds = "number", owns = "table" },
  seconds = function(form) return form.seconds end,
  work = function(site, form, _, fresh, elapsed)
    local known = form.tick or form.enter or form.exit or not form.does
    if not known then return false, ("there is no skill '%s' here"):format(form.does) end
    if fresh and form.enter then site.call(form.enter) end
    local done, why = true, nil
    if form.tick then done, why = site.call(form.tick, elapsed) end
    if done ~= nil and form.exit then site.call(form.exit) end
    return done, why
  end,
  stop = function(site, form) if form.exit then site.call(form.exit) end end,
}
