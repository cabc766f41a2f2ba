--- The prompt's word for idle life.
local columns = require "brio.lib.columns"

--- All rows with their state, for people.
local function said_of(idle)
  local rows = {}
  for index, row in ipairs(idle:list()) do
    rows[index] = { name = row.name, kind = row.kind, level = row.off and "off" or ("%.2f"):format(row.level),
      played = row.count and ("%d"):format(row.count) or "" }
  end
  return ("level %.2f, from still (0) to lively (1)\n"):format(idle.aim)
    .. columns.text({ "name", "kind", "level", "played" }, rows)
end

--- idle [LEVEL | off NAME | on NAME | do GESTURE]
local function say(prompt, rest, request)
  local idle = prompt.run.host.idle
  if not idle then return nil, "this behavior has no idle life: add character = { idle = true } to it" end
  if rest == "" then return said_of(idle) end
  local word, name = rest:match "^(%S+)%s*(%S*)$"
  local done, why
  if tonumber(word) and name == "" then
    done, why = idle:set_level(tonumber(word), request.who)
    return done and ("idle life goes to level %g"):format(idle.aim) or nil, why
  elseif (word == "off" or word == "on") and name ~= "" then
    done, why = idle:switch(name, word == "off")
    return done and ("idle life of %s is %s"):format(name, word) or nil, why
  elseif word == "do" and name ~= "" then
    done, why = idle:gesture(name)
    return done and ("does a %s"):format(name) or nil, why
  end
  return nil, "say idle LEVEL, idle off NAME, idle on NAME, or idle do GESTURE"
end

return {
  { name = "idle", usage = "idle [LEVEL|off NAME|on NAME|do GESTURE]",
    summary = "the level of idle life, 0 to 1; switch a row, a DOF or a group off and on; do a gesture \z
      now; alone: all rows",
    example = "idle 0.8", run = say, changes = function(rest) return rest ~= "" end },
}
