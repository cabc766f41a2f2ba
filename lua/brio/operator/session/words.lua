--- The prompt's words of the session script: session, step, answer, fill, check.
local columns = require "brio.lib.columns"
local suggest = require "brio.lib.suggest"

local function player_of(prompt)
  local desk = prompt.desk
  if desk and desk.session then return desk.session end
  return nil, "this run has no session script: session FILE takes one, or brio run ... --session FILE"
end

local function by(request) return request.who or "somebody" end

--- The current session, in lines.
local function shown(session)
  local lines, current = {}, session.current
  local fields = session.fields
  lines[1] = ("%s: %s"):format(fields.name, fields.title or session.loaded.file)
  local list = session:checklist()
  for index, row in ipairs(list or {}) do
    lines[#lines + 1] = ("  [%s] %d %s%s"):format(row.done and "x" or " ", index, row.text,
      row.wrong and " (" .. row.wrong .. ")" or "")
  end
  if current then
    lines[#lines + 1] = ("step %d of %d, %s, for %.1f s"):format(current.index, #fields.steps, current.name,
      session.parts.now() - current.begun)
    if current.said.text then lines[#lines + 1] = "  " .. current.said.text end
    for _, line in ipairs(session:expected_lines()) do
      lines[#lines + 1] = (current.met and "  done: " or "  expected: ") .. line
    end
    for _, key in ipairs(suggest.keys(current.said.go or {})) do
      local to = current.said.go[key]
      lines[#lines + 1] = ("  answer %s -> %s"):format(key, type(to) == "string" and to or "...")
    end
  elseif session.phase == "ready" then
    lines[#lines + 1] = "ready: step next begins"
  elseif session.phase == "over" then
    lines[#lines + 1] = "over"
  end
  for _, name in ipairs(suggest.keys(session.slots)) do
    lines[#lines + 1] = ("  {%s} %s"):format(name, session.values[name] or session.slots[name].default
      or "empty: " .. (session.slots[name].ask or "fill " .. name .. " ..."))
  end
  return table.concat(lines, "\n")
end

--- session [FILE|reload|steps|off]
local function session(prompt, rest)
  local desk = prompt.desk
  if rest == "off" then
    if not desk.session then return nil, "there is no session script" end
    desk:use_session(nil)
    return "the session script is unloaded"
  elseif rest == "reload" then
    local made, missing = player_of(prompt)
    if not made then return nil, missing end
    local good, why = desk:load_session(made.loaded.file)
    if not good then return nil, why end
    return "taken over; " .. (made.current and "the step is " .. made.current.name or "no step is on")
  elseif rest ~= "" and rest ~= "steps" then
    local good, why = desk:load_session(rest)
    if not good then return nil, why end
    return shown(desk.session)
  end
  local made, why = player_of(prompt)
  if not made then return nil, why end
  if rest == "" then return shown(made) end
  local rows = {}
  for index, one in ipairs(made.fields.steps) do
    rows[index] = { step = one[1], text = one.text or "",
      now = made.current and made.current.name == one[1] and "*" or "",
      expected = type(one.expect) == "string" and one.expect or type(one.expect) == "table" and one.expect[1]
        or "" }
  end
  return columns.text({ "now", "step", "expected", "text" }, rows)
end

--- step [NAME|NUMBER|next|back|end]
local function step(prompt, rest, request)
  local made, why = player_of(prompt)
  if not made then return nil, why end
  if rest == "" then return shown(made) end
  local list = made.phase == "before" and made:checklist()
  local left = 0
  for _, row in ipairs(list or {}) do left = left + (row.done and 0 or 1) end
  if left > 0 and rest ~= "next anyway" then
    return nil, ("%d of the checklist are left: check N ticks one off; step next anyway begins \z
      without"):format(left)
  end
  local name
  name, why = made:go(rest == "next anyway" and "next" or rest, by(request))
  if not name then return nil, why end
  local current = made.current
  if not current then return "the steps are over" end
  local expected = made:expected_lines()[1]
  return ("step %s%s%s"):format(current.name, current.said.text and ": " .. current.said.text or "",
    expected and "\n  expected: " .. expected or "")
end

local function answer(prompt, rest, request)
  local made, why = player_of(prompt)
  if not made then return nil, why end
  local go = made.current and made.current.said.go or {}
  if rest == "" then return nil, "say which answer: " .. table.concat(suggest.keys(go), ", ") end
  local name
  name, why = made:answer(rest, by(request))
  if not name then return nil, why end
  return "step " .. (made.current and made.current.name or "end")
end

local function fill(prompt, rest)
  local made, why = player_of(prompt)
  if not made then return nil, why end
  local name, text = rest:match "^(%S+)%s+(.+)$"
  if not name then return nil, "say a slot and its text, as in fill name ann" end
  local good
  good, why = made:fill(name, text:match '^"(.*)"$' or text)
  if not good then return nil, why end
  return ("{%s} is %s"):format(name, good)
end

local function check(prompt, rest)
  local made, why = player_of(prompt)
  if not made then return nil, why end
  if rest == "" then return made:checklist() and shown(made) or nil, "no checklist is due now" end
  local left
  left, why = made:tick(rest)
  if not left then return nil, why end
  if left > 0 then return ("%d left"):format(left) end
  return made.phase == "ready" and "all is checked: step next begins" or "everything is ticked off: the \z
    session has ended"
end

--- press KEY: as at the desk
local function press(prompt, rest, request)
  local made, why = player_of(prompt)
  if not made then return nil, why end
  local bindings = made:bindings()
  local bound = bindings[rest]
  if not bound then
    local known = suggest.keys(bindings)
    return nil, ("no key '%s' is bound now%s%s"):format(rest, suggest.hint(rest, known),
      #known > 0 and ": " .. table.concat(known, ", ") or "")
  end
  local line
  line, why = made:filled(bound.line)
  if not line then return nil, why end
  local fields = prompt:perform { kind = "say", text = line, who = request.who, device = request.device,
    received = request.received, input = request.input,
    input_error = request.input_error, client = request.client, role = request.role }
  if fields.error then return nil, ("%s: %s"):format(line, fields.error) end
  return ("%s: %s"):format(line, fields.text or "")
end

local function says_something(rest) return rest ~= "" end

return {
  { name = "session", usage = "session [FILE|steps|reload|off]", run = session, example = "session steps",
    changes = function(rest) return rest ~= "" and rest ~= "steps" end, apart = true,
    role = function(rest) return (rest == "" or rest == "steps") and "observer" or "author" end,
    summary = "the session script: show it, load another one, list its steps, read it again, or unload it" },
  { name = "step", usage = "step [next|back|NAME|NUMBER|end]", run = step, example = "step next",
    takes = "step",
    changes = says_something, apart = true, summary = "go to a step of the session script; alone: the \z
      current step" },
  { name = "answer", usage = "answer WORD", run = answer, example = "answer yes", takes = "answer",
    changes = true, apart = true,
    summary = "answer the question of the step: the script continues with the branch of that name" },
  { name = "fill", usage = "fill SLOT TEXT", run = fill, example = "fill name ann", takes = "slot",
    changes = true, apart = true, summary = "set a slot of the session script: {SLOT} in its lines" },
  { name = "press", usage = "press KEY", run = press, example = "press f1", takes = "bound", apart = true,
    summary = "press a key of the session script, as at the desk" },
  { name = "check", usage = "check [N|all]", run = check, example = "check 2", changes = says_something,
    apart = true, summary = "tick off an item of the session script's checklist; alone: the list" },
}
