--- The libraries with which brio is compared: the requirements of each, and how its benchmark is built.
local files = require "files"

local peers = {}

-- `headers`: one file that each Debian package must have installed.
peers.list = {
  {
    name = "KDL", program = "peers_kdl", modules = "orocos-kdl urdfdom", libraries = "",
    headers = { ["kdl/tree.hpp"] = "liborocos-kdl-dev", ["urdf_parser/urdf_parser.h"] = "liburdfdom-dev" },
  },
  {
    name = "DART", program = "peers_dart", modules = "dart", libraries = "-ldart-utils-urdf -ldart",
    headers = { ["dart/dynamics/Skeleton.hpp"] = "libdart-dev",
                ["dart/utils/urdf/DartLoader.hpp"] = "libdart-utils-urdf-dev" },
  },
}

local function succeeds(command)
  return (select(2, files.output(command .. " >/dev/null 2>&1"))) == 0
end

--- Return the Debian package that `peer` lacks, or nil.
local function missing(peer, flags)
  if not succeeds "command -v g++" then return "g++" end
  local absent = {}
  for header, package in pairs(peer.headers) do
    if not succeeds(("echo '#include <%s>' | g++ %s -x c++ -E -"):format(header, flags)) then
      absent[#absent + 1] = package
    end
  end
  table.sort(absent)
  return absent[1]
end

--- Build the benchmark of `peer` (`shared`: a shared object that another one loads) unless it is newer than
--- its sources.  Return its path, or nil and why there is none.
function peers.build(peer, root, build)
  local modules = files.output(("pkg-config --cflags %s 2>/dev/null"):format(peer.modules))
  -- Headers of others are system headers; -idirafter keeps /usr/include in its position.
  local flags = modules:gsub("%-I", "-idirafter ") .. " -std=c++17 -O2 -Wall -Wextra -Werror -Wshadow -I"
    .. files.quote(root)
  local package = missing(peer, flags)
  if package then return nil, "skipped: " .. package .. " is not installed" end
  local source = root .. "/scripts/bench/peers/" .. peer.program .. ".cpp"
  local made = build .. "/bench/peers/" .. peer.program
  local newer = files.output(("find %s/scripts/bench -name '*.cpp' -newer %s -o -name '*.h' -newer %s 2>&1")
                             :format(files.quote(root), files.quote(made), files.quote(made)))
  if files.exists(made) and newer == "" then return made end
  print("  BENCH " .. source:sub(#root + 2))
  local libraries = files.output(("pkg-config --libs %s 2>/dev/null"):format(peer.libraries == ""
    and peer.modules or ""))
  local text, code = files.output(("mkdir -p %s && g++ %s %s %s -o %s %s %s 2>&1")
    :format(files.quote(build .. "/bench/peers"), flags .. (peer.shared and " -shared -fPIC" or ""),
      peer.shared and "" or files.quote(root .. "/scripts/bench/peers/peers.cpp"),
      files.quote(source), files.quote(made), libraries, peer.libraries))
  if code ~= 0 then return nil, "skipped: its benchmark does not build:\n" .. text end
  return made
end

return peers
