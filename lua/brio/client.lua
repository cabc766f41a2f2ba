--- A client of a run: speaks the prompt's protocol over the run's socket (docs/prompt.md), and finds the
--- sockets of this user's runs.
local json = require "cjson"
local store = require "brio.store"
local uv = require "luv"

local client = {}

--- Call take(line) for each line of a text that is whole; return what stands behind them.
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

--- Connect to a socket.  `on` has log(text, level) and ended().  Return the client, or nil and why.
function client.connect(path, on)
  local self = setmetatable({ pipe = uv.new_pipe(false), next_id = 0, waiting = {}, on = on, open = true, part = "" }, Client)
  local done, why = false, nil
  self.pipe:connect(path, function(fault) done, why = true, fault end)
  while not done do uv.run "once" end
  if why then
    self.pipe:close()
    return nil, why
  end
  self.pipe:read_start(function(fault, bytes)
    if fault or not bytes then return self:end_of_run() end
    self:receive(bytes)
  end)
  return self
end

function Client:receive(bytes)
  self.part = client.each_line(self.part .. bytes, function(text)
    local good, message = pcall(json.decode, text)
    if good and type(message) == "table" then self:take(message) end
  end)
end

function Client:take(message)
  if message.log then return self.on.log(message.log, message.level) end
  local id = math.tointeger(message.id)
  local waiting = self.waiting[id]
  if waiting then
    self.waiting[id] = nil
    waiting(message)
  elseif message.error then
    self.refusal = message.error
    self.on.log(message.error, "error")
  end
end

--- No line to a run is longer (engine/runtime/front.h), bytes.
local longest = 65536

--- Ask for something; `answered` is called with the reply, at once where the run would not take the line.
function Client:ask(fields, answered)
  if not self.open then return end
  self.next_id = self.next_id + 1
  fields.id = self.next_id
  local line = store.json(fields) .. "\n"
  if #line > longest then return answered { error = ("a line may have %d bytes at most"):format(longest) } end
  self.waiting[fields.id] = answered
  self.pipe:write(line)
end

--- Ask, and wait for the reply; nil when the run ended instead.
function Client:answer(fields)
  local reply
  self:ask(fields, function(message) reply = message end)
  while not reply and self.open do uv.run "once" end
  return reply
end

function Client:close()
  if not self.open then return end
  self.open = false
  self.pipe:close()
end

function Client:end_of_run()
  if not self.open then return end
  self:close()
  self.on.ended()
end

-- Which run ------------------------------------------------------------------------------------------

--- The sockets of this user's runs.
local function sockets()
  local list, folders = {}, { ("/tmp/brio-%d"):format(uv.getuid()) }
  local runtime = os.getenv "XDG_RUNTIME_DIR"
  if runtime then folders[2] = runtime .. "/brio" end
  for _, folder in ipairs(folders) do
    local entries = uv.fs_scandir(folder)
    while entries do
      local name = uv.fs_scandir_next(entries)
      if not name then break end
      if name:match "%.sock$" then list[#list + 1] = folder .. "/" .. name end
    end
  end
  table.sort(list)
  return list
end

local function ignore() end

--- What runs at a socket: {behavior, robot}; nil when nobody listens.
local function look(path)
  local one = client.connect(path, { log = ignore, ended = ignore })
  if not one then return nil end
  local reply = one:answer {}
  one:close()
  return reply and type(reply.about) == "table" and reply.about or {}
end

--- The runs that can be attached to: rows {run, behavior, robot}.
function client.runs()
  local list = {}
  for _, path in ipairs(sockets()) do
    local about = look(path)
    if about then list[#list + 1] = { run = path, behavior = about.behavior, robot = about.robot } end
  end
  return list
end

--- The token for a socket: as given, or read beside it.
local function token_for(path, given)
  if given then return given end
  local file = io.open(path .. ".token")
  local text = file and file:read "l"
  if file then file:close() end
  return text
end

--- Say who we are, {as, token}, and hear what runs there: the reply, or nil when the run ended.
function Client:introduce(path, said)
  return self:answer { who = said.as, token = token_for(path, said.token) }
end

return client
