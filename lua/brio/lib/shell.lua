--- Words as lines of a POSIX shell.
local shell = {}

--- A word as the shell reads it: any text, in single quotes.
function shell.quote(word) return "'" .. tostring(word):gsub("'", [['\'']]) .. "'" end

--- A list of words as one line.
function shell.line(words)
  local list = {}
  for index, word in ipairs(words) do list[index] = shell.quote(word) end
  return table.concat(list, " ")
end

return shell
