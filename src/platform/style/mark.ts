// The mark of a marketplace with a name of its own: its first letter, in its colour.
import { colour } from './tokens.ts'

export const accentOf = ({ accent }: { accent: string | null }): string => accent ?? colour('accent').light

/** An SVG of 32 × 32. `letter` is an element of it, for those who draw letters as outlines. */
export const markOf = (accent: string, letter: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/>${letter}</svg>`

/** The letter as text, which browsers draw. */
export const letterText = (letter: string): string =>
  `<text x="16" y="23" text-anchor="middle" font-family="system-ui, sans-serif" font-size="20" font-weight="700" fill="#fff">${letter}</text>`
