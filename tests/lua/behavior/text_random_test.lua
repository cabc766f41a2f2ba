--- Random edits of every behavior, tree, sequence, session script and study that ships, and of every Lua
--- example in the docs: 10,000 under `make soak`, a sample under `make test`.  Each result is accepted by the
--- loader or refused with a reason, none loses text, and undo brings back the same bytes.
local check = require "brio.commands.check"
local disk = require "brio.file"
local diff = require "brio.lib.diff"
local document = require "brio.behavior.text.document"
local editor = require "brio.behavior.text.editor"
local history = require "brio.behavior.text.history"
local outline = require "brio.outline"
local random = require "brio.random"
local tokens = require "brio.behavior.text.tokens"

--- The texts: list of {name, text, path}; `path`: of a file that the loader can check.
local function texts_of(t)
  local list = {}
  for _, folder in ipairs { "behaviors", "behaviors/trees", "behaviors/studies", "behaviors/rigs" } do
    for _, name in ipairs(disk.list(folder)) do
      local path = folder .. "/" .. name
      if name:find "%.lua$" then
        list[#list + 1] = { name = path, text = assert(disk.read(path)), path = path }
      end
    end
  end
  for _, folder in ipairs(disk.list "docs") do
    for _, name in ipairs(disk.list("docs/" .. folder) or {}) do
      local page = name:find "%.md$" and disk.read("docs/" .. folder .. "/" .. name) or ""
      for block in page:gmatch "\n```lua\n(.-)\n```" do
        list[#list + 1] = { name = ("docs/%s/%s"):format(folder, name), text = block .. "\n" }
      end
    end
  end
  t:ok(#list > 150, #list)
  return list
end

--- The parts of a text, and the places for something new.
local function parts_of(text)
  local made, list = outline.of(text), {}
  if not made then return list end -- an excerpt of a page
  local function visit(node)
    list[#list + 1] = node
    for _, part in ipairs(node.parts or {}) do visit(part) end
  end
  for _, node in ipairs(made.parts) do visit(node) end
  for _, row in ipairs(made.locals) do list[#list + 1] = { path = "local." .. row.name, kind = "local" } end
  return list, made
end

local values = { "0.25", "-3", '"idle"', "true", "nil", "{}", "{ 1, 2, 3 }", "function(self) end",
  "want.joint_limits {}", "{\n  wants = {},\n}", "1 +", "x y", "" }

--- A random whole number.
local function whole(stream, lower, upper)
  return lower + stream:whole(upper - lower + 1) - 1
end

--- A random operation on a part.
local function operation(stream, parts, made)
  local part = parts[whole(stream, 1, #parts)]
  local verbs = { "set", "set", "add", "remove", "move", "rename", "wrap", "lead" }
  local op = { op = verbs[whole(stream, 1, #verbs)], path = part.path, at = whole(stream, 0, 3) }
  op.value = values[whole(stream, 1, #values)]
  if op.op ~= "add" or op.at == 0 then op.at = nil end
  if op.op == "set" and stream:uniform(0, 1) < 0.2 then op.path = op.path .. ".blend" end
  if op.op == "set" and part.kind == "number" then op.value = ("%g"):format(stream:uniform(-2, 2)) end
  op.to = op.op == "move" and whole(stream, 1, 4)
    or ({ "renamed", "idle", "at-rest", "end", "x y" })[whole(stream, 1, 5)]
  op.leads, op.over = stream:uniform(0, 1) < 0.5, stream:uniform(0, 1) < 0.2
  if op.op == "wrap" and stream:uniform(0, 1) < 0.5 then op.with = "tostring" end
  if op.op == "lead" then
    local states = made.chart and made.chart.states or {}
    if #states > 0 then
      op.path, op.to = states[whole(stream, 1, #states)].path, states[whole(stream, 1, #states)].name
    end
    op.kind = ({ "on", "after", "when" })[whole(stream, 1, 3)]
    op.trigger = ({ on = "touched", after = "2.5", when = "function(self) return false end" })[op.kind]
  end
  return op
end

--- The tokens of a text without separators, which edits may add and remove, and its comments.
local function words_of(text)
  local list, words = assert(tokens.of(text)), {}
  for _, token in ipairs(list) do
    if token.text ~= "," and token.text ~= ";" then words[#words + 1] = token.text end
  end
  local _, comments = tokens.of(text)
  for index, one in ipairs(comments) do comments[index] = text:sub(one.from, one.to) end
  return words, comments
end

--- Items that are in `a` and not in `b`, as often as they are missing.
local function lost(a, b)
  local count, list = {}, {}
  for _, item in ipairs(b) do count[item] = (count[item] or 0) + 1 end
  for _, item in ipairs(a) do
    count[item] = (count[item] or 0) - 1
    if count[item] < 0 then list[#list + 1] = item end
  end
  return list
end

local function lines_of(text)
  local lines = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  return lines
end

--- What must hold of an operation's result.
local checks = {}

function checks.add(_, plan) return #lost(words_of(plan.before), (words_of(plan.after))) == 0 end
checks.lead, checks.wrap = checks.add, checks.add

function checks.move(_, plan)
  local before, after = words_of(plan.before), words_of(plan.after)
  return #lost(before, after) == 0 and #lost(after, before) == 0
end

--- A number in place of a number is a difference of one line.
function checks.set(_, plan, part)
  if part.kind ~= "number" then return true end
  local changes = diff.changes(lines_of(plan.before), lines_of(plan.after))
  return #changes == 0 or #changes == 1 and changes[1].first == changes[1].last
    and changes[1].from == changes[1].to
end

function checks.remove(_, plan) return #lost((words_of(plan.after)), (words_of(plan.before))) == 0 end
function checks.rename(_, plan) return #plan.before > 0 end

--- Comments may be lost only with the part that they describe.
local function comments_are_kept(op, plan)
  local _, before = words_of(plan.before)
  local _, after = words_of(plan.after)
  if op.op ~= "remove" then return #lost(before, after) == 0 end
  local removed = {}
  local lines = lines_of(plan.before)
  for _, change in ipairs(diff.changes(lines, lines_of(plan.after))) do
    removed[#removed + 1] = table.concat(lines, "\n", change.first, change.last)
  end
  local text = table.concat(removed, "\n")
  for _, comment in ipairs(lost(before, after)) do
    if not text:find(comment, 1, true) then return false end
  end
  return true
end

--- Errors that the loader finds in a text in place of a file's.
local function faults_of(one, text)
  one.faults = one.faults or {}
  if not one.faults[text] then one.faults[text] = check.faults(one.path, { given = text }) or {} end
  return one.faults[text]
end

--- One edit of a text: "refused", "made", or a sentence about what is wrong.
local function edit(one, op, part, kept)
  local plan, why = editor.plan(one.text, { who = "ann", op = op }, kept)
  if not plan then
    return type(why.error) == "string" and #why.error > 8 and "refused" or "refused without a reason"
  end
  if not document.open(plan.after) then return "the result is no Lua" end
  if op.op ~= "set" and not checks[op.op](op, plan) or op.op == "set" and not checks.set(op, plan, part) then
    return "text is lost, or too much is changed"
  end
  if not comments_are_kept(op, plan) then return "a comment is lost" end
  editor.written(plan, "ann", kept)
  local back = editor.plan(plan.after, { who = "ann", undo = true }, kept)
  if not back or back.after ~= plan.before then return "undo does not bring back the bytes" end
  return "made", plan
end

--- The loader accepts a result, or refuses it with a sentence.
local function ask_loader(t, one, op, plan)
  local good, faults = pcall(faults_of, one, plan.after)
  t:ok(good and type(faults) == "table",
    ("%s: %s: the loader: %s"):format(one.name, op.path, tostring(faults)))
  local why = good and editor.refusal(faults_of(one, one.text), faults)
  t:ok(not why or #why > 10, why)
  one.faults = { [one.text] = one.faults and one.faults[one.text] }
end

test("random edits are accepted by the loader or refused, lose nothing, and are undone", function(t)
  local list, stream, made, refused = texts_of(t), random.stream(7, "edits"), 0, 0
  local total, judged, number = t:long() and 10000 or 60, 0, 0
  while made + refused < total do
    local at = number % #list + 1
    local one, parts, described = list[at], parts_of(list[at].text)
    if #parts == 0 then
      table.remove(list, at) -- an excerpt, a test: nothing of it can be edited
    else
      number = number + 1
      local op, part = operation(stream, parts, described), {}
      for _, other in ipairs(parts) do if other.path == op.path then part = other end end
      local result, plan = edit(one, op, part, history.new())
      if plan then made = made + 1 else refused = refused + 1 end
      t:ok(plan or result == "refused",
        ("%s: %s: %s"):format(one.name, require("brio.store").json(op), result))
      -- The loader takes longer than all else: make test asks it about one.
      if plan and one.path and (t:long() or judged < 1) then
        judged = judged + 1
        ask_loader(t, one, op, plan)
      end
    end
  end
  print(("# %d edits made, %d refused, %d asked of the loader"):format(made, refused, judged))
  t:ok(made > total / 10 and refused > total / 10, ("%d made, %d refused"):format(made, refused))
end)
