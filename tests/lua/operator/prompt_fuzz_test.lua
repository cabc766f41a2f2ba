--- Every word of the prompt with nonsense arguments: each gets an answer in words, and the run goes on. With
--- BRIO_TEST_SCALE there are more of them, drawn at random.
local operators = require "brio.operator.desk.operators"
local random = require "brio.random"
local words = require "brio.prompt.words"

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "calm", tune = { near = brio.param(1.2, "m", 0.5, 3) },
  character = { gaze = true, emotion = true, idle = true, speech = true },
  sequences = { nod = { tracks = { HeadPitch = { { 0, 0 }, { 0.3, 0.2 }, { 0.6, 0 } } } } } }
made.calm = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0 } }, on = { go = "other" } }
made.other = { tree = { "sequence", { "wait", name = "first", seconds = 0.1 }, { "wait", name = "second", seconds = 5 } }, after = { 5, "calm" } }
return made
]]

--- Pieces of arguments: names of existing things, numbers of every kind, code, escapes and bytes.
local pieces = { "", "head", "HeadYaw", "calm", "nod", "near", "all", "off", "on", "at", "to", "by", "in",
  "free", "away", "json", "reload",
  "0", "-1", "1e308", "nan", "-inf", "0x7fffffffffffffff", "99999999999999999999", "1e-320", "{}", "{1,2,3}",
    "{ x = 0/0 }",
  "{{{{{{{{{{}}}}}}}}}}", "nil", "true", "'", '"', "[[", "]]", "%s%n%d", "'; DROP TABLE operator; --",
    "../../nowhere/x", "/nowhere/at/all",
  "\27[2J", "\0", "\255\254", ("x"):rep(5000), "(function() while true do end end)()", "error()", "error{}",
    "setmetatable({}, {})",
  "coroutine.yield()", "name", "move", "#1", "#99", "link=Head", "first", "second", "=", "=1", "|", "$(id)",
    "{wave}", "\n", "\r" }

--- Words that end the run, or wait for another program.
local apart = { stop = true, quit = true, rollback = true, reload = true, session = true, desk = true,
  preview = true }

test("every word answers whatever stands behind it", function(t)
  local handle = t:run("none", { source = behavior, recorded = true,
    operators = assert(operators.read("", "nobody")) })
  local run, stream, said, refused = handle.run, random.stream(7, "fuzz"), 0, 0
  handle:advance(0.1)
  local roles = { "observer", "wizard", "author" }
  local function say(word, arguments)
    local line = word.name .. " " .. arguments
    local reply = run.prompt:perform { kind = "say", client = 1, id = said, who = "somebody",
      device = "prompt", role = roles[said % 3 + 1], received = 0, text = line }
    said = said + 1
    local answer = reply.text or reply.error or reply.more or reply.sql or reply.tree or reply.sync
    t:ok(answer ~= nil, "%s: no answer", line:sub(1, 200))
    if reply.error then
      refused = refused + 1
      t:ok(not tostring(reply.error):find "stack traceback", "%s: %s", line:sub(1, 200), reply.error)
    end
  end
  local rounds = math.max(1, (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) // 1)
  for _, word in ipairs(words.list) do
    if not apart[word.name] then
      for index = 1, 4 * rounds do
        local list = {}
        for place = 1, stream:whole(4) do list[place] = pieces[stream:whole(#pieces)] end
        say(word, table.concat(list, index % 2 == 0 and " " or ""))
      end
      handle:advance(0.02)
      local hold = run.host.held_since and run.host:go_on()
      t:ok(not run.host.halted, "%s: the behavior goes on: %s (%s)", word.name, tostring(run.host.failed),
        tostring(hold))
    end
  end
  t:ok(said > 200 and refused > 50, "%d said, %d refused", said, refused)
  handle:advance(0.2)
  t:equal(run.host.operators.broken, nil, "what people do is followed still")
  t:equal(handle:finish(), "finished")
end)
