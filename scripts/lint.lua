--- Static checks: cppcheck and clang-tidy over the C, luacheck over the Lua.
---   lua5.4 scripts/lint.lua [FILE...]
--- Exits with 0 if there are no messages, 1 if there are, 2 if a tool is missing.  Disabled checks are listed
--- with their reasons in .clang-tidy, .luacheckrc and below.
package.path = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../tests/lib/?.lua;" .. package.path

local files = require "files"

local root = files.output("cd " .. files.quote(arg[0]:match "^(.*)/[^/]*$" or ".") .. "/.. && pwd -P")

-- Disabled messages of cppcheck, each with its reason.
local cppcheck_off = {
  missingIncludeSystem = "system headers are not given to it",
  missingInclude = "generated files appear with the build",
  unmatchedSuppression = "a suppression may stand for another version's message",
  normalCheckLevelMaxBranches = "is a remark on effort, not on the code",
  toomanyconfigs = "is a remark on effort, not on the code",
  objectIndex = "a vector is three doubles in a row, and is read as such",
  invalidPointerCast = "alignment of arena memory is tested by sanitizers",
  ["assignBoolToPointer:engine/math/hull.c"] = "it cannot read qhull's FORALLvertices",
  ["legacyUninitvar:engine/math/hull.c"] = "it cannot read qhull's FORALLvertices",
  ["uninitvar:engine/math/hull.c"] = "it cannot read qhull's FORALLfacets",
}

local function chosen(pattern)
  local found = {}
  for _, path in ipairs(#arg > 0 and arg or files.of_project(root)) do
    if path:match(pattern) then found[#found + 1] = files.quote(path) end
  end
  return found
end

local function compile_flags()
  local packages = "lua5.4 lua5.4-luv lua5.4-cjson libuv sqlite3 nlopt expat cairo libmd qhull_r liblzf \z
    libzstd"
  local others = files.output("pkg-config --cflags " .. packages .. " 2>/dev/null")
  return "-std=c11 -D_GNU_SOURCE -Iengine -I. -Ibuild/generated " .. others
end

local function cppcheck(sources)
  local off = {}
  for message in pairs(cppcheck_off) do off[#off + 1] = "--suppress=" .. message end
  table.sort(off)
  return ("cppcheck --quiet -j 2 --std=c11 --enable=warning,performance,portability --inline-suppr "
          .. "--error-exitcode=1 --template='{file}:{line}: {severity}: {message} [{id}]' "
          .. "-D_GNU_SOURCE -Iengine -I. %s %s"):format(table.concat(off, " "), table.concat(sources, " "))
end

-- one file a process: clang-tidy 14 forgets va_start if it reads several in turn
local function clang_tidy(sources)
  local flags = compile_flags()
  local one = ([[case $1 in engine/base/error.c) more= ;; *) more="-include tests/lint.h" ;; esac
    clang-tidy --quiet "$1" -- $more %s 2>/dev/null]]):format(flags)
  return ("printf '%%s\\n' %s | xargs -P 2 -n 1 sh -c %s tidy"):format(table.concat(sources, " "),
    files.quote(one))
end

local function luacheck(sources)
  return "luacheck --quiet --no-color " .. table.concat(sources, " ")
end

local tools = {
  { name = "cppcheck", sources = "%.c$", command = cppcheck },
  { name = "clang-tidy", sources = "%.c$", command = clang_tidy },
  { name = "luacheck", sources = "%.lua$", command = luacheck },
}

local worst = 0
for _, tool in ipairs(tools) do
  local sources = chosen(tool.sources)
  local _, absent = files.output("command -v " .. tool.name)
  if absent ~= 0 then
    io.stderr:write(tool.name, " is missing: scripts/packages-lint.txt names the package\n")
    worst = 2
  elseif #sources > 0 then
    local text, code = files.output(("cd %s && { %s; } 2>&1"):format(files.quote(root),
      tool.command(sources)))
    print(("%-10s %d files: %s"):format(tool.name, #sources, code == 0 and "nothing to say" or "see below"))
    if text ~= "" then print(text) end
    if code ~= 0 then worst = math.max(worst, 1) end
  end
end
os.exit(worst)
