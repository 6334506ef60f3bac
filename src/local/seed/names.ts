// Names of demo companies: local words, never personal names.
import type { Trade } from '../../features/catalog/entries/starter-set.ts'
import type { City, State } from './cities.ts'
import type { Random } from './random.ts'
import words from './words.json' with { type: 'json' }

type NamePattern = (random: Random, city: City, state: State) => string

const namePatterns: readonly (readonly [NamePattern, number])[] = [
  [(random) => random.pick(words.single), 38],
  [(random) => `${random.pick(words.first)} ${random.pick(words.second)}`, 36],
  [(random, _city, state) => random.pick(state.words), 12],
  [(_random, city) => city.name, 7],
  [(random) => random.pick(words.promise), 7],
]

/** A company name, such as "Bluebonnet Plumbing" or "Cedar Park Heating & Air". */
export const businessName = (random: Random, trade: Trade, city: City, state: State): string =>
  `${random.weighted(namePatterns)(random, city, state)} ${random.pick(trade.firms)}`

/** Lower-case words and digits with hyphens between. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[.']/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Gives each company a name and a unique slug (name, city, state). */
export class NameRegister {
  private readonly used = new Set<string>()

  /** Tries other names before it adds a number, because two companies rarely share a name in one city. */
  register(random: Random, trade: Trade, city: City, state: State): { name: string; slug: string } {
    const place = `${slugOf(city.name)}-${city.state.toLowerCase()}`
    for (let attempt = 1; ; attempt++) {
      const name = businessName(random, trade, city, state)
      const slug = `${slugOf(name)}-${place}${attempt > 8 ? `-${attempt - 7}` : ''}`
      if (this.used.has(slug)) continue
      this.used.add(slug)
      return { name, slug }
    }
  }
}
