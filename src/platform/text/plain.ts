// Text that others wrote, made safe for a line of a message, a header or a calendar.

/** Control characters, line separators, and marks that reverse the direction of the text after them. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text as one line, without control characters. */
export const oneLine = (text: string): string => text.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim()

/** What no reader sees, although models read it: zero-width characters, tags, marks of direction and variants of characters. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/gu

/**
 * A name as one line of characters that people see: control characters and line breaks become spaces, and what is invisible is
 * left out, as it could hide instructions or turn the text after it around.
 */
export const plainName = (name: string): string =>
  name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll(UNSEEN, '')

/** The lines of a text, without control characters, empty lines at the ends, and more than one empty line in a row. */
export const lines = (text: string): string[] =>
  text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(oneLine)
    .filter((line, index, all) => line !== '' || all[index - 1] !== '')

/** The number of characters as JSON Schema and PostgreSQL count them: code points. */
export const countCharacters = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The first `max` characters, counted as code points: a character of two UTF-16 code units stays whole. */
export const firstCharacters = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('')

const GRAPHEMES = new Intl.Segmenter('en')

/** At most `max` characters, with "…" for the rest. */
export const shortened = (text: string, max: number): string => {
  const characters = Array.from(GRAPHEMES.segment(text.slice(0, max * 10)), ({ segment }) => segment)
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : text
}

/** Whether mail programs could make a link of a part of the text. */
export const looksLikeLink = (text: string): boolean => /:\/\/|@|www\.|[\p{L}\p{N}]\.\p{L}{2,}/iu.test(text)
