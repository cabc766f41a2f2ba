--- Circles in a graph of names.
---
--- Call tell(circle) for every circle: a list of names, from one back to itself.  uses[name]: a list of
--- names.
return function(names, uses, tell)
  local open, trail, done = {}, {}, {}
  local function visit(name)
    trail[#trail + 1] = name
    open[name] = #trail
    for _, to in ipairs(uses[name] or {}) do
      if open[to] then
        local circle = table.move(trail, open[to], #trail, 1, {})
        circle[#circle + 1] = to
        tell(circle)
      elseif not done[to] then visit(to) end
    end
    open[name], done[name] = nil, true
    trail[#trail] = nil
  end
  for _, name in ipairs(names) do
    if not done[name] then visit(name) end
  end
end
