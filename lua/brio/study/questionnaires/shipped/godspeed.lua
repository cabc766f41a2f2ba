-- The Godspeed questionnaire series, I to V: how a robot is perceived.
return {
  name = "godspeed",
  title = "Godspeed Questionnaire Series I-V",
  about = "anthropomorphism, animacy, likeability, perceived intelligence and perceived safety of a robot",
  sources = {
    "C. Bartneck, D. Kulic, E. Croft, S. Zoghbi, Measurement instruments for the anthropomorphism, animacy, \z
      likeability, "
      .. "perceived intelligence, and perceived safety of robots, Int. J. of Social Robotics 1 (2009) 71-81, "
      .. "doi 10.1007/s12369-008-0001-3",
    "C. Bartneck, Godspeed Questionnaire Series: Translations and Usage, in: International Handbook of \z
      Behavioral Health "
      .. "Assessment, Springer, 2023",
    "https://www.bartneck.de/2008/03/11/the-godspeed-questionnaire-series/",
  },
  permission =
    "Published by its authors for those who make and study robots; cite the paper of 2009, for a \z
      translation also 2023.",
  notes = {
    "III has five items here, with dislike/like, as in the paper; some lists of scales give four: --variant \z
      likeability_4.",
    "'artificial - lifelike' stands in I and in II and is asked twice, as in the paper.",
    "V: the paper gives no key. Here the high end is the safe one, so 'quiescent - surprised' is turned \z
      round; "
      .. "--variant as_printed does not turn it. The web page prints 'calm - agitated' the other way round \z
        than the paper: "
      .. "here low is agitated in every language.",
    "Published with the advice to mix the items, and to keep the names of the groups from participants: \z
      --order random; "
      .. "names are never shown.",
  },
  lowest = 1, highest = 5,
  groups = {
    { id = "I", title = "Anthropomorphism" },
    { id = "II", title = "Animacy" },
    { id = "III", title = "Likeability" },
    { id = "IV", title = "Perceived intelligence" },
    { id = "V", title = "Perceived safety" },
  },
  items = {
    { id = "natural", group = "I" }, { id = "humanlike", group = "I" }, { id = "conscious", group = "I" },
    { id = "lifelike_1", group = "I" }, { id = "elegant", group = "I" },
    { id = "alive", group = "II" }, { id = "lively", group = "II" }, { id = "organic", group = "II" },
    { id = "lifelike_2", group = "II" }, { id = "interactive", group = "II" },
      { id = "responsive", group = "II" },
    { id = "like", group = "III" }, { id = "friendly", group = "III" }, { id = "kind", group = "III" },
    { id = "pleasant", group = "III" }, { id = "nice", group = "III" },
    { id = "competent", group = "IV" }, { id = "knowledgeable", group = "IV" },
      { id = "responsible", group = "IV" },
    { id = "intelligent", group = "IV" }, { id = "sensible", group = "IV" },
    { id = "relaxed", group = "V" }, { id = "calm", group = "V" },
      { id = "surprised", group = "V", reverse = true },
  },
  variants = {
    likeability_4 = { about = "III without dislike/like, as the HRI scale database lists it",
      omit = { "like" } },
    as_printed = { about = "'quiescent - surprised' counted as it is printed", turn = { "surprised" } },
  },
  languages = {
    en = {
      name = "English", origin = "published", source = "Bartneck et al. 2009",
      instruction = "Please rate your impression of the robot on these scales:",
      instructions = { V = "Please rate your emotional state on these scales:" },
      items = {
        natural = { "fake", "natural" }, humanlike = { "machinelike", "humanlike" },
        conscious = { "unconscious", "conscious" }, lifelike_1 = { "artificial", "lifelike" },
        elegant = { "moving rigidly", "moving elegantly" },
        alive = { "dead", "alive" }, lively = { "stagnant", "lively" }, organic = { "mechanical", "organic" },
        lifelike_2 = { "artificial", "lifelike" }, interactive = { "inert", "interactive" },
        responsive = { "apathetic", "responsive" },
        like = { "dislike", "like" }, friendly = { "unfriendly", "friendly" }, kind = { "unkind", "kind" },
        pleasant = { "unpleasant", "pleasant" }, nice = { "awful", "nice" },
        competent = { "incompetent", "competent" }, knowledgeable = { "ignorant", "knowledgeable" },
        responsible = { "irresponsible", "responsible" }, intelligent = { "unintelligent", "intelligent" },
        sensible = { "foolish", "sensible" },
        relaxed = { "anxious", "relaxed" }, calm = { "agitated", "calm" },
          surprised = { "quiescent", "surprised" },
      },
    },
    de = {
      name = "Deutsch", origin = "published",
      source = "translated by M. E. Foster and M. Giuliani, collected in Bartneck 2023; taken from \z
        published study material "
        .. "that quotes it; the instruction of V is our own",
      instruction = "Bitte beurteilen Sie Ihren Eindruck des Roboters auf diesen Skalen:",
      instructions = { V = "Bitte beurteilen Sie Ihren eigenen Gefühlszustand auf diesen Skalen:" },
      items = {
        natural = { "unecht", "natürlich" }, humanlike = { "wie eine Maschine", "wie ein Mensch" },
        conscious = { "hat kein Bewusstsein", "hat ein Bewusstsein" },
          lifelike_1 = { "künstlich", "realistisch" },
        elegant = { "bewegt sich steif", "bewegt sich flüssig" },
        alive = { "tot", "lebendig" }, lively = { "unbewegt", "lebendig" },
          organic = { "mechanisch", "organisch" },
        lifelike_2 = { "künstlich", "realistisch" }, interactive = { "träge", "interaktiv" },
        responsive = { "apathisch", "reagierend" },
        like = { "nicht mögen", "mögen" }, friendly = { "unfreundlich", "freundlich" },
          kind = { "unhöflich", "höflich" },
        pleasant = { "unangenehm", "angenehm" }, nice = { "furchtbar", "nett" },
        competent = { "inkompetent", "kompetent" }, knowledgeable = { "ungebildet", "unterrichtet" },
        responsible = { "verantwortungslos", "verantwortungsbewusst" },
          intelligent = { "unintelligent", "intelligent" },
        sensible = { "unvernünftig", "vernünftig" },
        relaxed = { "ängstlich", "entspannt" }, calm = { "aufgewühlt", "ruhig" },
          surprised = { "still", "überrascht" },
      },
    },
    ja = {
      name = "日本語", origin = "published",
      source = "collected in Bartneck 2023; taken from published study material that quotes it; the \z
        instruction of V is our own",
      instruction = "以下のスケールに基づいて、このロボットに対するあなたの印象を評価してください。",
      instructions = { V = "以下のスケールに基づいて、あなたの今の気持ちを評価してください。" },
      items = {
        natural = { "偽物のような", "自然な" }, humanlike = { "機械的", "人間的" },
        conscious = { "意識を持たない", "意識を持っている" }, lifelike_1 = { "人工的", "生物的" },
        elegant = { "ぎこちない動き", "洗練された動き" },
        alive = { "死んでいる", "生きている" }, lively = { "活気のない", "生き生きとした" }, organic = { "機械的な", "有機的な" },
        lifelike_2 = { "人工的な", "生物的な" }, interactive = { "不活発な", "対話的な" },
        responsive = { "無関心な", "反応のある" },
        like = { "嫌い", "好き" }, friendly = { "親しみにくい", "親しみやすい" }, kind = { "不親切な", "親切な" },
        pleasant = { "不愉快な", "愉快な" }, nice = { "ひどい", "良い" },
        competent = { "無能な", "有能な" }, knowledgeable = { "無知な", "物知りな" },
        responsible = { "無責任な", "責任のある" }, intelligent = { "知的でない", "知的な" }, sensible = { "愚かな", "賢明な" },
        relaxed = { "不安な", "落ち着いた" }, calm = { "動揺している", "冷静な" }, surprised = { "平穏な", "驚いた" },
      },
    },
    nl = {
      name = "Nederlands", origin = "own",
      source = "our own, not validated; a translation by B. Vanderborght is collected in Bartneck 2023",
      instruction = "Geef uw indruk van de robot aan op deze schalen:",
      instructions = { V = "Geef aan hoe u zich zelf voelt op deze schalen:" },
      items = {
        natural = { "onecht", "natuurlijk" }, humanlike = { "als een machine", "als een mens" },
        conscious = { "zonder bewustzijn", "met bewustzijn" }, lifelike_1 = { "kunstmatig", "levensecht" },
        elegant = { "beweegt stijf", "beweegt sierlijk" },
        alive = { "dood", "levend" }, lively = { "stilstaand", "levendig" },
          organic = { "mechanisch", "organisch" },
        lifelike_2 = { "kunstmatig", "levensecht" }, interactive = { "inert", "interactief" },
        responsive = { "onverschillig", "reagerend" },
        like = { "vind ik niet leuk", "vind ik leuk" }, friendly = { "onvriendelijk", "vriendelijk" },
        kind = { "onaardig", "aardig" }, pleasant = { "onaangenaam", "aangenaam" },
          nice = { "vreselijk", "fijn" },
        competent = { "onbekwaam", "bekwaam" }, knowledgeable = { "onwetend", "deskundig" },
        responsible = { "onverantwoordelijk", "verantwoordelijk" },
          intelligent = { "niet intelligent", "intelligent" },
        sensible = { "dwaas", "verstandig" },
        relaxed = { "angstig", "ontspannen" }, calm = { "onrustig", "kalm" },
          surprised = { "stil", "verrast" },
      },
    },
    fr = {
      name = "Français", origin = "own",
      source = "our own, not validated; a translation by W. Johal is collected in Bartneck 2023",
      instruction = "Veuillez évaluer votre impression du robot sur ces échelles :",
      instructions = { V = "Veuillez évaluer votre propre état émotionnel sur ces échelles :" },
      items = {
        natural = { "faux", "naturel" }, humanlike = { "comme une machine", "comme un humain" },
        conscious = { "inconscient", "conscient" }, lifelike_1 = { "artificiel", "comme vivant" },
        elegant = { "bouge avec raideur", "bouge avec élégance" },
        alive = { "mort", "vivant" }, lively = { "figé", "plein de vie" },
          organic = { "mécanique", "organique" },
        lifelike_2 = { "artificiel", "comme vivant" }, interactive = { "inerte", "interactif" },
        responsive = { "apathique", "réactif" },
        like = { "me déplaît", "me plaît" }, friendly = { "inamical", "amical" },
          kind = { "méchant", "gentil" },
        pleasant = { "désagréable", "agréable" }, nice = { "affreux", "charmant" },
        competent = { "incompétent", "compétent" }, knowledgeable = { "ignorant", "instruit" },
        responsible = { "irresponsable", "responsable" }, intelligent = { "inintelligent", "intelligent" },
        sensible = { "insensé", "sensé" },
        relaxed = { "anxieux", "détendu" }, calm = { "agité", "calme" },
          surprised = { "tranquille", "surpris" },
      },
    },
    es = {
      name = "Español", origin = "own",
      source = "our own, not validated; translations by J. Ruiz-del-Solar and X. X. Rodriguez Rivera are in \z
        Bartneck 2023",
      instruction = "Por favor, valore su impresión del robot en estas escalas:",
      instructions = { V = "Por favor, valore su propio estado emocional en estas escalas:" },
      items = {
        natural = { "falso", "natural" }, humanlike = { "como una máquina", "como un humano" },
        conscious = { "inconsciente", "consciente" }, lifelike_1 = { "artificial", "como vivo" },
        elegant = { "se mueve con rigidez", "se mueve con elegancia" },
        alive = { "muerto", "vivo" }, lively = { "estancado", "animado" },
          organic = { "mecánico", "orgánico" },
        lifelike_2 = { "artificial", "como vivo" }, interactive = { "inerte", "interactivo" },
        responsive = { "apático", "receptivo" },
        like = { "no me gusta", "me gusta" }, friendly = { "poco amistoso", "amistoso" },
          kind = { "poco amable", "amable" },
        pleasant = { "desagradable", "agradable" }, nice = { "horrible", "simpático" },
        competent = { "incompetente", "competente" }, knowledgeable = { "ignorante", "entendido" },
        responsible = { "irresponsable", "responsable" }, intelligent = { "poco inteligente", "inteligente" },
        sensible = { "insensato", "sensato" },
        relaxed = { "ansioso", "relajado" }, calm = { "agitado", "tranquilo" },
          surprised = { "sereno", "sorprendido" },
      },
    },
  },
}
