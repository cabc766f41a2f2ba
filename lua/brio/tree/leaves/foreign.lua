--- The leaf `foreign`: a step of another program's tree.
return {
  name = "foreign",
  doc = "A step of another program's tree that is not known here: it fails with its name.",
  fields = {},
  work = function(_, form) return false, ("'%s' is not known here"):format(form.name or "foreign") end,
}
