// What is kept of a search that found no pro: names of the catalog, and of typed words only those that are about no person.
import { wordsOf } from '../../../catalog/services/words.ts'

/** Typed words are shown once they were searched for on so many days: a name or a story of one person is not. */
export const SHOWN_FROM_DAYS = 3
/** How many days what was searched for in vain is kept. */
export const MISS_DAYS = 90
/** Rows of a kind on one day. What is searched for besides counts as "other". */
export const MAX_ROWS_PER_DAY = 1000
/** The longest text that is kept, in characters. */
const MAX_LENGTH = 60

export type MissKind = 'service' | 'any' | 'typed' | 'other'

/** What a search in vain asked for. */
export interface Miss {
  readonly kind: MissKind
  readonly phrase: string
  readonly place: string
}

/** A part of a search: by its name in the catalog, as it was typed, or absent. */
export type Asked = { readonly named: string } | { readonly typed: string } | undefined

/** What is kept of a search. Words with a digit or "@" may be a phone number, address or e-mail address, and are not kept. */
export function missOf({ subject, place }: { subject: Asked; place: Asked }): Miss {
  const texts = { phrase: textOf(subject), place: textOf(place) }
  if (texts.phrase === undefined || texts.place === undefined)
    return { kind: 'other', phrase: '', place: place && 'named' in place ? (textOf(place) ?? '') : '' }
  const isTyped = [subject, place].some((it) => it && 'typed' in it)
  return { kind: isTyped ? 'typed' : subject ? 'service' : 'any', phrase: texts.phrase, place: texts.place }
}

/** What is counted together, where there is no room for more. */
export const OTHER: Miss = { kind: 'other', phrase: '', place: '' }

function textOf(asked: Asked): string | undefined {
  if (!asked) return ''
  if ('named' in asked) return shortened(asked.named)
  if (/[\p{N}@]/u.test(asked.typed.normalize('NFKC'))) return undefined
  return shortened(wordsOf(asked.typed).join(' '))
}

const shortened = (text: string): string => Array.from(text).slice(0, MAX_LENGTH).join('')
