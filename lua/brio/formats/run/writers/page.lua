--- A run as one HTML file with the studio's page: the robot moves as it was measured, with time bar, states,
--- log, plots and files.  The file opens from the disk, without a server or a network.
local base64 = require "brio.lib.base64"
local paths = require "brio.lib.paths"
local recorded = require "brio.studio.recorded"
local store = require "brio.store"

local page = {
  name = "page", extensions = { "page.html" }, takes = { rate = true },
  doc = "the studio's page with this run in it: one file that opens without a server",
}

--- Frame rate in Hz unless one is given, and the maximum number of frames.
local usual_rate, most_frames = 30, 20000

--- The Content-Security-Policy of the file: it loads nothing from elsewhere.
local policy = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; \z
  img-src data: blob:"

--- All bytes of a file; raises.
local function read(path)
  local text, why = require("brio.file").read(path, 1 << 24)
  if not text then error(why, 0) end
  return text
end

--- The modules of the page and of its libraries, {name = text}, by the names with which they import each
--- other; and the styles. Raises if the libraries are missing.
local function modules(program)
  local own, built = paths.studio(program)
  local list = {}
  for _, folder in ipairs { "", "view/", "panels/", "author/" } do
    for _, name in ipairs(assert(require("brio.file").list(own .. "/" .. folder))) do
      if name:match "%.js$" then list["page/" .. folder .. name] = read(own .. "/" .. folder .. name) end
    end
  end
  for _, name in ipairs { "ui", "three", "plot", "code", "graph" } do
    if not paths.exists(("%s/%s.js"):format(built, name)) then
      error("the libraries of the page are missing: `make studio` fetches them with npm", 0)
    end
    list[("v/%s.js"):format(name)] = read(("%s/%s.js"):format(built, name))
  end
  -- Instead of a studio, the file itself answers the page's requests.
  list["page/link.js"] = list["page/offline.js"]
  list["page/offline.js"] = nil
  return list, read(built .. "/plot.css") .. read(own .. "/style.css")
end

local function escaped(letter) return ("%%%02X"):format(letter:byte()) end

--- A module as a data: URL. Its imports become names of the import map, because paths cannot be resolved from
--- such a URL.
local function address_of(text)
  text = text:gsub('"/(page/[%w_/]+%.js)"', '"%1"'):gsub('"/(v/%w+%.js)"', '"%1"')
  return "data:text/javascript;charset=utf-8," .. text:gsub("[%%#%c]", escaped)
end

--- JSON that is safe inside an HTML element.
local function embedded(value) return (store.json(value):gsub("<", "\\u003c")) end

--- The frames of a run in base64.  They are read in pieces, because one request returns a limited number.
local function frames_of(run, made, options)
  local to = math.min(run.to, run.length)
  local step = math.max(1 / (options.rate or usual_rate), (to - run.from) / most_frames)
  local count, parts = math.max(1, math.floor((to - run.from) / step + 1e-6) + 1), {}
  local piece = recorded.most_frames - 1
  for first = 0, count - 1, piece do
    local last = math.min(first + piece, count) - 1
    local bytes, why = made:frames(run.number, run.from + first * step, run.from + last * step, step)
    if not bytes then error(why, 0) end
    parts[#parts + 1] = bytes
  end
  return base64.encode(table.concat(parts))
end

--- The texts of the files that ran: {hash = text}.
local function sources_of(made, versions)
  local list = {}
  for _, row in ipairs(versions or {}) do list[row.hash] = made:source(row.hash) end
  return list
end

function page.write(run, sink, options)
  local made = recorded.of(run.db)
  local row, why = made:run(run.number)
  if not row then return nil, why end
  local model, fault = made:model(run.number)
  if not model and options.note then options.note("the robot is not drawn: " .. fault) end
  local texts, style = modules(options.program)
  local imports = {}
  for name, text in next, texts do imports[name] = address_of(text) end
  local title = ("run %d of brio"):format(run.number)
  sink:write(([[<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="nonce" content="">
<title>%s</title>
]]):format(policy, title))
  sink:write("<style>" .. style .. "</style>\n")
  sink:write('<script type="importmap">' .. embedded { imports = imports } .. "</script>\n")
  sink:write '</head>\n<body>\n<div id="app"><p class="notice">The run is loading ...</p></div>\n'
  sink:write '<noscript><p class="notice">This page needs scripts.</p></noscript>\n'
  sink:write('<script type="application/json" id="run">' .. embedded { run = row,
    frames = frames_of(run, made, options), sources = sources_of(made, row.versions) }:gsub("}%s*$", "")
    .. ',"model":' .. (model and model:gsub("<", "\\u003c") or "null") .. "}</script>\n")
  sink:write '<script type="module">import "page/main.js";</script>\n</body>\n</html>\n'
  return true
end

return page
