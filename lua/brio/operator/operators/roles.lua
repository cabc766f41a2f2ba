--- The roles of people: an observer sees, a wizard acts, an author also edits, reloads and runs Lua. Each
--- role includes the ones before. A stop and the panic stop are for everybody, and are executed without a
--- check of roles.
---
--- The row of a word (operator/prompt/words.lua, and the faculties' own) has in `role` the role that is
--- needed for changes: a role, or role(rest), which is then called for all lines; default: a wizard. Words
--- that change nothing are for all.
local roles = {}

--- The roles, the lowest first.
roles.list = { "observer", "wizard", "author" }

local rank = { observer = 1, wizard = 2, author = 3 }

--- The role for words without a row.
roles.usual = "wizard"

--- The role for a line of Lua.
roles.lua = "author"

--- Whether a role includes another. A caller without a role is not a client of a front, and may do
--- everything.
function roles.may(role, needed) return role == nil or rank[role] >= rank[needed] end

--- The role that a word needs with its arguments.
function roles.needed(word, rest, changes)
  if type(word.role) == "function" then return word.role(rest) end
  return changes and (word.role or roles.usual) or "observer"
end

local function article(role) return role:match "^[aeiou]" and "an" or "a" end

--- The reason of a refusal, in words.
function roles.refusal(role, needed, what)
  return ("%s needs %s %s: you are here as %s"):format(what, article(needed), needed, role)
end

return roles
