--- `brio attach`: a prompt at a run.  At a terminal lines are edited, completed and remembered; from
--- a pipe they are said one after the other, as in `echo state | brio attach`.
local cli = require "brio.cli"
local clients = require "brio.client"
local columns = require "brio.columns"
local pipe = require "brio.attach.pipe"
local terminal = require "brio.attach.terminal"

local attach = {
  name = "attach",
  summary = "a prompt at a running behavior: look, steer, ask, stop",
  usage = "brio attach [SOCKET] [options]",
  options = {
    { "as", "NAME", "who you are, for the record; default: your user's name" },
    { "token", "TEXT", "what a prompt shared by a group asks for; default: read beside the socket" },
    { "list", nil, "only list the runs that can be attached to" },
  },
}

-- Which run ------------------------------------------------------------------------------------------

local function ignore() end

local function print_runs(list)
  print(columns.text({ "run", "behavior", "robot" }, list))
end

--- The socket to attach to; nil when that is not clear (and said), with an exit code.
local function choose()
  local list = clients.runs()
  if #list == 1 then return list[1].run end
  if #list == 0 then
    cli.error("no run can be attached to: start one with `brio run FILE.lua`, or name its socket")
    return nil, 1
  end
  cli.error("%d runs can be attached to: say which, as in brio attach %s", #list, list[1].run)
  print_runs(list)
  return nil, 2
end

-- The command ----------------------------------------------------------------------------------------

--- Say who we are and hear what runs there.  Return {behavior, robot}, or nil when we are refused.
local function introduce(client, path, args)
  local reply = client:introduce(path, args)
  if reply and not reply.error then return type(reply.about) == "table" and reply.about or {} end
  cli.error("%s: %s", path, reply and reply.error or client.refusal or "the run has ended")
end

local function run(args)
  if args.list then
    print_runs(clients.runs())
    return 0
  end
  local path, code = args[1], nil
  if not path then path, code = choose() end
  if not path then return code end
  local on = { log = ignore, ended = ignore }
  local client, why = clients.connect(path, on)
  if not client then
    cli.error("cannot attach to %s: %s", path, why)
    return 1
  end
  local about = introduce(client, path, args)
  if not about then return 1 end
  function on.log(text, level) io.stderr:write("brio: ", level == "info" and "" or tostring(level) .. ": ", text, "\n") end
  local editor = terminal.open()
  if editor then
    code = terminal.converse(client, editor, on, about)
    client:close()
    return code
  end
  local unsaid
  code, unsaid = pipe.say_all(client)
  if unsaid and code == 0 then
    cli.error("the run ended before everything was said")
    return 1
  end
  return code
end

function attach.run(args)
  if #args > 1 then
    cli.error("attach expects one socket at most: %s", attach.usage)
    return 2
  end
  local code = run(args)
  cli.close_handles()
  return code
end

return attach
