-- Three single items: how a person feels.
return {
  name = "affect",
  title = "Valence, arousal and dominance, single items",
  about = "how a person feels right now, in three answers: to be asked again and again in a session",
  sources = {
    "M. M. Bradley, P. J. Lang, Measuring emotion: the Self-Assessment Manikin and the semantic \z
      differential, J. of Behavior "
      .. "Therapy and Experimental Psychiatry 25 (1994) 49-59, doi 10.1016/0005-7916(94)90063-9",
    "J. A. Russell, A. Weiss, G. A. Mendelsohn, Affect Grid: a single-item scale of pleasure and arousal, \z
      J. of Personality "
      .. "and Social Psychology 57 (1989) 493-502",
  },
  permission =
    "The words at the ends are those that the papers print; the Manikin's pictures are not here, they are \z
      their owners'.",
  notes = { "Nine points, as the Manikin has. One item a group: alpha is not defined." },
  lowest = 1, highest = 9,
  groups = {
    { id = "valence", title = "Valence" }, { id = "arousal", title = "Arousal" },
      { id = "dominance", title = "Dominance" },
  },
  items = {
    { id = "valence", group = "valence" }, { id = "arousal", group = "arousal" },
      { id = "dominance", group = "dominance" },
  },
  languages = {
    en = {
      name = "English", origin = "published", source = "Bradley and Lang 1994",
      instruction = "How do you feel right now?",
      items = { valence = { "unhappy", "happy" }, arousal = { "calm", "excited" },
        dominance = { "controlled", "in control" } },
    },
    de = {
      name = "Deutsch", origin = "own", source = "our own, not validated",
      instruction = "Wie fühlen Sie sich gerade?",
      items = { valence = { "unglücklich", "glücklich" }, arousal = { "ruhig", "aufgeregt" },
        dominance = { "fremdbestimmt", "selbstbestimmt" } },
    },
    nl = {
      name = "Nederlands", origin = "own", source = "our own, not validated",
      instruction = "Hoe voelt u zich op dit moment?",
      items = { valence = { "ongelukkig", "gelukkig" }, arousal = { "kalm", "opgewonden" },
        dominance = { "zonder controle", "met controle" } },
    },
    fr = {
      name = "Français", origin = "own", source = "our own, not validated",
      instruction = "Comment vous sentez-vous en ce moment ?",
      items = { valence = { "malheureux", "heureux" }, arousal = { "calme", "excité" },
        dominance = { "sans contrôle", "maître de la situation" } },
    },
    es = {
      name = "Español", origin = "own", source = "our own, not validated",
      instruction = "¿Cómo se siente en este momento?",
      items = { valence = { "infeliz", "feliz" }, arousal = { "tranquilo", "excitado" },
        dominance = { "controlado", "en control" } },
    },
    ja = {
      name = "日本語", origin = "own", source = "our own, not validated",
      instruction = "今、どのように感じていますか。",
      items = { valence = { "不幸せ", "幸せ" }, arousal = { "穏やか", "興奮している" },
        dominance = { "支配されている", "自分で制御できている" } },
    },
  },
}
