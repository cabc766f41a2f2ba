--- `make install PREFIX=...`: the installed program works by itself.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local folder = files.temporary()
local prefix = folder .. "/opt/brio"
local made = harness.run {
  ("env -u MAKEFLAGS -u MFLAGS make --no-print-directory install PREFIX=%s BUILD=%s"):format(prefix,
    files.quote(harness.build)),
  timeout = 200,
}

local function installed(words, options)
  options = options or {}
  options[1] = prefix .. "/bin/brio " .. words
  options.cwd = options.cwd or "/"
  return harness.run(options)
end

test("make install works", function(t)
  t:code(made, 0)
  for _, path in ipairs { "bin/brio", "lib/libbrio.so", "lib/libbrio.a", "lib/lua/5.4/brio.so",
                          "share/lua/5.4/brio/init.lua", "share/brio/behaviors/kiosk.lua",
                          "share/brio/robots/pepper/robot.lua", "share/brio/gamepads/standard.lua",
                            "include/brio/robot/robot.h",
                          "include/brio/drivers/driver.h", "lib/pkgconfig/brio.pc",
                            "share/doc/brio/README.md",
                          "share/doc/brio/docs/engine/c-library.md",
                          "share/doc/brio/docs/reference/solver.md",
                          "share/brio/annotations/brio.lua", "share/brio/clients/brio.py" } do
    t:check(files.exists(prefix .. "/" .. path), "%s is not installed", path)
  end
end)

test("the installed brio runs from another folder, with its own library and robots", function(t)
  t:has(installed("--version").out, "~^brio %d")
  files.write(prefix .. "/where.lua", 'print(package.searchpath("brio.lib.paths", package.path), \z
    require("brio.lib.paths").robots())\n')
  local run = installed("lua " .. prefix .. "/where.lua")
  t:code(run, 0)
  t:has(run.out, prefix .. "/share/lua/5.4/")
  t:check(not run.out:find(harness.root, 1, true), "it looks into the source tree: %s", run.out)
  t:code(installed "robot ur3e", 0)
end)

test("the installed brio takes its library compiled, and the source of a module that was edited", function(t)
  files.write(prefix .. "/paths.lua", 'error(require("brio.lib.paths").mark or "as it came")')
  t:check(files.exists(prefix .. "/lib/brio/compiled/brio/init.lua"), "nothing is compiled")
  t:has(installed("lua " .. prefix .. "/paths.lua").err, "as it came")
  local source = prefix .. "/share/lua/5.4/brio/lib/paths.lua"
  local text = files.read(source)
  files.write(source, (text:gsub("\nreturn (%w+)%s*$", "\n%1.mark = 'edited'\nreturn %1\n")))
  t:has(installed("lua " .. prefix .. "/paths.lua").err, "edited")
  files.write(source, text)
end)

test("the installed kiosk runs", function(t)
  local store = prefix .. "/x.db"
  local run = installed("run share/brio/behaviors/kiosk.lua --for 2 --clock fast --store " .. store,
    { cwd = prefix })
  t:code(run, 0)
  t:equal(harness.sql(store, "select count(*) from runs"), "1", "count of runs")
end)

test("a stock lua5.4 finds the installed module", function(t)
  local run = harness.run { ([[LUA_PATH='%s/share/lua/5.4/?.lua;%s/share/lua/5.4/?/init.lua;;' ]]
    .. [[LUA_CPATH='%s/lib/lua/5.4/?.so;;' lua5.4 -e 'local brio = require "brio" ]]
    .. [[print(brio.version, assert(require("brio.robots").find "pepper").title)']]):format(prefix, prefix,
      prefix), cwd = "/" }
  t:code(run, 0)
  t:has(run.out, "Pepper")
end)

test("an objective builds against the installed headers, and the installed brio loads it", function(t)
  local object = prefix .. "/places.so"
  t:code(harness.run { ("cc -std=c11 -Wall -Wextra -Werror -fPIC -shared -I%s/include/brio \z
    %s/docs/examples/c/my_places.c -o %s")
    :format(prefix, harness.root, object) }, 0)
  files.write(prefix .. "/places.lua",
    'print(require("brio.want").my_nearest { link = "hand", goal = { { 1, 2, 3 } } }.key)')
  local run = installed(("lua --load %s %s/places.lua"):format(object, prefix))
  t:code(run, 0)
  t:equal(run.out, "my_nearest(link=hand)\n", "what it says")
end)

test("a C program builds against the installed headers and library", function(t)
  files.write(prefix .. "/use.c", [[
#include <stdio.h>
#include "robot/robot.h"
int main(void) {
  brio_error err = {0};
  printf("%s\n", brio_joint_type_name(BRIO_JOINT_REVOLUTE));
  return err.code;
}
]])
  local run = harness.run { ("cc -std=c11 -I%s/include/brio %s/use.c -L%s/lib -Wl,-rpath,%s/lib -lbrio -lm \z
    -o %s/use && %s/use")
                            :format(prefix, prefix, prefix, prefix, prefix, prefix) }
  t:code(run, 0)
  t:has(run.out, "revolute")
end)

--- The installed headers that are for other programs, as paths below include/brio.
local function public_headers()
  return files.lines(("cd %s/include/brio && find . -name '*.h' ! -name '*_internal.h' | sed 's|^./||' | \z
    LC_ALL=C sort")
    :format(prefix))
end

--- Write lines that include all of these headers.
local function includes_of(headers)
  local lines = {}
  for i, header in ipairs(headers) do lines[i] = ('#include "%s"\n'):format(header) end
  return table.concat(lines)
end

--- An eighth of a list, another one each day; all of it in a soak.
local function sample_of(list)
  if harness.scale > 1 then return list end
  local day = tonumber(os.getenv "BRIO_TEST_SEED" or "") or os.time() // 86400
  print(("# an eighth of %d headers alone (seed %d; make soak: all)"):format(#list, day))
  local eighth = {}
  for i = 1 + day % 8, #list, 8 do eighth[#eighth + 1] = list[i] end
  return eighth
end

test("every installed header compiles alone as C11, and all compile together", function(t)
  local headers = public_headers()
  t:check(#headers > 150, "only %d headers are installed", #headers)
  files.write(prefix .. "/include/brio/all.c", includes_of(headers))
  headers = sample_of(headers)
  t:code(harness.run { ("cd %s/include/brio && cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I. all.c %s")
    :format(prefix, table.concat(headers, " ")), timeout = 200 }, 0)
end)

test("all installed headers compile together as C++17, and a C++ program links with the library", function(t)
  if files.output "command -v g++" == "" then t:skip "there is no g++ here" end
  files.write(prefix .. "/all.cpp", ('extern "C" {\n%s}\n%s'):format(includes_of(public_headers()), [[
#include <cstdio>
int main() { std::puts(brio_joint_type_name(BRIO_JOINT_REVOLUTE)); }
]]))
  local command = "g++ -std=c++17 -Wall -Werror -IAT/include/brio AT/all.cpp -LAT/lib -Wl,-rpath,AT/lib \z
    -lbrio -o AT/all && AT/all"
  local run = harness.run { (command:gsub("AT", prefix)) }
  t:code(run, 0)
  t:equal(run.out, "revolute\n", "what it prints")
end)

test("the example of the page of the C library builds with brio.pc, and brings a link to its goal",
  function(t)
  if files.output "command -v pkg-config" == "" then t:skip "there is no pkg-config here" end
  local config = ("env PKG_CONFIG_PATH=%s/lib/pkgconfig pkg-config"):format(prefix)
  t:equal(files.output(config .. " --modversion brio"),
    files.output(files.quote(harness.program) .. " --version"):match "%S+$", "version")
  local built = harness.run { ("cc -std=c11 -Wall -Wextra -Werror %s/docs/examples/c/reach.c $(%s --cflags \z
    --libs brio) -Wl,-rpath,%s/lib -o %s/reach")
    :format(harness.root, config, prefix, prefix) }
  t:code(built, 0)
  local model = prefix .. "/share/brio/robots/ur3e/model.urdf"
  local ran = harness.run { ("%s/reach %s tool0 0.25 0.2 0.3"):format(prefix, model) }
  t:code(ran, 0)
  t:has(ran.out, "~elbow_joint +%-?[%d.]+\n")
  t:has(ran.out, "tool0 is at 0.2500 0.2000 0.3000")
  local wrong = harness.run { ("%s/reach %s tool 0 0 0"):format(prefix, model) }
  t:code(wrong, 1)
  t:has(wrong.err, "no link 'tool' (did you mean 'tool0'?)")
end)

files.remove(folder)
harness.done()
