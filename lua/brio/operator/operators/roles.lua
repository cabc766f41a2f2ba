--- What people may do: an observer sees, a wizard acts, an author also edits, reloads and runs Lua. Each may
--- what those before may. A stop and the panic stop are for everybody, and are done before anybody asks for a
--- role.
---
--- The row of a word (operator/prompt/words.lua, and the faculties' own) says in `role` who may say it
--- where it changes something: a role,
--- or role(rest), which then says it of all lines; without one a wizard. What changes nothing is for all.
local roles = {}

--- The roles, the least first.
roles.list = { "observer", "wizard", "author" }

local rank = { observer = 1, wizard = 2, author = 3 }

--- The role for words without a row.
roles.usual = "wizard"

--- The role for a line of Lua.
roles.lua = "author"

--- Whether somebody of one role may do what needs another. Who has none is no client of a front, and may all.
function roles.may(role, needed) return role == nil or rank[role] >= rank[needed] end

--- The role that a word needs with what stands behind it.
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
