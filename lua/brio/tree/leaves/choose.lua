--- The node `choose`: a language model selects which of its children runs, and people correct it in plain
--- words. The core's kind of that name calls it in every tick: a number is the child that runs from now on.
local document = require "brio.formats.json"
local telling = require "brio.tree.execution.situation_text"

local rules = "You choose what a robot does next. You are told what is around it, what it does, and a list \z
  of what it can do.\n\z
  Answer with one line, and nothing else: CHOICE: and one name of the list, as it is written there. If \z
  nothing of it is right,\n\z
  answer CHOICE: none. What the operator says counts more than anything else."

--- Name of a child, and its description.
local function children_of(form)
  local list = {}
  local from = form.children or form
  for index = type(from[1]) == "string" and 2 or 1, #from do
    local child = from[index]
    local name = child.name or child.to or child.sequence or child.kind or child[1]
    list[#list + 1] = { name = tostring(name), id = child.id,
      notes = type(child.notes) == "string" and child.notes or nil }
  end
  return list
end

--- The corrections for a node, as lines.
local function corrections(site)
  local lines = {}
  for _, row in ipairs(site.host.model.corrections) do lines[#lines + 1] = "- " .. row.text end
  return #lines > 0 and "\n\nThe operator said, the last counts most:\n" .. table.concat(lines, "\n") or ""
end

--- The question for the model.
local function question_of(site, form, memory)
  local lines = {}
  for index, child in ipairs(memory.children) do
    lines[index] = ("- %s%s"):format(child.name, child.notes and ": " .. child.notes:gsub("%c", " ") or "")
  end
  local now = memory.chosen and ("\n\nIt does '%s' now."):format(memory.children[memory.chosen].name) or ""
  return ("%s\n\n%s\n\nIt can do:\n%s%s%s\n\n%s"):format(telling.state(site), telling.scene(site),
    table.concat(lines, "\n"), now, corrections(site), form.prompt)
end

local function ask(site, form, memory)
  local system = form.system ~= "" and form.system .. "\n\n" .. rules or rules
  local messages = { { role = "system", content = system },
    { role = "user", content = question_of(site, form, memory) } }
  if memory.wrong then
    messages[3] = { role = "assistant", content = memory.wrong }
    messages[4] = { role = "user", content = "That is no line of the form CHOICE: NAME with a name of the \z
      list. Try again." }
  end
  memory.told = site.host.model.told
  local why
  memory.question, why = site.host.model:ask { messages = messages, timeout = form.timeout,
    name = form.name or "choose" }
  return memory.question, why
end

--- An edit has changed the node while it runs: find the selected child among the present ones. Return
--- whether it exists.
local function take(form, memory)
  local was = memory.chosen and memory.children[memory.chosen]
  memory.form, memory.children, memory.chosen = form, children_of(form), nil
  for index, child in ipairs(memory.children) do
    local same = was and (was.id and child.id == was.id or not was.id and child.name == was.name)
    if same then memory.chosen = index end
  end
  return not was or memory.chosen ~= nil
end

local function plain(name)
  return (name:lower():gsub("^[%s\"'`*.]+", ""):gsub("[%s\"'`*.]+$", ""):gsub("%s+", " "))
end

--- The name in an answer: its line, its JSON, or all of it.
local function name_in(text)
  local line
  for found in ("\n" .. text):gmatch "\n[%s*`]*[Cc][Hh][Oo][Ii][Cc][Ee][%s*]*:([^\n]*)" do line = found end
  if line then return plain(line) end
  local good, value = pcall(document.json, text:match "{.*}" or "", "the answer")
  if good and type(value) == "table" and type(value.choice) == "string" then return plain(value.choice) end
  return plain(text)
end

--- The child that an answer names: its number, 0 for none of them, or nil.
local function child_in(text, children)
  local name = name_in(text)
  if name == "none" then return 0 end
  for index, child in ipairs(children) do
    if plain(child.name) == name then return index end
  end
end

--- Result of an answer: a child's number, nil to continue, or false and the reason.
local function judge(site, form, memory)
  local question = memory.question
  memory.question = nil
  if question.error then
    if memory.chosen then -- the running child continues: the answer is only reported as wrong
      site.host.say("warning", ("'%s' cannot ask again: %s"):format(form.name or "choose", question.error))
      return nil
    end
    return false, question.error
  end
  local child = child_in(question.text, memory.children)
  if child == nil then
    memory.tries = memory.tries + 1
    memory.wrong = question.text:sub(1, 500):gsub("[\128-\255]*$", "")
    if memory.tries < form.tries then
      local asked, why = ask(site, form, memory)
      if asked or memory.chosen then return nil end
      return false, why
    end
    local said = memory.wrong:sub(1, 80):gsub("[\128-\255]*$", ""):gsub("%c", " ")
    if memory.chosen then return nil end
    return false, ("the language model names nothing of the list: '%s'"):format(said)
  end
  memory.tries, memory.wrong = 0, nil
  if child == 0 then return false, "the language model finds nothing of the list right" end
  if child ~= memory.chosen then
    memory.chosen = child
    site.host:emit("model_chose", { name = form.name or "choose", choice = memory.children[child].name },
      "model", memory.children[child].name)
  end
  return child
end

local function fault_of(form)
  local children, seen = children_of(form), {}
  if #children == 0 then return "has no children to choose from" end
  for _, child in ipairs(children) do
    local name = plain(child.name)
    if name == "none" then
      return "no child can be called 'none': that is a model's answer if nothing fits"
    end
    if seen[name] then
      return ("two children are called '%s': a model could not distinguish them"):format(child.name)
    end
    seen[name] = true
  end
  for _, key in ipairs { "system", "prompt" } do
    if #form[key] > 10000 then return ("%s has %d bytes, more than 10000"):format(key, #form[key]) end
  end
end

return {
  name = "choose",
  doc = "Does the one of its children that a language model picks; people may correct it in plain words \z
    while it runs.",
  fields = {
    prompt = { "string", value = "What should the robot do now?", doc = "the question" },
    system = { "string", value = "", doc = "text for the model before the rules of choosing" },
    timeout = { "number", unit = "s", lower = 0.1, upper = 3600, value = 30,
      doc = "how long an answer may take" },
    tries = { "whole", lower = 1, upper = 10, value = 2,
      doc = "number of requests if it names nothing of the list" },
  },
  fault = fault_of,
  work = function(site, form, memory, fresh)
    local gone = memory.form ~= form and not take(form, memory)
    if fresh or gone or not memory.question and site.host.model.told > memory.told then
      memory.tries = 0
      local asked, why = ask(site, form, memory)
      if not asked and not memory.chosen then return false, why end
      if not asked then
        site.host.say("warning", ("'%s' cannot ask again: %s"):format(form.name or "choose", why))
      end
    end
    if not memory.question or not memory.question:settled() then return nil end
    return judge(site, form, memory)
  end,
  stop = function(_, _, memory)
    if memory.question and not memory.question.over then memory.question:drop() end
  end,
  progress = function(_, _, memory)
    local chosen = memory.chosen and memory.children[memory.chosen].name
    return { text = memory.question and "waits for an answer" or chosen and "chose " .. chosen }
  end,
  inherit = { "system", "timeout" },
}
