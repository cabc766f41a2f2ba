--- Messages of `brio ask` to participants, in their language; English if a questionnaire's language is
--- missing here.
return {
  en = {
    heading = "Questionnaire", place = "%d of %d", thanks = "Thank you!",
    keys = "%s answer · b back · s skip · q stop", go_on = "Enter on", typed = "number and Enter",
    stop = "Stop? Your answers are kept. y/n", finish = "Enter finish · b look at your answers again",
    skipped = "skipped", skips = "without an answer: %d", again = "Please choose a number from %d to %d.",
  },
  de = {
    heading = "Fragebogen", place = "%d von %d", thanks = "Vielen Dank!",
    keys = "%s antworten · b zurück · s auslassen · q aufhören", go_on = "Enter weiter",
      typed = "Zahl und Enter",
    stop = "Aufhören? Ihre Antworten bleiben erhalten. y/n", finish = "Enter fertig · b noch einmal ansehen",
    skipped = "ausgelassen", skips = "ohne Antwort: %d", again = "Bitte wählen Sie eine Zahl von %d bis %d.",
  },
  nl = {
    heading = "Vragenlijst", place = "%d van %d", thanks = "Dank u wel!",
    keys = "%s antwoorden · b terug · s overslaan · q stoppen", go_on = "Enter verder",
      typed = "getal en Enter",
    stop = "Stoppen? Uw antwoorden blijven bewaard. y/n", finish = "Enter klaar · b nog eens bekijken",
    skipped = "overgeslagen", skips = "zonder antwoord: %d", again = "Kies een getal van %d tot en met %d.",
  },
  fr = {
    heading = "Questionnaire", place = "%d sur %d", thanks = "Merci !",
    keys = "%s répondre · b retour · s passer · q arrêter", go_on = "Entrée suite",
      typed = "nombre et Entrée",
    stop = "Arrêter ? Vos réponses sont gardées. y/n", finish = "Entrée terminer · b revoir vos réponses",
    skipped = "sans réponse", skips = "sans réponse : %d", again = "Choisissez un nombre de %d à %d.",
  },
  es = {
    heading = "Cuestionario", place = "%d de %d", thanks = "¡Gracias!",
    keys = "%s responder · b atrás · s omitir · q parar", go_on = "Intro seguir", typed = "número e Intro",
    stop = "¿Parar? Sus respuestas se guardan. y/n", finish = "Intro terminar · b volver a verlas",
    skipped = "omitida", skips = "sin respuesta: %d", again = "Elija un número de %d a %d.",
  },
  ja = {
    heading = "アンケート", place = "%d / %d", thanks = "ありがとうございました。",
    keys = "%s 回答 · b 戻る · s とばす · q やめる", go_on = "Enter 次へ", typed = "数と Enter",
    stop = "やめますか。回答は保存されています。 y/n", finish = "Enter 終了 · b 回答を見直す",
    skipped = "無回答", skips = "無回答：%d", again = "%d から %d までの数を選んでください。",
  },
}
