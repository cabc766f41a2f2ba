--- `brio study withdraw`: removes a participant's data.
local cli = require "brio.terminal.cli"
local columns = require "brio.lib.columns"
local suggest = require "brio.lib.suggest"
local session, withdraw = require "brio.study.session", require "brio.study.withdraw"

local verb = { words = "FILE CODE [--yes]", least = 2, most = 2, reads = true,
  summary = "delete all data of a participant, and report what was deleted" }

local function table_of(count)
  local rows = {}
  for _, name in ipairs(suggest.keys(count)) do rows[#rows + 1] = { table = name, rows = count[name] } end
  return rows
end

--- Remove the index of `brio search` beside the store, which contains words of the data and is built again.
local function remove_index(path)
  for _, suffix in ipairs { "-search", "-search-wal", "-search-shm" } do os.remove(path .. suffix) end
end

function verb.run(args, context)
  local data, code, found = context.data, args[2], context:registered()
  if not found then return 1 end
  local good, why = session.check_code(found, data, code)
  if not good then
    cli.error("%s", why)
    return 2
  end
  -- updates a store of an older brio
  if not context:query(function() return true end) then return 1 end
  local count, shrunk = withdraw.participant(context.path, found.id, code, args.yes)
  if not count then return cli.finish(nil, shrunk) end
  local rows = table_of(count)
  if rows[1] then print(columns.text({ "table", "rows" }, rows)) end
  if not args.yes then
    print(rows[1] and ("that is what would go of %s; --yes does it"):format(code)
      or ("nothing is kept of %s; --yes notes that they withdrew"):format(code))
    return 0
  end
  remove_index(context.path)
  print(("%s withdrew: nothing else is kept of %s in %s"):format(code, code, context.path))
  print "copies of the file, backups, exports and a list of who has which code are yours to look after"
  if shrunk == true then return 0 end
  return cli.finish(nil, ("what was deleted is overwritten, but %s could not be rewritten: %s"):format(
    context.path, shrunk))
end

return verb
