--- Coding of errors after the sessions: the codable rows, corrections, the codes of further coders and their
--- agreement.
local columns, counted = require "brio.lib.columns", require "brio.study.counted_sessions"
local sheet, statistics = require "brio.study.questionnaires.sheet", require "brio.lib.statistics"
local study_file, suggest = require "brio.study.file", require "brio.lib.suggest"

local coding = {}

--- Classes of errors; the last is for no error.
coding.classes = { "slip", "late", "omitted", "wrong", "system", "none" }

local actions_sql = [[
  SELECT n.session, n.participant, n.condition, n.run, 'action' AS of, a.action AS number, coalesce(a.t_input,
    a.t_accept,
    a.t_dispatch) AS t, a.wizard, a.step, a.expected, a.did, a.as_expected, a.late, a.outcome, a.error_class,
      a.marked_by,
    a.first_class, a.first_by, a.corrected_why
  FROM counted n JOIN session_actions a ON a.run = n.run
  UNION ALL
  SELECT n.session, n.participant, n.condition, n.run, 'step', p.id, p.t_ended, n.wizard, p.step, p.expected,
    NULL, NULL, NULL, 'omitted', k.error_class, k.coder, NULL, NULL, k.why
  FROM counted n JOIN session_steps p ON p.run = n.run LEFT JOIN codings k ON k.id = (
    SELECT max(c.id) FROM codings c WHERE c.run = p.run AND c.of = 'step' AND c.number = p.id
      AND c.counts = 1)
  WHERE k.id OR p.outcome = 'omitted' AND EXISTS (
    SELECT 1 FROM wizard_errors e WHERE e.run = p.run AND e.of = 'step' AND e.number = p.id)
  ORDER BY 4, 7, 5, 6]]

--- The class of a row that was derived, not marked.
local function derived(row)
  if row.of == "step" then return "omitted" end
  if row.as_expected == 0 then return "slip" end
  if row.late == 1 and row.as_expected == 1 then return "late" end
  return row.outcome == "error" and "system" or "none"
end

--- The class of a row in force, and the one before any correction.
local function classes_of(row)
  local first = row.first_class or row.first_by and "none" or derived(row)
  local corrected = row.corrected_why ~= nil
  return corrected and (row.error_class or "none") or first, first
end

--- Names on the command line: "12" an action, "s3" an omitted step.
local function name_of(row) return (row.of == "step" and "s" or "") .. row.number end

--- The codable rows of the sessions that count: actions, and omitted steps; each { run, name, of, number, t,
--- wizard, step, expected, did, class (in force), first (before corrections), why, ... }. Errors are raised
--- as { why }.
function coding.rows(study)
  local rows = counted.rows(study.db, study.found.id, actions_sql)
  for _, row in ipairs(rows) do
    row.name = name_of(row)
    row.class, row.first = classes_of(row)
  end
  return rows
end

--- The same for an open store; nil and a sentence if it cannot be read.
function coding.ask(db, found, data)
  local good, rows = pcall(coding.rows, { db = db, found = found, data = data })
  if good then return rows end
  if type(rows) == "table" and rows.why then return nil, rows.why end
  error(rows, 0)
end

--- A word as a class of errors: its row's value in the store (nil: none) and true; nil, false and a sentence.
function coding.class(word)
  if word == "none" then return nil, true end
  if suggest.contains(coding.classes, word) then return word, true end
  return nil, false, ("an error is one of %s, not '%s'%s"):format(table.concat(coding.classes, ", "),
    tostring(word), suggest.hint(tostring(word), coding.classes))
end

--- Whether a word is valid for a coder: a code, not a name.
function coding.check_coder(word)
  if study_file.is_code(word) then return true end
  return nil, word and ("a coder is a code with a digit, such as C1, never a name: not '%s'"):format(word)
    or "say who codes: --coder C1"
end

-- Sheets ---------------------------------------------------------------------------------------------------

local head = { "run", "number", "participant", "t", "wizard", "step", "expected", "did", "error" }

--- A sheet (CSV) with all codable rows, with `error` empty: earlier codes are not shown, so that coding is
--- independent.
function coding.sheet(rows)
  local lines = { columns.csv_line(head, #head) }
  for index, row in ipairs(rows) do
    local did, expected = (row.did or "(left out)"):gsub("%s+", " "), (row.expected or ""):gsub("%s+", " ")
    lines[index + 1] = columns.csv_line({ row.run, row.name, row.participant, row.t and ("%.2f"):format(row.t)
      or "", row.wizard, row.step, expected, did }, #head)
  end
  return table.concat(lines, "\n") .. "\n"
end

local function by_name(rows)
  local map = {}
  for _, row in ipairs(rows) do map[row.run .. " " .. row.name] = row end
  return map
end

--- A codable row, by its run and name ("12", "s3"); nil and a sentence.
function coding.find(rows, run, name)
  local found = by_name(rows)[("%s %s"):format(run, name)]
  if found then return found end
  return nil,
    ("run %s has no action or omitted step '%s' in the sessions of this study that count: brio study \z
      correct FILE lists them")
    :format(run, name)
end

--- The codes of a filled-in sheet: a list of { row, class (nil: none) }, and the number of rows without a
--- code; nil and a sentence.
function coding.read(text, rows)
  local lines, names = sheet.rows(text)
  if not lines then return nil, names end
  for _, name in ipairs { "run", "number", "error" } do
    if not suggest.contains(names, name) then return nil,
      ("there is no column '%s': write a sheet with --out first"):format(name) end
  end
  local known, list, seen, empty = by_name(rows), {}, {}, 0
  for _, line in ipairs(lines) do
    local key = ("%s %s"):format(line.fields.run, line.fields.number)
    local row, word = known[key], line.fields.error
    if not row then return nil, ("line %d: run %s has no '%s' to code"):format(line.line,
      tostring(line.fields.run), tostring(line.fields.number)) end
    if seen[key] then return nil, ("line %d: '%s' of run %s stands there twice"):format(line.line, row.name,
      row.run) end
    seen[key] = true
    local class, good, why = coding.class(word or "none")
    if not good then return nil, ("line %d: %s"):format(line.line, why) end
    if word then list[#list + 1] = { row = row, class = class } else empty = empty + 1 end
  end
  return list, empty
end

--- Store codes, all or none; `counts`: they are corrections.
function coding.keep(kept, list, coder, counts, why)
  local rows = {}
  for index, one in ipairs(list) do
    rows[index] = { run = one.row.run, of = one.row.of, number = one.row.number, coder = coder,
      error_class = one.class,
      counts = counts and 1 or 0, why = why }
  end
  if not rows[1] then return true end
  return kept.forms:put("codings", rows)
end

-- Agreement ------------------------------------------------------------------------------------------------

--- Codes: a list of { name, classes = { [run name] = class } }: the newest of each coder, and the original
--- classes as "the record".
local function raters_of(study, rows)
  local codings = counted.rows(study.db, study.found.id, [[SELECT c.run, c.of, c.number, c.coder,
    coalesce(c.error_class, 'none')
    AS class FROM counted n JOIN codings c ON c.run = n.run WHERE c.counts = 0 ORDER BY c.coder, c.id]])
  local list = {}
  for _, row in ipairs(codings) do
    if not list[#list] or list[#list].name ~= row.coder then list[#list + 1] = { name = row.coder,
      classes = {} } end
    list[#list].classes[row.run .. " " .. name_of(row)] = row.class
  end
  if not list[1] then return list end
  list[#list + 1] = { name = "the record", classes = {} }
  for _, row in ipairs(rows) do list[#list].classes[row.run .. " " .. row.name] = row.first end
  return list
end

--- The table of two coders over rows that both coded: counts[first's class][second's class].
local function confusion(one, other)
  local counts, place = {}, {}
  for index, class in ipairs(coding.classes) do
    counts[index], place[class] = {}, index
    for column = 1, #coding.classes do counts[index][column] = 0 end
  end
  for key, class in next, one.classes do
    local second = other.classes[key]
    if second then
      local row = counts[place[class]]
      row[place[second]] = row[place[second]] + 1
    end
  end
  return counts
end

--- The number of classes that a table of two coders uses.
local function classes_in(counts)
  local used = 0
  for index, row in ipairs(counts) do
    local sum = 0
    for other = 1, #counts do sum = sum + row[other] + counts[other][index] end
    used = used + (sum > 0 and 1 or 0)
  end
  return used
end

--- Agreement of each pair of coders: a list of results of `statistics.kappa`, with { one, other, counts }.
--- There is no interval for fewer than 2 k^2 rows in k classes: D. V. Cicchetti, "Testing the normal
--- approximation and minimal sample size requirements of weighted kappa when the number of categories is
--- large", Applied Psychological Measurement 5 (1981) 101-104.
function coding.agreement(study)
  local raters, list = raters_of(study, coding.rows(study)), {}
  for first = 1, #raters - 1 do
    for second = first + 1, #raters do
      local counts = confusion(raters[first], raters[second])
      local made = statistics.kappa(counts, 0.95)
      if made.n < 2 * classes_in(counts) ^ 2 then made.lower, made.upper = nil, nil end
      made.one, made.other, made.counts = raters[first].name, raters[second].name, counts
      list[#list + 1] = made
    end
  end
  return list
end

--- The table of two coders, without classes that neither used.
local function confusion_table(one)
  local used, names, rows = {}, { ("%s \\ %s"):format(one.one, one.other) }, {}
  for index, class in ipairs(coding.classes) do
    for other = 1, #coding.classes do used[index] = used[index]
      or one.counts[index][other] + one.counts[other][index] > 0 end
    if used[index] then names[#names + 1] = class end
  end
  for index, class in ipairs(coding.classes) do
    if used[index] then
      local row = { class }
      for other = 1, #coding.classes do
        if used[other] then row[#row + 1] = one.counts[index][other] end
      end
      rows[#rows + 1] = row
    end
  end
  return { names, rows, ("%s (rows) and %s (columns): how often which class"):format(one.one, one.other) }
end

--- A row of the table of agreement.
local function agreement_row(one)
  local function shown(value) return value and ("%.2f"):format(value) or "" end
  local interval = one.lower and ("%.2f to %.2f"):format(one.lower, one.upper) or "too few"
  return { one.one, one.other, one.n, shown(one.observed), shown(one.expected),
    one.kappa and shown(one.kappa) or "none", interval }
end

local about_kappa = "Coders judged by themselves, from a sheet that does not show what was found before. \z
  'The record' is what the program derived and what was marked during sessions, before corrections. Kappa \z
  is not defined where all fell into one class. Its interval is of 95 %, by the standard error of large \z
  samples (Fleiss, Cohen and Everitt, 1969), and needs 2 k^2 judgements in k classes (Cicchetti, 1981)."

--- Data of the report: kappa of each pair, with their tables, and the number of corrections.
function coding.figure(study)
  local list, rows = {}, {}
  for _, one in ipairs(coding.agreement(study)) do
    rows[#rows + 1] = agreement_row(one)
    if one.n > 0 then list[#list + 1] = confusion_table(one) end
  end
  if rows[1] then
    local titles = { "coder", "coder", "judged by both", "agreement", "agreement by chance", "kappa",
      "interval" }
    table.insert(list, 1, { titles, rows,
      "Agreement about actions and omitted steps: Cohen's kappa, unweighted" })
    table.insert(list, 1, about_kappa)
  else
    list[1] = "No second coder has judged the errors."
  end
  local corrected, by = 0, {}
  for _, row in ipairs(coding.rows(study)) do
    if row.corrected_why then corrected, by[row.marked_by] = corrected + 1, true end
  end
  list[#list + 1] = corrected == 0 and "No mark was corrected after a session."
    or
      ("%d of the classes that count were corrected after the session, by %s; the first ones are kept.")
      :format(corrected, table.concat(suggest.keys(by), ", "))
  return list
end

return coding
