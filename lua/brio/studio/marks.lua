--- Notes and codes that people put at moments of a run, live or recorded, and that their coders take back:
--- annotations of the store, as those that come from ELAN (`brio annotate`).
local forms = require "brio.forms"
local study = require "brio.study.file"

local marks = {}

--- Limits: bytes of a tier's name and of a label.
marks.most_tier, marks.most_label = 60, 500

local function text_of(value, most) return type(value) == "string" and value:find "%S" and #value <= most end

local function time_of(value) return type(value) == "number" and value >= 0 and value < 1e9 end

--- The sentence about what is wrong with a mark {run, tier, t0, t1?, label, coder?}; nil: nothing.  A code,
--- in any tier but "note", needs a coder; coders are codes, never names.
function marks.fault(mark)
  if type(mark) ~= "table" then return "a mark was expected" end
  local run = type(mark.run) == "number" and math.tointeger(mark.run)
  if not run or run < 1 then return "run: a number was expected" end
  if not text_of(mark.tier, marks.most_tier) then return "tier: a short text was expected" end
  if not text_of(mark.label, marks.most_label) then
    return "label: a text of 500 bytes at most was expected"
  end
  if not time_of(mark.t0) then return "t0: seconds of the run were expected" end
  if mark.t1 ~= nil and not (time_of(mark.t1) and mark.t1 > mark.t0) then
    return "t1: seconds of the run after t0 were expected"
  end
  if mark.tier ~= "note" and not (type(mark.coder) == "string" and study.is_code(mark.coder)) then
    return "coder: a code with a digit, such as C1, was expected, never a name"
  end
end

--- Put a row of a table of forms.def into the store at `path`.  Return whether it is there; nil, sentence.
local function put(path, name, row)
  local file, why = forms.open(path)
  if not file then return nil, why end
  local good, wrong = file:put(name, row)
  file:close()
  return good and true, wrong
end

--- The newest row that a mark has become; one that was there before counts.
local find = "SELECT max(id) AS id FROM annotations WHERE run = ?1 AND tier = ?2 AND t0 = ?3 AND t1 IS ?4 \z
  AND label = ?5 AND coder IS ?6"

--- Put a mark into a store {path, db}, with `who` as the coder of a note.  Return its number and its coder;
--- nil, sentence.
---@return integer? number, string? coder
function marks.put(opened, mark, who)
  local fault = marks.fault(mark)
  if fault then return nil, fault end
  local row = { run = math.tointeger(mark.run), tier = mark.tier, t0 = mark.t0 + 0.0,
    t1 = mark.t1 and mark.t1 + 0.0, label = mark.label,
    coder = mark.tier == "note" and (mark.coder or who) or mark.coder }
  local good, why = put(opened.path, "annotations_after", row)
  if not good then return nil, why end
  local rows, wrong = opened.db:query(find, row.run, row.tier, row.t0, row.t1, row.label, row.coder)
  if not rows then return nil, wrong end
  if not rows[1].id then return nil, "the mark is not found again" end
  return rows[1].id, row.coder
end

--- Take a mark {run, mark = number, coder?} back from a store {path, db}: by its coder, a note by `who`.
--- Return true; nil, sentence.
function marks.take_back(opened, said, who)
  local run = type(said) == "table" and math.tointeger(said.run)
  local number = run and math.tointeger(said.mark)
  if not number then return nil, "the numbers of a run and of its mark were expected" end
  local rows, why = opened.db:query("SELECT tier, coder, live FROM annotations WHERE id = ?1 AND run = ?2",
    number, run)
  if not rows then return nil, why end
  local row = rows[1]
  if not row then return nil, ("run %d has no mark %d: it was taken back"):format(run, number) end
  if row.live ~= 0 then
    return nil, "what was marked while the run went on is part of its record, and stays"
  end
  local coder = row.tier == "note" and (said.coder or who) or said.coder
  if coder ~= row.coder then
    return nil, ("a mark is taken back by its coder, %s"):format(row.coder or "who has no code")
  end
  return put(opened.path, "annotation_removed", { id = number, run = run, coder = coder })
end

return marks
