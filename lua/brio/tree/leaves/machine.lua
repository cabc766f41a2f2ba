--- The leaf `machine`: states inside a tree, until a transition leads to "success" or "failure".
return {
  name = "machine",
  doc = "Runs states, given in place or by name (the behavior's `machines`), until one leads to \"success\" \z
    or \"failure\".",
  fields = { run = { "string" }, states = "table", start = { "string" } },
  fault = function(form)
    if (form.run == nil) == (form.states == nil) then
      return "a machine has `run`, a name among the behavior's machines, or `states` of its own"
    end
  end,
  work = function(site, form, memory, fresh)
    if fresh then
      local inner, why = site.machine(form)
      if not inner then return false, why end
      memory.inner = inner
    end
    local over, why = memory.inner:over()
    if over ~= nil then memory.inner:leave() end
    return over, why
  end,
  stop = function(_, _, memory) if memory.inner then memory.inner:leave() end end,
  pause = function(_, _, memory, on) memory.inner:hold(on) end,
  progress = function(_, _, memory) return { text = memory.inner and memory.inner:path() } end,
}
