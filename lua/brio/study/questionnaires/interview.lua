--- Progress through a form: the current item, its answers, back and forth.  Each answer is stored at once by
--- `keep`; this module displays nothing.
local interview = {}
local Interview = {}
Interview.__index = Interview

--- Begin an interview.
---@param form table the list of questionnaire.form
---@param answers table what was answered before: item = value, false where it was skipped
---@param keep function keep(item, value or false, seconds) -> true, or nil and a sentence: then the answer is
---  not counted
function interview.new(form, answers, keep)
  local self = setmetatable({ form = form, answers = {}, keep = keep, at = 1 }, Interview)
  for _, item in ipairs(form) do self.answers[item.id] = answers[item.id] end
  self:to_next()
  return self
end

--- Go to the first item without an answer; past the last if there is none.
function Interview:to_next()
  self.at = #self.form + 1
  for index, item in ipairs(self.form) do
    if self.answers[item.id] == nil then
      self.at = index
      return
    end
  end
end

--- The current item, nil at the end.
function Interview:item() return self.form[self.at] end

--- Number of items that have an answer, or were skipped.
function Interview:count()
  local count = 0
  for _ in next, self.answers do count = count + 1 end
  return count
end

local function keep(self, value, seconds)
  local item = self:item()
  local good, why = self.keep(item.id, value, seconds)
  if not good then return nil, why end
  self.answers[item.id] = value
  self.at = self.at + 1
  return true
end

--- Answer the current item.  Return nil and a sentence if the value is invalid, or could not be stored.
function Interview:answer(value, seconds)
  local item = self:item()
  if not item then return nil, "everything is answered" end
  local whole = math.tointeger(value)
  if not whole or whole < item.lowest or whole > item.highest then
    return nil, ("an answer is a whole number from %d to %d, not '%s'"):format(item.lowest, item.highest,
      tostring(value))
  end
  return keep(self, whole, seconds)
end

--- Skip the item.
function Interview:skip(seconds)
  if not self:item() then return nil, "everything is answered" end
  return keep(self, false, seconds)
end

--- Go back by one item; false at the first.
function Interview:back()
  if self.at == 1 then return false end
  self.at = self.at - 1
  return true
end

--- Go forward over an item with an answer; false if it has none.
function Interview:forth()
  local item = self:item()
  if not item or self.answers[item.id] == nil then return false end
  self.at = self.at + 1
  return true
end

return interview
