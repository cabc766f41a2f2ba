--- The prompt's words about people: who, ask.

--- People at prompts, a line each, and the owners of parts.
local function who(prompt, _, request)
  local operators, lines = prompt.run.host.operators, {}
  for _, person in ipairs(operators.order) do
    local parts = operators.locks:of(person.who)
    local from = person.device ~= "prompt" and " from a " .. person.device or ""
    lines[#lines + 1] = ("%3d  %s%s, %s%s, for %.0f s%s"):format(person.client, person.who,
      person.client == request.client and " (you)" or "", person.role, from,
      prompt.run.host.now - person.since, #parts > 0 and ", has " .. table.concat(parts, ", ") or "")
  end
  for _, name in ipairs(operators.away) do
    lines[#lines + 1] = ("  -  %s, lost %.0f s ago, had %s"):format(name,
      prompt.run.host.now - operators.away[name],
      table.concat(operators.locks:of(name), ", "))
  end
  return table.concat(lines, "\n")
end

local function ask(prompt, rest, request)
  if rest == "" then return nil, "say for which part, as in ask head; take lists what is taken" end
  return prompt.run.host.operators.locks:ask(rest, request.who)
end

return {
  { name = "ask", usage = "ask PART", takes = "part", run = ask, changes = true, example = "ask head",
    summary = "ask for a part that another person has taken; if they have left, you get it" },
  { name = "who", usage = "who", run = who, example = "who",
    summary = "the people at prompts, their roles, and the parts that they have taken" },
}
