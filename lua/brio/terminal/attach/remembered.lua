--- The history of typed lines: ~/.brio_history, appended line by line.
local uv = require "luv"

local remembered = {}

--- Maximum number of lines that are kept.
remembered.most = 1000

local function ignore() end

--- Load the history into the editor.  Return a function that appends a line to it.
function remembered.open(editor)
  local home = os.getenv "HOME"
  if not home then return ignore end
  local path, lines = home .. "/.brio_history", {}
  local file = io.open(path)
  for text in file and file:lines() or ignore do lines[#lines + 1] = text end
  if file then file:close() end
  for index = math.max(1, #lines - remembered.most + 1), #lines do editor:remember(lines[index]) end
  local fd = uv.fs_open(path, #lines > 4 * remembered.most and "w" or "a", tonumber("600", 8))
  if fd and #lines > 4 * remembered.most then
    uv.fs_write(fd, table.concat(lines, "\n", #lines - remembered.most + 1) .. "\n", -1)
  end
  local last
  return function(text)
    if text == last or text:match "^%s*$" then return end
    last = text
    editor:remember(text)
    if fd then uv.fs_write(fd, text .. "\n", -1) end
  end
end

return remembered
