// Pictures of pros on public pages: what is ready is shown, at once in its place, and nothing else is.
import { expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { ctxOf } from '../../../src/ctx.ts'
import { changeOffer } from '../../../src/features/business/offers/verbs.ts'
import { listPackagesOfPro } from '../../../src/features/business/packages/verbs/packages.ts'
import { changeSiteConfig } from '../../../src/features/business/storefront/verbs.ts'
import type { PublicProfile } from '../../../src/features/search/pros/schemas.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { cityPath } from '../../../src/web/public/trails.ts'
import { openTestApp } from '../../support/app.ts'
import { watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { opened } from '../../support/fixture.ts'
import { findPros } from '../../support/reviews.ts'
import { ready, uploaded } from '../../support/uploads.ts'
import { Visitor } from '../../support/visitor.ts'

const world = await useConsole()
const { app } = world
const guest = new Visitor(app)
const [pro, other] = await findPros(app, 2)
if (!pro || !other) throw new Error('The seed has too few pros.')
const keyOf = ({ email }: { email: string }) => app.key(['pro:read', 'pro:write'], email)
const [key, otherKey] = [await keyOf(pro), await keyOf(other)]
const profile = (await (await app.send(`/api/v1/profile/public/${pro.slug}`)).json()) as PublicProfile
const { businessName } = profile

const NONE = { logo: null, cover: null, gallery: [] }
async function use(pictures: object, by = key): Promise<void> {
  const answer = await app.send('/api/v1/pro/pictures', { method: 'PUT', key: by, json: { ...NONE, ...pictures } })
  if (answer.status !== 200) throw new Error(await answer.text())
}
/** The name of a file in its addresses. */
const nameOf = ({ url }: { url: string }) => new URL(url).pathname.split('-large')[0] ?? ''
const textOf = async (path: string) => (await guest.get(path)).text
const profileText = () => textOf(`/pros/${pro.slug}`)

const [service] = profile.services
const { city = '', state = '' } = profile.location ?? {}
if (!service) throw new Error('The pro has no services.')
const asPro = ctxOf(app.deps, { professionalId: pro.id })
await changeOffer(asPro, {
  serviceId: service.id,
  packageKind: 'standard',
  packageName: 'All in',
  packagePrice: 100,
  includes: ['One visit'],
  cadence: 'once',
})
const [offer] = await listPackagesOfPro(ctxOf(app.deps), { professionalId: pro.id })
const RESULTS = `/?${new URLSearchParams({ service: service.name, place: state }).toString()}`
/** The pages with the pro's logo or monogram. */
const PATHS = [
  `/pros/${pro.slug}`,
  RESULTS,
  cityPath(service, { name: city, state }),
  `/packages/${offer?.sku}`,
  `/pros/${pro.slug}/book`,
]

const IMAGES = "[...document.querySelectorAll('main picture img')]"
/** The images that people sent, as the browser has them. */
const imagesOn = (page: Page) =>
  page.evaluate<{ alt: string; format: string; isLoaded: boolean }[]>(
    `${IMAGES}.map((it) => ({ alt: it.alt, format: it.currentSrc.split('.').at(-1), isLoaded: it.naturalWidth > 0 }))`,
  )
/** Scrolls to each image, which loads those further down. */
async function loadImages(page: Page): Promise<void> {
  for (const image of await page.locator('main picture img').all()) await image.scrollIntoViewIfNeeded()
  await waitUntil(async () => (await imagesOn(page)).every(({ isLoaded }) => isLoaded), 10_000)
  await page.evaluate('scrollTo(0, 0)')
}

/** The picture that other sites show of a page. */
async function shareBytes(page: string): Promise<Buffer> {
  const { pathname, search } = new URL(/og:image" content="([^"]+)"/.exec(page)?.[1] ?? '')
  const response = await app.app.handle(new Request(app.deps.config.baseUrl + pathname + search))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  return Buffer.from(await response.arrayBuffer())
}

/** What the pro uses in some tests. */
const logo = await ready(app, { key, purpose: 'pro_logo' })
const cover = await ready(app, { key, purpose: 'pro_cover' })
const [one, two] = [await ready(app, { key }), await ready(app, { key })]
const ALL = {
  logo: logo.id,
  cover: cover.id,
  gallery: [{ fileId: one.id, caption: 'A new boiler <b>' }, { fileId: two.id }],
}

test('a pro’s page shows the cover, the logo and the gallery, and passes the page check', async () => {
  await use(ALL)
  // The outlines of a map reach beyond its frame, which hides them.
  await changeSiteConfig(asPro, { sections: ['about', 'services'] })
  const watched = await watchPage(world.browser)
  await watched.page.goto(`${world.url}/pros/${pro.slug}`)
  await loadImages(watched.page)
  expect(await imagesOn(watched.page)).toEqual(
    [
      `The work of ${businessName}`,
      `Logo of ${businessName}`,
      'A new boiler <b>, picture 1 of 2',
      `${businessName}, picture 2 of 2`,
    ].map((alt) => ({ alt, format: 'avif', isLoaded: true })),
  )
  expect(await watched.page.getByRole('figure', { name: 'A new boiler <b>' }).count()).toBe(1)
  expect(await watched.page.locator('.gallery a').first().getAttribute('href')).toBe(one.url)
  await checkPage(watched, 'profile-pictures')
}, 60_000)

test('every picture has the width and height of its file, and nothing moves when it is loaded', async () => {
  await use(ALL)
  const { page } = await watchPage(world.browser)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/files/**', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${world.url}/pros/${pro.slug}`, { waitUntil: 'commit' })
  await page.locator('.foot').waitFor()
  const sizes = await page
    .locator('main picture img')
    .evaluateAll((images) => images.map((image) => [image.getAttribute('width'), image.getAttribute('height')]))
  expect(sizes).toHaveLength(4)
  for (const [width, height] of sizes) expect([width, Number(height) > 0]).toEqual(['64', true])
  const before = await page.locator('.foot').boundingBox()
  release()
  await loadImages(page)
  expect(await page.locator('.foot').boundingBox()).toEqual(before)
}, 60_000)

test('search engines and link previews get the pictures of a pro’s page', async () => {
  await use(ALL)
  const text = await profileText()
  const data = JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}') as {
    '@graph': { logo?: string; image?: string[] }[]
  }
  const [business] = data['@graph']
  expect([business?.logo, business?.image?.length, business?.image?.[0]]).toEqual([logo.url, 3, cover.url])
  const drawnWithCover = await shareBytes(text)
  await use({ ...ALL, cover: null })
  expect((await shareBytes(await profileText())).equals(drawnWithCover)).toBe(false)
})

test('the logo is on the pages that name the pro, and those without one get a monogram', async () => {
  await use({ logo: logo.id, cover: cover.id })
  for (const path of PATHS) {
    const text = await textOf(path)
    expect([path, text.split(`${nameOf(logo)}-small.webp`).length]).toEqual([path, 2])
  }
  const page = await textOf(RESULTS)
  expect(page).not.toContain(nameOf(cover))
  const cards = page.split('<li id="pro-').slice(1)
  expect(cards.length).toBeGreaterThan(1)
  for (const card of cards)
    if (new RegExp(`/pros/${pro.slug}["?]`).test(card)) expect(card).toContain(nameOf(logo))
    else expect(card).toMatch(/<span class="avatar \w+" aria-hidden="true">\p{Lu}/u)
  await use({})
  for (const path of PATHS) expect([path, (await textOf(path)).includes(nameOf(logo))]).toEqual([path, false])
  expect(await profileText()).toMatch(/<span class="avatar large \w+" aria-hidden="true">\p{Lu}/u)
})

test('a logo that was replaced is not shown any more', async () => {
  const [first, second] = [
    await ready(app, { key, purpose: 'pro_logo' }),
    await ready(app, { key, purpose: 'pro_logo' }),
  ]
  await use({ logo: first.id })
  await use({ logo: second.id })
  for (const path of PATHS) {
    const text = await textOf(path)
    expect([path, text.includes(nameOf(first)), text.includes(nameOf(second))]).toEqual([path, false, true])
  }
})

test('pictures that are not ready, were refused or belong to another pro are not shown', async () => {
  const waiting = await uploaded(app, { key, purpose: 'pro_logo' })
  const waitingCover = await uploaded(app, { key, purpose: 'pro_cover' })
  const waitingToo = await uploaded(app, { key })
  const refused = await uploaded(app, { key, bytes: Buffer.from('no picture') })
  await use({
    logo: waiting.id,
    cover: waitingCover.id,
    gallery: [{ fileId: waitingToo.id }, { fileId: refused.id }],
  })
  expect(await profileText()).not.toContain('/files/')
  const foreign = await ready(app, { key: otherKey })
  await use({ gallery: [{ fileId: foreign.id }] }, otherKey)
  const text = await profileText()
  expect([text.includes(nameOf(foreign)), text.includes(nameOf(refused))]).toEqual([false, false])
  // Decoding the other pro's picture has decoded these as well.
  expect([text.includes(nameOf(waiting)), text.includes(nameOf(waitingToo))]).toEqual([true, true])
  expect(await textOf(`/pros/${other.slug}`)).toContain(nameOf(foreign))
})

test('pages with pictures load images from Hearth and the host of files, and others from Hearth only', async () => {
  const elsewhere = await opened(openTestApp('seeded', { env: { FILES_BASE_URL: 'https://files.test.example' } }))
  const [shown] = await findPros(elsewhere, 1)
  const reader = new Visitor(elsewhere)
  const policyOf = async (path: string) =>
    /img-src ([^;]*)/.exec((await reader.get(path)).headers.get('content-security-policy') ?? '')?.[1]
  for (const path of [`/pros/${shown?.slug}`, `/pros/${shown?.slug}/book`, '/', '/plumbers/austin-tx'])
    expect([path, await policyOf(path)]).toEqual([path, "'self' data: https://files.test.example"])
  expect(await policyOf('/terms')).toBe("'self'")
})

test('a small picture is listed in one size', async () => {
  await use({ gallery: [{ fileId: one.id }] })
  const [, set = ''] = /<img [^>]*srcset="([^"]*)"/.exec((await profileText()).split('class="gallery"')[1] ?? '') ?? []
  expect(set).toMatch(/^\S+-large\.webp 64w$/)
})
