--- Scores for people: tables and sentences.
local columns, suggest = require "brio.lib.columns", require "brio.lib.suggest"

local report = {}

local function number(value, places)
  return value and ("%." .. (places or 2) .. "f"):format(value) or ""
end

local function range(sheet)
  return sheet.lower and ("%s to %s"):format(number(sheet.lower), number(sheet.upper)) or ""
end

--- A row of the table of groups.
local function row(part, sheet)
  return { part = part, group = sheet.group, title = sheet.title, items = sheet.k, n = sheet.n,
    mean = number(sheet.mean), sd = number(sheet.sd), alpha = number(sheet.alpha), interval = range(sheet),
    between = number(sheet.between) }
end

--- Remarks about a group in addition to its numbers.
local function remarks(sheet, least)
  local list = {}
  local function say(...) list[#list + 1] = string.format(...) end
  if not sheet.alpha then say("alpha is not defined: %s", sheet.why) end
  if sheet.complete < sheet.asked then
    say("alpha is of the %d of %d sittings in which every item was answered", sheet.complete, sheet.asked)
  end
  if sheet.n < sheet.asked then
    say("no score of %d of %d sittings: they answered %s", sheet.asked - sheet.n, sheet.asked, least)
  end
  if sheet.alpha and sheet.alpha < 0 then
    say "alpha is below zero: the items do not go together; is one turned the wrong way?"
  end
  for _, item in ipairs(sheet.items) do
    if item.n > 1 and item.sd == 0 then say("everybody answered '%s' alike", item.item) end
  end
  return list
end

local function least_of(data)
  if data.missing == "middle" then return "none at all" end
  return ("less than %g %% of the items"):format(100 * data.missing)
end

--- The table of groups, and the remarks below it.  parts: list of { name or nil, sheets }.
---@param level number of the interval, such as 0.95
function report.groups(data, parts, level)
  local rows, lines, interval = {}, {}, ("%g %% interval"):format(100 * level)
  local names = { "group", "title", "items", "n", "mean", "sd", "alpha", interval, "mean r" }
  if parts[2] or parts[1].name then table.insert(names, 1, parts.by) end
  for _, part in ipairs(parts) do
    for _, sheet in ipairs(part.sheets) do
      local one = row(part.name, sheet)
      one[interval], one["mean r"], one[parts.by or ""] = one.interval, one.between, part.name
      rows[#rows + 1] = one
      for _, remark in ipairs(remarks(sheet, least_of(data))) do
        lines[#lines + 1] = ("%s%s: %s"):format(part.name and part.name .. ", " or "", sheet.group, remark)
      end
    end
  end
  table.insert(lines, 1, columns.text(names, rows))
  return table.concat(lines, "\n")
end

--- The table of items.
function report.items(parts)
  local rows = {}
  for _, part in ipairs(parts) do
    for _, sheet in ipairs(part.sheets) do
      for _, item in ipairs(sheet.items) do
        local one = { group = sheet.group, item = item.item, reversed = item.reverse and "yes" or "",
          n = item.n, mean = number(item.mean), sd = number(item.sd), ["r with rest"] = number(item.rest),
          ["alpha without"] = number(item.without) }
        one[parts.by or ""] = part.name
        rows[#rows + 1] = one
      end
    end
  end
  local names = { "group", "item", "reversed", "n", "mean", "sd", "r with rest", "alpha without" }
  if parts[2] or parts[1].name then table.insert(names, 1, parts.by) end
  return columns.text(names, rows)
end

--- List of questionnaires: a line for each.
function report.shelf(list, languages)
  local rows = {}
  for index, data in ipairs(list) do
    rows[index] = { name = data.name, items = #data.items, groups = #data.groups, title = data.title,
      languages = languages(data) }
  end
  return columns.text({ "name", "items", "groups", "languages", "title" }, rows)
end

--- Everything about one questionnaire.
function report.about(data, codes)
  local lines = { data.title, "  " .. (data.about or ""), "" }
  local function say(...) lines[#lines + 1] = string.format(...) end
  say("items: %d, answers %d to %d", #data.items, data.lowest, data.highest)
  for _, group in ipairs(data.groups) do
    local items = {}
    for _, item in ipairs(data.items) do
      if item.group == group.id then items[#items + 1] = item.id .. (item.reverse and " (reversed)" or "") end
    end
    say("  %s, %s: %s", group.id, group.title, table.concat(items, ", "))
  end
  say "languages:"
  for _, code in ipairs(codes) do
    local language = data.languages[code]
    say("  %s, %s: %s", code, language.name, language.origin == "own" and language.source
      or "published: " .. language.source)
  end
  for _, name in ipairs(suggest.keys(data.variants or {})) do
    say("variant %s: %s", name, data.variants[name].about)
  end
  for _, note in ipairs(data.notes or {}) do say("note: %s", note) end
  for _, source in ipairs(data.sources) do say("source: %s", source) end
  say("permission: %s", data.permission)
  return table.concat(lines, "\n")
end

return report
