--- `brio study code`: a second coder codes wizards' actions on a sheet; the report has the agreement of
--- coders.
local cli = require "brio.terminal.cli"
local coding = require "brio.study.coding"
local sandbox = require "brio.behavior.sandbox.sandbox"

local verb = { words = "FILE [SHEET.csv]", least = 1, most = 2, reads = true,
  summary = "write a sheet for a second coder (--out), or read it back (--coder)" }

--- Write an empty sheet.
local function write(args, rows)
  if not args.out or not args.out:find "%.csv$" then
    cli.error("study code expects a filled-in SHEET.csv, or --out SHEET.csv to write an empty one")
    return 2
  end
  local good, why = cli.write(args.out, coding.sheet(rows))
  if not good then return cli.finish(nil, why) end
  print(("wrote %s: %d rows; fill in the column error (%s), then: brio study code %s %s --coder C1"):format(
    args.out, #rows, table.concat(coding.classes, ", "), args[1], args.out))
  return 0
end

function verb.run(args, context)
  local found = context:registered()
  if not found then return 1 end
  local rows = context:query(function(db) return coding.ask(db, found, context.data) end)
  if not rows then return 1 end
  if not args[2] then return write(args, rows) end
  local good, why = coding.check_coder(args.coder)
  if not good then
    cli.error("%s", why)
    return 2
  end
  local text, unread = sandbox.read(args[2])
  if not text then
    cli.error("%s", unread)
    return 1
  end
  local list, empty = coding.read(text, rows)
  if not list then
    cli.error("%s: %s", args[2], empty)
    return 2
  end
  if not context:write(function(kept) return coding.keep(kept, list, args.coder, false) end) then return 1 end
  print(("kept %d judgements of %s%s"):format(#list, args.coder, empty > 0
    and ("; %d rows have no word in the column error, and are not judged"):format(empty) or ""))
  return 0
end

return verb
