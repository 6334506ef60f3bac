// The colour of actions, as operators choose it: whether it can be read, and the one that takes its place in dark.
import { colour } from './tokens.ts'

/** Of text to its ground (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5
/** Steps from a colour to white. */
const STEPS = 100

type Rgb = readonly [red: number, green: number, blue: number]

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

/** Relative luminance (WCAG 2.2), of 0 to 1. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(hex).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours such as `#1b5a9e`, of 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** The least contrast of the colour to the grounds that its text stands on in light. */
export const lightContrastOf = (accent: string): number =>
  Math.min(...['card', 'paper', 'tint'].map((ground) => contrastOf(accent, colour(ground).light)))

/** The same colour for the dark scheme: as much lighter as its text needs. */
export function darkOf(accent: string): string {
  const grounds = ['card', 'paper', 'tint'].map((ground) => colour(ground).dark)
  for (let step = 0; step < STEPS; step++) {
    const mixed = rgbOf(accent).map((value) => Math.round(value + ((255 - value) * step) / STEPS))
    const hex = `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
    if (grounds.every((ground) => contrastOf(hex, ground) >= MIN_CONTRAST)) return hex
  }
  return '#ffffff'
}
