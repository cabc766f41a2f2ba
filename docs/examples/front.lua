-- What `brio run` does for people's prompts, and a client as plain as can be.
local front = require "brio.front"
local store = require "brio.store"
local uv = require "luv"

local path = os.tmpname()
os.remove(path)
local f = assert(front.open { socket = path, about = store.json { behavior = "kiosk.lua" } })

-- Once a tick:
local tick = uv.new_timer()
tick:start(5, 5, function()
  local request = f:poll()
  if not request or request.kind == "attached" then return end -- nobody is answered who only came
  print(request.kind, request.text, request.client)  --> say	state	1
  f:reply(request.client, store.json { id = request.id, text = "greeting" })
  tick:close()
end)

local client = uv.new_pipe(false)
client:connect(path, function()
  client:write '{"id":1,"line":"state"}\n'
  client:read_start(function(_, text)
    print(text:match "[^\n]+")  --> {"id":1,"text":"greeting"}
    client:close()
  end)
end)
uv.run()

print(f:stops())  --> 0
f:close()
