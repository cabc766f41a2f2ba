--- Makes the pictures of docs/operators/studio.md: the kiosk in the studio's page, in Chromium.
---   lua5.4 tests/program/studio/pictures.lua     (after make studio; needs scripts/packages-studio.txt)
local here = arg[0]:match "^(.*)/[^/]*$" or "."
local root = here .. "/../../.."
package.path = ("%s/tests/lib/?.lua;%s/tests/program/studio/?.lua;%s/lua/?.lua;"):format(root, root, root)
  .. package.path
local browser = require "browser"
local files = require "files"
local uv = require "luv"

local program = root .. "/build/brio"
local folder = files.temporary()

--- Start brio with these words; its output goes to a file.
local function start(name, words)
  local out = assert(uv.fs_open(folder .. "/" .. name, "w", 420))
  local process = assert(uv.spawn(program, { args = words, cwd = root, stdio = { nil, out, out } },
    function() end))
  uv.fs_close(out)
  return process
end

--- Let the loop go on until a condition holds.
local function await(condition)
  local timer = uv.new_timer()
  timer:start(50, 50, function() end)
  local till = uv.hrtime() + 60e9
  while not condition() and uv.hrtime() < till do uv.run "once" end
  timer:close()
end

local socket = folder .. "/x.sock"
local run = start("run", { "run", "behaviors/kiosk.lua", "--store", folder .. "/x.db", "--socket", socket,
  "--quiet" })
await(function() return uv.fs_stat(socket) end)
local studio = start("studio", { "studio", socket, "--port", "0", "--no-browser" })
await(function() return (files.read(folder .. "/studio") or ""):find "http" end)
local chromium = assert(browser.start())
local good, why = pcall(function()
  local page = chromium:page(1200, 760)
  page:open(files.read(folder .. "/studio"):match "http%S+")
  page:wait "studio.state.desk.value?.state === 'greet' && studio.state.t.value > 6.4"
  page:wait "document.querySelector('svg.chart .state.active text')?.textContent === 'greet'"
  page:shot(root .. "/docs/operators/studio.png")
  page:click "#tab-author"
  page:wait "document.querySelector('svg.editable [data-state=greet] rect')"
  page:resize(1200, 1000)
  page:click "svg.editable [data-state=greet] rect"
  page:wait "document.querySelector('.card[data-state=greet] .property')"
  page:shot(root .. "/docs/operators/studio-make.png")
  page:resize(390, 844, true)
  page:click "#tab-steer"
  page:wait "document.querySelector('.panel.steer .field')"
  page:shot(root .. "/docs/operators/studio-phone.png")
end)
chromium:close()
for _, one in ipairs { studio, run } do
  uv.process_kill(one, "sigkill")
  one:close()
end
uv.run "nowait"
files.remove(folder)
if not good then error(why, 0) end
