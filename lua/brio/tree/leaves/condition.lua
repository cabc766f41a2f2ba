--- The leaf `condition`: what a function of the behavior says.
return {
  name = "condition",
  doc = "Succeeds when holds(self) is true, else fails.",
  fields = { holds = "function" },
  needs = "holds",
  seconds = function() return 0 end,
  work = function(site, form)
    if site.call(form.holds) then return true end
    return false, "it does not hold"
  end,
}
