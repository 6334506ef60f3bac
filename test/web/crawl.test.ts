// Every link and form of every person leads to a page with a way on; every kind of page found is accessible and light.
import { beforeAll, expect, test } from 'bun:test'

import type { Browser, Page } from 'playwright-core'

import type { Access } from '../../src/auth/access.ts'
import { Crawler } from '../support/crawl/crawler.ts'
import { PEOPLE } from '../support/crawl/people.ts'
import { BROWSER_START_MS } from '../support/browser.ts'
import { longForm } from '../support/long-form.ts'
import { seriousFaults, useConsole } from '../support/console.ts'

/** Pages of each role that axe checks. Most kinds of pages are checked where their journeys are tested; the long form checks all. */
const CHECKED = longForm(4, 1000)
const MAX_PAGE_BYTES = 80_000
const MAX_LCP_MS = 1500
const MAX_CLS = 0.05
/** A phone four times slower than this machine, on "slow 4G": 150 ms and 1.6 Mbit/s. */
const PHONE = { width: 390, height: 844 }
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const CPU_SLOWDOWN = 4

/** The pages that people meet first. */
const PUBLIC_KINDS = /^\/(\?service(&place)?|for-pros|about|bookings|my\/sign-in|pros\/:id(\/(book|quote)\?service)?)?$/
/** The latest largest paint and the sum of shifts, which the browser has kept since the page began. */
const LCP_AND_CLS = `new Promise((resolve) => {
  const seen = { lcp: 0, cls: 0 }
  new PerformanceObserver((list) => { for (const it of list.getEntries()) seen.cls += it.value })
    .observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const it of list.getEntries()) seen.lcp = it.startTime
    requestAnimationFrame(() => resolve(seen))
  }).observe({ type: 'largest-contentful-paint', buffered: true })
})`

const world = useConsole()
const crawlers: Crawler[] = []

beforeAll(async () => {
  for (const [role, begin] of Object.entries(PEOPLE)) {
    const { visitor, start } = await begin(world.app)
    const crawler = new Crawler(role, visitor, world.app.deps.config.baseUrl)
    await crawler.crawl(start, { ends: false })
    crawlers.push(crawler)
  }
}, BROWSER_START_MS)

/** The pages of a role that no role before it saw. */
function newPages(crawler: Crawler): string[] {
  const earlier = crawlers.slice(0, crawlers.indexOf(crawler))
  return [...crawler.pages].filter(([kind]) => !earlier.some(({ pages }) => pages.has(kind))).map(([, path]) => path)
}

async function openAs(browser: Browser, { visitor }: Crawler): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE })
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: world.url })))
  return await context.newPage()
}

/** Programs of libraries within a page: the reference of the API, which has a test of its own, and the board of the queues. */
const OF_LIBRARIES = /^\/(api-docs|ops\/queues)/

test.each(Object.keys(PEOPLE))(
  'the pages of %s have no serious fault of accessibility, light or dark',
  async (role) => {
    const crawler = crawlers.find((it) => it.role === role)
    if (!crawler) throw new Error('The crawl failed.')
    const page = await openAs(world.browser, crawler)
    const faults: string[] = []
    for (const path of newPages(crawler)
      .filter((path) => !OF_LIBRARIES.test(path))
      .slice(0, CHECKED)) {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.goto(world.url + path)
      const light = await seriousFaults(page)
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      faults.push(...[...light, ...(await seriousFaults(page, ['color-contrast']))].map((fault) => `${path}: ${fault}`))
    }
    await page.context().close()
    expect(faults).toEqual([])
  },
  120_000,
)

test('public pages are light, and quick and steady on a slow phone', async () => {
  const [anonymous] = crawlers
  if (!anonymous) throw new Error('The crawl failed.')
  const context = await world.browser.newContext({ viewport: PHONE })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const tooMuch: object[] = []
  const measured = [...anonymous.pages].filter(([kind]) => PUBLIC_KINDS.test(kind)).map(([, path]) => path)
  expect(measured.length).toBeGreaterThan(6)
  const load = async (path: string) => {
    await session.send('Network.clearBrowserCache')
    bytes = 0
    await page.goto(world.url + path)
    const { lcp, cls } = await page.evaluate<{ lcp: number; cls: number }>(LCP_AND_CLS)
    return lcp > MAX_LCP_MS || cls > MAX_CLS || bytes > MAX_PAGE_BYTES ? { path, lcp, cls, bytes } : undefined
  }
  for (const path of measured) {
    // Other tests on this machine only make a load slower, so the best of three counts.
    const over = (await load(path)) && (await load(path)) && (await load(path))
    if (over) tooMuch.push(over)
  }
  await context.close()
  expect(tooMuch).toEqual([])
}, 60_000)

test.each(Object.keys(PEOPLE))('%s is never stuck', async (role) => {
  const crawler = crawlers.find((it) => it.role === role)
  await crawler?.crawl([], { ends: true })
  expect(crawler?.findings).toEqual([])
  // A crawler that is turned away at the door finds nothing either.
  expect(crawler?.kinds.size).toBeGreaterThan(30)
  expect(crawler?.sent.size).toBeGreaterThan(8)
})

/**
 * Pages that no link of these people leads to: the way there, and the test that opens the page. That test's text has the fixed
 * parts of the path.
 */
const ELSEWHERE: Readonly<Record<string, readonly [way: string, test: string]>> = {
  '/bookings/:code': ['a right code in the form of /bookings', 'test/features/calendar-feeds/calendar-feeds.test.ts'],
  '/bookings/manage/:token/review': ['after the visit', 'test/web/my/pages.test.ts'],
  '/console/calendar/blocks': [
    'leads from the address of a form to its page, as the next five do',
    'test/web/console/access.test.ts',
  ],
  '/console/leads/:id/quote': ['as above', 'test/web/console/access.test.ts'],
  '/console/profile/business': ['as above', 'test/web/console/access.test.ts'],
  '/console/profile/site': ['as above', 'test/web/console/access.test.ts'],
  '/console/profile/texts': ['as above', 'test/web/console/access.test.ts'],
  '/console/services/:id/package': ['as above', 'test/web/console/access.test.ts'],
  '/console/settings/hours': ['as above', 'test/web/console/access.test.ts'],
  '/console/mail/:id/html': ['a frame in the page of a message', 'test/web/console/mail.test.ts'],
  '/console/mail/:id/source': ['a file in the page of a message', 'test/web/console/mail.test.ts'],
  '/console/mail/templates/:kind/html': ['a frame in the page of a template', 'test/web/console/mail.test.ts'],
  '/console/password/:token': ['the link in an invitation', 'test/web/console/users.test.ts'],
  '/console/verification/:id/refuse': ['as above', 'test/features/verification/verification.test.ts'],
  '/console/webhooks/:id/deliveries/:eventId/trace': ['a delivery that has a trace', 'test/web/ops/pages.test.ts'],
  '/console/webhooks/deliveries': ['an endpoint with deliveries', 'test/web/console/developer.test.ts'],
  '/my/bookings/:id/review': ['after the visit', 'test/web/my/pages.test.ts'],
  '/my/earlier': ['a customer with earlier visits', 'test/web/my/pages.test.ts'],
  '/my/jobs/:id/review': ['after the work', 'test/web/my/pages.test.ts'],
  '/my/requests': ['a customer with many requests', 'test/web/my/pages.test.ts'],
  '/oauth/authorize': ['an app that asks for access', 'test/auth/oauth-hostile.test.ts'],
  '/oauth/consent': ['an app that asks for access', 'test/web/oauth/consent.test.ts'],
  '/ops/now': ['a part of /ops that is loaded again', 'test/web/ops/pages.test.ts'],
  '/ops/queues': ['drawn by a library', 'test/web/ops/pages.test.ts'],
  '/ops/queues/*': ['drawn by a library', 'test/web/ops/pages.test.ts'],
  '/ops/traces/:id': ['a request that was traced', 'test/web/ops/pages.test.ts'],
  '/quotes/:token/receipt': ['a quote with a paid deposit', 'test/web/public/booking-journeys.test.ts'],
  '/sitemap.xml': ['for search engines', 'test/web/public/public-pages.test.ts'],
  '/sitemaps/:part': ['for search engines', 'test/web/public/city-pages.test.ts'],
  '/unsubscribe/:token': ['the link in a reminder', 'test/features/messages/messages-sending.test.ts'],
}

interface RouteHooks {
  detail?: { 'x-access'?: Access }
}

test('every page is reached by a link or form, or listed with the way there', () => {
  const reached = crawlers.flatMap((crawler) => [...crawler.reached])
  const pages = world.app.app.routes.flatMap(({ method, path, hooks }) => {
    const access = (hooks as RouteHooks).detail?.['x-access']
    const isPage = access?.page === true || access?.session !== undefined || access?.customer === true
    return method === 'GET' && isPage ? [path] : []
  })
  const isReached = (path: string) => {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
    return reached.some((it) => pattern.test(it))
  }
  expect(pages.filter((path) => !isReached(path) && !(path in ELSEWHERE))).toEqual([])
  expect(Object.keys(ELSEWHERE).filter((path) => !pages.includes(path))).toEqual([])
})

/** The parts of a route's path that no parameter fills in. */
const fixedPartsOf = (path: string): string[] => path.split(/:\w+|\*/).filter((part) => part.length > 1)

test.each(Object.entries(ELSEWHERE))('%s is opened by the test that is named', async (path, [, file]) => {
  const text = await Bun.file(file).text()
  expect(fixedPartsOf(path).filter((part) => !text.includes(part))).toEqual([])
})
