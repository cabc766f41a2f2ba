--- A Slurm of one node, of its own, for tests: munge, controller and node as root, without systemd, cgroups
--- and accounting, in a folder of its own and on free ports.
local harness = require "harness"
local uv = require "luv"

local slurm = {}
local Slurm = {}
Slurm.__index = Slurm

local conf = [[
ClusterName=brio
SlurmctldHost=%s(127.0.0.1)
SlurmUser=root
SlurmctldPort=%d
SlurmdPort=%d
AuthType=auth/munge
AuthInfo=socket=%s/munge.sock
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
MaxArraySize=20001
MaxJobCount=50000
SchedulerParameters=batch_sched_delay=0,sched_min_interval=10000,bf_interval=5
StateSaveLocation=%s/state
SlurmdSpoolDir=%s/spool
SlurmctldPidFile=%s/slurmctld.pid
SlurmdPidFile=%s/slurmd.pid
SlurmctldLogFile=%s/slurmctld.log
SlurmdLogFile=%s/slurmd.log
NodeName=%s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP
]]

--- Why it cannot be started here; nil: it can.
function slurm.absent()
  for _, program in ipairs { "slurmctld", "slurmd", "munged", "sbatch" } do
    if harness.run("PATH=$PATH:/usr/sbin command -v " .. program).code ~= 0 then
      return program .. " is not installed (packages slurm-wlm and munge)"
    end
  end
  if uv.getuid() ~= 0 then return "a Slurm of its own needs root" end
end

--- A free port.
local function port()
  local socket = uv.new_tcp()
  socket:bind("127.0.0.1", 0)
  local number = socket:getsockname().port
  socket:close()
  uv.run "nowait"
  return number
end

--- Start it below a folder.  Return it, or nil and why it does not come up.
function slurm.start(folder)
  local base = folder .. "/slurm"
  local name = uv.os_gethostname():match "^[^.]*"
  local self = setmetatable({ folder = base, variables = "SLURM_CONF=" .. base .. "/slurm.conf" }, Slurm)
  harness.run(("mkdir -p %s/state %s/spool && chmod 755 %s && head -c 1024 /dev/urandom >%s/key && chmod \z
    400 %s/key"):format(base, base, base, base, base))
  harness.files.write(base .. "/slurm.conf", (conf:gsub("%%[sd]", function(kind)
    return kind == "%d" and port() or "\0"
  end):gsub("\0", base)))
  local text = harness.files.read(base .. "/slurm.conf"):gsub("SlurmctldHost=" .. base:gsub("%p", "%%%0"),
    "SlurmctldHost=" .. name):gsub("NodeName=" .. base:gsub("%p", "%%%0"), "NodeName=" .. name)
  harness.files.write(base .. "/slurm.conf", text)
  local started = harness.run(([[export PATH=$PATH:/usr/sbin SLURM_CONF=%s/slurm.conf
    munged --force --key-file=%s/key --socket=%s/munge.sock --pid-file=%s/munged.pid --log-file=%s/munged.log \
      --seed-file=%s/munged.seed && slurmctld -c && slurmd -c]]):format(base, base, base, base, base, base))
  if started.code ~= 0 then return self:stop() and nil, started.text end
  local good, why = pcall(harness.await, "an idle node of Slurm", function()
    return self:run("sinfo -h -o %T").out:find("idle", 1, true)
  end, { seen = function() return self:run("sinfo").text end })
  if not good then return self:stop() and nil, why end
  return self
end

--- Run a line that uses it.
function Slurm:run(line) return harness.run(self.variables .. " " .. line) end

function Slurm:stop()
  for _, program in ipairs { "slurmd", "slurmctld", "munged" } do
    local pid = tonumber(harness.files.read(self.folder .. "/" .. program .. ".pid") or "")
    if pid then uv.kill(math.tointeger(pid), "sigterm") end
  end
  return true
end

return slurm
