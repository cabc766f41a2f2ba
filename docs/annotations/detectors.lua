---@meta
-- luacheck: ignore 121 211 212 241 631
--- A detector as a behavior has it, self.detectors.NAME: docs/perception/detectors.md says more.

---@class brio.detector
---@field name string
---@field from string where its messages come from
---@field here boolean it is heard
local Detector = {}

---Set thresholds and classes, of all models or of `model`: what is not named stays.
---@param said { model?: string, confidence?: number, mask?: number, nms?: number, erosion?: number, outlier?: number, classes?: table<string, boolean|number|table> }
---@return integer # the request's number
function Detector:configure(said) end

---Want a class, or a list of them.
---@param classes string|string[]
---@return integer
function Detector:enable(classes) end

---Want a class, or a list of them, no longer.
---@param classes string|string[]
---@return integer
function Detector:disable(classes) end

---Use these models, each in turn; nil: the detector's own choice.
---@param models? string|string[]
---@return integer
function Detector:use(models) end

---Forget all that was asked.
---@return integer
function Detector:reset() end

---Whether the newest request was acknowledged, or nobody is there who could.
---@return boolean? done false while it waits; nil when it was refused
---@return string? why
function Detector:acknowledged() end

---How it stands: {name, from, frame, here, sender, frames, detections, messages, refused, over, asked,
---acknowledged, answer}.
---@return table
function Detector:state() end
