// Pictures of our own making for demo pros: abstract art, the same for the same number on every machine.
import { Random } from '../../local/seed/random.ts'

/** Four colours each, from dark to light. */
const PALETTES = [
  ['#264653', '#2a9d8f', '#e9c46a', '#fbf3e4'],
  ['#3d405b', '#e07a5f', '#81b29a', '#f4f1de'],
  ['#1d3557', '#457b9d', '#a8dadc', '#f1faee'],
  ['#582f0e', '#a4633a', '#d4a373', '#faedcd'],
  ['#2d3047', '#419d78', '#e0a458', '#fff8ee'],
] as const
type Palette = (typeof PALETTES)[number]

const STREAM = 20

interface Artwork {
  kind: 'cover' | 'tiles' | 'logo'
  /** Of the pro: its pictures have the same colours. */
  palette: number
  /** Of the picture. */
  number: number
}

/** An SVG document. */
export function drawArtwork({ kind, palette, number }: Artwork): string {
  const colours = PALETTES[palette % PALETTES.length] ?? PALETTES[0]
  const random = new Random(palette, STREAM, number)
  switch (kind) {
    case 'cover':
      return hills(colours, random)
    case 'tiles':
      return tiles(colours, random, { columns: 6, rows: 4, side: 150 })
    case 'logo':
      return tiles(colours, random, { columns: 2, rows: 2, side: 120 })
  }
}

const svg = (width: number, height: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`

/** A sun above hills, one behind the other. */
function hills([far, middle, near, sky]: Palette, random: Random): string {
  const [width, height] = [1200, 400]
  const sun = `<circle cx="${random.integer(200, 1000)}" cy="${random.integer(70, 150)}" r="${random.integer(40, 75)}" fill="${near}"/>`
  const layers = [near, middle, far].map((colour, layer) => {
    const base = 170 + layer * 75
    const points = Array.from({ length: 7 }, (_, at) => [at * 200, base + random.integer(-50, 50)] as const)
    const curve = points.map(([x, y], at) => (at === 0 ? `M0 ${y}` : `S${x - 100} ${y} ${x} ${y}`)).join('')
    return `<path d="${curve}V${height}H0Z" fill="${colour}" fill-opacity="${0.7 + layer * 0.15}"/>`
  })
  return svg(width, height, `<rect width="${width}" height="${height}" fill="${sky}"/>${sun}${layers.join('')}`)
}

interface Grid {
  columns: number
  rows: number
  side: number
}

/** Quarters of circles in squares, each turned at random. */
function tiles(colours: Palette, random: Random, { columns, rows, side }: Grid): string {
  const squares = Array.from({ length: columns * rows }, (_, at) => {
    const [x, y] = [(at % columns) * side, Math.floor(at / columns) * side]
    const [ground = '', shape = ''] = random.sample<string>(colours, 2)
    const turn = random.integer(0, 3) * 90
    const quarter = `<path d="M0 0H${side}A${side} ${side} 0 0 1 0 ${side}Z" fill="${shape}" transform="rotate(${turn} ${side / 2} ${side / 2})"/>`
    return `<g transform="translate(${x} ${y})"><rect width="${side}" height="${side}" fill="${ground}"/>${quarter}</g>`
  })
  return svg(columns * side, rows * side, squares.join(''))
}
