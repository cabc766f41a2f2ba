--- The sounds of words, by their letters or a program's phonemes, and the duration of each.
---
--- A sound is {shape, seconds, [vowel = true]}; its shape is one of shapes.lua. Durations are the means of
--- espeak-ng 1.51 for 24 English sentences at its default speed, "175 words a minute" (800 phonemes, measured
--- by its events), so that timed silence has the duration of speech. That a vowel is longer before a pause
--- and under emphasis is from D. H. Klatt (Journal of the Acoustical Society of America 59, 1976).
local sounds = {}

--- Durations, s: of each shape's sound; of each half of a diphthong; of an affricate's stop and hiss.
sounds.seconds = { pbm = 0.062, fv = 0.076, th = 0.056, td = 0.060, kg = 0.062, ch = 0.095, sz = 0.078,
  nl = 0.071, r = 0.059, a = 0.081, e = 0.078, i = 0.072, o = 0.085, u = 0.082 }
sounds.half, sounds.affricate = 0.061, { 0.040, 0.065 }

local vowels = { a = true, e = true, i = true, o = true, u = true }

--- Factors of the length of a long vowel, one before a pause, one in an emphasized word.
sounds.long, sounds.final, sounds.emphasized = 1.4, 1.4, 1.2

--- Silence after a clause and after a sentence, s: espeak-ng's own.
sounds.pauses = { clause = 0.15, sentence = 0.30 }

-- By letters -----------------------------------------------------------------------------------------

--- Shapes of letters and groups of letters in English; the longest match counts. "": silent.
local letters = {
  tch = "ch", sch = "ch", igh = "a i", eau = "o u", ough = "o", augh = "o", tion = "ch e nl",
    sion = "ch e nl",
  sh = "ch", ch = "ch", th = "th", ph = "fv", wh = "u", ng = "nl kg", ck = "kg", qu = "kg u", gh = "",
    kn = "nl",
  wr = "r", ps = "sz", ee = "i", ea = "i", ie = "i", oo = "u", ou = "a u", ow = "o u", oi = "o i", oy = "o i",
  ai = "e i", ay = "e i", ei = "e i", ey = "e i", au = "o", aw = "o", oa = "o u", ue = "u", ew = "u",
    er = "e r",
  ir = "e r", ur = "e r", ar = "a r", ["or"] = "o r", dg = "ch", a = "a", b = "pbm", c = "kg", d = "td",
    e = "e",
  f = "fv", g = "kg", h = "e", i = "i", j = "ch", k = "kg", l = "nl", m = "pbm", n = "nl", o = "o", p = "pbm",
  q = "kg", r = "r", s = "sz", t = "td", u = "u", v = "fv", w = "u", x = "kg sz", y = "i", z = "sz",
}
local longest_group = 4

--- Latin letters with diacritics, Greek and Cyrillic letters, as letters from above.
local other_letters = {}
for pair in ([[
  à:a á:a â:a ã:a ä:e å:o æ:e ç:s è:e é:e ê:e ë:e ì:i í:i î:i ï:i ð:th ñ:ny ò:o ó:o ô:o õ:o ö:o
  ø:o ù:u ú:u û:u ü:u ý:y þ:th ÿ:y ß:s ā:a ă:a ą:a ć:ch č:ch ď:d đ:d ē:e ė:e ę:e ě:e ğ:g ģ:g
  ī:i į:i ı:i ķ:k ļ:l ł:w ń:n ņ:n ň:n ō:o ő:o œ:e ŕ:r ř:r ś:sh ş:sh š:sh ţ:ts ť:t ū:u ů:u ű:u
  ų:u ź:z ż:z ž:sh ș:sh ț:ts α:a β:v γ:g δ:th ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p
  ρ:r σ:s ς:s τ:t υ:i φ:f χ:h ψ:ps ω:o ά:a έ:e ή:i ί:i ό:o ύ:i ώ:o а:a б:b в:v г:g д:d е:e ё:o
  ж:sh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h ц:ts ч:ch ш:sh щ:sh ъ: ы:i
  ь: э:e ю:u я:a і:i ї:i є:e]]):gmatch "%S+" do
  local letter, as = pair:match "^(.-):(.*)$"
  other_letters[letter] = as
  local code = utf8.codepoint(letter)
  local upper = code >= 0x430 and code <= 0x44F and code - 32 or code >= 0xE0 and code <= 0xFE and code - 32
    or code >= 0x3B1 and code <= 0x3C9 and code - 32 or code >= 0x450 and code <= 0x45F and code - 80
    or code >= 0x100 and code <= 0x17F and code - 1 or nil
  if upper and not (code == 0x3C2) then
    other_letters[utf8.char(upper)] = other_letters[utf8.char(upper)] or as
  end
end

--- Digits and signs as they are spoken.
local said_as = {
  ["0"] = "ziro", ["1"] = "won", ["2"] = "too", ["3"] = "three", ["4"] = "for", ["5"] = "faiv", ["6"] = "six",
  ["7"] = "seven", ["8"] = "ayt", ["9"] = "nain", ["%"] = "persent", ["&"] = "and", ["@"] = "at",
    ["+"] = "plus",
  ["="] = "ikwals",
}

local vowel_of = { "a", "e", "i", "o", "u" }

--- A letter of an unknown script: a short syllable. Signs that are not spoken give nothing.
local function syllable_of(code)
  if code < 0x300 or code >= 0x1F000 or code >= 0x2000 and code < 0x2E80
      or code >= 0xFE00 and code < 0xFE70 then
    return ""
  end
  return "td " .. vowel_of[code % 5 + 1]
end

--- The letters of a word as a to z, and the shapes of other characters, between "<" and ">".
local function in_letters(word)
  word = word:lower():gsub("[%d%%&@+=]", said_as):gsub("'s$", "s"):gsub("[^%w\128-\255]", "")
  return (word:gsub(utf8.charpattern, function(char)
    if #char == 1 then return nil end
    return other_letters[char] or "<" .. syllable_of(utf8.codepoint(char)) .. ">"
  end))
end

local function add(list, shape) list[#list + 1] = { shape, sounds.seconds[shape], vowel = vowels[shape] } end

--- Two vowels in one sound are the halves of a diphthong.
local function halve(list)
  local last, before = list[#list], list[#list - 1]
  if before and last.vowel and before.vowel then last[2], before[2] = sounds.half, sounds.half end
end

local function add_all(list, shapes)
  local count = 0
  for shape in shapes:gmatch "%a+" do
    add(list, shape)
    count = count + 1
    if count > 1 then halve(list) end
  end
end

--- The sounds of a word by its letters.
function sounds.of_word(word)
  local spelled, list, at = in_letters(word), {}, 1
  local silent = #spelled > 3 and spelled:find "[aeiouy][^aeiouy]+es?$" and spelled:find "es?$"
  while at <= #spelled do
    local shapes = spelled:match("^<([^>]*)>", at)
    if shapes then
      add_all(list, shapes)
      at = at + #shapes + 2
    elseif at == silent then
      if spelled:sub(-1) == "s" then add(list, "sz") end
      break
    else
      local group
      for length = math.min(longest_group, #spelled - at + 1), 1, -1 do
        group = spelled:sub(at, at + length - 1)
        if letters[group] then break end
      end
      local twice = #group == 1 and spelled:sub(at - 1, at - 1) == group and not group:find "[aeiou]"
      if letters[group] and not twice then add_all(list, letters[group]) end
      at = at + #group
    end
  end
  if #list == 0 then add(list, "e") end
  return list
end

-- By a program's phonemes ------------------------------------------------------------------------------

--- Shapes of the letters of the International Phonetic Alphabet.
local ipa = {}
for shape, of in next, { pbm = "p b m ɓ ʙ ɸ β", fv = "f v ʋ ⱱ", th = "θ ð", td = "t d ʈ ɖ ɗ ɾ ɽ ʔ",
  kg = "k ɡ g x ɣ q ɢ ɠ χ ʁ ŋ ħ ʕ h ɦ ç ʝ c ɟ ɴ", ch = "ʃ ʒ ɕ ʑ ʂ ʐ", sz = "s z ɬ ɮ", nl = "n l ɲ ɳ ʎ ɫ ɭ ʟ",
    r = "r ɹ ɻ ʀ",
  a = "a ɑ ɐ æ ʌ ɒ", e = "e ɛ ə ɜ ɚ ɝ ɘ ɵ ø œ ɞ", i = "i ɪ y ʏ ɨ j",
  o = "o ɔ ɤ", u = "u ʊ ʉ ɯ w ɥ" } do
  for letter in of:gmatch "%S+" do ipa[letter] = shape end
end

--- Append the shapes of one sound, such as "əʊ", "tʃ" or "iː".
local function add_ipa(list, sound, stressed)
  local first = #list + 1
  for char in sound:gmatch(utf8.charpattern) do
    local shape = ipa[char]
    if shape then
      add(list, shape)
      if #list > first then halve(list) end
    elseif char == "ː" and #list >= first then
      list[#list][2] = list[#list][2] * sounds.long
    end
  end
  if list[first + 1] and list[first][1] == "td" and list[first + 1][1] == "ch" then
    list[first][2], list[first + 1][2] = sounds.affricate[1], sounds.affricate[2]
  end
  if list[first] and list[first].vowel then list[first].stressed = stressed or nil end
end

--- The sounds of words from a program's output: a line for each clause, words separated by spaces, sounds by
--- "_". Return a list of lists.
function sounds.of_ipa(said)
  local words = {}
  for group in said:gmatch "%S+" do
    local list = {}
    if not group:find "^%(" then -- (en): the program has changed the language
      for sound in group:gmatch "[^_]+" do add_ipa(list, sound, sound:find("ˈ", 1, true) ~= nil) end
    end
    if #list > 0 then words[#words + 1] = list end
  end
  return words
end

return sounds
