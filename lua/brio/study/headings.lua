--- The headings of a report about a study with a wizard: L. D. Riek, "Wizard of Oz Studies in HRI: A
--- Systematic Review and New Reporting Guidelines", Journal of Human-Robot Interaction 1 (2012) 119-136, in
--- our own words.
---
--- A row is { field, question, figures, must }: `field` of the study's file answers it, under `report` and
--- the part's key; `figures` names the additions from the store (see report/figures.lua).  Headings without
--- either are reported as missing; with `must`, the additions alone are not an answer.  The results, with
--- their limits, follow after these headings.
local headings = {}

headings.parts = {
  { key = "robot", title = "The robot", rows = {
    { "kind", "How many robots of what kind?", "robots" },
    { "autonomy", "What did it do of itself, what did a person do?", "autonomy", true },
    { "capabilities", "What can it do, in hardware and in software?" },
  } },
  { key = "users", title = "The participants", rows = {
    { "sample", "How many took part, in how many sessions?", "participants" },
    { "demographics", "Who were they, and how were they found?", "facts", true },
    { "instructions", "What were they told about the robot and the task?" },
    { "convinced", "Did they believe that the robot acted by itself, and how was that found out?" },
  } },
  { key = "wizards", title = "The wizards", rows = {
    { "who", "How many wizards, and who were they?", "wizards" },
    { "hypotheses", "Did they know what was to be shown?" },
    { "training", "How were they trained, and for how long?", "training" },
    { "recognition", "What did they see and hear of the participants, and how was that kept the same?",
      "views", true },
    { "production", "What could they make the robot do, and how was that kept the same?", "production",
      true },
    { "error", "How often did they err, and how was that measured?", "errors" },
    { "latency", "How long did they, and the robot, take to react?", "latency" },
    { "deviation", "How closely did they keep to the script?", "deviation" },
  } },
  { key = "study", title = "The study", rows = {
    { "hypotheses", "What was expected, and where was it registered?", "registered", true },
    { "design", "Which conditions, in which order?", "design" },
    { "place", "Where did it take place, under which circumstances?" },
    { "scenario", "What happened in a session, and how long did it take?", "sessions", true },
    { "measures", "What was measured?", "questionnaires" },
    { "incidents", "What went wrong in sessions, and what was done then?", "incidents" },
    { "software", "With which versions, seeds and machine?", "software" },
    { "iteration", "Was the robot changed between sessions, and how?", "versions" },
    { "ethics", "Who approved it, and how was consent given?", "consent", true },
    { "limits", "What does this use of a wizard leave open?" },
  } },
  { key = "results", title = "The results", rows = {
    { "answers", "What did participants answer, and how do conditions differ?", "answers" },
    { "agreement", "Do coders agree on wizards' errors?", "agreement" },
    { "cautions", "What can these data not say?", "cautions" },
  } },
}

--- Each row: fn(part, field, question, figures, must).
function headings.each(fn)
  for _, part in ipairs(headings.parts) do
    for _, row in ipairs(part.rows) do fn(part, table.unpack(row, 1, 4)) end
  end
end

return headings
