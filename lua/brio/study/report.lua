--- The report about a study: Riek's headings (headings.lua), with texts of the study's file, data of the
--- store, and the gaps.
local figures, headings = require "brio.study.report.figures", require "brio.study.headings"
local record, store, study = require "brio.study.record", require "brio.store", require "brio.study.file"

local report = {}

--- Data of the figures; an empty list if there is none.
local function known(about, name)
  return name and figures[name](about) or {}
end

--- The rows of the report: { part, field, question, text (of the file), known (see figures), missing }.
local function rows_of(about)
  local list = {}
  headings.each(function(part, field, question, figure, must)
    local text = (about.data.report[part.key] or {})[field]
    local found = known(about, figure)
    list[#list + 1] = { part = part.key, title = part.title, field = field, question = question, text = text,
      known = found, missing = not text and (must or #found == 0) or false, silent = not text }
  end)
  return list
end

local function write_row(out, row)
  out:heading(row.question, 3)
  if row.text then out:text(row.text) end
  for _, piece in ipairs(row.known) do
    if type(piece) == "string" then out:text(piece)
    elseif piece.picture then out:picture(piece.picture, piece.caption)
    elseif piece.list then out:list(piece.list)
    else out:table(piece[1], piece[2], { caption = piece[3] }) end
  end
  if row.missing then
    out:text(("Missing: say it in the study's file, report.%s.%s."):format(row.part, row.field), "bad")
  end
  if row.silent and not row.missing then
    out:text(("Only from the record; report.%s.%s may say more."):format(row.part, row.field), "small")
  end
end

--- Contents of the report: { rows, missing (how many), title, about }; nil and a sentence when the store
--- cannot be read.  `data`: its file; nil: as last registered.
function report.collect(db, name, data)
  local found, why = record.read(db, name)
  if not found then return nil, why or ("there is no study '%s' in this store"):format(name) end
  if not data then
    data, why = study.parse(found.versions[#found.versions].source, name)
    if not data then return nil, why end
  end
  local good, rows = pcall(rows_of, { db = db, found = found, data = data })
  if not good then
    if type(rows) == "table" and rows.why then return nil, rows.why end
    error(rows, 0)
  end
  local missing = 0
  for _, row in ipairs(rows) do missing = missing + (row.missing and 1 or 0) end
  return { rows = rows, missing = missing, title = data.title, found = found,
    about = ("Study %s, from its record by brio %s. Participants and wizards are codes."):format(name,
      require "brio.version") }
end

--- Write the collected data with a document writer (brio.draw.html_page, brio.study.report.markdown).
function report.write(collected, maker)
  local out, part = maker.new { title = collected.title, about = collected.about }, nil
  if collected.missing > 0 then
    local list = {}
    for _, row in ipairs(collected.rows) do
      if row.missing then list[#list + 1] = ("%s: %s"):format(row.title, row.question) end
    end
    out:heading(("Missing: %d of %d"):format(collected.missing, #collected.rows))
    out:list(list)
  end
  for _, row in ipairs(collected.rows) do
    if row.part ~= part then
      part = row.part
      out:heading(row.title)
    end
    write_row(out, row)
  end
  out:text("Headings up to the results after L. D. Riek, \"Wizard of Oz Studies in HRI\", Journal of \z
    Human-Robot "
    .. "Interaction 1 (2012) 119-136.", "small")
  return out:finish()
end

--- Text of a heading without its pictures, which repeat the tables.
local function without_pictures(pieces)
  local list = {}
  for _, piece in ipairs(pieces) do
    if type(piece) == "string" or not piece.picture then list[#list + 1] = piece end
  end
  return store.array(list)
end

--- The report as data: { study, missing, headings = { { part, field, question, text, known } } }.
function report.data(collected)
  local list = {}
  for index, row in ipairs(collected.rows) do
    list[index] = { part = row.part, field = row.field, question = row.question, text = row.text,
      known = without_pictures(row.known),
      missing = row.missing }
  end
  return { study = collected.found.name, missing = collected.missing, headings = list }
end

return report
