--- `brio rollback`: restores an earlier version's text in its file.  A run that watches the file reloads it.
local cli = require "brio.terminal.cli"
local disk = require "brio.file"
local tell = require "brio.record.history"

local rollback = {
  name = "rollback",
  summary = "write an earlier version back into its file",
  usage = "brio rollback FILE [HASH] [options]",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
  },
}

function rollback.run(args)
  if #args < 1 or #args > 2 then
    cli.error("rollback expects a file, and the beginning of a version's hash if not the one before: %s",
      rollback.usage)
    return 2
  end
  local db = cli.open_store(args)
  if not db then return 1 end
  local file = args[1]
  local found, why
  if args[2] then
    found, why = tell.version(db, args[2], file)
  else
    found, why = tell.version_before(db, file, (disk.read(file)))
  end
  db:close()
  local good = found ~= nil
  if found then good, why = disk.replace(file, found.source) end
  if not good then
    cli.error("%s", why)
    return 1
  end
  print(("%s is version %s again"):format(file, found.hash:sub(1, 12)))
  return 0
end

return rollback
