--- `brio diff`: the differences between two versions that ran.
local cli = require "brio.terminal.cli"
local output = require "brio.terminal.output"
local tell = require "brio.record.history"

local diff = {
  name = "diff",
  summary = "show what changed between two versions that ran",
  usage = "brio diff A B [options]",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
  },
}

function diff.run(args)
  if #args ~= 2 then
    cli.error("diff expects the beginnings of two versions' hashes, as `brio history versions` lists \z
      them: %s", diff.usage)
    return 2
  end
  local db = cli.open_store(args)
  if not db then return 1 end
  local a, b, why
  a, why = tell.version(db, args[1])
  if a then b, why = tell.version(db, args[2]) end
  db:close()
  if not b then
    cli.error("%s", why)
    return 1
  end
  output.say(require("brio.lib.diff").unified(a.source, b.source,
    ("%s (%s)"):format(a.name, a.hash:sub(1, 12)),
    ("%s (%s)"):format(b.name, b.hash:sub(1, 12))))
  return 0
end

return diff
