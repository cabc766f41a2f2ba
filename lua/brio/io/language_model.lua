--- A language model that behaviors may query: a server on this machine or its network, by HTTP. It is off
--- unless the behavior or the person who starts the run names one.
---
---     model = { url = "http://127.0.0.1:11434", api = "ollama", name = "llama3.2:3b" }
---
---     local question = host.model:ask { messages = { { role = "user", content = "Is the door open?" } } }
---     if question:settled() then print(question.text, question.error) end     -- asked again in each tick
---
--- No tick waits for an answer, except on the fast clock, where waiting costs no robot time. An answer is
--- untrusted text: its length is limited, control characters are removed, and it is never executed.
local lazy = require "brio.lib.lazy"
local document = lazy "brio.formats.json"
local http = lazy "brio.io.http"
local link = require "brio.io.stream"
local store = require "brio.store"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local model = {}
local Model = {}
Model.__index = Model
local Question = {}
Question.__index = Question

--- Maximum number of simultaneous questions; maximum size of a question and of an answer, bytes; maximum
--- number of corrections that are kept, and size of one, bytes.
model.most_asked, model.most_question, model.most_answer, model.most_corrections, model.most_correction =
  8, 2 ^ 18, 2 ^ 16, 20, 1000

-- Protocols of servers -------------------------------------------------------------------------------

--- The message in a server's error.
local function error_of(reply)
  local said = type(reply) == "table" and reply.error
  if type(said) == "table" then said = said.message end
  return type(said) == "string" and said ~= "" and said or nil
end

local function field(value, ...)
  for _, key in ipairs { ... } do
    if type(value) ~= "table" then return nil end
    value = value[key]
  end
  return value
end

--- A row for each protocol: the default path of a URL, the request, and the answer's text, with whether it
--- was cut off.
local apis = {
  openai = {
    path = "/v1/chat/completions",
    body = function(spec, messages)
      return { model = spec.name, messages = store.array(messages), stream = false,
        temperature = spec.temperature, max_tokens = spec.tokens, seed = spec.seed }
    end,
    text = function(reply)
      local choice = field(reply, "choices", 1)
      return field(choice, "message", "content"), field(choice, "finish_reason") == "length"
    end,
  },
  ollama = {
    path = "/api/chat",
    body = function(spec, messages)
      return { model = spec.name, messages = store.array(messages), stream = false,
        options = { temperature = spec.temperature, num_predict = spec.tokens, seed = spec.seed } }
    end,
    text = function(reply) return field(reply, "message", "content"),
      field(reply, "done_reason") == "length" end,
  },
}

-- Settings -------------------------------------------------------------------------------------------

--- The fields of its settings.
model.fields = {
  url = { "string", doc = "its address", example = '"http://127.0.0.1:11434"' },
  api = { "choice", of = suggest.keys(apis), value = "openai", doc = "its protocol" },
  name = { "string", value = "", doc = "the model's name there" },
  timeout = { "number", unit = "s", lower = 0.1, upper = 3600, value = 30, doc = "patience with an answer" },
  temperature = { "number", lower = 0, upper = 5, value = 0, doc = "0: always the likeliest word" },
  tokens = { "number", lower = 1, upper = 100000, value = 400, doc = "greatest length of an answer" },
  seed = { "number", lower = 0, upper = 2 ^ 31 - 1, value = 1, doc = "of its chance" },
}

--- The error in a behavior's settings of its model: a sentence, or nil.
function model.fault(said)
  if said == nil then return nil end
  if type(said) ~= "table" then
    return "model must be a table, as { url = \"http://127.0.0.1:11434\", name = \"llama3.2\" }"
  end
  local wrong = schema.fault(said, model.fields, "model")
  if wrong then return wrong end
  if said.url == nil then return nil end
  local _, why = http.parse(said.url)
  return why and "model: " .. why
end

--- Parse a setting on the command line, "URL" or "API:NAME@URL"; nil and a sentence.
function model.read(text)
  local api, name, url = text:match "^(%l+):(.-)@(http.*)$"
  local said = { url = url or text, api = api, name = name }
  local why = model.fault(said)
  if why then return nil, why end
  return said
end

--- URL of requests.
local function url_of(spec)
  local path = http.parse(spec.url).path
  local base = spec.url:gsub("/+$", "")
  if path == "/" then return base .. apis[spec.api].path end
  return path:match "/v1/?$" and base .. "/chat/completions" or spec.url
end

--- The model of a host's run; a person's options override the behavior's settings.
function model.new(host, said, options)
  local self = setmetatable({ host = host, options = options or {}, asked = {}, corrections = {}, told = 0,
    contexts = setmetatable({}, { __mode = "k" }) }, Model)
  self:use(said)
  return self
end

--- Use the behavior's settings from now on; nil: none.
function Model:use(said)
  local spec = {}
  for key, row in next, model.fields do
    spec[key] = self.options[key] or (said or {})[key]
    if spec[key] == nil then spec[key] = row.value end
  end
  self.spec = spec
end

--- Whether there is a model; else nil and a sentence.
function Model:on()
  if self.spec.url then
    local good, why = http.parse(self.spec.url)
    return good and true, why
  end
  return nil, "no language model is configured: give model = { url = ... } in the behavior, or --model URL"
end

-- Questions ------------------------------------------------------------------------------------------

--- A text without control characters, which would disturb terminals and logs.
local function clean(text) return (text:gsub("[%z\1-\8\11-\31\127]", " ")) end

--- The result of a request, from its HTTP answer: a text, or nil and the reason.
local function read(self, answer)
  if answer.error then return nil, answer.error end
  local decoded, reply = pcall(document.json, answer.body, "the answer")
  if answer.status ~= 200 then
    local said = decoded and error_of(reply) or answer.body:sub(1, 200)
    return nil, ("the language model answers %d: %s"):format(answer.status, clean(said):sub(1, 200))
  end
  if not decoded or type(reply) ~= "table" then return nil, "the language model answers with no JSON" end
  local said = error_of(reply)
  if said then return nil, "the language model answers: " .. clean(said):sub(1, 200) end
  local text, cut = apis[self.spec.api].text(reply)
  if type(text) ~= "string" then return nil, "the language model's JSON has no answer in it" end
  if cut then
    return nil, ("the language model's answer was cut off after %d tokens"):format(self.spec.tokens)
  end
  if #text > model.most_answer then
    return nil, ("the language model's answer has %d bytes, more than %d"):format(#text, model.most_answer)
  end
  text = clean(text):gsub("^%s*<think>.-</think>%s*", "") -- the model's reasoning is not a part of the answer
  return text:match "^%s*(.-)%s*$"
end

--- Whether a text is not UTF-8.
local function is_broken(text) return not utf8.len(text) end

--- Record a question as an event, for the store and the history.
local function tell(self, question)
  local host = self.host
  host:emit("model_answered", { name = question.name, text = question.text and question.text:sub(1, 2000),
    why = question.error, seconds = host.now - question.since }, "model", question.name)
end

local function finish(self, question, answer)
  self.asked[question] = nil
  question.text, question.error = read(self, answer)
  if question.text and is_broken(question.text) then
    question.text, question.error = nil, "the language model's answer is no UTF-8"
  end
  question.arrived = true
end

--- Ask a question: {messages = list of {role = "system", "user" or "assistant", content}, name = of the
--- asker, timeout (s)}. Return the question, whose `text` or `error` is set once question:settled() returns
--- true; nil and a sentence if it cannot be asked.
function Model:ask(said)
  local good, why = self:on()
  if not good then return nil, why end
  local count = 0
  for _ in next, self.asked do count = count + 1 end
  if count >= model.most_asked then
    return nil, ("the language model has %d requests already"):format(count)
  end
  local body = store.json(apis[self.spec.api].body(self.spec, said.messages))
  if #body > model.most_question then
    return nil, ("a question of %d bytes is too long: at most %d"):format(#body, model.most_question)
  end
  local question = setmetatable({ model = self, name = said.name or "model", since = self.host.now },
    Question)
  question.job, why = http.request({ url = url_of(self.spec), body = body,
    timeout = said.timeout or self.spec.timeout,
    name = "the language model" }, function(answer) finish(self, question, answer) end)
  if not question.job then return nil, why end
  self.asked[question] = true
  return question
end

--- Whether it has an answer or an error. On the fast clock this waits for it.
function Question:settled()
  if self.over then return true end
  if not self.arrived then
    if self.model.host.sound.fast then self.job:wait() else link.work() end
  end
  if not self.arrived then return false end
  self.over = true
  tell(self.model, self)
  return true
end

--- Cancel the question: its result is not needed any more.
function Question:drop()
  self.job:cancel()
  self.model.asked[self] = nil
end

--- Once a tick: process what was received.
function Model:work() link.work() end

--- End of the run.
function Model:close()
  for question in pairs(self.asked) do question.job:cancel() end
  self.asked = {}
  link.work()
end

-- Corrections ----------------------------------------------------------------------------------------

--- Add a person's correction of the model, in plain words, which later requests include. Return true, or
--- nil and the reason.
function Model:correct(text, who)
  text = clean(text):match "^%s*(.-)%s*$"
  if text == "" then return nil, "correct what, as in: correct the blue one, not the red one" end
  if #text > model.most_correction or is_broken(text) then
    return nil, ("a correction is a text of at most %d bytes"):format(model.most_correction)
  end
  self.told = self.told + 1
  self.corrections[#self.corrections + 1] = { text = text, who = who, time = self.host.now,
    number = self.told }
  if #self.corrections > model.most_corrections then table.remove(self.corrections, 1) end
  self.host:emit("model_corrected", { text = text, who = who }, "operator", who)
  return true
end

return model
