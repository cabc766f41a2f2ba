--- The live prompt: people's lines from the front's socket, executed on the script thread at the start of a
--- tick.
---
--- A line is a word of prompt/words.lua or Lua.  Each has a small budget of CPU time, so a loop typed by
--- mistake costs only a late tick.  Changes are recorded: who entered what, and its latency.  An edit of a
--- large tree is done in the slack (prompt/aside.lua).
local dispatch = require "brio.io.dispatch"
local lazy = require "brio.lib.lazy"
local asides = lazy "brio.operator.prompt.aside"
local clock = require "brio.clock"
local complete = lazy "brio.operator.prompt.complete"
local desk = require "brio.operator.desk"
local door = require "brio.io.input_gate"
local environment = require "brio.operator.prompt.environment"
local paths = require "brio.lib.paths"
local preview = require "brio.operator.prompt.preview"
local pretty = require "brio.lib.pretty"
local roles = require "brio.operator.operators.roles"
local store = require "brio.store"
local subscriptions = require "brio.operator.prompt.subscriptions"
local suggest = require "brio.lib.suggest"
local values = require "brio.operator.operators.values"
local words = lazy "brio.operator.prompt.words"

local prompt = {}
local Prompt = {}
Prompt.__index = Prompt

--- CPU time in a tick after which the next line waits for the next tick, s.
prompt.share = 0.001

--- Maximum length of a line of an answer, bytes (runtime/front/front.h).
prompt.longest = 65536

--- Make the prompt of a run, whether people can attach to it or only its own desk uses it.
function prompt.new(run)
  local self = setmetatable({ run = run, front = run.front, printed = {} }, Prompt)
  self.env, self.names = environment.new(run, function(text) self.printed[#self.printed + 1] = text end)
  self.subscriptions = subscriptions.new(run)
  self.desk = desk.new(self)
  return self
end

--- A message of Lua without traceback and without positions in brio's own files.
local function plain(message)
  local first = tostring(message):match("^(.-)\nstack traceback") or tostring(message)
  return first:sub(1, #paths.root) == paths.root and (first:gsub("^.-%.lua:%d+: ", "", 1)) or first
end

--- Whether an error of the compiler means that the text is incomplete.
local function is_begun(why) return why:match "<eof>'?$" ~= nil end

--- Compile a line as an expression or else as statements.  Return its function, or nil, the error and whether
--- it may be incomplete.
local function compile(self, text)
  local chunk, first = load("return " .. text, "=prompt", "t", self.env)
  if chunk then return chunk end
  local second
  chunk, second = load(text, "=prompt", "t", self.env)
  if chunk then return chunk end
  return nil, second, is_begun(first) or is_begun(second)
end

--- The error for a word with incomplete Lua.
local unfinished = "brio: the line goes on"

--- Evaluate the expression after a word.  Return true and its value, or false and the error.
function Prompt:value(text)
  local speaker = self.run.host.operators.speaker
  local runs_lua = not speaker or roles.may(speaker.role, roles.lua)
  if not runs_lua and not values.are(text) then
    return false, "a value is a number, a text, true, false or a table of those"
  end
  local chunk, why = load("return " .. text, "=prompt", "t", runs_lua and self.env or values.names())
  if not chunk then
    if is_begun(why) then error(unfinished, 0) end
    return false, why
  end
  return true, (chunk())
end

--- Run a chunk of Lua and return the text to show: its printed output and its results.
local function do_chunk(self, chunk)
  local results = table.pack(chunk())
  local lines = self.printed
  for i = 1, results.n do lines[#lines + 1] = pretty.text(results[i]) end
  return table.concat(lines, "\n")
end

--- Record a person's line, and the delay of its effect.
function Prompt:record(request, command, arguments)
  local host = self.run.host
  self.run.recorder:operator {
    tick = host.tick, t = host.now, who = request.who, command = command,
    arguments = arguments ~= "" and store.json(arguments) or nil,
      late_ms = (clock.monotonic() - request.received) * 1000,
  }
end

--- Maximum length of an answer that is recorded as a person's view, bytes.
local longest_view = 1000

--- Record the output that a person requested.
local function note_view(self, request, name, rest, answer)
  local host, text = self.run.host, type(answer) == "table" and answer.text or answer
  local shown = type(text) == "string" and pretty.visible(text:sub(1, longest_view)) or nil
  self.run.recorder:view_state(host.now, request.who, name,
    { asked = rest ~= "" and rest or nil, shown = shown })
end

--- Check whether a person may use a word, or Lua, with these arguments; if not, record it and return the
--- reply.
local function refusal(self, request, name, rest, needed)
  if roles.may(request.role, needed) then return nil end
  local why = roles.refusal(request.role, needed, name == "lua" and "a line of Lua" or "`" .. name .. "`")
  self.run.host.operators:refused(request, name, rest, why)
  return { error = why }
end

--- A reply with a note, in its text or error and in `record`, that the line is not recorded, or not yet.
local function with_loss(self, reply, before)
  local sentence, how = self.run.recorder:unkept(before)
  if not sentence then return reply end
  local key = reply.error and "error" or "text"
  local said = reply[key] or ""
  reply[key], reply.record = said ~= "" and said .. "\n" .. sentence or sentence, how
  return reply
end

--- One line of JSON for a reply, cut if it is too long.
local function line_of(fields)
  local line = store.json(fields)
  if #line > prompt.longest and (fields.tree or fields.sync) then
    line = store.json { error = "that is too long for a line", id = fields.id }
  end
  while #line > prompt.longest do
    local text = fields.text or fields.error or ""
    local cut = text:sub(1, #text // 2):gsub("[\128-\255]+$", "") .. "\n... (cut)"
    if fields.candidates then fields.candidates = nil end
    if fields.text then fields.text = cut else fields.error = cut end
    line = store.json(fields)
  end
  return line
end

--- Answer a request.
local function send(self, request, fields)
  fields.id = request.id
  self.front:reply(request.client, line_of(fields), request.id)
end

--- Record the result of a word, and return the reply's fields.  `said`: {word, rest, request, changes, acts,
--- cue, loss, takes_back}; the rest is what the word's function returned, or raised.
local function answered(self, said, good, answer, why)
  local word, rest, request, operators = said.word, said.rest, said.request, self.run.host.operators
  if not good and answer:sub(1, #unfinished) == unfinished then return { more = true } end
  if not good then why = plain(answer) end
  if not good or answer == nil then
    if said.acts then operators:failed(request, word.name, rest, why, said.cue) end
    return said.acts and with_loss(self, { error = why }, said.loss) or { error = why }
  end
  local reply = type(answer) == "table" and answer or { text = answer }
  if said.changes then
    self:record(request, word.name, rest)
    if said.acts then request.action = operators:did(request, word.name, rest, said.cue) end
    self.desk:after(word, rest, request, said.takes_back)
  else
    note_view(self, request, word.name, rest, answer)
  end
  return said.changes and with_loss(self, reply, said.loss) or reply
end

--- Execute a word in the slack, and answer then.
local function say_aside(self, said)
  local request = said.request
  asides.of(self.run.host):add(request, function() return said.word.run(self, said.rest, request) end,
    function(...)
      local reply = answered(self, said, ...)
      if request.client then send(self, request, reply)
      elseif reply.error then self.run:tell("warning", reply.error) end
    end)
end

--- Execute a word.  Return the reply's fields; nil: it is answered later.
local function say_word(self, word, rest, request)
  local operators = self.run.host.operators
  local changes = type(word.changes) == "function" and word.changes(rest) or word.changes == true
  local refused = refusal(self, request, word.name, rest, roles.needed(word, rest, changes))
  if refused then return refused end
  local said = { word = word, rest = rest, request = request, changes = changes,
    takes_back = changes and self.desk:before(word, rest, request), acts = changes and not word.apart }
  -- taken before execution, which may change the expected step and the state of the store
  said.cue = said.acts and self.desk:expectation(word, request)
  said.loss = changes and self.run.recorder:loss()
  if word.aside and word.aside(self, rest) then return say_aside(self, said) end
  local before = operators:begin(request)
  -- an error or an exceeded budget ends only this line
  local made = table.pack(dispatch.call(nil, dispatch.line, word.run, self, rest, request))
  operators:over(before)
  return answered(self, said, table.unpack(made, 1, made.n))
end

--- The error in a line, with a hint if its first name is probably a misspelled word of the prompt.
local function with_hint(self, why, text)
  local name = text:match "^%s*([%a_][%w_]*)"
  if not name or why:find("did you mean", 1, true) or suggest.contains(self.names(), name) then return why end
  local word = suggest.nearest(name, suggest.keys(words.by_name))
  return word and ("%s (did you mean the word '%s'?)"):format(why, word) or why
end

--- The row for Lua, where words are distinguished.
local lua_word = { name = "lua" }

--- Execute a line of Lua.  It is recorded whatever its result, as it may have changed something.
local function say_lua(self, text, request)
  local refused = refusal(self, request, "lua", text, roles.lua)
  if refused then return refused end
  local operators = self.run.host.operators
  local chunk, why, begun = compile(self, text)
  if not chunk then return begun and { more = true } or { error = with_hint(self, plain(why), text) } end
  self.printed = {}
  local loss = self.run.recorder:loss()
  local cue, before = self.desk:expectation(lua_word, request), operators:begin(request)
  local good, answer = dispatch.call(nil, dispatch.line, do_chunk, self, chunk)
  operators:over(before)
  self:record(request, "lua", text)
  if good then request.action = operators:did(request, "lua", text, cue)
  else operators:failed(request, "lua", text, answer, cue) end
  self.desk:after(lua_word, text, request, self.desk:before(lua_word, text, request))
  if good then return with_loss(self, { text = answer }, loss) end
  self.printed[#self.printed + 1] = with_hint(self, plain(answer), text)
  return with_loss(self, { error = table.concat(self.printed, "\n") }, loss)
end

local kinds = {}

function kinds.say(self, request)
  local word, rest = words.find(request.text)
  if word then return say_word(self, word, rest, request) end
  if request.text:match "^%s*$" then return { text = "" } end
  return say_lua(self, request.text, request)
end

function kinds.complete(self, request)
  local good, list, length = dispatch.call(nil, dispatch.line, complete.find, self, request.text)
  if not good then return { error = plain(list) } end
  return { candidates = store.array(list), length = length }
end

--- Execute a line for a caller that does not wait for an answer, {kind = "say", text, who, received}. Return
--- the reply's fields.
function Prompt:perform(request) return kinds[request.kind](self, request) or {} end

--- The names in this run for a kind of argument ("state", "dof", ...): a list (prompt/complete.lua).
function Prompt:names_of(kind) return complete.names(self.run, kind) end

--- The rows of all words (prompt/words.lua).
function Prompt:word_list() return words.list end

--- The error in a line before its execution: a sentence, or nil.
function Prompt:line_fault(text)
  local word, rest = words.find(text)
  local needs = word and word.line and "^%s*%S+" .. ("%s+%S+"):rep(word.line) .. "%s+%S"
  if needs then return not text:match(needs) and ("say %s"):format(word.usage) or nil end
  if word and word.by == "client" then return ("%s is for a person at a prompt"):format(word.name) end
  if word then return complete.fault(self.run, word, rest) end
  local name, chunk, why = text:match "^%s*([%a_][%w_]*)%s*$", compile(self, text)
  if name and not suggest.contains(self.names(), name) then
    return with_hint(self, ("there is no word '%s'"):format(name), text)
  end
  return not chunk and with_hint(self, plain(why), text) or nil
end

--- The front has already answered; record it here.
local function note_order(self, request)
  self:record(request, request.kind, "")
  if request.kind == "panic" then self.desk.stop:pressed(request.who) end
  -- in such a replay there is no front that does it
  if request.kind == "panic" and door.loose() then self.run.engine:order "panic" end
  self.run.host.operators:did(request, request.kind, "")
end

kinds.stop, kinds.panic = note_order, note_order

--- Clients that connect and disconnect.
function kinds.attached(self, request) self.run.host.operators:attached(request) end
function kinds.left(self, request)
  self.run.host.operators:gone(request)
  self.subscriptions:leave(request.client)
  -- a client that comes back watches again: the front does not keep old views for it
  self.desk:watch(request.client, false)
end
kinds.lost = kinds.left

--- The run ends at once: record the orders since the last tick, and do nothing else.
function Prompt:note_orders()
  for request in function() return self.front:poll() end do
    if request.kind == "stop" or request.kind == "panic" then kinds[request.kind](self, request) end
  end
end

--- The run has ended.
function Prompt:close()
  if self.run.host and self.run.host.aside then self.run.host.aside:cancel "the run has ended" end
  self.desk:close()
  preview.close(self)
end

--- Execute the lines received since the last tick, within the time for a tick.
function Prompt:work()
  local began
  preview.work(self)
  self.desk:work()
  self.subscriptions:work(self.run.host.now)
  if not self.front then return end
  repeat
    local request = self.front:poll()
    if not request then return end
    began = began or clock.cpu()
    local fields = kinds[request.kind](self, request)
    if fields then send(self, request, fields) end
  until clock.cpu() - began > prompt.share and not door.replays()
end

return prompt
