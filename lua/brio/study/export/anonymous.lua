--- Replaces identifying information by codes: operators' names, utterances.
local anonymous = {}
local Anonymous = {}
Anonymous.__index = Anonymous

--- `wizards`: the study's wizards by code; they keep their codes, others get new ones.
function anonymous.new(wizards)
  return setmetatable({ wizards = wizards, people = {}, texts = {}, counts = { O = 0, A = 0, E = 0 } },
    Anonymous)
end

local function new_code(self, letter, digits)
  self.counts[letter] = self.counts[letter] + 1
  return ("%s%0" .. digits .. "d"):format(letter, self.counts[letter])
end

--- A person's code: the wizard's, also for "W1 (lab)"; else O1, O2, ... in the order of occurrence.
function Anonymous:person(who)
  if who == nil then return nil end
  local code = who:match "^(%S+)"
  if code and self.wizards[code] then return code end
  self.people[who] = self.people[who] or new_code(self, "O", 1)
  return self.people[who]
end

--- The code of a text: equal texts have equal codes.  `letter`: "A" for actions, "E" for expectations.
function Anonymous:text(text, letter)
  if text == nil then return nil end
  local key = letter .. text
  self.texts[key] = self.texts[key] or new_code(self, letter, 3)
  return self.texts[key]
end

--- A branch of a session script, without the person.
function Anonymous:branch(text)
  return text and (text:gsub(",? ?by .*$", "")) or nil
end

return anonymous
