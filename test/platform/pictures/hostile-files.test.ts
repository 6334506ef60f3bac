// Whatever people send: a file is refused, or becomes a picture that is nothing but a picture, and the next file is decoded.
import { describe, expect, test } from 'bun:test'

import sharp from 'sharp'

import { type IsolatedDecoding, openIsolatedDecoder } from '../../../src/platform/pictures/isolated-decoder.ts'
import { opened } from '../../support/fixture.ts'
import { MARKER, hostileDocuments, passivePdf } from '../../support/hostile-documents.ts'
import { goodPictures, hostilePictures } from '../../support/hostile-files.ts'

const SEED = Number(process.env['HEARTH_TEST_SEED'] ?? 1)
/** Longer than the process may take for one file. */
const LIMIT_MS = 150_000

const decoder = await opened(openIsolatedDecoder())
const good = await goodPictures()
const pictures = await hostilePictures(SEED)
const documents = hostileDocuments()

/** What is in the pictures besides pixels. */
async function faultsOf(decoded: IsolatedDecoding): Promise<string[]> {
  if (decoded.kind !== 'picture') return []
  const faults = await Promise.all(
    decoded.variants.map(async ({ size, format, width, height, bytes }) => {
      const found = await sharp(bytes).metadata()
      const what = `${size}.${format}`
      return [
        ...['exif', 'icc', 'iptc', 'xmp', 'comments']
          .filter((name) => name in found)
          .map((name) => `${what} has ${name}`),
        ...(Buffer.from(bytes).includes(MARKER) ? [`${what} has the marker`] : []),
        ...(found.width === width && found.height === height ? [] : [`${what} has another size`]),
      ]
    }),
  )
  return faults.flat()
}

test('there are 300 of them', () => {
  expect(pictures.length + documents.length).toBeGreaterThanOrEqual(300)
})

test.each(pictures.map((file) => [file.name, file] as const))(
  '%s',
  async (_, { bytes, fate }) => {
    const decoded = await decoder.decode({ bytes, mayBeDocument: false })
    if (fate !== 'either') expect(decoded.kind).toBe(fate === 'clean' ? 'picture' : 'refused')
    if (decoded.kind === 'refused') expect(decoded.reason).not.toBe('crashed')
    expect(await faultsOf(decoded)).toEqual([])
  },
  LIMIT_MS,
)

test.each(documents.map((file) => [file.name, file] as const))(
  '%s',
  async (_, { bytes }) => {
    expect((await decoder.decode({ bytes, mayBeDocument: true })).kind).toBe('refused')
  },
  LIMIT_MS,
)

describe('after all of them', () => {
  test.each(Object.entries(good))('a good %s is decoded', async (format, bytes) => {
    const decoded = await decoder.decode({ bytes, mayBeDocument: false })
    expect(decoded).toMatchObject({ kind: 'picture', type: `image/${format}`, width: 96, height: 64 })
  })

  test.each([
    ['without more', passivePdf()],
    ['with a link', passivePdf('5 0 obj << /Subtype /Link /A << /S /URI /URI (https://example.com) >> >> endobj')],
    ['that opens at a page', passivePdf('', '/OpenAction [3 0 R /Fit]')],
    ['with a form to read', passivePdf('5 0 obj << /AcroForm << /Fields [] >> >> endobj')],
  ])('a document %s is taken', async (_, bytes) => {
    expect(await decoder.decode({ bytes, mayBeDocument: true })).toEqual({ kind: 'document', type: 'application/pdf' })
  })
})
