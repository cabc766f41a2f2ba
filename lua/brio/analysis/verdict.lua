--- Interpretation of a comparison of two sets of runs in plain words, with its limits.
local intervals = require "brio.lib.intervals"

local verdict = {}

local function percent(x) return ("%.0f %%"):format(100 * x) end

--- A number with three significant digits.
local function short(x)
  if x == nil then return "" end
  if x ~= 0 and (math.abs(x) < 1e-3 or math.abs(x) >= 1e5) then return ("%.2e"):format(x) end
  return (("%." .. (math.abs(x) >= 100 and 0 or math.abs(x) >= 10 and 1 or math.abs(x) >= 1 and 2 or 3)
    .. "f"):format(x))
end

local function between(low, high, say) return low and ("%s to %s"):format(say(low), say(high)) or "" end

local function points(x) return ("%+.0f"):format(100 * x + 0.0):gsub("^%-0$", "0"):gsub("^%+0$", "0") end

local function signed(x) return (x > 0 and "+" or "") .. short(x) end

--- One row of the printed table.
function verdict.row(row)
  if row.kind == "share" then
    local function side(one)
      if not one.rate then return "-" end
      return ("%d/%d = %s (%s)"):format(one.hits, one.count, percent(one.rate),
        between(one.low, one.high, percent))
    end
    return { what = row.name, A = side(row.a), B = side(row.b),
      ["B - A"] = row.difference and points(row.difference) .. " points" or "-",
      ["95 % interval"] = row.low and between(row.low, row.high, points) or "" }
  end
  local function side(one)
    if not one.median then return "-" end
    local span = one.low and (" (%s)"):format(between(one.low, one.high, short)) or ""
    return ("%s%s, n %d"):format(short(one.median), span, one.count)
  end
  return { what = row.name .. ((row.unit or "") ~= "" and (" (%s)"):format(row.unit) or ""), A = side(row.a),
    B = side(row.b), ["B - A"] = row.difference and signed(row.difference) or "-",
    ["95 % interval"] = row.low and between(row.low, row.high, signed) or row.difference and "too few runs"
      or "" }
end

verdict.columns = { "what", "A", "B", "B - A", "95 % interval" }

--- Whether an interval of a difference excludes zero.
local function tells(row) return row.low ~= nil and (row.low > 0 or row.high < 0) end

local function sentence_of(row)
  if row.kind == "share" then
    return ("%s: more often with %s, by %s points"):format(row.name, row.difference > 0 and "B" or "A",
      row.difference > 0 and between(row.low, row.high, function(x) return ("%.0f"):format(100 * x) end)
        or between(-row.high, -row.low, function(x) return ("%.0f"):format(100 * x) end))
  end
  local more = row.difference > 0
  return ("%s: %s with %s, by %s %s"):format(row.name, row.unit == "s" and "longer" or "higher",
    more and "B" or "A",
    more and between(row.low, row.high, short) or between(-row.high, -row.low, short), row.unit or "")
    :gsub("%s+$", "")
end

--- Combine inconclusive rows with the same reason into one line: the reason, and the names.
local function add_group(groups, reason, name)
  local group = groups[reason]
  if not group then
    group = {}
    groups[reason], groups[#groups + 1] = group, reason
  end
  group[#group + 1] = name
end

local most_names = 4

local function group_lines(groups, lines)
  for _, reason in ipairs(groups) do
    local names = groups[reason]
    local more = #names - most_names
    lines[#lines + 1] = ("%s: %s%s"):format(reason,
      table.concat(names, "; ", 1, math.min(#names, most_names)),
      more > 0 and ("; and %d more"):format(more) or "")
  end
end

--- Why a row is inconclusive, if its interval shows it.
local function silence_of(row)
  if row.kind == "share" then
    local needed = intervals.runs_to_show(row.a.rate, row.b.rate)
    if not needed then return ("%s: alike, and a difference of up to %.0f points could hide"):format(row.name,
      100 * math.max(-row.low, row.high)) end
    return ("%s: a difference as large as this one would show with some %d runs of each"):format(row.name,
      needed)
  end
  return ("%s: no difference shows; it may be %s to %s %s"):format(row.name, signed(row.low),
    signed(row.high), row.unit or "")
    :gsub("%s+$", "")
end

--- Whether all runs of both have the same value.
local function is_constant(row)
  return row.low ~= nil and row.low == row.high and row.difference == 0
end

--- The first of many lines, and the number of the others.
local function add_some(lines, head, list, most)
  if #list == 0 then return end
  lines[#lines + 1] = head
  for index = 1, math.min(most, #list) do lines[#lines + 1] = "  " .. list[index] end
  if #list > most then lines[#lines + 1] = ("  and %d more: see the table"):format(#list - most) end
end

local function cautions(found, held, lines)
  for _, name in ipairs { "a", "b" } do
    local side = found[name]
    if side.copies > 0 then
      lines[#lines + 1] = ("%d of the %d runs of %s moved bit for bit like another of them: they add no \z
        information, and the intervals are too narrow"):format(side.copies, side.count or #side.runs,
          name:upper())
    end
  end
  if found.shared > 0 then
    lines[#lines + 1] = ("%d run%s in both sets and left out"):format(found.shared,
      found.shared == 1 and " is" or "s are")
  end
  if held > 1 then
    lines[#lines + 1] = ("%d differences were tested: of these about %.1f exclude zero by chance even if \z
      nothing differs")
      :format(held, 0.05 * held)
  end
  lines[#lines + 1] = found.caution or "the runs also differ in other ways (day, robot, people): only \z
    randomized runs show a cause"
end

--- The lines that interpret a comparison.
function verdict.lines(found)
  local said, silent, groups, same, held, lines = {}, {}, {}, 0, 0, {}
  for _, row in ipairs(found.rows) do
    if row.low then held = held + 1 end
    if tells(row) then said[#said + 1] = sentence_of(row)
    elseif is_constant(row) then same = same + 1
    elseif row.difference == nil then add_group(groups,
        ("only %s has"):format(row.a.count > 0 and "A" or "B"), row.name)
    elseif row.low == nil then
      add_group(groups, ("%d and %d values are too few for an interval of 95 %%, four of each are \z
        the least"):format(row.a.count, row.b.count), row.name)
    else silent[#silent + 1] = silence_of(row) end
  end
  group_lines(groups, silent)
  if #said == 0 then lines[1] = "No difference shows between A and B." end
  add_some(lines, "What can be said:", said, 12)
  add_some(lines, "What cannot be said with so few runs:", silent, 12)
  if same > 0 then
    lines[#lines + 1] = ("%d figure%s the same in all runs."):format(same, same == 1 and " is" or "s are")
  end
  lines[#lines + 1] = "Mind that"
  local more = {}
  cautions(found, held, more)
  for _, line in ipairs(more) do lines[#lines + 1] = "  " .. line end
  return lines
end

return verdict
