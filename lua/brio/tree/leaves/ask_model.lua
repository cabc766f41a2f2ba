--- The condition `ask_model`: matches a language model's answer against a regular expression.
local regex = require "brio.regex"
local telling = require "brio.tree.execution.situation_text"

--- Maximum number of messages of a continued conversation, and their maximum total size, bytes.
local most_messages, most_bytes = 40, 2 ^ 16

local text = { "string" }

--- The conversation of a node, if it continues over runs of the node.
local function conversation(site, form)
  local contexts = site.host.model.contexts
  local list = not form.reset and contexts[form] or {}
  if #list == 0 and form.system ~= "" then list[1] = { role = "system", content = form.system } end
  contexts[form] = list
  return list
end

--- Remove the oldest message that is not a system prompt.
local function shorten(list)
  local bytes = 0
  for _, message in ipairs(list) do bytes = bytes + #message.content end
  while #list > 2 and (#list > most_messages or bytes > most_bytes) do
    local first = list[1].role == "system" and 2 or 1
    bytes = bytes - #list[first].content
    table.remove(list, first)
  end
end

local function begin(site, form, memory)
  local pattern, why = regex.new(form.matcher)
  if not pattern then return false, why end
  local list = conversation(site, form)
  list[#list + 1] = { role = "user", content = telling.before(site, form) .. form.prompt }
  shorten(list)
  memory.pattern, memory.list = pattern, list
  memory.question, why = site.host.model:ask { messages = list, timeout = form.timeout,
    name = form.name or "ask_model" }
  if memory.question then return nil end
  list[#list] = nil
  return false, why
end

--- Match the answer.
local function judge(form, memory)
  local question = memory.question
  if question.error then
    memory.list[#memory.list] = nil -- a question without an answer is not a part of the conversation
    return false, question.error
  end
  memory.list[#memory.list + 1] = { role = "assistant", content = question.text }
  memory.text = question.text
  local first, why = memory.pattern:find(question.text)
  if not first and why then return false, "responseMatcher: " .. why end
  if (first ~= nil) == form.match_succeeds then return true end
  local said = #question.text > 100 and question.text:sub(1, 100):gsub("[\128-\255]*$", "") .. "..."
    or question.text
  return false, ("the answer '%s' %s '%s'"):format(said:gsub("%c", " "),
    first and "matches" or "does not match", form.matcher)
end

return {
  name = "ask_model",
  doc = "Asks a language model, and succeeds or fails by whether its answer matches a regular expression.",
  fields = {
    system = { text[1], value = "", doc = "the system prompt, sent once at the start of a conversation" },
    prompt = { "string", doc = "the question of each run" },
    matcher = { "string", value = "failure",
      doc = "a regular expression (PCRE), looked for anywhere in the answer" },
    match_succeeds = { "boolean", value = true, doc = "whether a match means success, or failure" },
    reset = { "boolean", value = true, doc = "start a new conversation in each run; else the last one \z
      continues" },
    tell_state = { "boolean", value = false, doc = "first send which nodes run and which have failed" },
    tell_scene = { "boolean", value = false, doc = "first send who and what is around" },
    timeout = { "number", unit = "s", lower = 0.1, upper = 3600, value = 30,
      doc = "how long an answer may take" },
  },
  needs = "prompt",
  fault = function(form)
    for _, key in ipairs { "system", "prompt" } do
      if #form[key] > 10000 then return ("%s has %d bytes, more than 10000"):format(key, #form[key]) end
    end
    local pattern, why = regex.new(form.matcher)
    return not pattern and "matcher: " .. why or nil
  end,
  owns = function() return {} end,
  seconds = function() return nil end,
  work = function(site, form, memory, fresh)
    if fresh then
      local done, why = begin(site, form, memory)
      if done == false then return false, why end
    end
    if not memory.question:settled() then return nil end
    return judge(form, memory)
  end,
  stop = function(_, _, memory)
    if not memory.question or memory.question.over then return end
    memory.question:drop()
    memory.list[#memory.list] = nil
  end,
  progress = function(_, _, memory) return { text = memory.text or "waits for an answer" } end,
  inherit = { "system", "matcher", "match_succeeds", "timeout" },
}
