-- `brio attach` edits its line so.  Run it at a terminal; elsewhere there is none to edit at.
local line = require "brio.line"
local uv = require "luv"

local editor, why = line.open()
if not editor then
  print(why)  --> a line can be edited at a terminal only
  return
end

local keys = uv.new_poll(0)
keys:start("r", function()
  for what, text in editor.read, editor do
    if what == "end" then
      editor:close()
      return keys:close()
    elseif what == "line" then
      editor:remember(text)
      editor:print("you said " .. text)
    end
    editor:prompt "say> "
  end
end)
editor:prompt "say> "
uv.run()
