// The logo and the icon of a marketplace: every surface has their address, and finds a picture of the right kind and size there.
import { beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'

import { ctxOf } from '../../../src/ctx.ts'
import { renderMessage } from '../../../src/features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../src/features/messages/messages/templates/samples.ts'
import { brandPath } from '../../../src/features/upkeep/brand-pictures/rules/addresses.ts'
import type { BrandPicture } from '../../../src/features/upkeep/brand-pictures/schemas.ts'
import { receiveBrandPicture } from '../../../src/features/upkeep/brand-pictures/verbs.ts'
import { getMarketplace, updateMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { instrumentedApp, openTestApp } from '../../support/app.ts'
import { authorize, newPkce, registerApp, requestFor, somePro } from '../../support/connected-app.ts'
import { opened } from '../../support/fixture.ts'
import { pixels } from '../../support/hostile-files.ts'
import { nameSite } from '../../support/site.ts'
import { Visitor } from '../../support/visitor.ts'

const app = await opened(openTestApp('seeded', { clock: { now: () => new Date() } }))
const ctx = ctxOf(app.deps)
const base = app.deps.config.baseUrl
const { fetch } = instrumentedApp(app.deps)
const visitor = new Visitor(app)
const answerOf = async (path: string, headers = {}) => await fetch(new Request(base + path, { headers }))
const textOf = async (path: string) => await (await answerOf(path)).text()

const receive = async (kind: 'logo' | 'icon', width: number, height: number) =>
  await receiveBrandPicture(ctx, { kind, bytes: await pixels(width, height).png().toBuffer() })

let version = 0
/** Saves the next version, and waits until pages show it. */
async function show(pictures: { logo?: BrandPicture | null; icon?: BrandPicture | null }): Promise<void> {
  await updateMarketplace(ctx, { ...pictures, version, by: null })
  version += 1
  expect(await waitUntil(async () => (await getMarketplace(ctx)).version === version, 10_000)).toBe(true)
}

/** The consent page, as a logged-in pro sees it. */
async function consentPage(): Promise<string> {
  const { email } = await somePro(app)
  const [by, clientId, pkce] = [new Visitor(app), await registerApp(app, {}), newPkce()]
  const { location } = await authorize(app, requestFor(app, { clientId, resource: 'pro-agent', pkce }))
  await by.logIn(email)
  return (await by.get(`${location?.pathname}${location?.search}`)).text
}

async function messageHtml(): Promise<string> {
  const options = { site: await getMarketplace(ctx), baseUrl: base, from: 'hello@example.com', to: 'me@example.com' }
  return renderMessage('booking-confirmed', SAMPLES['booking-confirmed'], options).html
}

async function pictureAt(path: string) {
  const answer = await answerOf(path)
  const { format, width, height } = await sharp(await answer.clone().bytes()).metadata()
  return { answer, shape: [answer.status, answer.headers.get('content-type'), format, width, height] }
}

let [logo, icon]: [BrandPicture, BrandPicture] = [
  { id: '', width: 0, height: 0 },
  { id: '', width: 0, height: 0 },
]
beforeAll(async () => {
  await nameSite(app)
  version = 1
  ;[logo, icon] = [await receive('logo', 1000, 160), await receive('icon', 700, 660)]
})

describe('with an icon and without a logo', () => {
  beforeAll(() => show({ icon }))

  test.each([
    ['the header of a page', () => textOf('/about'), 'tab', 64],
    ['the tab', () => textOf('/about').then(linkOf('icon')), 'tab', 64],
    ['the home screen of a phone', () => textOf('/about').then(linkOf('apple-touch-icon')), 'screen', 180],
    ['the manifest', () => textOf('/site.webmanifest'), 'screen', 180],
    ['the largest icon of the manifest', () => textOf('/site.webmanifest'), 'whole', 512],
    ['a message', messageHtml, 'tab', 64],
    ['the consent of an app', consentPage, 'tab', 64],
    ['a server card', () => textOf('/.well-known/mcp/public-server-card.json'), 'whole', 512],
    ['the page to try the API', () => textOf('/api-docs/try/searchProfessionals'), 'tab', 64],
  ] as const)('%s shows it', async (_, read, size, side) => {
    const path = brandPath({ id: icon.id, size })
    expect(await read()).toContain(path)
    expect((await pictureAt(path)).shape).toEqual([200, 'image/png', 'png', side, side])
  })

  test('the name stands beside it, and no mark is drawn', async () => {
    const text = await textOf('/about')
    expect(text).toContain(
      `src="${brandPath({ id: icon.id, size: 'tab' })}" alt width="22" height="22"/> Maple &amp; Beam`,
    )
    expect(text).not.toMatch(/mark\.svg|hearth\.svg/)
  })

  test('the manifest names the marketplace, and pages may load it', async () => {
    const { headers } = await visitor.get('/about')
    expect(headers.get('content-security-policy')).toContain("manifest-src 'self'")
    expect(await textOf('/about')).toContain('<link rel="manifest" href="/site.webmanifest"')
    const manifest = await answerOf('/site.webmanifest')
    expect(manifest.headers.get('content-type')).toBe('application/manifest+json')
    expect(await manifest.json()).toMatchObject({ name: 'Maple & Beam', start_url: '/' })
  })

  test('browsers that ask for /favicon.ico are led to it', async () => {
    const { status, headers } = await answerOf('/favicon.ico')
    expect([status, headers.get('location')]).toEqual([302, brandPath({ id: icon.id, size: 'tab' })])
  })

  test('a picture beside a link shows it in place of the drawn mark', async () => {
    const markOf = async () => {
      const { data } = await sharp(await (await answerOf('/share.jpg')).bytes())
        .extract({ left: 72, top: 518, width: 52, height: 52 })
        .raw()
        .toBuffer({ resolveWithObject: true })
      return data
    }
    const withIcon = await markOf()
    await show({ icon: null })
    const drawn = await markOf()
    await show({ icon })
    const difference = withIcon.reduce((sum, value, at) => sum + Math.abs(value - (drawn[at] ?? 0)), 0)
    expect(difference / withIcon.length).toBeGreaterThan(20)
    expect(await markOf()).toEqual(withIcon)
  })
})

describe('with a logo', () => {
  beforeAll(() => show({ logo, icon: null }))

  test.each([
    ['the header of a page', () => textOf('/about')],
    ['a message', messageHtml],
    ['the consent of an app', consentPage],
    ['the page to try the API', () => textOf('/api-docs/try/searchProfessionals')],
  ] as const)('%s shows it in place of mark and name, with the name for those who do not see it', async (_, read) => {
    const path = brandPath({ id: logo.id })
    const [, attributes = ''] = new RegExp(`<img ([^>]*${path}[^>]*)>`).exec(await read()) ?? []
    expect(attributes).toContain('alt="Maple &amp; Beam"')
    // 640 × 102 at 28 pixels of height.
    expect(attributes).toContain('width="176" height="28"')
    expect((await pictureAt(path)).shape).toEqual([200, 'image/png', 'png', 640, 102])
  })

  test('without an icon the tab and server cards keep the drawn mark', async () => {
    expect(await textOf('/about')).toContain('<link rel="icon" type="image/svg+xml" href="/assets/mark.svg?v=1b5a9e-M"')
    expect(await textOf('/.well-known/mcp/public-server-card.json')).toContain('/assets/mark.svg?v=1b5a9e-M')
    expect((await answerOf('/favicon.ico')).status).toBe(200)
  })

  test('a message loads nothing else, and names the marketplace while pictures are not loaded', async () => {
    const html = await messageHtml()
    expect(html.match(/<img /g)).toHaveLength(1)
    expect(html).toContain(`src="${base}${brandPath({ id: logo.id })}"`)
  })
})

describe('an address', () => {
  test('shows its picture for ever, also when another one or no picture is shown', async () => {
    const path = brandPath({ id: logo.id })
    const before = await (await answerOf(path)).bytes()
    await show({ logo: await receive('logo', 300, 60), icon })
    await show({ logo: null, icon: null })
    const { answer } = await pictureAt(path)
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(await answer.bytes()).toEqual(before)
    const etag = answer.headers.get('etag') ?? ''
    expect((await answerOf(path, { 'if-none-match': etag })).status).toBe(304)
  })

  test('is served by another process, which has read the picture from the database', async () => {
    const other = await opened(openTestApp('migrated'))
    expect((await other.app.handle(new Request(base + brandPath({ id: logo.id })))).status).toBe(404)
    const { id } = await receiveBrandPicture(ctxOf(other.deps), {
      kind: 'logo',
      bytes: await (await answerOf(brandPath({ id: logo.id }))).bytes(),
    })
    // The same picture has the same address everywhere.
    expect(id).toBe(logo.id)
  })

  test.each(['', 'x.png', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}-whole.png`, `${'0'.repeat(31)}..png`])(
    'that Hearth does not make (%s) is not found',
    async (file) => {
      expect((await answerOf(`/assets/brand/${file}`)).status).toBe(404)
    },
  )

  test('of a logo has one size, and another type than PNG is not found', async () => {
    for (const file of [`${logo.id}-tab.png`, `${logo.id}-screen.png`, `${logo.id}.webp`, `${icon.id}-whole.png`])
      expect([file, (await answerOf(`/assets/brand/${file}`)).status]).toEqual([file, 404])
  })
})

/** The link of a kind in the head of a page. */
const linkOf = (kind: string) => (html: string) => new RegExp(`<link rel="${kind}"[^>]*>`).exec(html)?.[0] ?? ''
