// Finds the service or category that a text means: by id, slug, name, plural, synonym, or the same words in another order.
import type { CategoryRow, ServiceRow } from '../queries.ts'
import { TrigramIndex } from '../../../../platform/text/trigrams.ts'
import { meaningKey, nameKey, wordsOf } from '../words.ts'

/** What a service's text means: one service, or every service of a category. */
export type Offering = { service: ServiceRow; category?: undefined } | { service?: undefined; category: CategoryRow }

/** Words that say nothing about the work: "cheap local plumbing company" means plumbing. */
const FILLERS = new Set(
  `a an any the some my our me i need needs want find get hire please looking for to of someone somebody who can do does that
  good best top rated great cheap cheapest affordable reliable trusted licensed insured certified professional professionals
  pro pros expert experts specialist specialists local nearest closest emergency urgent same day now today asap 24 7 hr hour hours
  residential home service services company companies contractor contractors business businesses guy guys man men person people
  technician technicians tech techs repairer help near nearby around here in at with price prices cost costs quote quotes
  estimate estimates is are how much`.split(/\s+/),
)

/** The words of a text without fillers. */
export const meaningful = (words: readonly string[]): readonly string[] => words.filter((word) => !FILLERS.has(word))

/** Below this, a name does not resemble the text. */
const MIN_SIMILARITY = 0.34

export class ServiceNames {
  readonly #offerings = new Map<string, Offering>()
  readonly #categories = new Map<string, CategoryRow>()
  /** All terms with what they mean, for names that resemble a text. */
  readonly #terms: { words: readonly string[]; offering: Offering }[] = []
  #similar: TrigramIndex | undefined

  /** When one text means two things, ids and slugs come before names, names before synonyms, services before categories. */
  constructor(services: readonly ServiceRow[], categories: readonly CategoryRow[]) {
    const offerings: Offering[] = [
      ...services.map((service) => ({ service })),
      ...categories.map((category) => ({ category })),
    ]
    const rowOf = ({ service, category }: Offering) => service ?? category
    const termsOf: ((offering: Offering) => readonly string[])[] = [
      (offering) => [rowOf(offering).id, rowOf(offering).slug],
      (offering) => [rowOf(offering).name],
      (offering) => rowOf(offering).synonyms,
    ]
    for (const keyOf of [exactly, inAnyForm])
      for (const terms of termsOf)
        for (const offering of offerings) for (const term of terms(offering)) this.#add(keyOf(wordsOf(term)), offering)
    for (const offering of offerings)
      for (const term of [rowOf(offering).name, ...rowOf(offering).synonyms])
        this.#terms.push({ words: wordsOf(term), offering })
  }

  #add(key: string, offering: Offering): void {
    if (!this.#offerings.has(key)) this.#offerings.set(key, offering)
    const { category } = offering
    if (category && !this.#categories.has(key)) this.#categories.set(key, category)
  }

  /** What the words mean as a whole, fillers aside; undefined when they are no known name. */
  find(words: readonly string[]): Offering | undefined {
    return lookUp(this.#offerings, words)
  }

  findCategory(words: readonly string[]): CategoryRow | undefined {
    return lookUp(this.#categories, words)
  }

  /** What resembles the words most, each once. */
  resembling(words: readonly string[], limit: number): { offering: Offering; similarity: number }[] {
    this.#similar ??= new TrigramIndex(this.#terms.map((term) => term.words.join(' ')))
    const found = new Map<string, { offering: Offering; similarity: number }>()
    const similar = this.#similar.similarTo(meaningful(words).join(' '), MIN_SIMILARITY)
    for (const { index, similarity } of similar.toSorted((a, b) => b.similarity - a.similarity || a.index - b.index)) {
      const offering = this.#terms[index]?.offering
      // A category and its main service may have one name.
      const name = (offering?.service ?? offering?.category)?.name
      if (offering && name !== undefined && !found.has(name)) found.set(name, { offering, similarity })
      if (found.size === limit) break
    }
    return [...found.values()]
  }

  /** Whether the words, the last one perhaps unfinished, begin words of a name or synonym of this service or category. */
  beginning(words: readonly string[]): readonly Offering[] {
    const [last = '', ...finished] = words.toReversed()
    const begins = (term: readonly string[]) =>
      term.some((word) => word.startsWith(last)) && finished.every((word) => term.includes(word))
    return [...new Set(this.#terms.filter((term) => begins(term.words)).map(({ offering }) => offering))]
  }
}

const exactly = (words: readonly string[]) => `=${nameKey(words)}`
const inAnyForm = (words: readonly string[]) => `~${meaningKey(words)}`

function lookUp<T>(index: ReadonlyMap<string, T>, words: readonly string[]): T | undefined {
  if (words.length === 0) return undefined
  const find = (some: readonly string[]) => index.get(exactly(some)) ?? index.get(inAnyForm(some))
  const found = find(words)
  if (found) return found
  const rest = meaningful(words)
  return rest.length > 0 && rest.length < words.length ? find(rest) : undefined
}
