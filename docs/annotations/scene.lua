---@meta
--- Objects of the scene: what lua/brio/perception/objects.lua adds to brio.scene
--- (docs/perception/perception.md).

--- An object that was chosen out of what is seen, derived, or placed.
---@class brio.SceneObject
---@field name string
---@field kind string the class of what is seen, or the kind of derived object
---@field origin "seen"|"placed"|"derived"|"nominal"
---@field source? string the id of the detection that it follows
---@field number? integer
---@field pose brio.Pose
---@field position number[]
---@field velocity number[] m/s
---@field size number[] m
---@field color? number[] sRGB, 0 to 1
---@field confidence number
---@field since number s: when it was set up
---@field seen number s: when its pose was renewed last
---@field age number s since then
---@field oriented boolean its orientation is its own
---@field frozen boolean
---@field stale boolean what it follows is not seen now

--- How an object is chosen, or derived.
---@class brio.SetUp
---@field name string
---@field class? string|string[]
---@field id? string
---@field history? integer
---@field select? "closest"|"confident"|"leftmost"|"rightmost"|"highest"|"largest"|"newest"|fun(list: table[]): table?
---@field of? string
---@field within? number m
---@field region? table a volume
---@field region_frame? string
---@field color? string|table
---@field where? fun(one: table): boolean
---@field derive? string the kind of derived object; what that kind takes stands beside it

--- How a kind of derived object works out where it is.
---@class brio.Derived
---@field doc? string
---@field fields? table<string, string|table> what it takes
---@field needs? string[] fields that must be there
---@field frames? string[] fields that name frames which it is derived from
---@field pure? boolean it goes by these frames alone
---@field work fun(at: table, form: table, memory: table): brio.Pose?, string? where it is now, or nil and why not

---@class brio
local brio = {}

--- A kind of derived object of one's own, for the behavior's scene_objects.
---@param name string
---@return fun(kind: brio.Derived): table
function brio.scene_object(name) end

---@class brio.scene
local scene = {}

--- Choose an object out of what is seen, or derive one.
---@param said brio.SetUp
---@return brio.SceneObject?
---@return string? why
function scene:set_up(said) end

--- Put an object somewhere by hand.
---@param said { name: string, position?: number[], pose?: brio.Pose, yaw?: number, frame?: string, kind?: string, size?: number[], frozen?: boolean, who?: string }
---@return brio.SceneObject?
---@return string? why
function scene:place(said) end

--- Move an object by hand, along the axes of a frame (the world unless said), and turn it.
---@param name string
---@param by number[] m
---@param frame? string
---@param yaw? number rad
---@param who? string
---@return brio.SceneObject?
---@return string? why
function scene:nudge(name, by, frame, yaw, who) end
