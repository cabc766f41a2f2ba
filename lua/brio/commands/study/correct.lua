--- `brio study correct`: corrects after the session whether an action counts as a wizard's error.  The first
--- value is kept.
local cli = require "brio.terminal.cli"
local coding = require "brio.study.coding"
local columns = require "brio.lib.columns"

local verb = { words = "FILE [RUN NUMBER CLASS]", least = 1, most = 4, reads = true,
  summary = "correct an error's class after a session; FILE alone lists them" }

local names = { "run", "number", "participant", "t", "wizard", "step", "expected", "did", "error", "was",
  "by", "why" }

--- All actions that can be corrected, as a table.
local function list(rows)
  local shown = {}
  for index, row in ipairs(rows) do
    shown[index] = { run = row.run, number = row.name, participant = row.participant, t = row.t
      and ("%.2f"):format(row.t),
      wizard = row.wizard, step = row.step, expected = row.expected, did = row.did or "(left out)",
        error = row.class,
      was = row.corrected_why and row.first or nil, by = row.corrected_why and row.marked_by or nil,
        why = row.corrected_why }
  end
  print(columns.text(names, shown))
  return 0
end

--- Check the word after RUN, NUMBER and CLASS; nil and a sentence.
local function wanted(args, rows)
  local good, why = coding.check_coder(args.coder)
  if not good then return nil, why end
  if not args.why or not args.why:find "%S" then return nil, "say why it is corrected: --why TEXT" end
  local class, known, wrong = coding.class(args[4])
  if not known then return nil, wrong end
  local row, fault = coding.find(rows, args[2], args[3])
  if not row then return nil, fault end
  return { row = row, class = class }
end

function verb.run(args, context)
  if #args > 1 and #args < 4 then
    cli.error("study correct expects %s", verb.words)
    return 2
  end
  local found = context:registered()
  if not found then return 1 end
  local rows = context:query(function(db) return coding.ask(db, found, context.data) end)
  if not rows then return 1 end
  if #args == 1 then return list(rows) end
  local one, why = wanted(args, rows)
  if not one then
    cli.error("%s", why)
    return 2
  end
  if not context:write(function(kept) return coding.keep(kept, { one }, args.coder, true,
    args.why) end) then return 1 end
  print(("run %d, %s %s: %s, was %s"):format(one.row.run, one.row.of == "step" and "step" or "action",
    one.row.name, one.class or "none", one.row.class))
  return 0
end

return verb
