// Finds the name that a misspelled one means.
import MiniSearch from 'minisearch'

/** This part of a word may be wrong. */
const WRONG_PART = 0.34
/** A name is like a text when it has words with this part of the text's letters. */
const LEAST_PART = 0.4

/**
 * The name most like `text`, word by word: misspelled, or the beginning of a word. Capitals, underscores and hyphens only
 * separate words. Undefined when no name is like it.
 */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const index = new MiniSearch<{ id: number; words: string }>({ fields: ['words'] })
  index.addAll(names.map((name, id) => ({ id, words: `${spaced(name)} ${joined(name)}` })))
  const [all, together] = [spaced(text), joined(text)]
  const [best] = index.search(`${all} ${together}`, { fuzzy: WRONG_PART, prefix: true })
  if (!best) return undefined
  const found = best.queryTerms.includes(together) ? together : best.queryTerms.join('')
  return found.length >= LEAST_PART * together.length ? names[best.id as number] : undefined
}

/** "guestEmail" and "guest_email" are "guest email". */
const spaced = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase()

const joined = (name: string) => spaced(name).replaceAll(' ', '')
