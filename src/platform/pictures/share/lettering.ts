// Text as outlines of the headings' face. An image without system fonts, such as a distroless one, draws it the same.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { type Font, type PathCommand, parse } from 'opentype.js'

const SUBSETS = ['latin', 'latin-ext'] as const
export type Weight = 400 | 700

const faces = new Map<Weight, readonly Font[]>()

/** The face in both subsets, read at its first use. */
function facesOf(weight: Weight): readonly Font[] {
  const known = faces.get(weight)
  if (known) return known
  const read = SUBSETS.map((subset) => {
    const name = `@fontsource/figtree/files/figtree-${subset}-${weight}-normal.woff`
    const bytes = readFileSync(fileURLToPath(import.meta.resolve(name)))
    return parse(new Uint8Array(bytes).buffer)
  })
  faces.set(weight, read)
  return read
}

const faceOf = (character: string, weight: Weight): Font | undefined =>
  facesOf(weight).find((face) => face.charToGlyphIndex(character) > 0)

/**
 * The text as it can be drawn: signs that the face lacks, such as emojis, are left out. Undefined if it lacks a letter or
 * nothing remains, because a name without a letter is another name.
 */
export function drawableText(text: string): string | undefined {
  const known = Array.from(text.normalize('NFC'), (character) => ({ character, face: faceOf(character, 700) }))
  if (known.some(({ character, face }) => !face && /[\p{L}\p{N}]/u.test(character))) return undefined
  const drawn = known.flatMap(({ character, face }) => (face ? [character] : []))
  return drawn.join('').replaceAll(/\s+/g, ' ').trim() || undefined
}

/** The parts of a text by their face. */
function* runsOf(text: string, weight: Weight): Generator<{ part: string; face: Font }> {
  let run: { part: string; face: Font } | undefined
  for (const character of text) {
    const face = faceOf(character, weight)
    if (!face) continue
    if (run?.face === face) run.part += character
    else {
      if (run) yield run
      run = { part: character, face }
    }
  }
  if (run) yield run
}

export interface Lettering {
  readonly size: number
  readonly weight: Weight
}

/** In pixels. */
export const widthOf = (text: string, { size, weight }: Lettering): number =>
  runsOf(text, weight).reduce((sum, { part, face }) => sum + face.getAdvanceWidth(part, size), 0)

/** The data of an SVG path, with the text's baseline at `y`. */
export function pathOf(text: string, { x, y, size, weight }: Lettering & { x: number; y: number }): string {
  let [at, path] = [x, '']
  for (const { part, face } of runsOf(text, weight)) {
    path += face.getPath(part, at, y, size).commands.map(dataOf).join('')
    at += face.getAdvanceWidth(part, size)
  }
  return path
}

const tenths = (value: number): number => Math.round(value * 10) / 10

/** The library's own `toPathData` writes NaN for some numbers that it rounds. */
function dataOf(command: PathCommand): string {
  switch (command.type) {
    case 'Z':
      return 'Z'
    case 'M':
    case 'L':
      return `${command.type}${tenths(command.x)} ${tenths(command.y)}`
    case 'Q':
      return `Q${[command.x1, command.y1, command.x, command.y].map(tenths).join(' ')}`
    case 'C':
      return `C${[command.x1, command.y1, command.x2, command.y2, command.x, command.y].map(tenths).join(' ')}`
  }
}

/** The text in lines of at most `width`, at its words; undefined if it needs more lines than `most`. */
export function wrapped(
  text: string,
  { width, most, ...lettering }: Lettering & { width: number; most: number },
): string[] | undefined {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (widthOf(word, lettering) > width) return undefined
    if (last !== undefined && widthOf(`${last} ${word}`, lettering) <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length <= most ? lines : undefined
}

/** The text in one line, with an ellipsis if it is cut. */
export function shortened(text: string, { width, ...lettering }: Lettering & { width: number }): string {
  let [shown, characters] = [text, Array.from(text)]
  while (characters.length > 0 && widthOf(shown, lettering) > width) {
    characters = characters.slice(0, -1)
    shown = `${characters.join('').trimEnd()}…`
  }
  return shown
}
