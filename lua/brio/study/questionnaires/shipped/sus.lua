-- The System Usability Scale.
return {
  name = "sus",
  title = "System Usability Scale (SUS)",
  about = "how usable a system is, as one number from 0 to 100",
  sources = {
    "J. Brooke, SUS: a quick and dirty usability scale, in: Usability Evaluation in Industry, Taylor and \z
      Francis, 1996, 189-194",
    "M. Gao, P. Kortum, F. L. Oswald, Multi-language toolkit for the System Usability Scale, Int. J. of \z
      Human-Computer "
      .. "Interaction 36 (2020) 1883-1901 (de, es, fr)",
  },
  permission = "Made freely available by its author for usability studies, with acknowledgment of the \z
    source.",
  notes = {
    "Every second item is turned round; the sum of (answer - 1) times 2.5 runs from 0 to 100, and is no \z
      percentage.",
    "An item without an answer counts as 3, as its author says.",
  },
  lowest = 1, highest = 5,
  score = { of = "sum", zero = 1, factor = 2.5 },
  missing = "middle",
  groups = { { id = "SUS", title = "Usability" } },
  items = {
    { id = "sus_1", group = "SUS" }, { id = "sus_2", group = "SUS", reverse = true },
    { id = "sus_3", group = "SUS" }, { id = "sus_4", group = "SUS", reverse = true },
    { id = "sus_5", group = "SUS" }, { id = "sus_6", group = "SUS", reverse = true },
    { id = "sus_7", group = "SUS" }, { id = "sus_8", group = "SUS", reverse = true },
    { id = "sus_9", group = "SUS" }, { id = "sus_10", group = "SUS", reverse = true },
  },
  languages = {
    en = {
      name = "English", origin = "published", source = "Brooke 1996",
      instruction = "How much do you agree?",
      labels = { "strongly disagree", "strongly agree" },
      items = {
        sus_1 = "I think that I would like to use this system frequently.",
        sus_2 = "I found the system unnecessarily complex.",
        sus_3 = "I thought the system was easy to use.",
        sus_4 = "I think that I would need the support of a technical person to be able to use this system.",
        sus_5 = "I found the various functions in this system were well integrated.",
        sus_6 = "I thought there was too much inconsistency in this system.",
        sus_7 = "I would imagine that most people would learn to use this system very quickly.",
        sus_8 = "I found the system very cumbersome to use.",
        sus_9 = "I felt very confident using the system.",
        sus_10 = "I needed to learn a lot of things before I could get going with this system.",
      },
    },
    de = {
      name = "Deutsch", origin = "published", source = "Gao et al. 2020, with \"System\" for \"Produkt\"",
      instruction = "Wie sehr stimmen Sie zu?",
      labels = { "stimme überhaupt nicht zu", "stimme voll zu" },
      items = {
        sus_1 = "Ich denke, dass ich dieses System häufig verwenden möchte.",
        sus_2 = "Ich fand das System unnötig komplex.",
        sus_3 = "Ich dachte, das System war einfach zu bedienen.",
        sus_4 = "Ich denke, dass ich die Unterstützung einer technischen Person brauche, um dieses System \z
          nutzen zu können.",
        sus_5 = "Ich fand die verschiedenen Funktionen in diesem System waren gut integriert.",
        sus_6 = "Ich dachte, dass dieses System nicht konsistent genug war.",
        sus_7 = "Ich würde mir vorstellen, dass die meisten Leute sehr schnell lernen würden, dieses System \z
          zu benutzen.",
        sus_8 = "Ich fand dieses System sehr umständlich zu benutzen.",
        sus_9 = "Ich habe mich sehr selbstsicher gefühlt, dieses System zu verwenden.",
        sus_10 = "Ich musste eine Menge Dinge lernen, bevor ich mit diesem System loslegen konnte.",
      },
    },
    fr = {
      name = "Français", origin = "published", source = "Gao et al. 2020, with \"système\" for \"produit\"",
      instruction = "Dans quelle mesure êtes-vous d'accord ?",
      labels = { "pas du tout d'accord", "tout à fait d'accord" },
      items = {
        sus_1 = "Je pense que j'aimerais utiliser ce système fréquemment.",
        sus_2 = "J'ai trouvé le système inutilement complexe.",
        sus_3 = "J'ai trouvé que le système était facile à utiliser.",
        sus_4 = "Je pense que j'aurais besoin de l'aide d'un expert technique pour pouvoir utiliser ce \z
          système.",
        sus_5 = "J'ai trouvé que les différentes fonctions de ce système étaient bien intégrées.",
        sus_6 = "J'ai trouvé que ce système était trop incohérent.",
        sus_7 = "J'imagine que la plupart des gens apprendraient très rapidement à utiliser ce système.",
        sus_8 = "J'ai trouvé le système très difficile à utiliser.",
        sus_9 = "J'ai utilisé ce système avec beaucoup de confiance.",
        sus_10 = "J'ai eu besoin d'apprendre beaucoup de choses avant de pouvoir commencer à utiliser ce \z
          système.",
      },
    },
    es = {
      name = "Español", origin = "published", source = "Gao et al. 2020, with \"sistema\" for \"producto\", \z
        misprints mended",
      instruction = "¿En qué medida está de acuerdo?",
      labels = { "totalmente en desacuerdo", "totalmente de acuerdo" },
      items = {
        sus_1 = "Me parece que me gustaría utilizar este sistema a menudo.",
        sus_2 = "Encuentro el sistema innecesariamente muy complejo.",
        sus_3 = "Pensé que el sistema era fácil de usar.",
        sus_4 = "Considero que necesitaría el apoyo de un técnico para poder utilizar este sistema.",
        sus_5 = "Encontré que las varias funciones en este sistema estaban bien integradas.",
        sus_6 = "Pensé que había demasiadas inconsistencias en este sistema.",
        sus_7 = "Creía que la mayoría de las personas pueden aprender a utilizar este sistema muy \z
          rápidamente.",
        sus_8 = "Encontré el sistema muy incómodo de utilizar.",
        sus_9 = "Me siento muy confiado utilizando el sistema.",
        sus_10 = "Tengo que aprender muchas cosas antes de utilizar este sistema.",
      },
    },
    nl = {
      name = "Nederlands", origin = "own", source = "our own, not validated",
      instruction = "In hoeverre bent u het hiermee eens?",
      labels = { "helemaal niet mee eens", "helemaal mee eens" },
      items = {
        sus_1 = "Ik denk dat ik dit systeem vaak zou willen gebruiken.",
        sus_2 = "Ik vond het systeem onnodig ingewikkeld.",
        sus_3 = "Ik vond het systeem makkelijk te gebruiken.",
        sus_4 = "Ik denk dat ik hulp van een technisch persoon nodig heb om dit systeem te kunnen gebruiken.",
        sus_5 = "Ik vond dat de verschillende functies van dit systeem goed bij elkaar passen.",
        sus_6 = "Ik vond dat er te veel tegenstrijdigheden in dit systeem zaten.",
        sus_7 = "Ik kan me voorstellen dat de meeste mensen dit systeem heel snel leren gebruiken.",
        sus_8 = "Ik vond het systeem erg omslachtig in het gebruik.",
        sus_9 = "Ik voelde me erg zeker bij het gebruik van het systeem.",
        sus_10 = "Ik moest veel leren voordat ik met dit systeem aan de slag kon.",
      },
    },
  },
}
