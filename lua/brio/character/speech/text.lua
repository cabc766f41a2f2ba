--- Parses a text for speech: clean text, words, and the marks between them.
---
---     "Hello {wave} there, {smile 0.5}what a *lovely* day! {pause 0.5} Good bye."
---
--- {NAME VALUE} is a mark: an event of that name is emitted when the word after it begins. {pause SECONDS} is
--- silence, {play NAME} plays a sequence; *word* is emphasized; {{ is a brace. A text is processed piece by
--- piece, about a sentence each, so that the work in a tick does not depend on its length.
local text = {}

--- Maximum length of a text, bytes; maximum number of words in a piece, and of bytes in a word.
text.most, text.most_words, text.longest_word = 2 ^ 18, 40, 96

--- Maximum duration of a pause mark, s.
text.longest_pause = 60

--- Ends of clauses or sentences in scripts without spaces after them.
local wide_marks = { ["。"] = ". ", ["！"] = "! ", ["？"] = "? ", ["，"] = ", ", ["、"] = ", ", ["；"] = "; ",
  ["："] = ": ", ["।"] = ". ", ["؟"] = "? ", ["،"] = ", ", ["…"] = "... " }

--- The same text as valid UTF-8 without control characters: others become a space.
function text.clean(said)
  local parts, from = {}, 1
  while true do
    local count, bad = utf8.len(said, from)
    if count then break end
    parts[#parts + 1] = said:sub(from, bad - 1)
    parts[#parts + 1] = " "
    from = bad + 1
    if #parts > 4096 then -- not UTF-8: the rest is treated as ASCII
      parts[#parts + 1] = said:sub(from):gsub("[\128-\255]+", " ")
      from = #said + 1
    end
  end
  parts[#parts + 1] = said:sub(from)
  local whole = table.concat(parts)
  whole = whole:gsub("\194[\128-\159]", " "):gsub("%c", " "):gsub("\239\187\191", "")
  return (whole:gsub("[\216\217\224\226\227\239][\128-\191][\128-\191]?", wide_marks))
end

-- Marks --------------------------------------------------------------------------------------------

--- Marks with a value: the error in it, or nil.
local own_marks = {}

function own_marks.pause(value)
  local good = type(value) == "number" and value >= 0 and value <= text.longest_pause
  return not good and ("{pause} needs seconds, from 0 to %g, as in {pause 0.5}"):format(text.longest_pause)
    or nil
end

function own_marks.play(value)
  return type(value) ~= "string" and "{play} needs the name of a sequence, as in {play nod}" or nil
end

--- Parse the text between a mark's braces: {name =, value =}, or nil and a sentence.
local function mark_of(inside)
  local name, rest = inside:match "^%s*([%a_][%w_]*)%s*(.-)%s*$"
  if not name or rest ~= "" and not inside:match "^%s*[%w_]+%s" then
    return nil, ("{%s} is no mark: a name was expected, and perhaps a value, as in {smile 0.5}; {{ is \z
      a brace")
      :format(#inside > 40 and inside:sub(1, 40) .. "..." or inside)
  end
  local number = tonumber(rest)
  if number and number - number ~= 0 then number = nil end
  local value = number or rest ~= "" and rest or nil
  local fault = own_marks[name] and own_marks[name](value)
  if fault then return nil, fault end
  return { name = name, value = value }
end

--- The error in a text: a sentence, or nil. `plain`: braces and asterisks have no meaning.
function text.fault(said, plain)
  if type(said) ~= "string" then return "a text was expected, not a " .. type(said) end
  if #said > text.most then return ("a text of %d bytes is too long: at most %d"):format(#said, text.most) end
  if plain then return nil end
  said = text.clean(said) -- as the reader takes it: a value of control characters is none
  local at = 1
  while true do
    local open = said:find("{", at, true)
    if not open then return nil end
    if said:sub(open + 1, open + 1) == "{" then
      at = open + 2
    else
      local close = said:find("}", open, true)
      if not close then return ("the { at byte %d has no }; {{ is a brace"):format(open) end
      local mark, why = mark_of(said:sub(open + 1, close - 1))
      if not mark then return why end
      at = close + 1
    end
  end
end

-- Pieces -------------------------------------------------------------------------------------------

--- A reader of a valid text: see text.next.
function text.reader(said, plain) return { text = text.clean(said), at = 1, plain = plain } end

--- The end of the run of letters at the beginning of a text: at a space or a mark.
local function run_length(ahead, plain)
  if plain then return (select(2, ahead:find "^%S+")) end
  local to = 0
  while true do -- a brace that is written twice is one of the word's letters
    to = select(2, ahead:find("^[^%s{]+", to + 1)) or to
    if ahead:sub(to + 1, to + 2) ~= "{{" then return to end
    to = to + 2
  end
end

--- The run of letters at the reader's position, limited to the length of a word.
local function run_at(reader)
  local ahead = reader.text:sub(reader.at, reader.at + text.longest_word)
  local to = run_length(ahead, reader.plain)
  if to > text.longest_word then to = text.longest_word end
  while (ahead:byte(to + 1) or 0) & 0xC0 == 0x80 do to = to - 1 end
  local _, braces = ahead:sub(1, to):gsub("{", "")
  if not reader.plain and braces % 2 == 1 then to = to - 1 end -- a brace that is written twice stays whole
  reader.at = reader.at + math.max(to, 1)
  local run = ahead:sub(1, math.max(to, 1))
  return reader.plain and run or (run:gsub("{{", "{"))
end

--- Whether a run contains anything that can be spoken.
local function is_spoken(run) return run:find "[%w\128-\255%%&@+=]" ~= nil end

--- Abbreviations that end with a dot.
local short_forms = {}
for form in ("mr mrs ms dr prof st no vs etc e.g i.e z.b bzw ca"):gmatch "%S+" do
  short_forms[form .. "."] = true
end

--- A word from a run: its text, its ending ("clause", "sentence" or nil), and whether it is emphasized.
local function word_of(run, plain)
  local emphasis = false
  if not plain and run:find("*", 1, true) then
    run, emphasis = run:gsub("%*", ""), run:find "^%p*%*" ~= nil
  end
  local core = run:gsub("^[%(%[\"'`]+", ""):gsub("[%)%]\"'`]+$", "")
  local ends = core:find "[%.!%?]+$" and not short_forms[core:lower()] and "sentence"
    or (core:find "[,;:]$" or run:find "^%-+$") and "clause" or nil
  return { text = run, ends = ends, emphasis = emphasis or nil }
end

--- Read a mark at the reader's position. Return it.
local function take_mark(reader)
  local close = reader.text:find("}", reader.at, true)
  local mark = mark_of(reader.text:sub(reader.at + 1, close - 1))
  reader.at = close + 1
  return mark
end

local function take_word(piece, run, plain)
  local word, last = word_of(run, plain), piece.words[#piece.words]
  if is_spoken(word.text) then
    piece.words[#piece.words + 1] = word
    return word.ends
  end
  -- a dash or dots by themselves belong to the word before
  if last then last.ends = word.ends or last.ends end
  return last and word.ends
end

--- The next piece of a text, about a sentence: {spoken =, words = list of {text, ends, emphasis}, marks =
--- list of {name, value, before = number of the word after it}, pause = seconds of silence before it}; nil at
--- the end.
function text.next(reader)
  local piece, spoken = { words = {}, marks = {}, pause = 0 }, {}
  while true do
    reader.at = reader.text:find("%S", reader.at) or #reader.text + 1
    if reader.at > #reader.text then break end
    local is_mark = not reader.plain and reader.text:find("^{[^{]", reader.at)
    if is_mark then
      local before = reader.at
      local mark = take_mark(reader)
      if mark.name == "pause" then
        if #piece.words + #piece.marks > 0 then
          reader.at = before
          return piece, table.concat(spoken, " ")
        end
        piece.pause = math.min(piece.pause + mark.value, text.longest_pause)
      else
        mark.before = #piece.words + 1
        piece.marks[#piece.marks + 1] = mark
      end
    else
      local run = run_at(reader)
      local ends = take_word(piece, run, reader.plain)
      spoken[#spoken + 1] = reader.plain and run or (run:gsub("%*", ""))
      if ends == "sentence" or #piece.words >= text.most_words then
        return piece, table.concat(spoken, " ")
      end
    end
  end
  if #piece.words == 0 and #piece.marks == 0 and piece.pause == 0 then return nil end
  return piece, table.concat(spoken, " ")
end

--- The text without marks for people, at most `most` bytes.
function text.plain(said, plain, most)
  local shown = text.clean(said:sub(1, 8 * most))
  if not plain then
    shown = shown:gsub("{{", "\0"):gsub("{[^}]*}%s?", ""):gsub("%*", ""):gsub("%z", "{")
  end
  shown = shown:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
  if #shown <= most then return shown end
  return (shown:sub(1, most):gsub("[\192-\255][\128-\191]*$", "")) .. "..."
end

return text
