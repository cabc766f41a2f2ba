--- Runs the commands of the tours in README.md and docs, and writes their output below them.
---     lua5.4 scripts/docs_tour.lua [--check] [PROGRAM]
--- --check writes nothing and fails if the output differs, or a command fails.  Measured values may differ:
--- dates, and the hash of a version.  Each page begins in a folder of its own.
package.path = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../tests/lib/?.lua;" .. package.path

local files = require "files"

local check = arg[1] == "--check"
local program = arg[check and 2 or 1] or "build/brio"
local root = files.output("cd " .. files.quote((arg[0]:match "^(.*)/[^/]*$" or ".") .. "/..") .. " && pwd -P")
if not program:match "^/" then program = root .. "/" .. program end

--- A folder in which the commands run as in the project, without leaving files there.
local function stage()
  local folder = files.temporary()
  files.output(("mkdir %s/build && ln -s %s %s/build/brio && ln -s %s/behaviors %s/drivers %s/")
    :format(folder, files.quote(program), folder, files.quote(root), files.quote(root), folder))
  return folder
end

--- A text with measured values replaced by placeholders.
local function settled(text)
  return (text:gsub("%d%d%d%d%-%d%d%-%d%dT[%d:.]+Z", "DATE"):gsub("version %x%x%x%x%x%x%x%x", "version HASH")
    :gsub("SHA%-256 %x+", "SHA-256 HASH"):gsub("egistered %d+%-%d+%-%d+", "egistered DATE"))
end

--- Run the commands of one block ("$ ...", with their output); return it with the present output.
local function played(block, folder)
  local out = {}
  for command in block:gmatch "[^\n]+" do
    if command:sub(1, 2) == "$ " then
      local text = files.output(("cd %s && sh -c %s 2>&1"):format(folder, files.quote(command:sub(3))))
      out[#out + 1] = command
      text = text:gsub(root:gsub("%p", "%%%0") .. "/", "") -- paths relative to the project
      if text ~= "" then out[#out + 1] = text:gsub("\n+$", "") end
    end
  end
  return table.concat(out, "\n") .. "\n"
end

local faults = 0

--- Run the tour of a page.
local function tour(page)
  local folder = stage()
  local before = files.read(root .. "/" .. page)
  local after = before:gsub("(```console\n)(.-)(```)", function(open, block, close)
    local now = played(block, folder)
    if settled(now) == settled(block) then return open .. block .. close end
    faults = faults + 1
    if check then io.stderr:write(page, " says\n", block, "but the commands print\n", now) end
    return open .. now .. close
  end)
  files.remove(folder)
  if not check then files.write(root .. "/" .. page, after) end
end

for _, page in ipairs { "README.md", "docs/analysis/studies.md", "docs/animation/quality.md" } do
  tour(page)
end
os.exit(check and faults > 0 and 1 or 0)
