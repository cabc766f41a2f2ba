--- The leaf `play`: plays a sequence.
return {
  name = "play",
  doc = "Plays a sequence, and succeeds at its end.",
  fields = { sequence = "string", owns = "table" },
  needs = "sequence",
  owns = function(form, site)
    local dofs, sequence = {}, site.sequences and site.sequences[form.sequence]
    for name, track in next, sequence and sequence.description.tracks or {} do
      if track.active ~= false then dofs[#dofs + 1] = name end
    end
    table.sort(dofs)
    return dofs, true
  end,
  work = function(site, form, memory, fresh)
    if not fresh then return not memory.player:on() or nil end
    local player, why = site.self:play(form.sequence)
    if not player then return false, why end
    memory.player = player
    return nil
  end,
  stop = function(_, _, memory) if memory.player then memory.player:stop() end end,
}
