--- docs/trees/tutorial-door.md, followed step by step in an empty folder: its files are written, its commands
--- run, and their output is compared with the page.  Numbers may differ a little, as compilers do: a third,
--- or 0.35.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test = harness.test

local folder = harness.files.temporary()
local page = harness.files.read "docs/trees/tutorial-door.md"

--- The page's blocks in order: {file = name, text =}, {statement = name of what is replaced, text =},
--- {commands = true, text =}.
local function steps()
  local list, at = {}, 1
  while true do
    local first, language, text, after = page:match("()```(%w*)\n(.-)```()", at)
    if not first then return list end
    local file = page:sub(1, first - 1):match "`([%w_]+%.lua)`:\n\n$"
    list[#list + 1] = { file = file, text = text, commands = language == "" and text:find "^%$ ",
      statement = not file and language == "lua" and text:match "^([%w_%.]+) = ",
        line = select(2, page:sub(1, first):gsub("\n", "")) }
    at = after
  end
end

--- A text as words and numbers; bars of a timeline and lines below headings are ignored.
local function pieces(text)
  local words, numbers = {}, {}
  for word in text:gsub("[=%-?x]+%f[%s]", " "):gmatch "%S+" do
    local before, number, behind = word:match "^(%D-)(%-?%d+%.?%d*)(%D*)$"
    if number then numbers[#numbers + 1] = tonumber(number) end
    words[#words + 1] = number and before .. "#" .. behind or word
  end
  return table.concat(words, " "), numbers
end

local function alike(t, printed, shown, what)
  local words, numbers = pieces(printed)
  local expected, values = pieces(shown)
  t:check(words == expected, "%s printed:\n%s\nthe page says:\n%s", what, printed, shown)
  for index, value in ipairs(words == expected and values or {}) do
    local off = math.abs(numbers[index] - value)
    t:check(off <= 0.35 or off <= math.abs(value) / 3, "%s: %g, the page says %g, in:\n%s", what,
      numbers[index], value, printed)
  end
end

--- Run the commands of a block, in the folder.
local function run_commands(t, text)
  local count = 0
  for words, shown in (text .. "$ "):gmatch "%f[$]%$ ([^\n]*)\n(.-)%f[$\0]" do
    local command = words:gsub("^brio ", harness.program:gsub("%%", "%%%%") .. " ")
    local pipe = io.popen(("cd %s && %s 2>&1"):format(harness.files.quote(folder), command))
    alike(t, pipe:read "a", shown, words)
    pipe:close()
    count = count + 1
  end
  return count
end

test("every file and command of the tutorial is so", function(t)
  local files, commands, statements = 0, 0, 0
  for _, step in ipairs(steps()) do
    if step.file then
      harness.files.write(folder .. "/" .. step.file, step.text)
      files = files + 1
    elseif step.statement then
      local text = harness.files.read(folder .. "/door.lua")
      local first, last = text:find("\n" .. step.statement:gsub("%.", "%%.") .. " = {.-\n}\n")
      t:check(first, "line %d: door.lua has no %s", step.line, step.statement)
      harness.files.write(folder .. "/door.lua", text:sub(1, first) .. step.text .. text:sub(last + 1))
      statements = statements + 1
    elseif step.commands then
      commands = commands + run_commands(t, step.text)
    end
  end
  t:check(files == 6 and statements == 4 and commands >= 14, "%d files, %d statements, %d commands", files,
    statements, commands)
end)

test("the behavior that ships is what the tutorial comes to", function(t)
  local shipped, knob = harness.files.read "behaviors/door.lua",
    harness.files.read "behaviors/trees/turn_knob.lua"
  local last = {}
  for _, step in ipairs(steps()) do
    if step.file then last[step.file] = step.text end
  end
  t:check(knob:sub(-#last["turn_knob.lua"]) == last["turn_knob.lua"], "turn_knob.lua differs")
  for line in last["door.lua"]:gsub("turn_knob", "trees/turn_knob"):gmatch "[^\n]+" do
    t:check(shipped:find(line:gsub("%-%- .*", ""), 1, true), "behaviors/door.lua has no line\n%s", line)
  end
end)

harness.done()
