--- The leaf `condition`: succeeds if a function of the behavior returns true.
return {
  name = "condition",
  doc = "Succeeds when holds(self) is true, else fails.",
  fields = { holds = { "skill" }, with = "table" },
  needs = "holds",
  seconds = function() return 0 end,
  question = function(form) return type(form.holds) == "function" and form.holds or nil end,
  work = function(site, form)
    if type(form.holds) == "string" then return false, ("there is no skill '%s' here"):format(form.holds) end
    if site.call(form.holds) then return true end
    return false, "it does not hold"
  end,
}
