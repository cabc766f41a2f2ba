-- The short User Experience Questionnaire.
return {
  name = "ueq_s",
  title = "User Experience Questionnaire, short version (UEQ-S)",
  about = "pragmatic and hedonic quality of a product, each from -3 to +3",
  sources = {
    "M. Schrepp, A. Hinderks, J. Thomaschewski, Design and evaluation of a short version of the User \z
      Experience "
      .. "Questionnaire (UEQ-S), Int. J. of Interactive Multimedia and Artificial Intelligence 4 (2017) \z
        103-108, "
      .. "doi 10.9781/ijimai.2017.09.001",
    "https://www.ueq-online.org",
  },
  permission = "Free to use, by its authors' word.",
  notes = { "The answers 1 to 7 count as -3 to +3." },
  lowest = 1, highest = 7,
  score = { of = "mean", zero = 4 },
  groups = { { id = "pragmatic", title = "Pragmatic quality" },
    { id = "hedonic", title = "Hedonic quality" } },
  items = {
    { id = "supportive", group = "pragmatic" }, { id = "easy", group = "pragmatic" },
    { id = "efficient", group = "pragmatic" }, { id = "clear", group = "pragmatic" },
    { id = "exciting", group = "hedonic" }, { id = "interesting", group = "hedonic" },
    { id = "inventive", group = "hedonic" }, { id = "leading_edge", group = "hedonic" },
  },
  languages = {
    en = {
      name = "English", origin = "published", source = "Schrepp et al. 2017",
      instruction = "Please decide spontaneously which term better describes it:",
      items = {
        supportive = { "obstructive", "supportive" }, easy = { "complicated", "easy" },
        efficient = { "inefficient", "efficient" }, clear = { "confusing", "clear" },
        exciting = { "boring", "exciting" }, interesting = { "not interesting", "interesting" },
        inventive = { "conventional", "inventive" }, leading_edge = { "usual", "leading edge" },
      },
    },
    de = {
      name = "Deutsch", origin = "published", source = "the authors', ueq-online.org",
      instruction = "Bitte entscheiden Sie spontan, welcher Begriff besser passt:",
      items = {
        supportive = { "behindernd", "unterstützend" }, easy = { "kompliziert", "einfach" },
        efficient = { "ineffizient", "effizient" }, clear = { "verwirrend", "übersichtlich" },
        exciting = { "langweilig", "spannend" }, interesting = { "uninteressant", "interessant" },
        inventive = { "konventionell", "originell" }, leading_edge = { "herkömmlich", "neuartig" },
      },
    },
    es = {
      name = "Español", origin = "published", source = "the authors', ueq-online.org",
      instruction = "Por favor, decida espontáneamente qué término lo describe mejor:",
      items = {
        supportive = { "obstructivo", "impulsor de apoyo" }, easy = { "complicado", "fácil" },
        efficient = { "ineficiente", "eficiente" }, clear = { "confuso", "claro" },
        exciting = { "aburrido", "emocionante" }, interesting = { "no interesante", "interesante" },
        inventive = { "convencional", "original" }, leading_edge = { "convencional", "novedoso" },
      },
    },
  },
}
