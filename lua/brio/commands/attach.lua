--- `brio attach`: a prompt of a run.  At a terminal there are line editing, completion and history; lines
--- from a pipe are sent one after the other, as in `echo state | brio attach`.
local bridge = require "brio.terminal.attach.bridge"
local cli = require "brio.terminal.cli"
local clients = require "brio.runs.client"
local live = require "brio.runs.live"
local log_line = require "brio.terminal.attach.log_line"
local pipe = require "brio.terminal.attach.pipe"
local remote = require "brio.runs.remote"
local store = require "brio.store"
local terminal = require "brio.terminal.attach.terminal"
local uv = require "luv"
local words = require "brio.runs.names"

local attach = {
  name = "attach",
  summary = "a prompt at a running behavior: watch, control, query, stop",
  usage = "brio attach [RUN|HOST[:RUN]] [options]   (RUN: see docs/analysis/runs.md; none: the only one)",
  options = {
    { "as", "NAME", "your name, for the record; default: your user's name" },
    { "token", "TEXT", "your token, if people have tokens or a group shares the prompt; default: \z
      $BRIO_TOKEN, else read beside the socket" },
    { "role", "ROLE", "rights: observer, wizard or author; default: those of your token" },
    { "program", "FILE", "path of brio on the other machine; default brio" },
    { "wait", "SECONDS", "maximum time until a run on another machine answers, including a typed \z
      password; default 60" },
    { "bridge", nil, "connect a run's socket to standard input and output: `brio attach HOST` starts this \z
      on the other machine" },
    { "timeout", "SECONDS", "maximum time of an `sql` at this prompt; default 60" },
    { "list", nil, "only list the runs that can be attached to" },
  },
}

-- Which run ------------------------------------------------------------------------------------------

local function ignore() end

local function print_runs(list) print(live.text(list)) end

--- Whether a word is a path: a socket's, or a store's.  A folder with the name of the run does not count.
local function is_path(text)
  local about = uv.fs_stat(text)
  return text:find "^[^:]*/" ~= nil or about ~= nil and about.type ~= "directory"
end

--- Report why no run was found, and list the candidates.  Return nil and the exit code.
local function refuse(why, list)
  cli.error("%s", why)
  if #list > 0 then print_runs(list) end
  return nil, #list > 0 and 2 or 1
end

--- The machine for a word that means no run here: {host, run}; nil and an exit code (printed).
local function far_place(text, none)
  local place, why = remote.place(text)
  if place then
    cli.error("%s: `ssh %s` is started", text:find ":" and "a run at another machine" or none, place.host)
    return place
  end
  cli.error("%s; it is no socket, and no host either: %s", none, why)
  return nil, 2
end

--- The place to attach to: a socket's path, or {host, run}; nil and an exit code if it is ambiguous
--- (printed).
local function place_of(text)
  if not text then
    local path, why, list = live.find(nil, "brio attach")
    if path then return path end
    return refuse(why, list)
  end
  local none = ("no run matches '%s'"):format((text:gsub("%c", "?")))
  if text:find "^[^:/]*:" and not is_path(text) then return far_place(text, none) end
  if is_path(text) and not text:find "#" and not words.is_store(text) then return text end
  local path, why, list = live.find(text, "brio attach")
  if path then return path end
  if #list > 0 or words.is_run(text) or is_path(text) then return refuse(why, list) end
  return far_place(text, none)
end

--- A name of a place for people.
local function shown(place) return type(place) == "string" and place or place.host end

-- The command ----------------------------------------------------------------------------------------

--- Number of retries when all slots are taken, and the pause before each, ms.
local tries, pause = 50, 100

--- Introduce this client and read the run's description.  Return {behavior, robot}; nil if it is refused, and
--- whether to retry.
local function introduce(client, path, args, last)
  local reply = client:introduce(path, args)
  if reply and not reply.error then return type(reply.about) == "table" and reply.about or {} end
  if client.again and not last then return nil, true end
  cli.error("%s: %s", shown(path), reply and reply.error or client.refusal or "the run has ended")
end

--- Connect to a run and introduce this client.  Return the client and the run's description, or nil on
--- failure (printed).
local function enter(path, on, args)
  for count = 1, tries do
    local client, why = clients.connect(path, on)
    if not client then
      cli.error("cannot attach to %s: %s", shown(path), why)
      return nil
    end
    local about, again = introduce(client, path, args, count == tries)
    if about then return client, about end
    client:close()
    if not again then return nil end
    uv.sleep(pause)
  end
end

--- Report to the other side that there is no run to attach to.
local function refuse_bridge(why)
  print(store.json { bridge = { error = why } })
  return 1
end

local function run(args)
  if args.list then
    print_runs(live.list())
    return 0
  end
  if args.bridge then
    local path, why = args[1], nil
    if not path or not path:find "/" then path, why = live.find(path, "brio attach HOST:RUN") end
    if not path then return refuse_bridge(why) end
    return bridge.run(path)
  end
  local limit = cli.number(args, "timeout", 0.001, 86400, false)
  if limit == nil then return 2 end
  limit = limit or nil
  local wait = cli.number(args, "wait", 0.1, 3600, remote.wait)
  if not wait then return 2 end
  local path, code = place_of(args[1])
  if not path then return code end
  if type(path) == "table" then path.program, path.wait = args.program, wait end
  local on = { log = ignore, ended = ignore, silent = function(sentence) cli.error("%s", sentence) end }
  local editor = terminal.open()
  args.token, args.session, args.device = args.token or os.getenv "BRIO_TOKEN", true,
    editor and "prompt" or "pipe"
  local client, about = enter(path, on, args)
  if not client then return 1 end
  local write = log_line.writer "debug"
  function on.log(text, level, t) write(level, text, t) end
  function on.lost(text) on.log(text, "warning") end
  function on.back(text) on.log(text, "info") end
  if editor then
    about.limit = limit
    code = terminal.converse(client, editor, on, about)
    client:close()
    return code
  end
  local unsaid
  code, unsaid = pipe.say_all(client, limit)
  if (client.how or "ended") ~= "ended" then
    cli.error("%s", clients.ends[client.how])
    return 1
  end
  if unsaid and code == 0 then
    cli.error("the run ended before everything was said")
    return 1
  end
  return code
end

function attach.run(args)
  if #args > 1 then
    cli.error("attach expects one run at most: %s", attach.usage)
    return 2
  end
  local code = run(args)
  cli.close_handles()
  return code
end

return attach
