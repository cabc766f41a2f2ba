--- Detects words that are typed in key mode.  A single key acts at once.  A letter soon after another one
--- waits a moment: if a third comes as soon, a word is being typed, and none of the waiting ones acts.
--- Letters in one block never act.
local burst = {}
local Burst = {}
Burst.__index = Burst

--- Maximum interval between letters of a word, s; minimum length of a word, and minimum number of different
--- letters in it.
burst.gap, burst.least, burst.different = 0.3, 3, 2

--- Maximum length of the text of consecutive keys that is kept, bytes.
local longest = 200

--- A detector without any letters.
function burst.new() return setmetatable({ letters = {}, spelled = "" }, Burst) end

--- Whether a key may be a letter of a word: a character other than a digit.
local function is_letter(name, text) return text ~= "" and name ~= "paste" and not text:match "^%d$" end

--- Whether letters make a word.
local function is_word(letters)
  local known, count, some = {}, 0, false
  for _, one in ipairs(letters) do
    if not known[one.text] then count = count + 1 end
    known[one.text], some = true, some or one.text:match "^[%a\128-\255]" ~= nil
  end
  return #letters >= burst.least and count >= burst.different and some
end

--- Reset.  Return the letters that had not acted.
function Burst:take()
  local held = {}
  for _, one in ipairs(self.letters) do
    if not one.acts then held[#held + 1] = one end
  end
  self.letters = {}
  return held
end

--- A key came at `now` (s); `together`: others came with it.  Return "act" (it acts now), "wait" (it may act
--- later), or "word" with the word's text and the letters that have acted.
function Burst:key(name, text, now, together)
  if not is_letter(name, text) then
    self.spelled = name == "backspace" and "" or self.spelled
    return "act"
  end
  self.spelled = (self.spelled .. text):sub(-longest)
  local letters = self.letters
  if #letters > 0 and now - letters[#letters].now > burst.gap and letters[#letters].acts then
    letters = {}
    self.letters = letters
  end
  local again = #letters > 0 and letters[#letters].text == text and letters[#letters].acts
  local acts = not together and (#letters == 0 or again)
  letters[#letters + 1] = { name = name, text = text, now = now, acts = acts }
  if not is_word(letters) then return acts and "act" or "wait" end
  return "word", self:all()
end

--- Reset, and return the text of the letters of the word, and those that have acted.
function Burst:all()
  local parts, acted = {}, {}
  for index, one in ipairs(self.letters) do
    parts[index] = one.text
    if one.acts then acted[#acted + 1] = one end
  end
  self.letters, self.spelled = {}, ""
  return table.concat(parts), acted
end

--- The last letter has sent a line (nil: none).
function Burst:did(line)
  local last = self.letters[#self.letters]
  if last and last.acts then last.line = last.line or line end
end

--- Whether the last word was spelled key by key.
function Burst:has_spelled(word) return self.spelled:match "(%S*)%s*$" == word end

return burst
