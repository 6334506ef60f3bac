// Draws a share picture: text as outlines, and a photo at the right side if there is one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

import { accentOf, markOf } from '../../style/mark.ts'
import { colour } from '../../style/tokens.ts'
import { type CardSite, MAX_SHARE_BYTES, SHARE_SIZE, type ShareCard } from './card.ts'
import { type Lettering, drawableText, pathOf, shortened, widthOf, wrapped } from './lettering.ts'

const { width: WIDTH, height: HEIGHT } = SHARE_SIZE
const MARGIN = 72
const PHOTO_WIDTH = 440
const MARK_SIDE = 52
const HEADING_SIZES = [80, 68, 58, 50, 44] as const
const LINE: Lettering = { size: 36, weight: 400 }
const STRONG: Lettering = { size: 40, weight: 700 }
const BRAND: Lettering = { size: 38, weight: 700 }
const LETTER: Lettering = { size: 20, weight: 700 }
/** The first whose picture is small enough is taken. */
const QUALITIES = [86, 72, 55, 35] as const
const LOGO = readFileSync(join(import.meta.dir, '../../../web/ui/assets/hearth.svg'), 'utf8')
const STAR = 'M12 1.7l3.1 6.5 7.1.9-5.2 4.9 1.3 7.1-6.300-3.500-6.300 3.500 1.300-7.100-5.200-4.900 7.100-.9z'

/** Lets libvips load our drawing and the photos that we wrote, and nothing else; call it once per process. */
export function allowOnlyDrawings(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['Svg', 'Webp', 'Png'].map((format) => `VipsForeignLoad${format}Buffer`) })
  sharp.concurrency(1)
  sharp.cache(false)
}

/** A JPEG of at most 100 kB. A photo that cannot be read is left out. */
export async function drawShareCard(card: ShareCard): Promise<Uint8Array> {
  const [photo, icon] = [await photoOf(card), await iconOf(card)]
  const drawing = await sharp(Buffer.from(svgOf(card, { hasPhoto: photo !== undefined })))
    .composite([
      ...(photo ? [{ ...photo, left: WIDTH - PHOTO_WIDTH, top: 0 }] : []),
      ...(icon ? [{ ...icon, left: MARGIN, top: HEIGHT - MARGIN - 40 }] : []),
    ])
    .flatten({ background: colour('card').light })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = drawing.info
  let bytes: Uint8Array = new Uint8Array()
  for (const quality of QUALITIES) {
    const encoded = sharp(drawing.data, { raw: { width, height, channels } }).jpeg({ quality, mozjpeg: true })
    bytes = new Uint8Array(await encoded.toBuffer())
    if (bytes.byteLength <= MAX_SHARE_BYTES) break
  }
  return bytes
}

async function photoOf({ photo }: ShareCard) {
  if (!photo) return undefined
  try {
    const size = { width: PHOTO_WIDTH, height: HEIGHT, fit: 'cover' } as const
    const resized = sharp(photo, { failOn: 'error' }).resize(size).toColourspace('srgb').raw({ depth: 'uchar' })
    const { data, info } = await resized.toBuffer({ resolveWithObject: true })
    return { input: data, raw: { width: info.width, height: info.height, channels: info.channels } }
  } catch {
    return undefined
  }
}

async function iconOf({ site: { icon } }: ShareCard) {
  if (!icon) return undefined
  const resized = sharp(icon, { failOn: 'error' }).resize({ width: MARK_SIDE, height: MARK_SIDE }).ensureAlpha().raw()
  const { data, info } = await resized.toBuffer({ resolveWithObject: true })
  return { input: data, raw: { width: info.width, height: info.height, channels: info.channels } }
}

/** The drawing has shapes only: no text of people stands in it as text. */
function svgOf(card: ShareCard, { hasPhoto }: { hasPhoto: boolean }): string {
  const width = WIDTH - 2 * MARGIN - (hasPhoto ? PHOTO_WIDTH : 0)
  const [ink, quiet, accent] = [colour('ink').light, colour('quiet').light, accentOf(card.site)]
  const shapes: string[] = []
  const add = (text: string, fill: string | undefined, lettering: Lettering & { x: number; y: number }) =>
    shapes.push(`<path fill="${fill}" d="${pathOf(text, lettering)}"/>`)
  const { heading, lines } = textsOf(card)
  const { size, parts } = fitted(heading, width)
  let y = MARGIN + size * 0.85
  for (const part of parts) {
    add(part, ink, { x: MARGIN, y, size, weight: 700 })
    y += size * 1.12
  }
  y += 14
  const { rating } = card
  if (rating !== null) {
    shapes.push(`<path fill="#c98a1b" transform="translate(${MARGIN} ${y - 33}) scale(1.6)" d="${STAR}"/>`)
    add(shortened(rating, { ...LINE, width: width - 52 }), ink, { ...LINE, x: MARGIN + 52, y })
    y += 52
  }
  for (const line of lines) {
    add(shortened(line, { ...LINE, width }), quiet, { ...LINE, x: MARGIN, y })
    y += 50
  }
  if (card.price !== null) add(shortened(card.price, { ...STRONG, width }), accent, { ...STRONG, x: MARGIN, y: y + 8 })
  add(drawableText(card.site.name) ?? '', ink, { ...BRAND, x: MARGIN + 66, y: HEIGHT - MARGIN + 4 })
  const place = `x="${MARGIN}" y="${HEIGHT - MARGIN - 40}" width="${MARK_SIDE}" height="${MARK_SIDE}"`
  const logo = card.site.icon ? '' : drawnMark(card.site).replace('<svg ', `<svg ${place} `)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="${colour('paper').light}"/><rect width="12" height="100%" fill="${accent}"/>${shapes.join('')}${logo}</svg>`
}

/** A letter that the face lacks is left out. */
function drawnMark({ accent, letter }: Omit<CardSite, 'icon'>): string {
  if (letter === null) return LOGO
  const drawable = drawableText(letter)
  const x = 16 - (drawable ? widthOf(drawable, LETTER) / 2 : 0)
  return markOf(
    accentOf({ accent }),
    drawable ? `<path fill="#fff" d="${pathOf(drawable, { ...LETTER, x, y: 23 })}"/>` : '',
  )
}

/** Without a heading that can be drawn, the first line takes its place. */
function textsOf(card: ShareCard): { heading: string; lines: string[] } {
  const [heading = '', ...lines] = [card.heading, ...card.lines].flatMap((text) => drawableText(text) ?? [])
  return { heading, lines }
}

/** The heading as large as three lines have room for. */
function fitted(heading: string, width: number): { size: number; parts: string[] } {
  for (const size of HEADING_SIZES) {
    const parts = wrapped(heading, { width, most: size > 60 ? 2 : 3, size, weight: 700 })
    if (parts) return { size, parts }
  }
  const size = HEADING_SIZES.at(-1) ?? 44
  return { size, parts: [shortened(heading, { width, size, weight: 700 })] }
}
