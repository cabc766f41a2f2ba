--- `brio lua`: runs a plain script with all modules, including luv and cjson.
local cli = require "brio.terminal.cli"

local lua = {
  name = "lua",
  summary = "run a plain Lua script with all of brio's modules, no behavior and no tick",
  usage = "brio lua [options] FILE [arguments]",
  options = { cli.load },
  passes_on = true,
}

function lua.run(args)
  local file = args[1]
  if not file then
    cli.error("lua expects a file: %s", lua.usage)
    return 2
  end
  local chunk, why = loadfile(file, "t")
  if not chunk then
    cli.error("%s", why)
    return why:match("^cannot open") and 1 or 3
  end
  require("brio.terminal.output").release()
  _G.arg = table.move(args, 1, #args, 0, {})
  local dispatch = require "brio.io.dispatch"
  local good, message = dispatch.call(nil, dispatch.endless, chunk, table.unpack(args, 2))
  if good and package.loaded.luv then
    require("luv").run()
    good = not debug.getregistry()["brio.callback_failed"]
    message = "a callback failed"
  end
  if not good then
    cli.error("%s", message)
    return 3
  end
  return 0
end

return lua
