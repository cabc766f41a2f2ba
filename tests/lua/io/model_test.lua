--- A language model that trees query: with a stub server that is good, slow, wrong, cut off, or sends without
--- end; and without a server.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
local stub = dofile(here .. "/../../lib/stub.lua")
local model = require "brio.io.language_model"
local store = require "brio.store"

--- An answer of an OpenAI-compatible server, and of Ollama.
local function openai(text, finish)
  return stub.answer(200, store.json { id = "x", object = "chat.completion",
    choices = { { index = 0, message = { role = "assistant", content = text },
      finish_reason = finish or "stop" } } })
end

local function ollama(text, reason)
  return stub.answer(200, store.json { model = "m", message = { role = "assistant", content = text },
    done = true, done_reason = reason or "stop" })
end

--- A run of a tree that may query a server with this handler.
local function run_of(t, handler, tree, options)
  local server = stub.new(handler)
  options = options or {}
  options.model = options.model or { url = server.url, name = "m" }
  options.robot, options.source = "ur3e", [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = { log = {} } }
local function note(word, seconds, result)
  return { "action", name = word, notes = "does " .. word, seconds = seconds, enter = function(self) table.insert(self.memory.log, word) end,
    tick = function(_, elapsed) if elapsed >= seconds then return result ~= false, "no" end end,
    exit = function(self) table.insert(self.memory.log, "/" .. word) end }
end
b.one = { tree = ]] .. tree .. [[, on = { tree_done = "done", tree_failed = function(self, data) self.memory.why = data.why return "failed" end } }
b.done, b.failed = {}, {}
return b
]]
  local run = t:run("source", options)
  return run, server
end

--- Where such a condition leads, and why.
local function outcome(t, answer, fields, options)
  local run, server = run_of(t, type(answer) == "function" and answer or function() return answer end,
    '{ "ask_model", prompt = "Is it open?"' .. (fields or "") .. " }", options)
  run:advance(0.1)
  server:close()
  return run.state, run.memory.why, server, run
end

test("an answer is held against a regular expression", function(t)
  t:equal(outcome(t, openai "Yes, it is open.", ', matcher = "(?i)\\\\byes\\\\b"'), "done")
  local state, why = outcome(t, openai "No\nway.", ', matcher = "(?i)\\\\byes\\\\b"')
  t:equal(state, "failed")
  t:match(why, "the answer 'No way%.' does not match '%(%?i%)\\byes\\b'")
  t:equal(outcome(t, openai "a failure", ", match_succeeds = false"), "failed")
  t:equal(outcome(t, openai "all well", ", match_succeeds = false"), "done")
  t:equal(outcome(t, openai "<think>failure?</think>\nall well", ", match_succeeds = false"), "done",
    "thoughts are no answer")
end)

test("what is sent is what the server's way of speaking has", function(t)
  local fields = ', system = "You are brief.", matcher = "x", tell_state = true, tell_scene = true'
  local _, _, server = outcome(t, openai "x", fields)
  local sent = require("brio.formats.json").json(server.requests[1].body, "sent")
  t:match(server.requests[1].head, "^POST /v1/chat/completions HTTP")
  t:equal({ sent.model, sent.stream, sent.temperature, sent.messages[1] },
    { "m", false, 0, { role = "system", content = "You are brief." } })
  t:equal(sent.messages[2].role, "user")
  t:match(sent.messages[2].content, "^State: one.*\n\nAround the robot.*nothing is seen\n\nIs it open%?$")
  local state = outcome(t, ollama "x", fields, { model = { url = "", api = "ollama", name = "m" } })
  t:equal(state, "failed", "an empty URL is none")
  local handler = stub.new(function() return ollama "x" end)
  state = outcome(t, "", ', matcher = "x"',
    { model = { url = handler.url, api = "ollama", name = "m", tokens = 50 } })
  t:equal(state, "done")
  sent = require("brio.formats.json").json(handler.requests[1].body, "sent")
  t:match(handler.requests[1].head, "^POST /api/chat HTTP")
  t:equal(sent.options, { temperature = 0, num_predict = 50, seed = 1 })
  handler:close()
end)

test("whatever comes instead of an answer is a failure in words", function(t)
  for _, case in ipairs {
    { stub.answer(500, '{"error": {"message": "no memory"}}'), "answers 500: no memory" },
    { stub.answer(404, '{"error": "model m not found"}'), "answers 404: model m not found" },
    { stub.answer(500, "<html>oh\27[31m no"), "answers 500: <html>oh %[31m no" },
    { stub.answer(200, "garbage"), "answers with no JSON" },
    { stub.answer(200, '"text"'), "answers with no JSON" },
    { stub.answer(200, ("["):rep(5000)), "answers with no JSON" },
    { stub.answer(200, '{"choices": []}'), "has no answer in it" },
    { stub.answer(200, '{"choices": [{"message": {"content": 7}}]}'), "has no answer in it" },
    { stub.answer(200, '{"choices": "many"}'), "has no answer in it" },
    { stub.answer(200, '{"error": "overloaded"}'), "answers: overloaded" },
    { openai("yes yes", "length"), "cut off after 400 tokens" },
    { openai(("yes "):rep(20000)), "80000 bytes, more than 65536" },
    { stub.answer(200, '{"choices": [{"message": {"content": "yes \255"}}]}'), "no UTF%-8" },
    { "yes\r\n\r\n", "does not speak HTTP" },
    { 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"choices"', "broke off in the middle" },
    { "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "99999999 bytes, more than" },
    { "HTTP/1.1 200 OK\r\n\r\n" .. ("y"):rep(2 ^ 20 + 1), "more than 1048576 bytes" },
  } do
    local state, why = outcome(t, case[1], ', matcher = "yes"')
    t:equal(state, "failed")
    t:match(why or "", case[2])
  end
  local state, why = outcome(t, function() return { 60000, "" } end, ', matcher = "yes", timeout = 0.2')
  t:equal(state, "failed")
  t:match(why, "the language model took more than 0.2 s")
end)

test("without a model named nothing is asked", function(t)
  local state, why = outcome(t, openai "yes", nil, { model = {} })
  t:equal(state, "failed")
  t:match(why, "no language model is configured: give model = ")
end)

test("on the real clock no tick waits for an answer", function(t)
  local run, server = run_of(t, function() return { 100, openai "yes" } end,
    '{ "parallel", { "ask_model", prompt = "p", matcher = "yes", timeout = 600 }, note("beside", 0.05) }')
  run.run.host.sound.fast = false
  for _ = 1, 100000 do
    run:advance(0.005)
    if run.state ~= "one" then break end
    require("luv").sleep(2)
  end
  server:close()
  t:equal({ run.state, run.memory.log }, { "done", { "beside", "/beside" } })
  t:ok(run.now > 0.05, "it came after %g s, in which the robot went on", run.now)
end)

test("a conversation goes on where a node says so, and begins anew where it does not", function(t)
  local lengths
  for _, reset in ipairs { "true", "false" } do
    lengths = {}
    local run, server = run_of(t, function(request)
      lengths[#lengths + 1] = #require("brio.formats.json").json(request.body, "sent").messages
      return openai "no"
    end, '{ "retry", times = 3, { "ask_model", system = "s", prompt = "p", matcher = "yes", reset = '
      .. reset .. " } }")
    run:advance(0.2)
    server:close()
    t:equal(lengths, reset == "true" and { 2, 2, 2 } or { 2, 4, 6 })
  end
end)

test("a model picks the child that runs, and its name may come in many clothes", function(t)
  local tree = '{ "choose", note("wave", 0.1), note("open the door", 0.1), note("rest", 0.1, false) }'
  for _, case in ipairs { { "CHOICE: open the door", 2 }, { "Well, I think.\nchoice: **Open the Door.**", 2 },
    { '{"choice": "open the door"}', 2 }, { "`wave`", 1 }, { "CHOICE: rest", 3 } } do
    local run, server = run_of(t, function() return openai(case[1]) end, tree)
    run:advance(0.3)
    server:close()
    local name = ({ "wave", "open the door", "rest" })[case[2]]
    t:equal(run.memory.log, { name, "/" .. name }, case[1])
    t:equal(run.state, case[2] == 3 and "failed" or "done")
  end
end)

test("who names nothing of the list is asked again, and then that is the failure", function(t)
  local run, server = run_of(t, function(_, count) return openai(count == 1 and "hm, waving?"
    or "CHOICE: wave") end, '{ "choose", note("wave", 0.1), note("rest", 0.1) }')
  run:advance(0.3)
  server:close()
  t:equal({ run.state, #server.requests }, { "done", 2 })
  t:match(server.requests[2].body, "hm, waving.*Try again")
  for _, case in ipairs { { "hm", "names nothing of the list: 'hm'" },
      { "CHOICE: none", "finds nothing of the list right" } } do
    run, server = run_of(t, function() return openai(case[1]) end, '{ "choose", note("wave", 0.1) }')
    run:advance(0.3)
    server:close()
    t:equal({ run.state, run.memory.log }, { "failed", {} })
    t:match(run.memory.why, case[2])
  end
end)

test("a choice that cannot be asked for again is a failure", function(t)
  local run, server
  run, server = run_of(t, function()
    run.run.host.model.spec.url = nil -- as a reload does that names no model any more
    return openai "hm"
  end, '{ "choose", note("wave", 0.1) }')
  run:advance(0.3)
  server:close()
  t:equal({ run.state, #server.requests }, { "failed", 1 })
  t:match(run.memory.why, "no language model is configured")
end)

test("a correction in plain words leads to another child", function(t)
  local bodies = {}
  local run, server = run_of(t, function(request)
    bodies[#bodies + 1] = request.body
    return openai(request.body:find "rather rest" and "CHOICE: rest" or "CHOICE: wave")
  end, '{ "choose", note("wave", 5), note("rest", 0.1) }', { recorded = true })
  run:advance(0.2)
  t:equal(run.memory.log, { "wave" })
  local correct = require("brio.prompt.words").by_name.correct.run
  t:match(select(2, correct({ run = run.run }, "", { who = "ann" })), "correct what")
  t:match(select(2, correct({ run = run.run }, ("x"):rep(1001), { who = "ann" })), "at most 1000 bytes")
  t:match(correct({ run = run.run }, "you should rather rest", { who = "ann" }),
    "asked again when it chooses")
  run:advance(0.3)
  server:close()
  t:equal(run.memory.log, { "wave", "/wave", "rest", "/rest" })
  t:equal({ run.state, #bodies }, { "done", 2 })
  t:match(bodies[2], "It does 'wave' now")
  t:match(bodies[2], "The operator said.*rather rest")
  run:finish()
  local names = {}
  for _, row in ipairs(run:sql "SELECT name FROM events WHERE name LIKE 'model_%' ORDER BY id") do
    names[#names + 1] = row.name
  end
  t:equal(names, { "model_answered", "model_chose", "model_corrected", "model_answered", "model_chose" })
end)

test("a routine may be chosen, too", function(t)
  local run, server = run_of(t, function() return openai "CHOICE: greet" end,
    '{ "sequence", { "choose", note("wave", 0.1), '
    .. '{ "gosub", to = "greet", notes = "when somebody comes" } }, { "goto", to = "end" }, '
    .. '{ "sequence", name = "greet", note("bow", 0.1) }, { "checkpoint", name = "end" } }')
  run:advance(0.5)
  server:close()
  t:equal({ run.state, run.memory.log }, { "done", { "bow", "/bow" } })
  t:match(server.requests[1].body, "%- greet: when somebody comes")
end)

test("settings that are none are refused", function(t)
  for _, case in ipairs { { { url = "https://x" }, "https is not spoken" },
      { { urrl = "x" }, "did you mean 'url'" },
    { { api = "gpt" }, "api must be one of ollama, openai, not 'gpt'" },
      { { timeout = 0 }, "from 0.1 to 3600" },
      { { name = 3 }, "must be a string" },
    { "x", "must be a table" }, { { "x" }, "without a name" } } do
    t:match(model.fault(case[1]) or "nothing", case[2])
  end
  t:equal(model.fault { url = "http://a:1", api = "ollama", name = "m" }, nil)
  t:equal(model.read "ollama:llama3.2:3b@http://a:1",
    { api = "ollama", name = "llama3.2:3b", url = "http://a:1" })
  t:equal(model.read "http://a:1/x", { url = "http://a:1/x" })
  t:match(select(2, model.read "a:1"), "begins with http")
end)

test("a node that chooses is edited while it runs: what was chosen stays, or is asked for again", function(t)
  local asked = 0
  local run, server = run_of(t, function()
    asked = asked + 1
    return openai(asked == 1 and "CHOICE: wave" or "CHOICE: rest")
  end, '{ "choose", name = "c", note("wave", 5), note("rest", 5) }')
  run:advance(0.1)
  t:equal({ asked, run.memory.log }, { 1, { "wave" } })
  local tree = run.run.host.top.current.tree
  local before = tree.compiled.list[1].values
  local function with(children)
    local values = { "choose", table.unpack(children) }
    for key, value in next, before do if type(key) == "string" then values[key] = value end end
    tree.compiled.list[1].values = values
  end
  with { before[2], { "wait", name = "more" }, before[3] }
  run:advance(0.1)
  t:equal({ asked, run.memory.log }, { 1, { "wave" } }, "it is still there")
  with { before[3], before[3] }
  run:advance(0.1)
  server:close()
  t:equal(asked, 2, "it is gone: asked again")
end)
