--- Lines for a shell, and what programs print.
local shell = {}

--- A word as the shell reads it.
function shell.quote(word) return "'" .. tostring(word):gsub("'", [['\'']]) .. "'" end

--- Words as one line.
function shell.line(words)
  local list = {}
  for index, word in ipairs(words) do list[index] = shell.quote(word) end
  return table.concat(list, " ")
end

--- Run a line.  Return what it prints (both streams) and its exit code.
function shell.run(line)
  local pipe = io.popen("{ " .. line .. "; } 2>&1 </dev/null", "r")
  if not pipe then return "", 1 end
  local text = pipe:read "a"
  local _, _, code = pipe:close()
  return (text:gsub("%s+$", "")), code
end

--- Whether there is a program of that name.
function shell.has(program)
  local _, code = shell.run("command -v " .. shell.quote(program))
  return code == 0
end

return shell
