--- Converts terminal bytes to names of keys: "a", "enter", "up", "f1", "alt-x", "ctrl-c", and "paste" with
--- its text ("rest": of one whose end came late). Bytes come in blocks: incomplete sequences wait for the
--- rest.
local keys = {}
local Keys = {}
Keys.__index = Keys

--- Time after which a lone Escape counts as a key, ms.
keys.patience = 40

--- Maximum size of a paste between its markers, bytes; time without bytes after which one without an end is
--- delivered as it is, ms.
keys.longest_paste, keys.paste_patience = 65536, 1000

local paste_begins, paste_ends = "\27[200~", "\27[201~"

local finals = { A = "up", B = "down", C = "right", D = "left", H = "home", F = "end", P = "f1", Q = "f2",
  R = "f3", S = "f4", Z = "back-tab" }

local numbers = { [1] = "home", [2] = "insert", [3] = "delete", [4] = "end", [5] = "pageup", [6] = "pagedown",
  [7] = "home",
  [8] = "end", [11] = "f1", [12] = "f2", [13] = "f3", [14] = "f4", [15] = "f5", [17] = "f6", [18] = "f7",
    [19] = "f8",
  [20] = "f9", [21] = "f10", [23] = "f11", [24] = "f12" }

local controls = { [8] = "backspace", [9] = "tab", [10] = "enter", [13] = "enter", [27] = "escape",
  [127] = "backspace" }

--- A decoder without any bytes.
function keys.new() return setmetatable({ bytes = "" }, Keys) end

--- Codes of modifiers: 3 is Alt, 5 is Ctrl; Shift is ignored.
local function modified(name, number)
  local bits = (tonumber(number) or 1) - 1
  if bits & 2 ~= 0 then return "alt-" .. name end
  if bits & 4 ~= 0 then return "ctrl-" .. name end
  return name
end

--- Parse a control sequence, "\27[...": its key's name, or "" if it is unknown, and its length; nil:
--- incomplete.
local function sequence(bytes)
  local said, final = bytes:match "^\27%[([%d;<=>?]*)([%a~^$@])"
  if not said then
    if bytes:match "^\27%[%[[A-E]" then return "f" .. bytes:byte(4) - 64, 4 end -- the Linux console's
    if bytes:match "^\27%[[%d;<=>?]*$" or bytes == "\27[[" then return nil end
    return "", 2
  end
  local length = 2 + #said + 1
  local first, second = said:match "^(%d*);?(%d*)"
  if final == "~" then return modified(numbers[tonumber(first)] or "", second), length end
  return modified(finals[final] or "", second), length
end

--- A paste: its text and its whole length; nil: incomplete.
local function pasted(bytes, late)
  local from, to = bytes:find(paste_ends, 7, true)
  if from then return bytes:sub(7, from - 1), to end
  if late or #bytes > keys.longest_paste then return bytes:sub(7), #bytes end
end

--- The first key in the bytes: name, text, length; nil: incomplete.  `late`: no more bytes follow.
local function first_key(bytes, late)
  local byte = bytes:byte()
  if byte == 27 then
    if #bytes == 1 then return late and "escape" or nil, "", 1 end
    if bytes:sub(1, 6) == paste_begins then
      local text, length = pasted(bytes, late)
      return text and "paste", text, length
    end
    local second = bytes:sub(2, 2)
    if second == "[" then
      local name, length = sequence(bytes)
      if name then return name, "", length end
      return late and "escape" or nil, "", 1
    elseif second == "O" and #bytes >= 3 then
      return finals[bytes:sub(3, 3)] or "", "", 3
    elseif second == "O" then
      return late and "alt-O" or nil, "", 2
    elseif second == "\27" then
      return "escape", "", 1
    end
    local name, _, length = first_key(bytes:sub(2), late)
    return name and "alt-" .. name, "", length and length + 1
  elseif controls[byte] then
    return controls[byte], "", 1
  elseif byte < 32 then
    return byte == 0 and "ctrl-space" or "ctrl-" .. string.char(byte + 96), "", 1
  elseif byte < 128 then
    local one = bytes:sub(1, 1)
    return one == " " and "space" or one, one, 1
  end
  local length = byte >= 0xF0 and 4 or byte >= 0xE0 and 3 or byte >= 0xC2 and 2 or 1
  local one = (bytes:match "^[\194-\244][\128-\191]*" or bytes:sub(1, 1)):sub(1, length)
  if #one < length and not late and #bytes < length then return nil end
  if length == 1 or utf8.len(one) ~= 1 then return "", "", math.max(1, #one) end
  return one, one, length
end

--- The rest of a paste that was delivered before its end, if it is there: take("rest", text).  Return the
--- bytes after it.
local function end_of_cut(self, bytes, take)
  local to, after = bytes:find(paste_ends, 1, true)
  local from = bytes:find(paste_begins, 1, true)
  if to or from then self.cut = nil end
  if not to or from and from < to then return bytes end
  take("rest", bytes:sub(1, to - 1))
  return bytes:sub(after + 1)
end

--- Process bytes: call take(name, text) for each complete key.  Return whether incomplete bytes wait for the
--- rest.
function Keys:feed(bytes, take)
  if self.cut then bytes = end_of_cut(self, bytes, take) end
  self.bytes = self.bytes .. bytes
  return self:go_on(take, false)
end

--- A timeout without bytes.  A paste without an end is delivered as it is; its rest may follow (`cut`).
function Keys:late(take)
  self.cut = self.cut or self:pasting() ~= nil
  return self:go_on(take, true)
end

--- The received part of a paste without an end; nil: there is none.
function Keys:pasting()
  return self.bytes:sub(1, #paste_begins) == paste_begins and self.bytes:sub(#paste_begins + 1) or nil
end

--- Process the waiting bytes again.
function Keys:go_on(take, late)
  while self.bytes ~= "" do
    local name, text, length = first_key(self.bytes, late)
    if not name then return true end
    self.bytes = self.bytes:sub(length + 1)
    if name ~= "" then take(name, text) end
  end
  return self.bytes ~= ""
end

return keys
