// Operators send a logo and an icon: with and without scripts, replaced and removed, and refused without a loss of the other one.
import { expect, test } from 'bun:test'
import sharp from 'sharp'

import { ctxOf } from '../../../src/ctx.ts'
import { getMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { type Part, sendFormWithFiles } from '../../support/form-with-files.ts'
import { hostilePictures, pixels } from '../../support/hostile-files.ts'
import { loggedInVisitor } from '../../support/visitor.ts'

const PATH = '/console/marketplace/pictures'

const world = await useConsole()
const { app, url } = world
const ctx = ctxOf(app.deps)
const operator = await loggedInVisitor(app, 'operator')

const png = (width: number, height: number) => pixels(width, height).png().toBuffer()
const version = async () => {
  const [row] = await app.sql<
    { version: number }[]
  >`select coalesce(max(version), 0)::int as version from marketplace_versions`
  return row?.version ?? 0
}
const send = async (...parts: Part[]) =>
  await sendFormWithFiles(app, operator, [...parts, ['version', String(await version())]], { path: PATH })
/** What the next version shows, once this process has read it. */
async function shown() {
  const saved = await version()
  expect(await waitUntil(async () => (await getMarketplace(ctx)).version === saved, 10_000)).toBe(true)
  const { logo, icon } = await getMarketplace(ctx)
  return { logo, icon }
}

test('a form without scripts sends both; the page shows them on a light and a dark ground, and removes them', async () => {
  expect((await send(['logo', await png(900, 200)], ['icon', await png(600, 600)])).status).toBe(303)
  const { logo, icon } = await shown()
  expect([logo?.width, logo?.height, icon?.width, icon?.height]).toEqual([576, 128, 512, 512])
  const { text, headers } = await operator.get(PATH)
  expect(text.match(new RegExp(`class="sent" src="/assets/brand/${logo?.id}.png"`, 'g'))).toHaveLength(3)
  expect(text).toContain('class="ground day"')
  expect(text).toContain('class="ground dark"')
  expect(headers.get('content-security-policy')).toContain("img-src 'self' data:")
  expect((await send(['remove', 'logo'])).status).toBe(303)
  expect(await shown()).toEqual({ logo: null, icon })
  expect((await send(['remove', 'icon'], ['logo', new Uint8Array()])).status).toBe(303)
  expect(await shown()).toEqual({ logo: null, icon: null })
})

test('the next picture replaces the one before; what a form leaves out stays', async () => {
  await send(['logo', await png(400, 100)], ['icon', await png(300, 300)])
  const before = await shown()
  await send(['logo', await png(500, 100)])
  const after = await shown()
  expect(after.icon).toEqual(before.icon)
  expect(after.logo?.id).not.toBe(before.logo?.id)
  await send(['remove', 'logo'], ['remove', 'icon'])
})

test('a picture loses its metadata and its type, and stands upright', async () => {
  const bytes = await pixels(300, 100)
    .withExif({ IFD0: { Copyright: 'The place of a photo' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  await send(['logo', bytes])
  const { logo } = await shown()
  const sent = await (
    await app.app.handle(new Request(`${app.deps.config.baseUrl}/assets/brand/${logo?.id}.png`))
  ).bytes()
  const { format, width, height, exif } = await sharp(sent).metadata()
  expect([format, width, height, exif]).toEqual(['png', 43, 128, undefined])
})

/** Two frames. */
const animated = async () => {
  const frames = [await png(200, 200), await pixels(200, 200).negate().png().toBuffer()]
  return await sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()
}

test.each<[name: string, bytes: () => Promise<Uint8Array>, complaint: string]>([
  ['a drawing in SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Save it as PNG'],
  ['a text', async () => Buffer.from('hello'), 'Send a picture in JPEG, PNG, WebP or AVIF'],
  ['a picture that moves', animated, 'The picture moves'],
  ['a picture that is not square', () => png(300, 200), 'is not square'],
  ['a picture that is too small', () => png(100, 100), 'An icon needs 180 pixels'],
  ['16 MB', async () => Buffer.alloc(16 * 1024 * 1024, 1), 'larger than 15 MB'],
  ['a bomb of 60 megapixels', () => hostileNamed('bomb: png of 60 megapixels'), 'up to 50 megapixels'],
  ['a picture that ends early', async () => (await png(400, 400)).subarray(0, 2000), 'damaged or incomplete'],
])(
  '%s as icon is refused beside its field, changes nothing, and the logo that was sent with it is kept',
  async (_, bytes, complaint) => {
    const before = await shown()
    const refused = await send(['icon', await bytes()], ['logo', await png(410, 100)])
    expect(refused.status).toBe(400)
    expect(/id="icon-error">([^<]*)/.exec(refused.text)?.[1]).toContain(complaint)
    expect(await shown()).toEqual(before)
    const [, kept = ''] = /type="checkbox" name="logo" value="([\da-f]{32})" checked/.exec(refused.text) ?? []
    expect(refused.text).toContain(`src="/assets/brand/${kept}.png"`)
    expect((await send(['logo', kept])).status).toBe(303)
    expect((await shown()).logo?.id).toBe(kept)
  },
)

async function hostileNamed(name: string): Promise<Uint8Array> {
  const found = (await hostilePictures(1)).find((file) => file.name === name)
  if (!found) throw new Error(`No hostile file is ${name}.`)
  return found.bytes
}

test('a form without a picture, with one that is not there, and with a version that is over says so', async () => {
  expect((await send()).text).toContain('Choose a picture, or tick the one to remove.')
  expect((await send(['icon', '0'.repeat(32)])).text).toContain('Is not there any more')
  // A logo is no icon, whatever its id.
  const { logo } = await shown()
  expect((await send(['icon', logo?.id ?? ''])).text).toContain('Is not there any more')
  const late = await sendFormWithFiles(
    app,
    operator,
    [
      ['remove', 'logo'],
      ['version', '0'],
    ],
    { path: PATH },
  )
  expect(late.text).toContain('another operator has just saved it')
})

test.each(['pro', 'developer'] as const)('a %s sends none', async (role) => {
  const other = await loggedInVisitor(app, role, role === 'pro' ? { pro: world.pro.id } : {})
  const before = await app.sql`select id from brand_pictures`
  const parts: Part[] = [
    ['logo', await png(777, 100)],
    ['version', String(await version())],
  ]
  const { status } = await sendFormWithFiles(app, other, parts, { path: PATH })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(await app.sql`select id from brand_pictures`).toHaveLength(before.length)
})

test('a form without its CSRF token stores nothing', async () => {
  const before = await app.sql`select id from brand_pictures`
  const { status } = await sendFormWithFiles(app, operator, [['logo', await png(778, 100)]], { path: PATH, csrf: 'x' })
  expect(status).toBe(403)
  expect(await app.sql`select id from brand_pictures`).toHaveLength(before.length)
})

test('with scripts, the page shows what is chosen or removed before it is saved', async () => {
  const watched = await world.logIn('operator')
  const { page } = watched
  await page.goto(url + PATH)
  const brand = page.locator('.ground.day .brand')
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
  await page.getByLabel('New logo').setInputFiles(file('logo.png', await png(640, 128)))
  await brand.locator('img[src^="data:image/png"]').waitFor()
  expect(await brand.locator('img').getAttribute('alt')).toBe('Hearth')
  await page.getByLabel('New icon').setInputFiles(file('icon.png', await png(256, 256)))
  await page.locator('.ground.dark .icons img[src^="data:image/png"]').first().waitFor()
  await checkPage(watched, 'logo-and-icon')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Pages, messages and agent servers show it').waitFor()
  await page.locator('header .brand img[alt="Hearth"][src^="/assets/brand/"]').waitFor()
  await page.getByLabel('Remove the logo').check()
  await brand.getByText('Hearth').waitFor()
  expect(await brand.locator('img').getAttribute('src')).toMatch(/^\/assets\/brand\/\w+\.png$/)
  await page.getByLabel('Remove the logo').uncheck()
  expect(await brand.locator('img').getAttribute('alt')).toBe('Hearth')
  expect([watched.outside, watched.errors]).toEqual([[], []])
})
