--- "Where is ...?": thirty questions of people who do not know the tree, each with the file that answers it.
--- Names alone must lead there: the words of a question are looked for in the paths of all files, rare words
--- count more than frequent ones, and the answer must be among the first three.
local where = {}

--- The questions and their answers; `enough` of them must lead to the answer.
where.enough = 27
where.questions = {
  { "the packets of the Dynamixel 2 protocol", "drivers/protocols/dynamixel2.c" },
  { "the guard: no step after which the robot hits something (collision)",
    "engine/solver/collision/guard.c" },
  { "reading a BVH motion file", "lua/brio/formats/motion/readers/bvh.lua" },
  { "the columns of the store's tables", "store/tables.def" },
  { "exporting a run as CSV", "lua/brio/formats/run/writers/csv.lua" },
  { "the objective that makes a head look at a point", "engine/solver/objectives/look_at.c" },
  { "timing: jerk-limited transfer from one state of the joints to another",
    "engine/plan/timing/transfer.c" },
  { "reading a tree of BehaviorTree.CPP (btcpp)", "lua/brio/formats/tree/readers/btcpp.lua" },
  { "suggestions for a misspelled name (did you mean)", "lua/brio/lib/suggest.lua" },
  { "idle gestures of the character, such as blinking", "lua/brio/character/idle/gestures.lua" },
  { "mapping of joint positions to units of the motor", "engine/motor/mapping.c" },
  { "the offset between our clock and that of a program that feeds detections", "engine/feed/offset.c" },
  { "assignment of detections to persistent objects in the scene", "engine/scene/assignment.c" },
  { "the criterion of a run's success, for brio bisect", "lua/brio/analysis/criterion.lua" },
  { "undo at the prompt", "lua/brio/operator/prompt/undo.lua" },
  { "the NARS questionnaire", "lua/brio/study/questionnaires/shipped/nars.lua" },
  { "the report of a study", "lua/brio/study/report.lua" },
  { "snapshots from which a run is resumed after a crash", "lua/brio/run/snapshot.lua" },
  { "hot reload of a behavior in a run", "lua/brio/run/reload.lua" },
  { "the panic button of a gamepad", "engine/runtime/front/gamepad.c" },
  { "the client of an MQTT broker for a fleet", "lua/brio/runs/fleet/mqtt.lua" },
  { "the time bar of the studio's page", "lua/brio/studio/page/timebar.js" },
  { "inverse dynamics: the torques of a motion", "engine/dynamics/inverse.c" },
  { "the A* planner of footsteps", "engine/plan/planners/a_star.c" },
  { "doors of the simulated world: their step under a touch", "engine/world/doors/door_step.c" },
  { "shares of a batch in a Slurm queue", "lua/brio/trials/batch/engines/slurm.lua" },
  { "the leaf of a tree that makes a robot go to a place", "lua/brio/tree/leaves/go_to.lua" },
  { "reading a point cloud from a PCD file", "engine/cloud/readers/pcd.c" },
  { "faults that are injected into an actuator", "drivers/actuator/fault.c" },
  { "merging one store into another", "lua/brio/analysis/upkeep/merge.lua" },
}

local idle_words = {}
for word in ("the a an of to in at for by from with such as is are that which its their our one other "
  .. "another no not and or into file files lua brio robot makes make after under between you did mean")
  :gmatch "%S+" do idle_words[word] = true end

--- The stem of a word, by which "readers" and "reading" are one.
local function stem(word)
  for _, ending in ipairs { "ings", "ing", "ions", "ion", "ers", "er", "ies", "es", "ed", "s", "e" } do
    local rest = word:match("^(%w%w%w+)" .. ending .. "$")
    if rest then return rest end
  end
  return word
end

--- The stems of a text, once each, and two neighbors as one: a "time bar" may be in a file timebar.
local function stems_of(text)
  local list, known, before = {}, {}, nil
  local function add(one)
    if not known[one] then list[#list + 1], known[one] = one, true end
  end
  for word in text:lower():gsub("%*", "_star"):gsub("%.%w+$", ""):gmatch "%w+" do
    if not idle_words[word] then
      add(stem(word))
      if before then add(before .. word) end
    end
    before = word
  end
  return list, known
end

--- The files that a person may look for: sources of the engine, the drivers, the store and the library.
local function is_source(path)
  return path:match "%.[cdljs][euso]?[fas]?$" and not path:match "^drivers/robots/"
    and (path:match "^engine/" or path:match "^drivers/" or path:match "^store/" or path:match "^lua/")
end

--- The sources with the stems of their names, and how many of them have each stem.
local function index_of(paths)
  local sources, count = {}, {}
  for _, path in ipairs(paths) do
    if is_source(path) then
      local list, known = stems_of(path)
      local _, own = stems_of(path:match "[^/]+$")
      sources[#sources + 1] = { path = path, known = known, own = own, length = #list }
      for _, word in ipairs(list) do count[word] = (count[word] or 0) + 1 end
    end
  end
  return sources, count
end

--- The rank of the answer among all files by the words of a question; files that fit as well come before it.
local function rank_of(question, answer, sources, count)
  local scores, mine, words = {}, nil, stems_of(question)
  for index, source in ipairs(sources) do
    local score = -0.1 * source.length
    for _, word in ipairs(words) do
      if source.known[word] then
        score = score + math.log(#sources / count[word]) * (source.own[word] and 1 or 0.7)
      end
    end
    scores[index] = score
    if source.path == answer then mine = score end
  end
  local rank = 0
  for _, score in ipairs(scores) do
    if score >= mine then rank = rank + 1 end
  end
  return rank
end

--- Report answers that are not there, and, when too few are found by name, those that are not found.
--- paths: of the project; fault(path, line, sentence).
function where.check(paths, fault)
  local known = {}
  for _, path in ipairs(paths) do known[path] = true end
  if not known["tests/lib/walls/where.lua"] then return end -- another project
  local sources, count = index_of(paths)
  local missed = {}
  for _, row in ipairs(where.questions) do
    local question, answer = row[1], row[2]
    if not known[answer] then
      fault("tests/lib/walls/where.lua", 1, ("%s is not there; it answers '%s'"):format(answer, question))
    else
      local rank = rank_of(question, answer, sources, count)
      if rank > 3 then missed[#missed + 1] = { answer, question, rank } end
    end
  end
  if #missed <= #where.questions - where.enough then return end
  for _, one in ipairs(missed) do
    fault(one[1], 1, ("is file %d that its name lets one open for '%s'"):format(one[3], one[2]))
  end
end

return where
