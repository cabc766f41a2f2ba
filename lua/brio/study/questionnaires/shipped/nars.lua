-- The Negative Attitudes toward Robots Scale.
return {
  name = "nars",
  title = "Negative Attitudes toward Robots Scale (NARS)",
  about = "attitudes that people bring along: usually asked before they meet the robot, or both before and \z
    after",
  sources = {
    "T. Nomura, T. Kanda, T. Suzuki, K. Kato, Psychology in human-robot communication: an attempt through \z
      investigation of "
      .. "negative attitudes and anxiety toward robots, RO-MAN 2004, 35-40",
    "T. Nomura, T. Suzuki, T. Kanda, K. Kato, Measurement of negative attitudes toward robots, Interaction \z
      Studies 7 (2006) "
      .. "437-454",
  },
  permission = "The items are printed in the papers and used in research with a citation; ask the authors \z
    before any other use.",
  notes = {
    "The original is Japanese; the English wording is the authors'. The three items of S3 are turned round, \z
      so that a high "
      .. "score is a negative attitude in every group.",
    "A score is the sum of a group's answers: 6 to 30, 5 to 25, 3 to 15.",
  },
  lowest = 1, highest = 5,
  score = { of = "sum" },
  groups = {
    { id = "S1", title = "Situations and interactions with robots" },
    { id = "S2", title = "Social influence of robots" },
    { id = "S3", title = "Emotions in interaction with robots" },
  },
  items = {
    { id = "nars_1", group = "S2" }, { id = "nars_2", group = "S2" },
      { id = "nars_3", group = "S3", reverse = true },
    { id = "nars_4", group = "S1" }, { id = "nars_5", group = "S3", reverse = true },
    { id = "nars_6", group = "S3", reverse = true }, { id = "nars_7", group = "S1" },
      { id = "nars_8", group = "S1" },
    { id = "nars_9", group = "S1" }, { id = "nars_10", group = "S1" }, { id = "nars_11", group = "S2" },
    { id = "nars_12", group = "S1" }, { id = "nars_13", group = "S2" }, { id = "nars_14", group = "S2" },
  },
  languages = {
    en = {
      name = "English", origin = "published", source = "Nomura et al. 2006",
      instruction = "How much do you agree?",
      labels = { "strongly disagree", "disagree", "undecided", "agree", "strongly agree" },
      items = {
        nars_1 = "I would feel uneasy if robots really had emotions.",
        nars_2 = "Something bad might happen if robots developed into living beings.",
        nars_3 = "I would feel relaxed talking with robots.",
        nars_4 = "I would feel uneasy if I was given a job where I had to use robots.",
        nars_5 = "If robots had emotions, I would be able to make friends with them.",
        nars_6 = "I feel comforted being with robots that have emotions.",
        nars_7 = "The word \"robot\" means nothing to me.",
        nars_8 = "I would feel nervous operating a robot in front of other people.",
        nars_9 = "I would hate the idea that robots or artificial intelligences were making judgments about \z
          things.",
        nars_10 = "I would feel very nervous just standing in front of a robot.",
        nars_11 = "I feel that if I depend on robots too much, something bad might happen.",
        nars_12 = "I would feel paranoid talking with a robot.",
        nars_13 = "I am concerned that robots would be a bad influence on children.",
        nars_14 = "I feel that in the future society will be dominated by robots.",
      },
    },
    de = {
      name = "Deutsch", origin = "own", source = "our own, not validated",
      instruction = "Wie sehr stimmen Sie zu?",
      labels = { "stimme gar nicht zu", "stimme nicht zu", "unentschieden", "stimme zu", "stimme völlig zu" },
      items = {
        nars_1 = "Mir wäre unwohl, wenn Roboter wirklich Gefühle hätten.",
        nars_2 = "Es könnte etwas Schlimmes geschehen, wenn sich Roboter zu Lebewesen entwickelten.",
        nars_3 = "Ich wäre entspannt, wenn ich mich mit Robotern unterhielte.",
        nars_4 = "Mir wäre unwohl, wenn ich eine Arbeit bekäme, bei der ich Roboter benutzen muss.",
        nars_5 = "Wenn Roboter Gefühle hätten, könnte ich mich mit ihnen anfreunden.",
        nars_6 = "Ich fühle mich wohl bei Robotern, die Gefühle haben.",
        nars_7 = "Das Wort „Roboter“ bedeutet mir nichts.",
        nars_8 = "Ich wäre nervös, wenn ich vor anderen Menschen einen Roboter bedienen müsste.",
        nars_9 = "Die Vorstellung, dass Roboter oder künstliche Intelligenzen über Dinge urteilen, wäre mir \z
          zuwider.",
        nars_10 = "Ich wäre schon sehr nervös, wenn ich nur vor einem Roboter stünde.",
        nars_11 = "Ich habe das Gefühl, dass etwas Schlimmes geschehen könnte, wenn ich mich zu sehr auf \z
          Roboter verlasse.",
        nars_12 = "Ich würde mich verfolgt fühlen, wenn ich mit einem Roboter spräche.",
        nars_13 = "Ich mache mir Sorgen, dass Roboter einen schlechten Einfluss auf Kinder haben.",
        nars_14 = "Ich habe das Gefühl, dass die Gesellschaft in Zukunft von Robotern beherrscht wird.",
      },
    },
    nl = {
      name = "Nederlands", origin = "own", source = "our own, not validated",
      instruction = "In hoeverre bent u het hiermee eens?",
      labels = { "helemaal niet mee eens", "niet mee eens", "weet ik niet", "mee eens", "helemaal mee eens" },
      items = {
        nars_1 = "Ik zou me ongemakkelijk voelen als robots echt emoties hadden.",
        nars_2 = "Er zou iets ergs kunnen gebeuren als robots zich tot levende wezens ontwikkelden.",
        nars_3 = "Ik zou me ontspannen voelen als ik met robots praatte.",
        nars_4 = "Ik zou me ongemakkelijk voelen als ik werk kreeg waarbij ik robots moet gebruiken.",
        nars_5 = "Als robots emoties hadden, zou ik vriendschap met ze kunnen sluiten.",
        nars_6 = "Ik voel me op mijn gemak bij robots die emoties hebben.",
        nars_7 = "Het woord \"robot\" zegt me niets.",
        nars_8 = "Ik zou zenuwachtig zijn als ik een robot moest bedienen waar andere mensen bij zijn.",
        nars_9 = "Ik zou het een vreselijk idee vinden dat robots of kunstmatige intelligenties over dingen \z
          oordelen.",
        nars_10 = "Ik zou al erg zenuwachtig zijn als ik alleen maar voor een robot stond.",
        nars_11 = "Ik heb het gevoel dat er iets ergs kan gebeuren als ik te veel op robots vertrouw.",
        nars_12 = "Ik zou me achterdochtig voelen als ik met een robot praatte.",
        nars_13 = "Ik maak me zorgen dat robots een slechte invloed op kinderen hebben.",
        nars_14 = "Ik heb het gevoel dat de samenleving in de toekomst door robots wordt overheerst.",
      },
    },
    fr = {
      name = "Français", origin = "own", source = "our own, not validated",
      instruction = "Dans quelle mesure êtes-vous d'accord ?",
      labels = { "pas du tout d'accord", "pas d'accord", "indécis", "d'accord", "tout à fait d'accord" },
      items = {
        nars_1 = "Je me sentirais mal à l'aise si les robots avaient vraiment des émotions.",
        nars_2 = "Quelque chose de mauvais pourrait arriver si les robots devenaient des êtres vivants.",
        nars_3 = "Je me sentirais détendu en parlant avec des robots.",
        nars_4 = "Je me sentirais mal à l'aise si l'on me donnait un travail où je dois utiliser des robots.",
        nars_5 = "Si les robots avaient des émotions, je pourrais me lier d'amitié avec eux.",
        nars_6 = "Je me sens bien en compagnie de robots qui ont des émotions.",
        nars_7 = "Le mot « robot » ne signifie rien pour moi.",
        nars_8 = "Je serais nerveux si je devais utiliser un robot devant d'autres personnes.",
        nars_9 = "Je détesterais l'idée que des robots ou des intelligences artificielles portent des \z
          jugements.",
        nars_10 = "Je serais très nerveux rien qu'en me tenant devant un robot.",
        nars_11 = "J'ai le sentiment que si je dépends trop des robots, quelque chose de mauvais pourrait \z
          arriver.",
        nars_12 = "Je me sentirais persécuté en parlant avec un robot.",
        nars_13 = "Je crains que les robots n'aient une mauvaise influence sur les enfants.",
        nars_14 = "J'ai le sentiment que la société sera dominée par les robots à l'avenir.",
      },
    },
    es = {
      name = "Español", origin = "own", source = "our own, not validated",
      instruction = "¿En qué medida está de acuerdo?",
      labels = { "muy en desacuerdo", "en desacuerdo", "indeciso", "de acuerdo", "muy de acuerdo" },
      items = {
        nars_1 = "Me sentiría incómodo si los robots tuvieran de verdad emociones.",
        nars_2 = "Podría pasar algo malo si los robots se convirtieran en seres vivos.",
        nars_3 = "Me sentiría relajado hablando con robots.",
        nars_4 = "Me sentiría incómodo si me dieran un trabajo en el que tuviera que usar robots.",
        nars_5 = "Si los robots tuvieran emociones, podría hacerme amigo de ellos.",
        nars_6 = "Me siento a gusto con robots que tienen emociones.",
        nars_7 = "La palabra «robot» no significa nada para mí.",
        nars_8 = "Me pondría nervioso manejar un robot delante de otras personas.",
        nars_9 = "Odiaría la idea de que los robots o las inteligencias artificiales juzgaran las cosas.",
        nars_10 = "Me pondría muy nervioso solo con estar delante de un robot.",
        nars_11 = "Creo que, si dependo demasiado de los robots, podría pasar algo malo.",
        nars_12 = "Me sentiría paranoico hablando con un robot.",
        nars_13 = "Me preocupa que los robots sean una mala influencia para los niños.",
        nars_14 = "Creo que en el futuro la sociedad estará dominada por los robots.",
      },
    },
  },
}
