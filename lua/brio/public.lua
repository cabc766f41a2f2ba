--- The public names of Lua modules, and the file that each stands for.
---
--- Behaviors, session scripts, tests and Lua programs use these names, which do not change when files move.
--- `require` finds them once this module is loaded.  In a stock lua5.4, `require "brio"` loads it.
local public = {}

--- public name = module name of the file.
public.modules = {
  ["brio.want"] = "brio.behavior.wants.want",
  ["brio.weights"] = "brio.behavior.wants.weights",
  ["brio.objective"] = "brio.behavior.wants.objective",
  ["brio.behavior"] = "brio.behavior.define",
  ["brio.geometry"] = "brio.lib.geometry",
  ["brio.session"] = "brio.operator.session",
  ["brio.robots"] = "brio.robots.catalog",
  ["brio.draw"] = "brio.draw.robot",
  ["brio.sequence"] = "brio.motion.sequence",
  ["brio.tracks"] = "brio.motion.tracks",
  ["brio.import"] = "brio.formats.motion.readers",
  ["brio.export"] = "brio.formats.motion.writers",
  ["brio.clip"] = "brio.formats.clip",
  ["brio.automaton"] = "brio.character.automaton",
  ["brio.fit"] = "brio.motion.fit",
  ["brio.standing"] = "brio.motion.standing",
  ["brio.retarget"] = "brio.motion.retarget",
  ["brio.measures.path"] = "brio.motion.measures.path",
  ["brio.measures.features"] = "brio.motion.measures.features",
  ["brio.measures.sets"] = "brio.motion.measures.sets",
  ["brio.tree"] = "brio.tree.model.tree",
  ["brio.tree.author"] = "brio.tree.editing.author",
  ["brio.tree.document"] = "brio.tree.editing.document",
  ["brio.tree.editing"] = "brio.tree.editing.edits",
  ["brio.tree.mirror"] = "brio.tree.editing.mirror",
  ["brio.tree.session"] = "brio.tree.editing.session",
  ["brio.tree.sync"] = "brio.tree.editing.sync",
  ["brio.character.stance.gait"] = "brio.motion.gait",
  ["brio.prompt.words"] = "brio.operator.prompt.words",
  ["brio.ask.questionnaire"] = "brio.study.questionnaires.questionnaire",
  ["brio.ask.score"] = "brio.study.questionnaires.score",
  ["brio.runner"] = "brio.run.runner",
  ["brio.replay"] = "brio.run.replay",
  ["brio.history"] = "brio.record.history",
  ["brio.client"] = "brio.runs.client",
  ["brio.edit"] = "brio.behavior.text.operations",
  ["brio.outline"] = "brio.behavior.text.outline",
  ["brio.testing"] = "brio.trials.testing",
}

for name, file in next, public.modules do
  package.preload[name] = function() return require(file) end
end

return public
