---@meta
-- luacheck: ignore 121 211 212 241 631
--- What a robot's character is to a behavior, for the Lua language server: docs/animation/character.md says
--- more.

-- Speech ------------------------------------------------------------------------------------------

---@class brio.Said
---@field text string as people read it
local Said = {}

---Whether it is being said, or waits for its turn.
---@return boolean
function Said:on() end

---Waits until it is over. Only in `run`.
---@return true? over nil: it was cut off
---@return string? why "hushed", "replaced", "stopped"
function Said:wait() end

---Says no more of it.
---@return boolean on whether it was on
function Said:stop() end

---@class brio.Speech
local Speech = {}

---Says a text behind what is being said: see docs/animation/speech.md for marks in it.
---@param text string
---@param how? { voice?: string, rate?: number, pitch?: number, volume?: number, beats?: number, interrupt?: boolean, plain?: boolean }
---@return brio.Said? said
---@return string? why
function Speech:say(text, how) end

---Plays a WAVE file; the mouth opens as it is loud.
---@param file string beside the behavior's own, unless its path is full
---@param how? { volume?: number, mouth?: boolean, interrupt?: boolean }
---@return brio.Said? said
---@return string? why
---@return string? code no_file, format
function Speech:play(file, how) end

---Says no more of anything.
---@return integer count how many texts that ended
function Speech:hush() end

---What is being said; nil: nothing.
---@return { text: string, word: string, seconds: number }?
function Speech:speaking() end

---How many texts wait behind it.
---@return integer
function Speech:waiting() end

-- Idle life ---------------------------------------------------------------------------------------

---@class brio.Idle
local Idle = {}

---The level, from 0 (still) to 1 (lively); with a value, sets it.
---@param value? number
---@return number
function Idle:level(value) end

---Keeps idle life off a row of it, a DOF or a group of DOFs.
---@param name string
function Idle:off(name) end

---Lets it on again.
---@param name string
function Idle:on(name) end

---A gesture of a row now, such as "blink".
---@param name string
function Idle:gesture(name) end

---All rows.
---@return { name: string, kind: "motion"|"gesture", off: boolean, level: number, count?: integer }[]
function Idle:list() end

-- How it stands and walks --------------------------------------------------------------------------

---@class brio.Stance
local Stance = {}

---Whether the robot walks at all, and why not.
---@return boolean can
---@return string? why
function Stance:can_walk() end

---Whether steps are being walked.
---@return boolean
function Stance:walks() end

---Where the soles stand; nil on a robot that does not walk.
---@return {left: table, right: table}?
function Stance:feet() end

---The ground below the pelvis, facing as it does: also the frame "walking".
---@return table? pose
function Stance:walking() end

---What is walked on from now on: regions or heights, as brio.plan's ground takes them; nil: a level floor.
---@param ground table?
function Stance:ground(ground) end

---The foot that is in the air; nil: none.
---@return "left"|"right"|nil
function Stance:lifted() end

---How many steps are walked or wait.
---@return integer
function Stance:steps() end

---Appends a step of a foot, from its place beside the other one: m, rad and s.
---@param step { side: "left"|"right", ahead?: number, aside?: number, turn?: number, swing?: number, transfer?: number }
---@return true? appended nil: the robot does not walk
---@return string? why
function Stance:step(step) end

---How far the pelvis is lower than upright, m; with a value, sets it, at once.
---@param sink? number
---@return number
function Stance:lower(sink) end

-- Shared control -----------------------------------------------------------------------------------

---@class brio.Control
local Control = {}

---Lets a person have a part of the body: a part of the robot's file, a group, DOF, link, role, or "all".
---@param part string
---@param how? {share: number, fade: number}
---@return boolean done false: another has it
function Control:take(part, how) end

---Lets a person have a share of a part, 0 to 1.
---@param part string
---@param share number
---@return boolean done false: another has it
function Control:share(part, share) end

---Gives a part back.
---@param part string
---@param seconds? number
---@return boolean done false: another has it, or nobody
function Control:give(part, seconds) end

---Moves a DOF of what is taken, or takes it.
---@param dof string
---@param value number rad, m or 1
---@return boolean done false: another has it
function Control:move(dof, value) end

---How much of a part a person has, up to 1; false: nothing.
---@param part string
---@return number|false
function Control:taken(part) end

---The level of autonomy of all (nil), a faculty or a part, 0 to 1; with a value it goes there.
---@param name? string
---@param value? number
---@param seconds? number
---@return number
function Control:level(name, value, seconds) end

-- The emotion of a character ----------------------------------------------------------------------

---@class brio.Emotion
---@field valence number -1 to 1: how pleasant
---@field arousal number -1 to 1: how awake
---@field intensity number 0 to 1
---@field angle number degrees from pleasant towards aroused
---@field name string of the emotion that is nearest; "neutral" where it is faint
---@field mood { valence: number, arousal: number }
---@field needs table<string, { level: number, where: string }> where: under, satisfied, over
---@field speed number what it feels makes of speed, 1 when neutral
---@field amplitude number the same of amplitude
---@field liveliness number the same of liveliness
---@field taken boolean an operator has it
local Emotion = {}

---Feels something for a while, then calms down.
---@param emotion string|number[] a name, or {valence, arousal}
---@param intensity? number 0 to 1; 1
---@param seconds? number for so long
---@return boolean done
function Emotion:feel(emotion, intensity, seconds) end

---Something happened: a push that decays; less where the same happened a moment ago.
---@param name string
---@param strength? number 0 to 2; 1
---@return number felt how strongly
function Emotion:event(name, strength) end

---Somebody does something to the robot: petting, ...; said again, it goes on.
---@param name string
---@param strength? number 0 to 2; 1
---@param seconds? number for so long; 1
---@return boolean done
function Emotion:act(name, strength, seconds) end

---An operator's emotion, over its own, until release.
---@param valence number
---@param arousal number
---@param who? string
---@return boolean done
function Emotion:override(valence, arousal, who) end

---Its own emotion comes back.
---@param seconds? number within so many
---@return boolean was whether an operator had it
function Emotion:release(seconds) end

-- The gaze of a character -------------------------------------------------------------------------

---@class brio.LookHow
---@field seconds? number for so long; without: until free()
---@field why? string a word for the story
---@field priority? number of several orders the highest counts, of equals the newest; 0
---@field by? string whose order it is; "behavior"

---@class brio.Looked
---@field target? string
---@field kind string
---@field why string
---@field since number s
---@field position number[]
---@field away boolean it looks beside it for a moment

---@class brio.GazeTarget
---@field target string
---@field kind string
---@field salience number
---@field position number[]

---@class brio.Gaze
local Gaze = {}

---Looks at a person, object, kind, named place, link or role, or at a place {x, y, z}.
---@param target string|number[]
---@param how? brio.LookHow
---@return boolean? done nil: there is no such thing now
---@return string? why
function Gaze:look_at(target, how) end

---@return brio.Looked? at nil: nothing draws it
function Gaze:at() end

---Ends what was ordered: what draws it counts again.
function Gaze:free() end

---Looks away now, for seconds, or as long as people do.
---@param seconds? number
function Gaze:avert(seconds) end

---Attends to a kind of object, a person's salience being 1; nil: as the behavior's `attend` says; 0: not at
---all.
---@param kind string
---@param salience? number
function Gaze:attend(kind, salience) end

---A place that draws by a name of its own; nil takes it away.
---@param name string
---@param place? number[]
---@param salience? number
function Gaze:point(name, place, salience) end

---Something was heard there: it draws for a moment.
---@param place number[]
---@param name? string
function Gaze:heard(place, name) end

---@return brio.GazeTarget[] targets what stands out most first
function Gaze:targets() end

---@return string[] ids whom it is engaged with
function Gaze:engaged() end
