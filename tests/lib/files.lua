--- Files and commands for tests and tools that run under a stock lua5.4, which has
--- neither folders nor processes: `find`, `git` and the shell provide them.
local uv = require "luv"

local files = {}

--- Return `text` as one word of a shell command.
function files.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- Run a shell command; return its output without the last newline, and its exit code.
function files.output(command)
  local pipe <close> = assert(io.popen(command, "r"))
  local text = pipe:read "a"
  local _, _, code = pipe:close()
  return (text:gsub("\n$", "")), code
end

--- Return a file's text, or nil when it cannot be read.
function files.read(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a"
end

--- Write a file, making its folder.
function files.write(path, text)
  local file = io.open(path, "wb")
  if not file then -- only then: a process for each file costs more than the file
    os.execute("mkdir -p " .. files.quote(path:match "^(.*)/[^/]*$" or "."))
    file = assert(io.open(path, "wb"))
  end
  file:write(text)
  file:close()
end

--- Return whether a file can be read.
function files.exists(path)
  local file <close> = io.open(path, "rb")
  return file ~= nil
end

--- Return the lines of a command's output.
function files.lines(command)
  local lines = {}
  for line in files.output(command):gmatch "[^\n]+" do lines[#lines + 1] = line end
  return lines
end

--- Return the sorted paths, relative to `root`, of every file of a project: what git
--- tracks or would track, or, outside a checkout, everything but build/ and .git/.
function files.of_project(root)
  local at = files.quote(root)
  local top = files.output("git -C " .. at .. " rev-parse --show-toplevel 2>/dev/null")
  local here = files.output("cd " .. at .. " && pwd -P")
  local list
  if top ~= "" and top == here then
    list = files.lines("git -C " .. at .. " -c core.quotePath=false ls-files -co --exclude-standard")
  else
    list = files.lines("cd " .. at .. " && find . -type f ! -path './.git/*' ! -path './build/*' | sed \z
      's|^./||'")
  end
  local present = {}
  for _, path in ipairs(list) do
    if files.exists(root .. "/" .. path) then present[#present + 1] = path end
  end
  table.sort(present)
  return present
end

--- Return the path of a new, empty folder, in `place` if given.
function files.temporary(place)
  return assert(uv.fs_mkdtemp((place or os.getenv "TMPDIR" or "/tmp") .. "/brio.XXXXXX"))
end

--- Remove a folder that `files.temporary` made.
function files.remove(folder)
  assert(folder:match "^/%w+/", "not a temporary folder: " .. folder)
  local names = uv.fs_scandir(folder)
  if not names then return end -- it is not there
  for name, kind in uv.fs_scandir_next, names do
    local path = folder .. "/" .. name
    if kind == "directory" then files.remove(path) else uv.fs_unlink(path) end
  end
  uv.fs_rmdir(folder)
end

return files
