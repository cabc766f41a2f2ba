--- Programs that synthesize speech, and programs that play sounds: one row each, in the order of preference.
---
---   name        of the row, for behaviors and people
---   command     words, with {what} filled in; a list among them is included only if all its values are known
---   phonemes    it writes phonemes of the International Phonetic Alphabet: words separated by spaces, sounds
---               by "_"
---   by_name     it is used only on request
---   quiet       it cannot change the volume of a sound
---
--- A program that speaks reads the text, or has it as {text}, and writes a WAVE file, {file}. It may use
--- {voice}, {words} (a minute), {rate}, {slowness} (1 / rate), {pitch50} and {volume100} (numbers whose
--- normal values are 50 and 100). A player has {file} and {gain}, {gain100}, {gain65536}.
local process = require "brio.io.process"
local suggest = require "brio.lib.suggest"

local programs = {}

programs.speak = {
  { name = "espeak-ng", phonemes = true,
    command = { "espeak-ng", "--stdin", "-z", "-b", "1", { "-v", "{voice}" }, "-s", "{words}", "-p",
      "{pitch50}", "-a",
      "{volume100}", "--ipa", "--sep=_", "-w", "{file}" } },
  { name = "pico2wave", command = { "pico2wave", { "-l", "{voice}" }, "-w", "{file}", "--", "{text}" } },
  { name = "flite", command = { "flite", { "-voice", "{voice}" }, "--setf", "duration_stretch={slowness}",
    "-t", "{text}", "-o", "{file}" } },
  { name = "text2wave", command = { "text2wave", "-o", "{file}" } },
  { name = "piper", by_name = true,
    command = { "piper", { "--model", "{voice}" }, "--length_scale", "{slowness}", "--output_file",
      "{file}" } },
}

programs.play = {
  { name = "pw-play", command = { "pw-play", "--volume={gain}", "{file}" } },
  { name = "paplay", command = { "paplay", "--volume={gain65536}", "{file}" } },
  { name = "aplay", quiet = true, command = { "aplay", "-q", "{file}" } },
  { name = "ffplay", command = { "ffplay", "-nodisp", "-autoexit", "-loglevel", "error", "-volume",
    "{gain100}", "{file}" } },
  { name = "play", command = { "play", "-q", "-v", "{gain}", "{file}" } },
}

local function find(list, name)
  for _, row in ipairs(list) do
    if row.name == name then return row end
  end
end

local function names_of(list)
  local names = { "none" }
  for index, row in ipairs(list) do names[index + 1] = row.name end
  return names
end

--- The error in a row's name: a sentence, or nil.
function programs.fault(list, name)
  if name == "none" or find(list, name) then return nil end
  local names = names_of(list)
  return ("there is no program '%s'%s: there are %s"):format(tostring(name),
    suggest.hint(tostring(name), names), table.concat(names, ", "))
end

--- A row for a person's own command: its words, separated by spaces; quoted text is one word.
local function own_row(said)
  local words = {}
  for quote, word in said:gmatch "%s*([\"']?)([^%s\"'][^\"']*)" do
    if quote ~= "" then words[#words + 1] = word
    else for piece in word:gmatch "%S+" do words[#words + 1] = piece end end
  end
  return { name = (words[1] or "?"):match "[^/]*$", command = words }
end

--- The row that a person or a behavior means: a row's name, or a command with {file} in it; nil: the first
--- installed one. Return it, false for none, or nil and a sentence.
function programs.choose(list, said)
  if said == "none" then return false end
  if said then
    local row = find(list, said)
    if not row and said:find("{file}", 1, true) then row = own_row(said) end
    if not row then return nil, programs.fault(list, said) .. "; or a command with {file} in it" end
    if not process.find(row.command[1]) then return nil, ("%s is not installed"):format(row.command[1]) end
    return row
  end
  for _, row in ipairs(list) do
    if not row.by_name and process.find(row.command[1]) then return row end
  end
  local names = {}
  for _, row in ipairs(list) do names[#names + 1] = not row.by_name and row.name or nil end
  return nil, ("none of %s is installed"):format(table.concat(names, ", "))
end

--- A word with its values filled in; nil if one is unknown.
local function fill(word, values)
  local known = true
  local filled = word:gsub("{(%w+)}", function(name)
    known = known and values[name] ~= nil
    return values[name] ~= nil and tostring(values[name]) or ""
  end)
  return known and filled or nil
end

--- The words of a row's command with these values; nil and what is missing.
function programs.fill(row, values)
  local words = {}
  for _, word in ipairs(row.command) do
    local list = type(word) == "table" and word or { word }
    local filled = {}
    for index, item in ipairs(list) do filled[index] = fill(item, values) end
    if #filled == #list then table.move(filled, 1, #filled, #words + 1, words)
    elseif type(word) == "string" then return nil, ("%s needs %s"):format(row.name, word) end
  end
  return words
end

return programs
