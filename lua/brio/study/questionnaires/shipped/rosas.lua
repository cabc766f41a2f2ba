-- The Robotic Social Attributes Scale.
return {
  name = "rosas",
  title = "Robotic Social Attributes Scale (RoSAS)",
  about = "warmth, competence and discomfort that people ascribe to a robot",
  sources = {
    "C. M. Carpinella, A. B. Wyman, M. A. Perez, S. J. Stroessner, The Robotic Social Attributes Scale \z
      (RoSAS): development "
      .. "and validation, HRI 2017, 254-262, doi 10.1145/2909824.3020208",
  },
  permission = "The items are printed in the paper and used in research with a citation.",
  notes = { "The authors leave the number of points open; here nine. Mix the items: --order random." },
  lowest = 1, highest = 9,
  groups = {
    { id = "warmth", title = "Warmth" }, { id = "competence", title = "Competence" },
      { id = "discomfort", title = "Discomfort" },
  },
  items = {
    { id = "happy", group = "warmth" }, { id = "feeling", group = "warmth" },
      { id = "social", group = "warmth" },
    { id = "organic", group = "warmth" }, { id = "compassionate", group = "warmth" },
      { id = "emotional", group = "warmth" },
    { id = "capable", group = "competence" }, { id = "responsive", group = "competence" },
    { id = "interactive", group = "competence" }, { id = "reliable", group = "competence" },
    { id = "competent", group = "competence" }, { id = "knowledgeable", group = "competence" },
    { id = "scary", group = "discomfort" }, { id = "strange", group = "discomfort" },
      { id = "awkward", group = "discomfort" },
    { id = "dangerous", group = "discomfort" }, { id = "awful", group = "discomfort" },
    { id = "aggressive", group = "discomfort" },
  },
  languages = {
    en = {
      name = "English", origin = "published", source = "Carpinella et al. 2017",
      instruction = "Using the scale provided, how closely are the words below associated with the robot?",
      labels = { "definitely not associated", "definitely associated" },
      items = {
        happy = "happy", feeling = "feeling", social = "social", organic = "organic",
          compassionate = "compassionate",
        emotional = "emotional", capable = "capable", responsive = "responsive", interactive = "interactive",
        reliable = "reliable", competent = "competent", knowledgeable = "knowledgeable", scary = "scary",
          strange = "strange",
        awkward = "awkward", dangerous = "dangerous", awful = "awful", aggressive = "aggressive",
      },
    },
    de = {
      name = "Deutsch", origin = "own", source = "our own, not validated",
      instruction = "Wie sehr verbinden Sie die folgenden Wörter mit dem Roboter?",
      labels = { "verbinde ich gar nicht damit", "verbinde ich völlig damit" },
      items = {
        happy = "glücklich", feeling = "fühlend", social = "sozial", organic = "organisch",
          compassionate = "mitfühlend",
        emotional = "emotional", capable = "fähig", responsive = "reaktionsfreudig",
          interactive = "interaktiv",
        reliable = "zuverlässig", competent = "kompetent", knowledgeable = "sachkundig", scary = "unheimlich",
        strange = "seltsam", awkward = "unbeholfen", dangerous = "gefährlich", awful = "furchtbar",
          aggressive = "aggressiv",
      },
    },
    nl = {
      name = "Nederlands", origin = "own", source = "our own, not validated",
      instruction = "In hoeverre passen de volgende woorden bij de robot?",
      labels = { "past er helemaal niet bij", "past er helemaal bij" },
      items = {
        happy = "gelukkig", feeling = "voelend", social = "sociaal", organic = "organisch",
          compassionate = "meelevend",
        emotional = "emotioneel", capable = "bekwaam", responsive = "reagerend", interactive = "interactief",
        reliable = "betrouwbaar", competent = "competent", knowledgeable = "deskundig", scary = "eng",
          strange = "vreemd",
        awkward = "onbeholpen", dangerous = "gevaarlijk", awful = "vreselijk", aggressive = "agressief",
      },
    },
    fr = {
      name = "Français", origin = "own", source = "our own, not validated",
      instruction = "Dans quelle mesure associez-vous les mots suivants au robot ?",
      labels = { "pas du tout associé", "tout à fait associé" },
      items = {
        happy = "heureux", feeling = "sensible", social = "social", organic = "organique",
          compassionate = "compatissant",
        emotional = "émotif", capable = "capable", responsive = "réactif", interactive = "interactif",
        reliable = "fiable", competent = "compétent", knowledgeable = "instruit", scary = "effrayant",
          strange = "étrange",
        awkward = "maladroit", dangerous = "dangereux", awful = "affreux", aggressive = "agressif",
      },
    },
    es = {
      name = "Español", origin = "own", source = "our own, not validated",
      instruction = "¿En qué medida asocia las siguientes palabras con el robot?",
      labels = { "no lo asocio en absoluto", "lo asocio totalmente" },
      items = {
        happy = "feliz", feeling = "sensible", social = "social", organic = "orgánico",
          compassionate = "compasivo",
        emotional = "emotivo", capable = "capaz", responsive = "receptivo", interactive = "interactivo",
        reliable = "fiable", competent = "competente", knowledgeable = "entendido", scary = "aterrador",
          strange = "extraño",
        awkward = "torpe", dangerous = "peligroso", awful = "horrible", aggressive = "agresivo",
      },
    },
  },
}
