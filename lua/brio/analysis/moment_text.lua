--- A moment of a run (see moment.lua) in words, for people at a terminal.
local columns = require "brio.lib.columns"
local suggest = require "brio.lib.suggest"

local words = {}

local function number(x) return x and ("%.10g"):format(x) or "?" end
local function seconds(x) return x and ("%.2f"):format(x) or "?" end

--- "since 3.50 s, until 12.00": the span of a row.
local function span(row)
  return ("since %s s%s"):format(seconds(row.since),
    row["until"] and (", until %s"):format(seconds(row["until"])) or "")
end

--- Join the present ones of a few texts.
local function joined(list, between)
  local kept = {}
  for index = 1, 6 do
    if list[index] and list[index] ~= "" then kept[#kept + 1] = list[index] end
  end
  return table.concat(kept, between or ", ")
end

--- JSON without empty values; long texts are cut.
local function data(text)
  if not text or text == "{}" or text == "[]" or text == "null" or text == "" then return nil end
  return #text > 100 and text:sub(1, 100) .. "..." or text
end

local function at(row) return row.x and ("at %.3f %.3f %.3f"):format(row.x, row.y, row.z) end

--- A line for a row of each part; its title.  In the order of the output.
local told = {
  { "states", "state", function(row)
    return joined { joined({ row.machine, row.state }, ": "), span(row),
      row.cause and row.previous and ("came by %s%s from %s"):format(row.cause,
        row.detail and row.detail ~= ""
        and " " .. row.detail or "", row.previous) }
  end },
  { "activations", "active", function(row) return joined { row.name or row.behavior, span(row),
    row.result } end },
  { "tree_nodes", "tree", function(row)
    return joined { ("%s: %s%s"):format(row.state or "?", row.name, row.kind ~= row.name and ""
      .. " (" .. row.kind .. ")" or ""), span(row),
      row["until"] and row.status }
  end },
  { "actions", "action", function(row) return joined { row.name
    .. (data(row.arguments) and " " .. row.arguments or ""),
    row.who and "by " .. row.who, span(row), row.outcome } end },
  { "playing", "plays", function(row)
    return joined { ("%s (%s, %s%s)"):format(row.name, row.whose or row.kind, row.stage,
      row.who and row.who ~= row.name
      and ", by " .. row.who or ""), span(row), row.dofs and "moves " .. row.dofs or "moves nothing" }
  end },
  { "parameters", "tuned", function(row)
    return joined { ("%s = %s%s"):format(row.name, number(row.value), row.unit and " " .. row.unit or ""),
      span(row) }
  end },
  { "sightings", "saw", function(row) return joined { joined({ row.class, row.name }, " "), at(row),
    span(row) } end },
  { "near", "near", function(row)
    return joined { ("%s and %s"):format(row.a, row.b), span(row),
      row.distance and ("least %.4f m, at %.2f s"):format(row.distance, row.at) }
  end },
  { "locks", "lock", function(row) return joined { row.part, row.who and "held by " .. row.who,
    span(row) } end },
  { "operators", "operator", function(row) return joined { row.who, row.role, row.device, span(row) } end },
  { "emotion", "feels", function(row)
    return ("%s (valence %.2f, arousal %.2f)%s"):format(row.name, row.valence, row.arousal,
      row.operator > 0 and (", %.0f %% of it the operator's"):format(100 * row.operator) or "")
  end },
  { "gaze", "looks", function(row)
    return row.away == 1 and "away" or joined { row.target and "at " .. row.target or "at nothing", row.why,
      span(row) }
  end },
  { "speech", "says", function(row) return joined { ('"%s"'):format(row.text or "?"), span(row) } end },
  { "inputs", "input", function(row) return ("%s = %s (%s), %s"):format(row.name, row.value,
    row.source or "?", span(row)) end },
  { "watched", "watched", function(row)
    return ("%s = %s%s"):format(row.name, tostring(row.value), row.unit and " " .. row.unit or "")
  end },
  { "objects", "object", function(row) return joined { row.name, row.kind, row.origin,
    row.change == "stale" and "not"
    .. " seen" or nil, at(row) } end },
  { "seen", "sees", function(row) return joined { joined({ row.class, row.name }, " "), at(row), ("at %s"
    .. " s"):format(seconds(row.t)) } end },
  { "devices", "device", function(row)
    return joined { row.name, row.lost == 1 and "lost" or row.rate and ("%.0f Hz"):format(row.rate),
      row.failures and row.failures > 0 and row.failures .. " failures", row.error }
  end },
  { "solver", "solver", function(row)
    return joined { row.status, row.cost and "cost " .. number(row.cost),
      row.active and row.active .. " objectives",
      row.distance and ("nearest %.3f m"):format(row.distance), row.tick and "tick " .. row.tick }
  end },
  { "versions", "version", function(row) return ("%s %s, %s"):format(row.version, row.name, span(row)) end },
  { "annotations", "marked", function(row) return joined { row.tier .. ": " .. row.label, row.coder and "by"
    .. " " .. row.coder, span(row) } end },
}

--- What happened before it, newest first.
local before = {
  { "events", "events before", function(row) return joined({ row.name, data(row.data) }, " ") end },
  { "operator", "the operator before", function(row)
    return joined({ row.who, "said", row.command, data(row.arguments) }, " ")
  end },
  { "logs", "log before", function(row) return ("%s: %s"):format(row.severity, row.text) end },
  { "faults", "faults before", function(row) return joined({ row.severity, row.source, row.message },
    ": ") end },
}

local function value(x) return x and ("%.4f"):format(x + 0.0) or "" end

--- Pulls of objectives at each moving DOF, the two strongest: "look_at 84 %, against joint_match 12 %".
local function pulled(found)
  local texts, counts = {}, {}
  for _, row in ipairs(found.pulls or {}) do
    counts[row.dof] = (counts[row.dof] or 0) + 1
    local one = ("%s%s %.0f %%"):format(row.share < 0 and "against " or "", row.objective,
      100 * math.abs(row.share))
    if counts[row.dof] <= 2 then texts[row.dof] = texts[row.dof] and texts[row.dof] .. ", " .. one or one end
  end
  return texts
end

--- The table of DOFs, with who owns each.
local function dof_table(found)
  local owner, rows = pulled(found), {}
  for _, row in ipairs(found.owners or {}) do
    owner[row.dof] = ("%s (%s)"):format(row.owner, row.whose or "?")
  end
  for index, dof in ipairs(found.dofs) do
    rows[index] = { DOF = dof.name, unit = dof.unit, goal = value(dof.goal), command = value(dof.command),
      measured = value(dof.measured), owner = owner[dof.name] or "what states want" }
  end
  return columns.text({ "DOF", "unit", "goal", "command", "measured", "owner" }, rows)
end

--- The lines that describe a moment.
function words.lines(found)
  local lines = { ("run %d: %s on %s, at %.3f s of %.2f"):format(found.run, found.behavior or "a"
    .. " behavior", found.robot or "no robot",
    found.t, found.duration or 0), "" }
  for _, part in ipairs(told) do
    for index, row in ipairs(found[part[1]] or {}) do
      lines[#lines + 1] = ("%-9s %s"):format(index == 1 and part[2] or "", part[3](row))
    end
  end
  for _, part in ipairs(before) do
    for index, row in ipairs(found[part[1]] or {}) do
      if index == 1 then lines[#lines + 1] = "\n" .. part[2] .. ":" end
      lines[#lines + 1] = ("%8.2f s  %s"):format(row.t, part[3](row))
    end
  end
  if found.dofs and #found.dofs > 0 then lines[#lines + 1] = "\n" .. dof_table(found) end
  for _, name in ipairs(suggest.keys(found.failed)) do
    lines[#lines + 1] = ("\n%s is unknown: %s"):format(name, found.failed[name])
  end
  return lines
end

return words
