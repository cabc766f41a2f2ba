--- The folder of a batch: what is to be done (batch.json), the lines and the log of each share (shares/), the
--- jobs (jobs/), and in the end the results in order (results.jsonl).
---
--- A share writes N-pPOINT.lines: a line about its build, then a line for each run.  Nothing is ever written
--- twice into one file, so a share that was killed leaves whole lines, but for the last.
local build = require "brio.trials.batch.build"
local cjson = require "cjson"
local reason = require "brio.io.reason"
local results = require "brio.trials.batch.results"
local store = require "brio.store"
local uv = require "luv"

local folder = {}
local Folder = {}
Folder.__index = Folder

local function make(path)
  local good, why = uv.fs_mkdir(path, 493)
  if good or (uv.fs_stat(path) or {}).type == "directory" then return true end
  return nil, ("%s: the folder cannot be made: %s"):format(path, reason(why))
end

local function write(path, text)
  local file, why = io.open(path .. ".part", "wb")
  local good = file and file:write(text)
  if file then good = file:close() and good end
  if good then good, why = os.rename(path .. ".part", path) end
  if not good then return nil, ("%s cannot be written: %s"):format(path, tostring(why)) end
  return true
end

--- The table of a JSON file; nil: there is none; nil and a sentence: it is not one.
local function read_json(path)
  local file <close> = io.open(path, "rb")
  if not file then return nil end
  local good, said = pcall(cjson.decode, file:read "a")
  if good and type(said) == "table" then return said end
  return nil, path .. " is no file of a batch: an object of JSON was expected"
end

--- Open the folder at a path, or make it.  Return it, or nil and a sentence.
function folder.open(path)
  for _, each in ipairs { path, path .. "/shares", path .. "/jobs" } do
    local good, why = make(each)
    if not good then return nil, why end
  end
  local real = uv.fs_realpath(path)
  return setmetatable({ path = real, given = path, found = {}, files = {}, last = 0, repeated = 0 }, Folder)
end

--- Seconds after which the lock of another machine counts as left behind: its program writes it again with
--- every look, at least each 10 s, unless it waits for an engine.
folder.lock_lasts = 120

--- Whether the program that wrote a lock still does a batch.  Of another machine only the time of its lock
--- tells; `age`: s since then, by the clock that times the folder's files.
local function is_held(held, age)
  if held.host ~= uv.os_gethostname() then return age < folder.lock_lasts end
  local file <close> = io.open(("/proc/%d/cmdline"):format(held.pid), "rb")
  return held.pid ~= uv.os_getpid() and file ~= nil and (file:read "a"):find("\0batch\0", 1, true) ~= nil
end

local function read_text(path)
  local file <close> = io.open(path, "r")
  return file and file:read "a"
end

--- What the text of a lock says: {pid, host}; nil: nothing.
local function read_lock(text)
  local pid, host = (text or ""):match "^(%d+)%s*(%S*)"
  return pid and { pid = math.tointeger(tonumber(pid)), host = host ~= "" and host or uv.os_gethostname() }
end

local function modified(path)
  local stat = uv.fs_stat(path)
  return stat and stat.mtime.sec + stat.mtime.nsec / 1e9
end

--- Give a file the name of a lock, if no file has it.  A link is made by one program alone; where the file
--- system has none, the file is renamed.  Return true, or nil, a reason and whether another file has it.
local function link(mine, path)
  local good, why, code = uv.fs_link(mine, path)
  if code == "EPERM" or code == "ENOTSUP" or code == "EOPNOTSUPP" then good, why = os.rename(mine, path) end
  return good, why, code == "EEXIST"
end

--- Remove a lock that was left behind, of this text and time.  Another program may have put its own in its
--- place by now: so the lock gets a name of this program's first, and if it is another's, its own name again.
local function remove_lock(path, mine, text, since)
  local aside = mine .. ".aside"
  if not os.rename(path, aside) then return end
  if read_text(aside) ~= text or modified(aside) ~= since then link(aside, path) end
  os.remove(aside)
end

--- Let no other program do the same batch at once, on this machine or another one that sees the folder.
--- Return true, or nil and a sentence.
function Folder:lock()
  local path = self.path .. "/lock"
  local mine = ("%s.%s.%d"):format(path, uv.os_gethostname(), uv.os_getpid())
  self.lock_text = ("%d %s\n"):format(uv.os_getpid(), uv.os_gethostname())
  local good, why = write(mine, self.lock_text)
  if not good then return nil, why end
  for _ = 1, 3 do
    local taken
    good, why, taken = link(mine, path)
    if not taken then break end
    local text, since = read_text(path), modified(path)
    local held = read_lock(text)
    if held and since and is_held(held, modified(mine) - since) then
      os.remove(mine)
      return nil, ("%s: another brio (process %d on %s) does this batch"):format(self.given, held.pid,
        held.host)
    end
    remove_lock(path, mine, text, since)
  end
  os.remove(mine)
  if good then return true end
  return nil, ("%s: the batch cannot be locked: %s"):format(self.given, reason(tostring(why)))
end

--- Write the lock again, so that programs of other machines see that this one goes on.  Return true, or nil
--- and a sentence: another program has taken the batch over, as while this one was suspended.
function Folder:keep_lock()
  if not self.lock_text then return true end
  local file <close> = io.open(self.path .. "/lock", "r+")
  if not file or file:read "a" ~= self.lock_text then
    return nil, self.given .. ": another brio has taken over this batch"
  end
  file:seek "set"
  file:write(self.lock_text)
  return true
end

function Folder:unlock()
  if read_text(self.path .. "/lock") == self.lock_text then os.remove(self.path .. "/lock") end
  self.lock_text = nil
end

--- What the batch does: {words (of `brio repeat`, without the number of runs), points, build}.  nil: nothing
--- yet; nil and a sentence.
function Folder:read() return read_json(self.path .. "/batch.json") end

function Folder:write(about) return write(self.path .. "/batch.json", store.json(about) .. "\n") end

--- The job that goes on without this program, or did; nil: none.
function Folder:job() return (read_json(self.path .. "/jobs/going.json")) end

function Folder:keep_job(job)
  return write(self.path .. "/jobs/going.json", store.json { on = job.on, id = job.id, round = job.round }
    .. "\n")
end

function Folder:forget_job() os.remove(self.path .. "/jobs/going.json") end

--- The number of the last job that has files here, 0 at first.
function Folder:last_round()
  local last = 0
  local listed = uv.fs_scandir(self.path .. "/jobs")
  while listed do
    local name = uv.fs_scandir_next(listed)
    if not name then return last end
    last = math.max(last, math.tointeger(tonumber(name:match "^%d+")) or 0)
  end
  return last
end

--- What was stored of the batch: {store, runs, repeats}; nil: nothing.
function Folder:stored() return (read_json(self.path .. "/stored.json")) end

function Folder:keep_stored(about) return write(self.path .. "/stored.json", store.json(about) .. "\n") end

--- Seconds from the beginning of the last share, when its log was made, to its last line; nil: its log has
--- words, and so another time.
function Folder:seconds_of_last()
  local began, ended
  for name in next, self.files do
    if math.tointeger(tonumber(name:match "^%d+")) == self.last then
      local log = uv.fs_stat(("%s/shares/%s"):format(self.path, (name:gsub("%.lines$", ".log"))))
      began = log and log.size == 0 and log.mtime.sec + log.mtime.nsec / 1e9
      ended = modified(self.path .. "/shares/" .. name)
    end
  end
  return began and ended and math.max(ended - began, 1e-3) or nil
end

--- The names of the next share's files: its lines, its log.
function Folder:next_share(point)
  self.last = self.last + 1
  local base = ("%s/shares/%06d-p%d"):format(self.path, self.last, point)
  return base .. ".lines", base .. ".log"
end

--- Take a line of a share.  Return nil and a sentence if its results cannot be used.
local function take(self, file, line)
  if not file.build then
    file.build = build.read(line)
    local fault = file.build and build.difference(self.build, file.build)
    if not file.build then return nil, ("%s does not begin with a line about its build"):format(file.path) end
    if fault then
      return nil, ("%s was made by another build than this batch: %s; results of different builds are not \z
        mixed"):format(file.path, fault)
    end
    return true
  end
  local result = results.read(line)
  if not result then return nil, ("%s has a line that is no result: %.60s"):format(file.path, line) end
  local here = self.found[file.point]
  local known = here.lines[result.run]
  if known and known ~= line then
    return nil, ("run %d came to two results, in %s and another share: runs do not repeat on these machines")
      :format(result.run, file.path)
  end
  if not known then here.lines[result.run], here[result.run] = line, result end
  return true
end

--- Read what a share's file has got since the last look.
local function read_on(self, file)
  local stat = uv.fs_stat(file.path)
  if not stat or stat.size <= file.at then return true end
  local handle <close> = io.open(file.path, "rb")
  if not handle then return true end
  handle:seek("set", file.at)
  local text = handle:read "a" or ""
  for line in text:gmatch "([^\n]*)\n" do
    local good, why = take(self, file, line)
    if not good then return nil, why end
    file.at = file.at + #line + 1
  end
  return true
end

--- Read all lines that came since the last look.  `own`: the build that they must have; `points`: their
--- number.  Return true, or nil and a sentence.
function Folder:look(own, points)
  self.build = own
  for point = #self.found + 1, points do self.found[point] = { lines = {} } end
  local listed = uv.fs_scandir(self.path .. "/shares")
  while listed do
    local name = uv.fs_scandir_next(listed)
    if not name then break end
    local number, point = name:match "^(%d+)%-p(%d+)%.lines$"
    number, point = math.tointeger(tonumber(number)), math.tointeger(tonumber(point))
    if number then
      self.last = math.max(self.last, number)
      self.files[name] = self.files[name] or { path = self.path .. "/shares/" .. name, at = 0, point = point }
      if not self.found[point] then
        return nil, ("%s/shares/%s: this batch has no point %d"):format(self.given, name, point)
      end
    end
  end
  for _, file in next, self.files do
    local good, why = read_on(self, file)
    if not good then return nil, why end
  end
  return true
end

--- The path of the newest log in a folder that has any words; nil: none.
local function newest_log(path)
  local newest, last
  local listed = uv.fs_scandir(path)
  while listed do
    local name = uv.fs_scandir_next(listed)
    if not name then break end
    local number = name:match "%.log$" and tonumber(name:match "^%d+")
    local stat = number and uv.fs_stat(path .. "/" .. name)
    if stat and stat.size > 0 and (not newest or number > last) then
      newest, last = path .. "/" .. name, number
    end
  end
  return newest
end

--- The last lines of the newest log of a share, or else of a job, that has any: {path, text}; nil: none.
function Folder:complaint()
  local path = newest_log(self.path .. "/shares") or newest_log(self.path .. "/jobs")
  local file <close> = path and io.open(path, "rb") or nil
  if not file then return nil end
  return { path = path, text = (file:read "a"):sub(-500):gsub("%s+$", "") }
end

--- Write the lines of the results in order, those of each point after each other.  `lists`: for each point
--- the results that count.
function Folder:write_results(lists)
  local lines = {}
  for point, list in ipairs(lists) do
    for _, result in ipairs(list) do lines[#lines + 1] = self.found[point].lines[result.run] end
  end
  return write(self.path .. "/results.jsonl", table.concat(lines, "\n") .. "\n")
end

return folder
