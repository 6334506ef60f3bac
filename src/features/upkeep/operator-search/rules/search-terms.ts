// What a caller may have meant by a text: the ways in which it names a row, each for an index of its own.
import { normalizeCode } from '../../../booking/bookings/rules/confirmation-codes.ts'
import { normalEmail } from '../../../../platform/schema/email.ts'

/** Null where the text cannot be that. */
export interface SearchTerms {
  readonly text: string
  readonly code: string | null
  readonly email: string | null
  readonly slug: string | null
  /** The ids that begin like this. */
  readonly firstId: string | null
  readonly lastId: string | null
  /** The last digits of a phone number, from the last to the first. */
  readonly digits: string | null
  /** The last four characters of a key. */
  readonly lastFour: string | null
  /** All words as they are spelt, and as the beginnings of words, in the syntax of `to_tsquery`. */
  readonly spelt: string | null
  readonly begun: string | null
  /** The number of a message. */
  readonly messageId: number | null
}

/** People write a number with or without the country's: the last ten digits tell it apart. */
const PHONE_DIGITS = 10
/** Fewer are the end of too many numbers. */
const MIN_DIGITS = 4
/** Those of an id's first group. */
const MIN_HEX = 8
/** A shorter beginning of a word is that of too many. */
const MIN_BEGINNING = 3
const MAX_WORDS = 8

/** The ways in which the text names something. */
export function searchTermsOf(typed: string): SearchTerms {
  const text = typed.trim()
  const isEmail = text.includes('@')
  const isCode = /^hth[\s-]?[\da-z\s-]+$/i.test(text) && /\d/.test(text)
  const isKey = text.startsWith('hearth_')
  const words = isEmail || isCode || isKey ? [] : wordsOf(text)
  return {
    text,
    code: isCode ? normalizeCode(text) : codeOf(text),
    email: isEmail ? normalEmail(text) : null,
    slug: /^[a-z\d]+(-[a-z\d]+)*$/.test(text) ? text : null,
    ...idsOf(text),
    digits: digitsOf(text),
    lastFour: isKey || /^[\dA-Za-z]{4}$/.test(text) ? text.slice(-4) : null,
    spelt: words.length === 0 ? null : words.join(' & '),
    begun: words.length === 0 ? null : words.map(beginningOf).join(' & '),
    messageId: /^\d{1,15}$/.test(text) ? Number(text) : null,
  }
}

/** A code is also read out without its first letters. */
const codeOf = (text: string): string | null => {
  const rest = text.replace(/[\s-]/g, '')
  return /^[\da-z]{12}$/i.test(rest) ? normalizeCode(`HTH${rest}`) : null
}

function idsOf(text: string): Pick<SearchTerms, 'firstId' | 'lastId'> {
  const hex = text.toLowerCase().replaceAll('-', '')
  if (!/^[\da-f]+$/.test(hex) || hex.length < MIN_HEX || hex.length > 32) return { firstId: null, lastId: null }
  return { firstId: asId(hex.padEnd(32, '0')), lastId: asId(hex.padEnd(32, 'f')) }
}

const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function digitsOf(text: string): string | null {
  const digits = text.replace(/\D/g, '')
  if (!/^[+\d\s().\-/]+$/.test(text) || digits.length < MIN_DIGITS) return null
  return digits.slice(-PHONE_DIGITS).split('').toReversed().join('')
}

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1).slice(0, MAX_WORDS)

const beginningOf = (word: string): string => (word.length < MIN_BEGINNING ? word : `${word}:*`)
