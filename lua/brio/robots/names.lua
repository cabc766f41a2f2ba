--- Information in the names of links and joints: their words, their side, and their part of the body.
local names = {}

--- Words by their meaning. A word may also begin with the letter of its side, as in "lfoot".
local vocabulary = {
  arm = "arm uarm upperarm ufarm lfarm forearm shoulder elbow wrist hand palm gripper clav scap clavicle "
    .. "scapula humerus biceps",
  leg = "leg uleg lleg hip knee ankle foot toe sole thigh calf shin shank femur tibia talus tarsus glut "
    .. "uglut lglut hfe haa kfe",
  head = "head neck face skull eye jaw helmet visor",
  skull = "head face skull helmet visor neck display screen monitor", -- names of heads that no joint moves
  face = "eye eyes eyelid jaw",
  wheel = "wheel caster castor rotor propeller suspension track",
  trunk = "torso utorso waist chest spine trunk pelvis abdomen",
  finger = "finger fingertip thumb index middle ring pinky little knuckle claw proximal distal",
  gripper = "gripper grip jaw pincher",
  camera = "camera cam rgb rgbd stereo kinect xtion realsense d435 d455 d415 d405 zed multisense",
  sensor = "optical depth imu ir infra led accelerometer gyro laser lidar hokuyo sonar ft force torque touch "
    .. "contact",
  turn = "roll pitch yaw rotation",
}

local kinds_of_word = {}
for kind, text in next, vocabulary do
  for word in text:gmatch "%S+" do
    kinds_of_word[word] = kinds_of_word[word] or {}
    kinds_of_word[word][kind] = true
  end
end

local sides = { left = "left", l = "left", right = "right", r = "right" }
local known = {} -- words by name: names come again and again

--- The words of a name, in lower case: "LHipYaw" is l, hip, yaw; "arm_left_7_link" is arm, left, 7, link.
---@return string[]
function names.words(name)
  if known[name] then return known[name] end
  local list = {}
  local text = name:gsub("(%u)(%u%l)", "%1_%2"):gsub("(%l)(%u)", "%1_%2"):gsub("(%a%a)(%d)", "%1_%2")
  for word in text:lower():gmatch "%w+" do list[#list + 1] = word end
  known[name] = list
  return list
end

--- The kinds of a word, and the side with which it begins, if any.
local function look_up(word)
  if kinds_of_word[word] then return kinds_of_word[word] end
  local letter, rest = word:match "^([lr])(%a%a%a+)$"
  if letter and kinds_of_word[rest] then return kinds_of_word[rest], sides[letter] end
end

--- Whether a name has a word of `kind`: a key of the vocabulary.
function names.has(name, kind)
  for _, word in ipairs(names.words(name)) do
    local kinds = look_up(word)
    if kinds and kinds[kind] then return true end
  end
  return false
end

--- Whether a name has exactly this word.
function names.contains(name, wanted)
  for _, word in ipairs(names.words(name)) do
    if word == wanted then return true end
  end
  return false
end

--- The side in a name: "left", "right" or nil.
function names.side(name)
  local list = names.words(name)
  for _, word in ipairs(list) do
    if sides[word] then return sides[word] end
  end
  for _, word in ipairs(list) do
    local _, side = look_up(word)
    if side then return side end
  end
end

return names
