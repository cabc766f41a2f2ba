--- A client of a run: speaks the prompt's protocol over the run's socket (docs/operators/prompt.md), and
--- finds the sockets of this user's runs.
local json = require "cjson"
local link = require "brio.io.stream"
local remote = require "brio.runs.remote"
local store = require "brio.store"
local uv = require "luv"

local client = {}

--- Call take(line) for each complete line of a text; return the rest.
function client.each_line(text, take)
  local at = 1
  for stop in function() return text:find("\n", at, true) end do
    local line = text:sub(at, stop - 1)
    at = stop + 1
    take(line)
  end
  return text:sub(at)
end

-- The connection -----------------------------------------------------------------------------------

local Client = {}
Client.__index = Client

local function new_client(place, on)
  return setmetatable({ place = place, next_id = 0, waiting = {}, on = on, open = true, part = "", seen = 0 },
    Client)
end

--- Connect to a run: `place` is a socket's path, or {host, run, program} of another machine (see
--- remote.lua). `on` has log(text, level) and ended(how), and may have state(table), desk(table),
--- push(table), lost(sentence) and back(sentence) for a connection that is lost and restored, and
--- silent(sentence) for a missing answer.  Return the client, or nil and the reason.
function client.connect(place, on)
  local self = new_client(place, on)
  local done, good, why = false, nil, nil
  self:dial(function(...)
    done, good, why = true, ...
  end)
  while not done do uv.run "once" end
  if not good then return nil, link.meaning(why) end
  return self
end

--- Connect to a socket of this machine; done(pipe), or done(nil, why).
local function dial_path(path, done)
  local pipe = uv.new_pipe(false)
  pipe:connect(path, function(fault)
    if not fault then return done(pipe) end
    pipe:close()
    done(nil, fault)
  end)
end

--- Call done once: with the message of the bridge on the other machine, or with a sentence after a timeout.
local function within_wait(self, done)
  local timer = uv.new_timer()
  timer:start(math.ceil((self.place.wait or remote.wait) * 1000), 0, function()
    local pipe = self.pipe
    self.pipe, self.met = nil, nil
    timer:close()
    if pipe then pipe:abandon() end
    done(nil, remote.late(self.place))
  end)
  return function(...)
    if not timer:is_closing() then timer:close() end
    done(...)
  end
end

--- Make the connection; done(true), or done(nil, why).
function Client:dial(done)
  local far = type(self.place) == "table"
  if far then done = within_wait(self, done) end
  local function take(pipe, why)
    if not pipe then return done(nil, why) end
    self.pipe, self.part, self.met = pipe, "", far and done or nil
    pipe:read_start(function(fault, bytes)
      if pipe ~= self.pipe then return end
      if fault or not bytes then return self:lose() end
      self:receive(bytes)
    end)
    if not far then done(true) end
  end
  if far then remote.dial(self.place, take) else dial_path(self.place, take) end
end

--- Process messages of the bridge on another machine: the run's address, or the reason why there is none;
--- and its end.
local function hear_bridge(self, said)
  self.ended = said.ended or self.ended
  local met = self.met
  if said.ended ~= nil or not met then return end
  self.met = nil
  if not said.error then
    self.bridge = said
    return met(true)
  end
  self:hang_up()
  met(nil, said.error)
end

--- Close the connections.
function Client:hang_up()
  local pipe = self.pipe
  self.pipe = nil
  if pipe and not pipe:is_closing() then pipe:close() end
end

--- Seconds without an answer after which this is reported.
client.silence = 5

--- Report once that there is no answer, unless stop() is called before; return stop.
function Client:watch_silence()
  local timer = uv.new_timer()
  local function stop()
    if not timer:is_closing() then timer:close() end
  end
  timer:start(client.silence * 1000, 0, function()
    stop()
    if not self.on.silent then return end
    local sentence = "no answer for %d s: the engine is stopped, or very busy; still waiting"
    self.on.silent(sentence:format(client.silence))
  end)
  return stop
end

--- Wait until `done()`, or the connection ends.
local function wait_for(self, done)
  local stop = self:watch_silence()
  while not done() and self.pipe do uv.run "once" end
  stop()
end

function Client:receive(bytes)
  self.part = client.each_line(self.part .. bytes, function(text)
    local good, message = pcall(json.decode, text)
    if good and type(message) == "table" then self:take(message) end
  end)
end

--- Messages other than answers.
local function notice(self, message)
  local on = self.on
  if message.push then return on.push and on.push(message) end
  if message.log then return on.log(message.log, message.level, message.t) end
  if message.state then return on.state and on.state(message.state) end
  if message.desk then return on.desk and on.desk(message.desk) end
  if message.error then
    self.refusal, self.again = message.error, message.again == true
    on.log(message.error, "error")
  end
end

function Client:take(message)
  if type(message.bridge) == "table" then return hear_bridge(self, message.bridge) end
  self.ended = self.ended or message.ended == true
  local id = math.tointeger(message.id)
  local waiting = self.waiting[id]
  if self.session and not (message.client and message.session) then self.seen = self.seen + 1 end
  if not waiting then return notice(self, message) end
  self.waiting[id] = nil
  waiting.answered(message)
end

--- Maximum length of a line to a run (engine/runtime/front/front.h), bytes.
local longest = 65536

--- Send a request; `answered` is called with the reply, at once if the run would not accept the line.
--- Requests during a lost connection are sent when it is restored.
function Client:ask(fields, answered)
  if not self.open then return end
  self.next_id = self.next_id + 1
  fields.id = self.next_id
  if fields.line then remote.stamp(self.clock, fields) end
  local line = store.json(fields) .. "\n"
  if #line > longest then return answered { error = ("a line may have %d bytes at most"):format(longest) } end
  self.waiting[fields.id] = { line = line, answered = answered, kept = fields.line ~= nil or fields.stop
    or fields.panic }
  if self.pipe and not self.returning then self.pipe:write(line) end
end

--- Send a request, and wait for the reply, for `seconds` at most (nil: without limit).  Return nil if there
--- was none, or the run ended.
function Client:answer(fields, seconds)
  local reply, late
  local timer = seconds and uv.new_timer()
  if timer then timer:start(math.ceil(seconds * 1000), 0, function() late = true end) end
  self:ask(fields, function(message) reply = message end)
  wait_for(self, function() return reply or late end)
  if timer then timer:close() end
  return reply
end

--- Say goodbye, so that the run does not count this client as lost.
function Client:close()
  if not self.open then return end
  self.open = false
  if self.timer then self.timer:close() end
  if not self.pipe then return end
  local pipe = self.pipe
  self.pipe = nil
  pipe:write('{"bye":true}\n', function()
    if not pipe:is_closing() then pipe:close() end
  end)
end

--- The ways in which a run can end, as sentences.
client.ends = {
  ended = "the run has ended",
  crashed = "the engine is gone: it crashed or was killed (`brio run --resume last` resumes the run)",
  lost = "the connection is lost; the state of the run is unknown",
}

--- End of the connection: "ended" if the run reported it, "crashed" if the engine is gone without a
--- message, "lost" if nothing is known.  The result is in `self.how`.
function Client:end_of_run(how)
  if not self.open then return end
  self:close()
  self.how = self.ended and "ended" or how
  self.on.ended(self.how)
end

-- Reconnecting ---------------------------------------------------------------------------------------

--- Pauses between attempts to reconnect, ms, and the total time, s: the run keeps missed messages for two
--- minutes.
client.pauses, client.patience = { 100, 200, 500, 1000, 2000 }, 110

--- The connection ended: the run has ended, or reconnect.
function Client:lose()
  self:hang_up()
  local met = self.met
  self.met = nil
  if met then return met(nil, remote.why(self.place)) end
  if not self.open then return end
  if not self.session or self.ended then return self:end_of_run "crashed" end
  self.returning, self.lost_at, self.tries = false, self.lost_at or uv.hrtime(), self.tries or 0
  self.timer = self.timer or uv.new_timer()
  self:return_later()
end

function Client:return_later()
  self.tries = self.tries + 1
  self.timer:start(client.pauses[math.min(self.tries, #client.pauses)], 0, function() self:return_now() end)
end

--- What a failed connection reveals of the run: "ended" if its socket was removed, "crashed" if the socket
--- was left behind; nil: nothing.
local function fate_of(self, why)
  why = tostring(why)
  local code = type(self.place) == "string" and why:match "^%u+" or why:match "^cannot attach to .*: (%u+)$"
  return code == "ENOENT" and "ended" or code == "ECONNREFUSED" and "crashed" or nil
end

function Client:return_now()
  self.returning = true
  self:dial(function(good, why)
    if not self.open then return self:hang_up() end
    if good then return self:come_back() end
    self:try_again(why)
  end)
end

function Client:try_again(why)
  self.returning = false
  local fate = fate_of(self, why) or (uv.hrtime() - self.lost_at) / 1e9 > client.patience and "lost"
  if fate or self.ended then return self:end_of_run(fate) end
  if self.tries == 1 and self.on.lost then
    self.on.lost(("the connection is lost (%s): trying again"):format(why))
  end
  self:return_later()
end

--- The unanswered requests, in their order.
local function unanswered(self)
  local list = {}
  for id, one in pairs(self.waiting) do
    if one.line then list[#list + 1] = id end
  end
  table.sort(list)
  return list
end

--- The connection is restored: introduce this client, get the missed messages, and repeat unanswered
--- requests, which the run executes only once.
function Client:come_back()
  local before = self.session
  self:hello(function(reply)
    self.returning, self.lost_at, self.tries = false, nil, nil
    if reply.error then
      self.on.log(reply.error, "error")
      return self:end_of_run "lost"
    end
    for _, id in ipairs(unanswered(self)) do
      local one = self.waiting[id]
      if before == self.session then
        self.pipe:write(one.line)
      else
        self.waiting[id] = nil
        one.answered { error = "the connection was lost, and whether this was done is not known" }
      end
    end
    if self.on.back then
      self.on.back(before ~= self.session and "the connection is back; messages since then are lost"
        or reply.missed > 0 and ("the connection is back; %d lines were missed"):format(reply.missed)
        or "the connection is back")
    end
  end)
end

--- Introduce this client, and read whether it has a session.
function Client:hello(answered)
  local said = self.said
  self.next_id = self.next_id + 1
  local fields = { id = self.next_id, who = said.as, token = said.token, role = said.role,
    device = said.device,
    session = said.session and (self.session or "") or nil, seen = said.session and self.seen or nil }
  if self.clock then fields.offset, fields.offset_error = self.clock.offset, self.clock.error end
  self.waiting[fields.id] = { answered = function(reply)
    if reply.session then
      if reply.session ~= self.session then self.seen = 0 end
      self.session = reply.session
    end
    answered(reply)
  end }
  self.pipe:write(store.json(fields) .. "\n")
end

-- Finding runs ---------------------------------------------------------------------------------------

--- Call take(path) for each entry of a folder; not at all if it cannot be read.
local function each_entry(folder, take)
  local entries = uv.fs_scandir(folder)
  while entries do
    local name = uv.fs_scandir_next(entries)
    if not name then return end
    take(folder .. "/" .. name, name)
  end
end

--- The sockets of this user's runs: in folders that nobody else has created or may enter.
local function sockets()
  local list, uid, runtime = {}, uv.getuid(), os.getenv "XDG_RUNTIME_DIR"
  local function look_for(parent, usual)
    each_entry(parent, function(folder, name)
      if name ~= usual and name:sub(1, #usual + 1) ~= usual .. "." then return end
      local about = uv.fs_lstat(folder)
      if not about or about.type ~= "directory" or about.uid ~= uid then return end
      each_entry(folder, function(path)
        if path:match "%.sock$" then list[#list + 1] = path end
      end)
    end)
  end
  look_for("/tmp", ("brio-%d"):format(uid))
  if runtime then look_for(runtime, "brio") end
  table.sort(list)
  return list
end

local function ignore() end

--- Timeout for a run's description, s: a run that does not answer is listed without it.
local patience = 2

--- The description of a run at a socket: {behavior, robot}; nil when nothing listens.
local function look(path)
  local one = client.connect(path, { log = ignore, ended = ignore })
  if not one then return nil end
  local reply = one:answer({}, patience)
  local ended = not one.pipe
  one:close()
  if not reply and not ended then return { behavior = "(does not answer)" } end
  return reply and type(reply.about) == "table" and reply.about or {}
end

--- The runs that can be attached to: rows {run, behavior, robot, number, store}; the last two only if the
--- run is recorded.
function client.runs()
  local list = {}
  for _, path in ipairs(sockets()) do
    local about = look(path)
    if about then
      list[#list + 1] = { run = path, behavior = about.behavior, robot = about.robot,
        number = math.tointeger(about.number), store = about.store }
    end
  end
  return list
end

--- The token for a socket: the given one, or the one read beside it.
local function token_for(path, given)
  if given then return given end
  local file = io.open(path .. ".token")
  local text = file and file:read "l"
  if file then file:close() end
  return text
end

--- Set how this client introduces itself.
local function identify(self, place, said)
  local token = said.token
  if type(place) == "string" then token = token_for(place, token)
  else token = token or self.bridge and self.bridge.token or nil end
  self.said = { as = said.as, token = token, role = said.role, device = said.device, session = said.session }
  return token
end

--- Introduce this client, {as, token, role, device, session}, and get the run's description: the reply, or
--- nil if the run ended.  With `session` a lost connection is restored.
function Client:introduce(place, said)
  local token = identify(self, place, said)
  if type(place) == "table" then self.clock = remote.measure(self, token) end
  local reply
  self:hello(function(message) reply = message end)
  wait_for(self, function() return reply end)
  return reply
end

--- Connect to a socket of this machine and introduce this client, without waiting: done(client, reply), or
--- done(nil, why).  Programs with a loop of their own use it.
function client.begin(path, said, on, done)
  local self = new_client(path, on)
  local function give_up(why)
    self.open = false
    self:hang_up()
    done(nil, why)
  end
  self:dial(function(good, why)
    if not good then return give_up(link.meaning(why)) end
    identify(self, path, said)
    self:hello(function(reply)
      if reply.error then return give_up(reply.error) end
      done(self, reply)
    end)
  end)
end

--- The paths of the sockets of this user's runs.
client.sockets = sockets

return client
