--- Functions of keys outside the input line: the desk's own keys, those of the session script, those of the
--- behavior.
local binding = {}

--- The binding of a key in the run's data: {key, line, label}; nil: none.
function binding.find(view, name)
  local session = view and view.session
  for _, bound in ipairs(session and session.keys or {}) do
    if bound[1] == name then return bound end
  end
  local number = math.tointeger(tonumber(name))
  if session and session.list and number and session.list[number] then
    return { name, ("check %d"):format(number), session.list[number].text }
  end
  for _, bound in ipairs(view and view.bound or {}) do
    if bound == name then return { name, "key " .. name } end
  end
end

--- The action of Enter: the first line that the step expects, if it was not done yet; nil: none.
function binding.expected(view)
  local session = view and view.session
  local line = session and not session.met and session.expected and session.expected[1]
  return line and not line:find("...", 1, true) and line:sub(1, 1) ~= "(" and line or nil
end

local own = {
  { "Esc", "goes between typing and keys" }, { "Enter", "does what is expected" },
    { "Space", "goes to the next step" },
  { "/", "opens the palette (Ctrl-O while typing)" }, { ":", "goes to typing" }, { "P", "panic stop" },
    { "?", "lists the keys" },
}

--- All present keys, a line each.
function binding.list(view)
  local lines = {}
  local function add(key, text) lines[#lines + 1] = ("  %-8s %s"):format(key, text) end
  for _, row in ipairs(own) do add(row[1], row[2]) end
  for _, bound in ipairs(view and view.session and view.session.keys or {}) do
    add(bound[1], bound[2] .. (bound[3] and "  " .. bound[3] or ""))
  end
  for _, name in ipairs(view and view.bound or {}) do add(name, "key " .. name) end
  return table.concat(lines, "\n")
end

return binding
