// The pictures that other sites show beside a link: drawn by Hearth, small, and never at the cost of other requests.
import { expect, test } from 'bun:test'

import sharp from 'sharp'

import { requestContextOf } from '../../../src/auth/request-context.ts'
import { openIsolatedDrawing } from '../../../src/platform/pictures/share/isolated-drawing.ts'
import type { ShareCard } from '../../../src/platform/pictures/share/card.ts'
import { drawableText, widthOf, wrapped } from '../../../src/platform/pictures/share/lettering.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { Visitor } from '../../support/visitor.ts'

const app = await opened(openTestApp())
const visitor = new Visitor(app)
const drawing = await opened(openIsolatedDrawing())
const [pro] = await app.sql<{ slug: string; id: string }[]>`
  select s.slug, s.professional_id as id from pro_search s order by s.slug limit 1`
const [offer] = await app.sql<{ sku: string }[]>`
  select sku from packages join pro_search using (professional_id) order by sku limit 1`
if (!pro || !offer) throw new Error('The seed has no pro or no package.')

const CARD: ShareCard = {
  site: { name: 'Hearth', accent: null, letter: null, icon: null },
  heading: 'Falcon Plumbing',
  rating: '4.8 · 184 reviews',
  lines: ['Plumbing in Austin, TX'],
  price: '$80 to $160 per visit',
  photo: null,
}

/** Pages and pictures stand in no document of the API. */
async function get(path: string) {
  const request = new Request(app.deps.config.baseUrl + path)
  const response = await app.app.handle(request)
  const { caching } = requestContextOf(request)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    caching,
    bytes: await response.bytes(),
  }
}
const pictureOf = async (path: string) => {
  const { text } = await visitor.get(path)
  const [, address = ''] = /<meta property="og:image" content="([^"]+)"/.exec(text) ?? []
  const { pathname, search } = new URL(address)
  return { text, path: pathname, search, response: await get(pathname + search) }
}

test.each([
  ['a pro', `/pros/${pro.slug}`],
  ['a package', `/packages/${offer.sku}`],
  ['a service in a city', '/plumbers/austin-tx'],
])('the page of %s has a picture of its own of 1200 × 630 and at most 100 kB, which caches keep', async (_, path) => {
  const shown = await pictureOf(path)
  expect(shown.path).toBe(`${path}/share.jpg`)
  expect(shown.text).toContain('<meta property="og:image:width" content="1200"')
  const { response } = shown
  expect([response.status, response.type, response.caching]).toEqual([200, 'image/jpeg', 'asset'])
  const { bytes } = response
  const { width, height, format } = await sharp(bytes).metadata()
  expect([width, height, format, bytes.length <= 100_000]).toEqual([1200, 630, 'jpeg', true])
  // Another version may come at any time: it is asked for again.
  const other = await get(`${shown.path}?v=old`)
  expect([other.status, other.caching]).toEqual([200, 'public'])
})

test('the picture of a pro has a new address when what it says changes', async () => {
  const before = await pictureOf(`/pros/${pro.slug}`)
  await app.sql`update professionals set business_name = 'Another Name' where id = ${pro.id}`
  const after = await pictureOf(`/pros/${pro.slug}`)
  expect([after.path, after.search === before.search]).toEqual([before.path, false])
})

test.each([
  '/pros/unknown/share.jpg',
  '/packages/nothing/share.jpg',
  '/foo/bar/share.jpg',
  '/plumbers/nowhere/share.jpg',
])('%s does not exist', async (path) => {
  expect((await get(path)).status).toBe(404)
})

test('a noisy photo makes the picture no larger than 100 kB, and a broken one is left out', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const noisy = sharp({ create: { width: 1200, height: 900, channels: 3, background: '#333', noise } })
  const drawn = await drawing.draw({ ...CARD, photo: new Uint8Array(await noisy.webp({ quality: 95 }).toBuffer()) })
  const plain = await drawing.draw(CARD)
  expect(drawn?.byteLength).toBeLessThanOrEqual(100_000)
  expect(drawn?.byteLength).toBeGreaterThan(plain?.byteLength ?? 0)
  expect(await drawing.draw({ ...CARD, photo: new Uint8Array([1, 2, 3]) })).toEqual(plain)
}, 30_000)

test('a name is drawn with all its letters or not at all', async () => {
  expect(drawableText('  Škoda & Sons ✨ Cleaning ')).toBe('Škoda & Sons Cleaning')
  expect(drawableText('清洁')).toBeUndefined()
  expect(drawableText('✨')).toBeUndefined()
  const drawn = await drawing.draw({ ...CARD, heading: '清洁' })
  expect(drawn).toEqual(await drawing.draw({ ...CARD, heading: 'Plumbing in Austin, TX', lines: [] }))
})

test('long names are broken at their words and stay within the picture', () => {
  const lettering = { size: 60, weight: 700 } as const
  const lines = wrapped('Superior Heating and Cooling of Greater Austin', { width: 620, most: 3, ...lettering }) ?? []
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(widthOf(line, lettering)).toBeLessThanOrEqual(620)
  expect(wrapped('x'.repeat(100), { width: 620, most: 3, ...lettering })).toBeUndefined()
})

test('more pictures than one process draws are answered at once, without a picture', async () => {
  const busy = openIsolatedDrawing()
  try {
    const drawn = await Promise.all(Array.from({ length: 12 }, () => busy.draw(CARD)))
    expect(drawn.map((bytes) => bytes !== undefined)).toEqual([...Array(8).fill(true), ...Array(4).fill(false)])
  } finally {
    busy.close()
  }
}, 30_000)
