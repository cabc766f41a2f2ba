--- `brio perform`: moves a robot live with frames of a skeleton, a face, or a recorded film.
local cli = require "brio.terminal.cli"
local clients = require "brio.runs.client"
local motions = require "brio.terminal.motion_files"
local cjson = require "cjson"
local performer = require "brio.motion.performer"
local uv = require "luv"

local command = {
  name = "perform",
  summary = "drive a running robot live from a skeleton, a face or a recording, retargeted frame by frame",
  usage = "brio perform FILE|--udp PORT [--run RUN] [options]",
  options = motions.with_options {
    { "udp", "PORT", "receive frames as JSON datagrams at this port of this machine" },
    { "run", "RUN", "the run (see docs/analysis/runs.md); default: the only one there is" },
    { "as", "NAME", "name of the performer; default: performer" },
    { "token", "TEXT", "the token of a run that a group shares" },
    { "speed", "X", "factor of a file's speed; default: 1" },
  },
}

local function ignore() end

--- Attach to the run; return the client and its robot's description, or nil and a sentence.
local function attach(args, say)
  local path, unknown = require("brio.runs.live").find(args.run, "brio perform --run")
  if not path then return nil, unknown end
  local client, why = clients.connect(path, { log = ignore,
    ended = function(how) say(clients.ends[how]) end })
  if not client then return nil, ("%s: %s"):format(path, why) end
  local reply = client:introduce(path, { as = args.as or "performer", token = args.token })
  if not reply or reply.error then return nil, reply and reply.error or "the run has ended" end
  local about = reply.about or client:answer({}).about or {}
  local robot = args.robot or about.robot_file or about.robot or ""
  local description, fault = require("brio.robots.catalog").find(robot)
  if not description then return nil, fault end
  return client, description
end

--- Send a request; a refusal is reported once.
local function sender(client, name)
  local told, waiting = {}, 0
  return function(values)
    if waiting > 4 or not client.open then return end -- the run is behind: newer frames are more useful
    waiting = waiting + 1
    client:ask({ line = performer.line(name, values) }, function(reply)
      waiting = waiting - 1
      local fault = reply.error
      if fault and not told[fault] then
        told[fault] = true
        cli.error("%s", fault)
      end
    end)
  end
end

-- Out of a file ------------------------------------------------------------------------------------------

--- Frames of a film: {times, at(index) = values}; nil and a sentence.
local function film_of(path, description, options)
  local clip, why = motions.read(path, options)
  if not clip then return nil, why end
  local map, fault = motions.map_for(description, options)
  if not map then return nil, fault end
  if clip.kind == "joints" then return nil, path .. " has no skeleton: play it with `brio play`" end
  local mapper, sentence = require("brio.formats.clip").try(function()
    local poser = require("brio.motion.skeleton").poser(clip, map.nodes)
    return { poser = poser, mapper = require("brio.motion.retarget").mapper(poser, description, map) }
  end)
  if not mapper then return nil, path .. ": " .. sentence end
  return { times = clip.times, at = function(index) return mapper.mapper:pose(mapper.poser:at(index)) end }
end

--- Perform a film at its rate.
local function perform_film(film, send, speed, client)
  local begun, index, timer = uv.hrtime(), 1, uv.new_timer()
  local first = film.times[1]
  timer:start(0, 2, function()
    local now = (uv.hrtime() - begun) / 1e9 * speed
    local due
    while index <= #film.times and film.times[index] - first <= now do due, index = index, index + 1 end
    if due then send(film.at(due)) end
  end)
  -- The timer repeats: `uv.run` may fire it first and then block until there is another event.
  while index <= #film.times and client.open do uv.run "once" end
  timer:close()
end

-- Out of datagrams ---------------------------------------------------------------------------------------

local function perform_stream(port, one, send, client)
  local socket, told = uv.new_udp(), {}
  local good, why = socket:bind("127.0.0.1", port)
  if not good then return nil, ("port %d: %s"):format(port, tostring(why)) end
  local function refuse(sentence)
    if not told[sentence] then cli.error("a frame is left out: %s", sentence) end
    told[sentence] = true
  end
  socket:recv_start(function(fault, bytes)
    if fault or not bytes then return end
    local decoded, said = pcall(cjson.decode, bytes)
    if not decoded then return refuse "no JSON" end
    local values, sentence = one:frame(said)
    if values then send(values) else refuse(sentence) end
  end)
  local signal = uv.new_signal()
  signal:start("sigint", function() client:close() end)
  io.stderr:write(("listening on port %d\n"):format(port))
  while client.open do uv.run "once" end
  socket:close()
  signal:close()
  return true
end

local function perform(args, options, speed, port)
  local client, description = attach(args, function(sentence) io.stderr:write("brio: ", sentence, "\n") end)
  if not client then return nil, description end
  local name = args.as or "performer"
  local send = sender(client, name)
  local good, why
  if port then
    local map, fault = motions.map_for(description, options)
    if not map then return nil, fault end
    good, why = perform_stream(port, performer.new(description, map), send, client)
  else
    local film, fault = film_of(args[1], description, options)
    if not film then return nil, fault end
    perform_film(film, send, speed, client)
    good = true
  end
  if (client.how or "ended") ~= "ended" then good = false end -- already reported
  if client.open then client:answer { line = ("perform %s end"):format(name) } end
  client:close()
  cli.close_handles()
  return good, why
end

function command.run(args)
  local options = motions.options(args)
  local speed, port = cli.number(args, "speed", 0.05, 20, 1), cli.whole(args, "udp", 1, 65535, false)
  if not options or not speed or port == nil then return 2 end
  if (#args == 1) == (args.udp ~= nil) or #args > 1 then
    cli.error("perform expects a file or --udp: %s", command.usage)
    return 2
  end
  local good, why = perform(args, options, speed, port)
  if good then return 0 end
  if why then cli.error("%s", why) end
  return 1
end

return command
