// What a picture becomes: upright, small enough, without what its camera or its sender wrote into it. And what its process may do.
import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import sharp from 'sharp'

import type { Picture } from '../../../src/platform/pictures/decode.ts'
import { type IsolatedDecoder, openIsolatedDecoder } from '../../../src/platform/pictures/isolated-decoder.ts'
import { opened } from '../../support/fixture.ts'
import { MARKER } from '../../support/hostile-documents.ts'
import { pixels } from '../../support/hostile-files.ts'

const decoder = await opened(openIsolatedDecoder())

async function decode(bytes: Uint8Array): Promise<Picture> {
  const decoded = await decoder.decode({ bytes, mayBeDocument: false })
  if (decoded.kind !== 'picture') throw new Error(JSON.stringify(decoded))
  return decoded
}

const sizesOf = ({ variants }: Picture) =>
  variants.map(({ size, format, width, height }) => `${size} ${format} ${width}x${height}`)

test('a decoder that is closed decodes what it was given: a stop says nothing of a file', async () => {
  const stopped = openIsolatedDecoder()
  const bytes = await pixels(300, 200).jpeg().toBuffer()
  const decodings = [1, 2].map(() => stopped.decode({ bytes, mayBeDocument: false }))
  stopped.close()
  expect((await Promise.all(decodings)).map(({ kind }) => kind)).toEqual(['picture', 'picture'])
})

test('a picture becomes three sizes in two formats, none of which is enlarged', async () => {
  expect(sizesOf(await decode(await pixels(3000, 2000).jpeg().toBuffer()))).toEqual([
    'small avif 320x213',
    'small webp 320x213',
    'medium avif 960x640',
    'medium webp 960x640',
    'large avif 1920x1280',
    'large webp 1920x1280',
  ])
  expect(sizesOf(await decode(await pixels(400, 800).png().toBuffer()))).toEqual([
    'small avif 160x320',
    'small webp 160x320',
    'medium avif 400x800',
    'medium webp 400x800',
    'large avif 400x800',
    'large webp 400x800',
  ])
})

test('each is what it says it is', async () => {
  const { variants, placeholder } = await decode(await pixels(500, 400).webp().toBuffer())
  for (const { format, width, height, bytes } of variants) {
    const found = await sharp(bytes).metadata()
    expect([found.format, found.width, found.height]).toEqual([format === 'avif' ? 'heif' : 'webp', width, height])
  }
  const tiny = await sharp(Buffer.from(placeholder.replace('data:image/webp;base64,', ''), 'base64')).metadata()
  expect([tiny.format, tiny.width]).toEqual(['webp', 16])
  expect(placeholder.length).toBeLessThan(1000)
})

/** Red on the left, blue on the right. */
const halves = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } }).composite([
    { input: { create: { width: 30, height: 40, channels: 3, background: 'blue' } }, left: 30, top: 0 },
  ])

test.each([
  [1, 60, 40, 'left'],
  [3, 60, 40, 'right'],
  [6, 40, 60, 'top'],
  [8, 40, 60, 'bottom'],
] as const)(
  'orientation %d of the camera makes it %dx%d, with red at the %s',
  async (orientation, width, height, side) => {
    const picture = await decode(await halves().withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer())
    expect([picture.width, picture.height]).toEqual([width, height])
    const large = picture.variants.find(({ size, format }) => size === 'large' && format === 'webp')
    const { data, info } = await sharp(large?.bytes).raw().toBuffer({ resolveWithObject: true })
    const isRed = (x: number, y: number) => (data[(y * info.width + x) * info.channels] ?? 0) > 128
    const middle = { x: Math.floor(info.width / 2), y: Math.floor(info.height / 2) }
    const at = {
      left: isRed(2, middle.y),
      right: isRed(info.width - 3, middle.y),
      top: isRed(middle.x, 2),
      bottom: isRed(middle.x, info.height - 3),
    }
    expect(at[side]).toBe(true)
    expect([info.width, info.height]).toEqual([width, height])
  },
)

test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
  'nothing of the camera, the place or the sender stays in a %s',
  async (format) => {
    const described = await pixels()
      .withExif({
        IFD0: { Make: MARKER, Artist: MARKER, Copyright: MARKER },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '30/1 16/1 2/1',
          GPSLongitudeRef: 'W',
          GPSLongitude: '97/1 44/1 35/1',
        },
      })
      .withXmp(`<?xpacket?><x:xmpmeta xmlns:x="adobe:ns:meta/">${MARKER}</x:xmpmeta>`)
      .withIccProfile('p3')
      .toFormat(format)
      .toBuffer()
    expect(await sharp(described).metadata()).toMatchObject({ exif: expect.anything(), icc: expect.anything() })
    const { variants } = await decode(described)
    for (const { bytes } of variants) {
      const found = await sharp(bytes).metadata()
      expect(['exif', 'xmp', 'icc', 'iptc'].filter((name) => name in found)).toEqual([])
      expect(Buffer.from(bytes).includes(MARKER)).toBe(false)
    }
  },
)

test('a logo keeps what is transparent', async () => {
  const clear = { create: { width: 50, height: 50, channels: 4, background: '#00000000' } } as const
  const { variants } = await decode(await sharp(clear).png().toBuffer())
  for (const { bytes } of variants) expect((await sharp(bytes).stats()).isOpaque).toBe(false)
})

test('50 megapixels are decoded within the limits, and a few more are refused', async () => {
  const flat = (width: number) =>
    sharp({ create: { width, height: 6250, channels: 3, background: '#836' } })
      .png({ progressive: true })
      .toBuffer()
  expect(await decode(await flat(8000))).toMatchObject({ width: 8000, height: 6250 })
  const refused = await decoder.decode({ bytes: await flat(8001), mayBeDocument: false })
  expect(refused).toEqual({ kind: 'refused', reason: 'too_many_pixels' })
}, 120_000)

describe('the process of a decoder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-decoder-'))
  const decoders: IsolatedDecoder[] = []
  afterEach(() => decoders.splice(0).forEach((one) => one.close()))
  const withProgram = (name: string, onRequest: string) => {
    const program = join(folder, name)
    writeFileSync(program, `process.on('message', () => { ${onRequest} })\nprocess.send({ kind: 'ready' })`)
    const one = openIsolatedDecoder(program)
    decoders.push(one)
    return one.decode({ bytes: new Uint8Array(), mayBeDocument: false })
  }

  test('is killed when it goes on without an end', async () => {
    expect(await withProgram('endless.ts', 'while (true);')).toEqual({ kind: 'refused', reason: 'too_slow' })
  }, 150_000)

  test('is killed when it takes ever more memory', async () => {
    const grow = 'const all = []; setInterval(() => all.push(new Uint8Array(32 * 1024 * 1024).fill(1)), 1)'
    expect(await withProgram('growing.ts', grow)).toEqual({ kind: 'refused', reason: 'too_much_memory' })
  }, 60_000)

  test('that dies is a file that is refused', async () => {
    const die = "process.kill(process.pid, 'SIGKILL')"
    expect(await withProgram('dying.ts', die)).toEqual({ kind: 'refused', reason: 'crashed' })
    rmSync(folder, { recursive: true, force: true })
  })
})
