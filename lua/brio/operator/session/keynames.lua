--- Names of keys in session scripts, and at the desk.
local keynames = {}

--- Keys with a name, in addition to letters, digits and signs.
keynames.named = { "space", "tab", "enter", "up", "down", "left", "right", "home", "end", "pageup",
  "pagedown", "insert", "delete", "backspace" }
for number = 1, 12 do keynames.named[#keynames.named + 1] = "f" .. number end

--- Keys that the desk reserves, and their functions.
keynames.own = { escape = "goes between typing and keys", ["/"] = "opens the palette",
  [":"] = "goes to typing",
  ["?"] = "lists the keys", P = "is the panic stop", enter = "does what is expected",
    space = "goes to the next step",
  ["ctrl-o"] = "opens the palette", ["ctrl-l"] = "redraws the screen" }

--- Terminals send the same bytes for these keys.
local same = { ["ctrl-m"] = "enter", ["ctrl-j"] = "enter", ["ctrl-i"] = "tab", ["ctrl-h"] = "backspace",
  ["alt-["] = "escape" }

local known = {}
for _, name in ipairs(keynames.named) do known[name] = true end

--- The reason why a name is not that of a key that a script may bind; nil: it is.
function keynames.fault(name)
  if keynames.own[name] then return ("another key: %s %s"):format(name, keynames.own[name]) end
  if same[name] then return ("another key: to a terminal %s is %s"):format(name, same[name]) end
  local base = name:match "^alt%-(.+)$" or name:match "^ctrl%-(%l)$" or name
  if known[base] or utf8.len(base) == 1 and not base:find "[%c ]" then
    if name:match "^ctrl%-[cdz]$" then return "another key: " .. name .. " is the terminal's" end
    return nil
  end
  return "a key: a character, f1 to f12, tab, up, ..., alt-x or ctrl-x"
end

return keynames
