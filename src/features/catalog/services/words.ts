// The words of names and of what people type, and the keys by which they are compared.

/** The words of a text in lower case, without accents and punctuation: "O'Fallon, St. Louis" → ofallon, st, louis. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’‘`ʻ]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Different spellings of one word in the names of places. */
const PLACE_WORDS = new Map(
  Object.entries({
    st: 'saint',
    ste: 'sainte',
    ft: 'fort',
    mt: 'mount',
    mtn: 'mountain',
    hts: 'heights',
    spgs: 'springs',
  }),
)
const DIRECTIONS = new Map(Object.entries({ n: 'north', s: 'south', e: 'east', w: 'west' }))

/** The words of a place's name, spelled out: "St. Louis" → saint, louis. */
export const placeWords = (words: readonly string[]): string[] =>
  words.map(
    (word, at) => PLACE_WORDS.get(word) ?? (at === 0 && words.length > 1 ? DIRECTIONS.get(word) : undefined) ?? word,
  )

/** The key of a place's name: its words spelled out, without spaces. */
export const placeKey = (words: readonly string[]): string => placeWords(words).join('')

/** Without "and", which "&" means as well, and in the singular: "Oven & Stoves" → oven, stove. */
const nouns = (words: readonly string[]): string[] => words.filter((word) => word !== 'and').map(singular)

function singular(word: string): string {
  if (word.endsWith('men')) return `${word.slice(0, -3)}man`
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(ch|sh|x|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/** The key of a service's exact name: singular, without spaces, so that "House cleanings" equals "housecleaning". */
export const nameKey = (words: readonly string[]): string => nouns(words).join('')

/** The name of a city in a page's path: "St. Louis", "MO" → st-louis-mo. */
export const citySlug = ({ name, state }: { name: string; state: string }): string =>
  [...wordsOf(name), state.toLowerCase()].join('-')
