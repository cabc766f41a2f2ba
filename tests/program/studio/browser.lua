--- Chromium driven over a pipe by the DevTools protocol
--- (https://chromedevtools.github.io/devtools-protocol/):
--- pages, waiting, clicks, keys, drags, pictures, and what the page's console said.  No node, no network.
---
---     local chromium = browser.start()                       -- nil, why: there is none here
---     local page = chromium:page(1280, 800)
---     page:open(url)
---     page:wait "document.title == 'x'"
---     page:click "button.go"
---     chromium:close()
local cjson = require "cjson"
local files = require "files"
local uv = require "luv"

local browser = {}
local Browser, Page = {}, {}
Browser.__index, Page.__index = Browser, Page

--- The timeout of any wait, s: a watchdog, not a promise.
browser.patience = 240

local empty = cjson.decode "{}"

--- Process one message of the browser.
local function take(self, text)
  local message = cjson.decode(text)
  local id = math.tointeger(message.id)
  if id then
    self.answers[id] = message
    return
  end
  local page = self.pages[message.sessionId or ""]
  if page then page:hear(message.method, message.params) end
end

--- Start a browser without a window; nil, why: none is installed.
function browser.start()
  local program = files.output "command -v chromium"
  if program == "" then return nil, "chromium is not installed (scripts/packages-studio.txt)" end
  local to, from, err = uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false)
  local self = setmetatable({ to = to, pipes = { to, from, err }, next_id = 0, answers = {}, pages = {},
    folder = files.temporary() }, Browser)
  local arguments = { "--headless", "--no-sandbox", "--remote-debugging-pipe", "--user-data-dir="
    .. self.folder,
    "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
    "--disable-dev-shm-usage", "--disable-gpu", "--enable-unsafe-swiftshader", "--hide-scrollbars",
    "--mute-audio", "about:blank" }
  self.handle = uv.spawn(program, { args = arguments, stdio = { nil, nil, err, to, from } }, function()
    self.ended = true
    self.handle:close()
  end)
  local parts = {}
  from:read_start(function(_, bytes)
    if not bytes then return from:close() end
    local at = 1
    for stop in function() return bytes:find("\0", at, true) end do
      parts[#parts + 1] = bytes:sub(at, stop - 1)
      at = stop + 1
      take(self, table.concat(parts))
      parts = {}
    end
    parts[#parts + 1] = bytes:sub(at)
  end)
  err:read_start(function(_, bytes)
    if not bytes then err:close() end
  end)
  return self
end

--- Let the loop go on until a condition holds; raises with `what` after the patience.
local function await(what, condition)
  local timer, till = uv.new_timer(), uv.hrtime() + browser.patience * 1e9
  timer:start(20, 20, function() end)
  local got
  repeat
    uv.run "once"
    got = condition()
  until got or uv.hrtime() > till
  timer:close()
  if not got then error("waited in vain for " .. what, 3) end
  return got
end

--- Send a command and return its result; raises if it fails.
function Browser:call(method, params, session)
  self.next_id = self.next_id + 1
  local id = self.next_id
  self.to:write(cjson.encode { id = id, method = method, sessionId = session, params = params or empty }
    .. "\0")
  await(method, function() return self.answers[id] or self.ended end)
  local answer = self.answers[id]
  if not answer then error("the browser has ended", 2) end
  self.answers[id] = nil
  if answer.error then error(method .. ": " .. answer.error.message, 2) end
  return answer.result
end

--- Open a page of that size, in pixels; `mobile`: as a phone.
function Browser:page(width, height, mobile)
  local context = self:call("Target.createBrowserContext").browserContextId
  local target = self:call("Target.createTarget", { url = "about:blank",
    browserContextId = context }).targetId
  local session = self:call("Target.attachToTarget", { targetId = target, flatten = true }).sessionId
  local page = setmetatable({ browser = self, session = session, target = target, context = context,
    console = {} }, Page)
  self.pages[session] = page
  for _, domain in ipairs { "Page", "Runtime", "Log" } do page:call(domain .. ".enable") end
  page:resize(width, height, mobile)
  return page
end

--- Close what is left of a browser that has ended.
local function tidy(self)
  for _, pipe in ipairs(self.pipes) do
    if not pipe:is_closing() then pipe:close() end
  end
  uv.run "nowait"
  files.remove(self.folder)
end

function Browser:close()
  if self.ended then return end
  self.to:write(cjson.encode { id = 1e6, method = "Browser.close", params = empty } .. "\0")
  local till = uv.hrtime() + 10e9
  local timer = uv.new_timer()
  timer:start(20, 20, function() end)
  while not self.ended and uv.hrtime() < till do uv.run "once" end
  timer:close()
  if not self.ended then return self:kill() end
  tidy(self)
end

--- Kill the browser at once.
function Browser:kill()
  uv.process_kill(self.handle, "sigkill")
  await("the browser's end", function() return self.ended end)
  tidy(self)
end

-- Pages --------------------------------------------------------------------------------------------

function Page:call(method, params) return self.browser:call(method, params, self.session) end

--- Keep what the page's console says, and exceptions.
function Page:hear(method, params)
  local said = self.console
  if method == "Runtime.consoleAPICalled" and params.type ~= "log" and params.type ~= "info" then
    local words = {}
    for index, one in ipairs(params.args) do words[index] = tostring(one.value or one.description) end
    said[#said + 1] = params.type .. ": " .. table.concat(words, " ")
  elseif method == "Runtime.exceptionThrown" then
    local about = params.exceptionDetails
    said[#said + 1] = "exception: " .. (about.exception and about.exception.description or about.text)
  elseif method == "Log.entryAdded" and (params.entry.level == "error"
    or params.entry.level == "warning") then
    said[#said + 1] = params.entry.level .. ": " .. params.entry.text .. " " .. tostring(params.entry.url
      or "")
  end
end

--- Set the size of the page.
function Page:resize(width, height, mobile)
  self:call("Emulation.setDeviceMetricsOverride",
    { width = width, height = height, deviceScaleFactor = 1, mobile = mobile == true })
end

function Page:open(url) self:call("Page.navigate", { url = url }) end

--- The value of an expression in the page; raises if it fails.
function Page:eval(text)
  local made = self:call("Runtime.evaluate", { expression = text, returnByValue = true, awaitPromise = true })
  if made.exceptionDetails then
    local about = made.exceptionDetails
    error((about.exception and about.exception.description or about.text) .. "\n  in: " .. text, 2)
  end
  local value = made.result.value
  if value == cjson.null then return nil end
  return value
end

--- Wait until an expression in the page is true.
function Page:wait(text)
  local till = uv.hrtime() + browser.patience * 1e9
  while true do
    local good, value = pcall(self.eval, self, ("!!(%s)"):format(text))
    if good and value then return end
    if uv.hrtime() > till then
      error(("waited in vain for %s; the console: %s"):format(text, table.concat(self.console, "; ")), 2)
    end
    local timer, over = uv.new_timer(), false
    uv.update_time()
    timer:start(40, 10, function() over = true end)
    while not over do uv.run "once" end
    timer:close()
  end
end

--- The middle of an element, in pixels; raises if there is none, or nobody could click it.
function Page:place(selector)
  local text = [[(() => {
    const all = [...document.querySelectorAll(%s)]
      .filter((one) => one.offsetParent !== null || one.getClientRects().length);
    const one = all.find((one) => %s);
    if (!one) return null;
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2, box.width, box.height];
  })()]]
  local css, words = selector:match "^(.-) *~ *(.+)$"
  local condition = words and ("one.textContent.includes(%s)"):format(cjson.encode(words)) or "true"
  local place = self:eval(text:format(cjson.encode(css or selector), condition))
  if not place then error("there is no element " .. selector, 2) end
  return table.unpack(place)
end

local function mouse(self, kind, x, y)
  self:call("Input.dispatchMouseEvent", { type = kind, x = x, y = y, button = kind == "mouseMoved" and "none"
    or "left",
    buttons = kind == "mouseReleased" and 0 or 1, clickCount = 1 })
end

--- Click an element: a CSS selector, or "SELECTOR ~ TEXT", the first one with that text.
function Page:click(selector)
  local x, y = self:place(selector)
  mouse(self, "mousePressed", x, y)
  mouse(self, "mouseReleased", x, y)
end

--- Press at a place, move in steps, release.
function Page:drag(x0, y0, x1, y1, steps)
  mouse(self, "mousePressed", x0, y0)
  for step = 1, steps do
    self:call("Input.dispatchMouseEvent", { type = "mouseMoved", x = x0 + (x1 - x0) * step / steps,
      y = y0 + (y1 - y0) * step / steps, button = "left", buttons = 1 })
  end
  mouse(self, "mouseReleased", x1, y1)
end

function Page:type(text) self:call("Input.insertText", { text = text }) end

--- Codes of keys that tests press.
local codes = { Enter = 13, Tab = 9, Escape = 27, ArrowUp = 38, ArrowDown = 40, ArrowLeft = 37,
  ArrowRight = 39, p = 80 }

--- Press a key; `alt`: with Alt.
function Page:press(key, alt)
  local about = { key = key, code = key, windowsVirtualKeyCode = codes[key], modifiers = alt and 1 or 0,
    text = key == "Enter" and "\r" or nil }
  about.type = "keyDown"
  self:call("Input.dispatchKeyEvent", about)
  about.type, about.text = "keyUp", nil
  self:call("Input.dispatchKeyEvent", about)
end

--- Save a picture of the page as PNG.
function Page:shot(path)
  local shot = self:call("Page.captureScreenshot", { format = "png" })
  files.write(path, require("brio.lib.base64").decode(shot.data))
end

function Page:close()
  self.browser.pages[self.session] = nil
  self.browser:call("Target.disposeBrowserContext", { browserContextId = self.context })
end

--- Close all pages, such as those of a test that has failed.
function Browser:close_pages()
  for _, page in pairs(self.pages) do page:close() end
end

return browser
