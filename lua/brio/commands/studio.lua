--- `brio studio`: a page in a browser that shows a run, live or recorded, and lets people steer it.
local cli = require "brio.terminal.cli"

local command = {
  name = "studio",
  summary = "show a run in a browser, live or recorded, and steer it",
  usage = "brio studio [RUN] [options]   (RUN: see docs/analysis/runs.md; none: the only one, or the next)",
  options = {
    { "port", "PORT", "port; default: 7450, or any free one if that is taken" },
    { "address", "ADDRESS", "address of this machine to listen at; default 127.0.0.1" },
    { "host", "HOST", "a further name by which the page is reached, with its port, as of a proxy; can be \z
      repeated", many = true },
    { "as", "NAME", "your name, for the record; default: your user's name" },
    { "token", "TEXT", "your token, if people have tokens or a group shares the prompt; default: \z
      $BRIO_TOKEN, else read beside the socket" },
    { "store", "FILE", "the run store for recorded runs; default: that of the run, else brio.db" },
    { "no-browser", nil, "only print the address" },
  },
}

--- The port that is tried first.
local usual_port = 7450

--- Where to begin: {path} of an active run, {first, store} of a recorded one; nil, sentence.
local function begin_at(args)
  local live = require "brio.runs.live"
  local path, why, several = live.find(args[1], "brio studio")
  if path then return { path = path } end
  if several and #several > 0 then return nil, why .. "\n" .. live.text(several) end
  local stored = require "brio.runs.stored"
  local db, row, file = stored.open(args[1], args.store)
  if db then
    db:close()
    return { first = row.run, store = cli.absolute(file) }
  end
  if args[1] then return nil, why end
  return {}
end

--- Open the address in a browser, if there is a display and a program for it.
local function show(uv, address)
  if not (os.getenv "DISPLAY" or os.getenv "WAYLAND_DISPLAY") then return end
  local handle
  handle = uv.spawn("xdg-open", { args = { address }, detached = true }, function() handle:close() end)
end

--- Serve until a signal.
local function serve(studio, uv)
  local signals = {}
  for index, name in ipairs { "sigint", "sigterm" } do
    signals[index] = uv.new_signal()
    signals[index]:start(name, function()
      studio:close()
      for _, one in ipairs(signals) do one:close() end
      uv.stop()
    end)
  end
  uv.run()
end

function command.run(args)
  local port = cli.whole(args, "port", 0, 65535, false)
  if #args > 1 then cli.error("studio expects one run at most: %s", command.usage) end
  if port == nil or #args > 1 then return 2 end
  local uv, studio = require "luv", require "brio.studio.studio"
  local program = uv.exepath()
  local missing = studio.missing(program)
  if missing then
    cli.error("the libraries of the page are missing (%s): `make studio` fetches them with npm", missing)
    return 1
  end
  local start, why = begin_at(args)
  if not start then
    cli.error("%s", why)
    return 2
  end
  local options = { program = program, address = args.address or "127.0.0.1", port = port or usual_port,
    hosts = args.host, as = args.as, token = args.token or os.getenv "BRIO_TOKEN",
    store = start.store or args.store and cli.absolute(args.store), first = start.first,
    say = function(level, sentence) io.stderr:write(level, ": ", sentence, "\n") end }
  local made
  made, why = studio.open(options)
  if not made and not port then
    options.port = 0
    made, why = studio.open(options)
  end
  if not made then
    cli.error("%s", why)
    return 1
  end
  if start.path then made.live:join(start.path) end
  print(made:address())
  io.stdout:flush()
  if not args["no-browser"] then show(uv, made:address()) end
  serve(made, uv)
  cli.close_handles()
  return 0
end

return command
