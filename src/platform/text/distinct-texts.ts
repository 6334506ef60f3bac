// Texts that operators list, each once.

/** The first of each text; capitals say nothing. "house keeper" and "housekeeper" are words apart. */
export const distinctTexts = (texts: readonly string[]): string[] => {
  const keys = texts.map((text) => text.toLowerCase())
  return texts.filter((_, at) => keys.indexOf(keys[at] ?? '') === at)
}
