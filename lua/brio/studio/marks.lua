--- Notes and codes that people put at moments of a run, live or recorded: annotations of the store, as those
--- that come from ELAN (`brio annotate`).
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

--- Put a mark into the store at `path`, with `who` as the coder of a note.  Return true; nil, sentence.
function marks.put(path, mark, who)
  local fault = marks.fault(mark)
  if fault then return nil, fault end
  local file, why = forms.open(path)
  if not file then return nil, why end
  local good, wrong = file:put("annotations_after", { run = math.tointeger(mark.run), tier = mark.tier,
    t0 = mark.t0 + 0.0, t1 = mark.t1 and mark.t1 + 0.0, label = mark.label,
    coder = mark.tier == "note" and (mark.coder or who) or mark.coder })
  file:close()
  return good and true, wrong
end

return marks
