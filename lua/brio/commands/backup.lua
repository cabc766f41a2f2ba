--- `brio backup`: copies a store, also while a run is being recorded in it.
local cli, store = require "brio.terminal.cli", require "brio.store"
local side = require "brio.record.side_files"

local command = {
  name = "backup",
  summary = "copy a store as it is at one moment, also while a run is recorded, and check the copy",
  usage = "brio backup FILE [options]",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "force", nil, "replace an existing file" },
  },
}

function command.run(args)
  if #args ~= 1 then
    cli.error("backup expects the file to write: %s", command.usage)
    return 2
  end
  local from = args.store or "brio.db"
  local bytes, why = store.backup(from, args[1], args.force)
  if not bytes then
    cli.error("%s", why)
    return 1
  end
  local db = store.open(args[1])
  local runs = db and db:query "SELECT count(*) AS n FROM runs"
  if db then db:close() end
  print(("%s is a whole copy of %s: %s runs, %.1f MB"):format(args[1], from, runs and runs[1].n or "?",
    bytes / 1e6))
  local files, missing = side.copy(from, args[1])
  if files > 0 then
    print(("%d files of point clouds are beside it, in %s"):format(files, side.folder(args[1])))
  end
  if missing == 0 then return 0 end
  cli.error("%d files of point clouds that the store names were not copied: %s lacks them, or the disk is \z
    full", missing,
    side.folder(from))
  return 1
end

return command
