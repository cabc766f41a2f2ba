--- Key mode, and questions before action: for words typed in key mode, and pastes of several lines.
--- Functions of the prompt at a terminal, which is `self` (see terminal.lua).
local answers = require "brio.terminal.attach.answers"
local binding = require "brio.terminal.attach.binding"
local burst = require "brio.terminal.attach.burst"

local keymode = {}

--- Maximum number of lines in a question; pause without another letter after which `y` counts, s.
local most_shown, pause = 5, 0.5

--- Number of line ends in one block that count as a paste without markers.
keymode.least_ends = 6

-- Questions -----------------------------------------------------------------------------------------------

--- Ask before lines are sent.  `question`: {lines, back (the mode afterwards), rest (the input line
--- afterwards), raw (more of it may come)}.
local function ask(self, question)
  self.question, self.mode = question, "ask"
  for index, line in ipairs(question.lines) do
    if index > most_shown then break end
    self:print("  " .. line, "dim")
  end
  local more = #question.lines - most_shown
  if more > 0 then self:print(("  ... and %d more"):format(more), "dim") end
  self:draw()
end

--- Text before the cursor during a question.
function keymode.prompt(self)
  local count = #self.question.lines
  return count == 1 and "say this line? y or n> " or ("run these %d lines? y or n> "):format(count)
end

--- The answer is no: do nothing.
local function refuse(self)
  self.mode, self.question = self.question.back, nil
  self:print "(taken back: nothing of it was done)"
  self:draw()
end

--- The answer is yes: send the lines.
local function accept(self)
  local question = self.question
  self.mode, self.question = question.back, nil
  if question.rest then
    self.edit:take()
    self.edit:set(question.rest)
  end
  for _, line in ipairs(question.lines) do
    self.remember(line)
    self.lines:add(line)
  end
  self:draw()
end

local answered = { n = refuse, escape = refuse, ["ctrl-c"] = refuse, P = function(self) self:panic "P" end,
  ["ctrl-d"] = function(self) self:leave() end }

--- A key during a question.
function keymode.ask(self, name, text)
  local question, now = self.question, self.device:seconds()
  local alone = not self.together and not (question.last and now - question.last < pause)
  if text ~= "" then question.spelled = ((question.spelled or "") .. text):sub(-20) end
  local spelled = (question.spelled or ""):match "%S*$"
  if name == "enter" and answers.is_panic(spelled) then return self:panic "Enter" end
  if name == "y" and alone then return accept(self) end
  if answered[name] and (alone or text == "" or name == "P") then return answered[name](self) end
  question.last = now
  self:bell()
end

-- Pasting -------------------------------------------------------------------------------------------------

--- The lines of a pasted text, without control characters, and the text after the last line end.
local function lines_of(text)
  local list = {}
  text = text:gsub("\r\n?", "\n"):gsub("\t", " ")
  for line in text:gmatch "([^\n]*)\n" do
    line = line:gsub("[%c\127]", "")
    if line:find "%S" then list[#list + 1] = line end
  end
  return list, (text:match "[^\n]*$":gsub("[%c\127]", ""))
end

--- Paste of a text: one line is put into the input line; several need a confirmation.
function keymode.paste(self, text)
  local list, rest = lines_of(text)
  if #list == 0 or #list == 1 and rest == "" then
    if not self.edit:insert(list[1] or rest) then self:bell() end
    return self:draw()
  end
  local typed, cursor = self.edit.text, self.edit.cursor
  list[1] = typed:sub(1, cursor) .. list[1]
  ask(self, { lines = list, rest = rest .. typed:sub(cursor + 1), back = "type", raw = text })
end

--- The text of keys that came in one block and are a paste without markers; nil: they are keys.
function keymode.pasted(self, keys)
  local parts, ends = {}, 0
  for index, key in ipairs(keys) do
    local name, text = key[1], key[2]
    local ending = name == "enter" or name == "tab"
    if name == "paste" or name == "rest" or text == "" and not ending then return nil end
    parts[index] = name == "enter" and "\n" or name == "tab" and " " or text
    ends = ends + (name == "enter" and 1 or 0)
  end
  local more = self.mode == "ask" and self.question.raw and #keys > 1
  local least = self.keys.cut and 1 or keymode.least_ends -- the rest of a paste whose end is missing
  return (more or self.mode == "type" and #keys > 1 and ends >= least) and table.concat(parts) or nil
end

--- A paste without markers, or more of one.  A panic stop in it is sent at once.
function keymode.take_paste(self, text)
  self:hear_panic(text)
  if self.mode ~= "ask" then return keymode.paste(self, text) end
  local question = self.question
  question.raw = question.raw .. text
  question.lines, question.rest = lines_of(question.raw)
  self:draw()
end

-- Keys ----------------------------------------------------------------------------------------------------

--- Switch from typing to key mode.
function keymode.begin(self)
  self.mode, self.burst = "keys", burst.new()
  self:draw()
end

--- Switch back to typing.
local function type_again(self)
  self.mode = "type"
  self:draw()
end

--- The desk's own keys.  Each returns the line that it has sent, if any.
local own = { escape = type_again, [":"] = type_again }

own["ctrl-c"] = function(self)
  self.lines:cancel()
  type_again(self)
end

own["/"] = function(self) self:open_palette() end
own["ctrl-o"] = own["/"]
own["?"] = function(self) self:print(binding.list(self.view)) end
own["ctrl-d"] = function(self) self:leave() end
own["ctrl-l"] = function(self)
  self.footer:clear()
  self:draw()
end
function own.P(self) self:panic "P" end

--- Send a line for a key; return it.
local function act(self, line, key)
  self:act(line, key)
  return line
end

function own.enter(self)
  local line = binding.expected(self.view)
  if line then return act(self, line, "Enter") end
  self:bell()
end

function own.space(self)
  if self.view and self.view.session then return act(self, "step next", "Space") end
  self:bell()
end

--- Execute the action of a key.  Return the line that was sent for it.
local function press(self, name)
  if own[name] then return own[name](self) end
  local bound = binding.find(self.view, name)
  if bound then return act(self, bound[2], name) end
  self:bell()
end

--- Keys that waited for a word act, as none came.
function keymode.let_go(self)
  self.spelling:stop()
  if not self.burst then return end
  for _, one in ipairs(self.burst:take()) do
    if self.mode == "keys" then press(self, one.name) end
  end
end

-- Words in key mode ---------------------------------------------------------------------------------------

--- Undo the action of a letter that belongs to a word.
local function take_back(self, line)
  self:act(line == "step next" and "step back" or "undo " .. line, "taken back")
end

--- A word is typed in key mode: none of its letters acts, and a question follows.
local function begin_word(self, word, acted)
  self.spelling:stop()
  self.mode = "word"
  self.edit:set(word)
  self:print("a word, typed where keys act: it waits (Enter asks whether to say it, Esc drops it)", "warn")
  for _, one in ipairs(acted) do
    if one.line then take_back(self, one.line) end
  end
  self:draw()
end

--- A key after the beginning of a word.
function keymode.word(self, name, text)
  if name == "enter" then
    local line = self.edit:take()
    self.mode = "keys"
    if answers.is_panic(line) then
      self:panic "Enter"
      return self:draw()
    end
    if line:find "%S" then return ask(self, { lines = { line }, back = "keys" }) end
  elseif name == "escape" or name == "ctrl-c" then
    self.edit:take()
    self.mode = "keys"
    self:print "(taken back: nothing of it was done)"
  elseif name == "ctrl-d" then
    return self:leave()
  else
    self.edit:key(name, text)
  end
  self:draw()
end

--- Whether a line end follows letters as quickly as in a word.
local function ends_word(self)
  local letters = self.burst.letters
  local last = letters[#letters]
  return #letters >= burst.different and not last.acts and self.device:seconds() - last.now <= burst.gap
end

--- A key in key mode.
function keymode.keys(self, name, text)
  self.burst = self.burst or burst.new()
  if name == "P" then return own.P(self) end
  if name == "enter" and self.burst:has_spelled "panic" then return self:panic "Enter" end
  if name == "enter" and ends_word(self) then
    local word, acted = self.burst:all()
    begin_word(self, word, acted)
    return keymode.word(self, name, text)
  end
  local letter = own[name] and name ~= "space" and "" or text
  local what, word, acted = self.burst:key(name, letter, self.device:seconds(), self.together)
  if what == "word" then return begin_word(self, word, acted) end
  if what == "wait" then
    self.spelling:stop()
    return self.spelling:start(math.ceil(burst.gap * 1000), 0, function() keymode.let_go(self) end)
  end
  if letter == "" then keymode.let_go(self) end
  local line = press(self, name)
  self.burst:did(line)
end

return keymode
