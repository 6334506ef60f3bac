// Pages answer a finger and a keyboard within 200 ms on a slow phone (INP of web.dev: "good").
import { expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { useConsole } from '../support/console.ts'

const MAX_INP_MS = 200
/** A phone four times slower than this machine. */
const CPU_SLOWDOWN = 4
const PHONE = { width: 390, height: 844 }
/** Controls of a kind that are used on each page. */
const CONTROLS = 5

const world = await useConsole()
const { slug } = world.pro
const [offer] = await world.app.sql<{ id: string }[]>`
  select service_id as id from professional_services
  where professional_id = ${world.pro.id} and instant_book_enabled order by service_id limit 1`

/** The longest interaction, from the event until the next paint, which the browser measures in steps of 8 ms from 16 ms on. */
const KEEP_SLOWEST = `
  window.slowest = { ms: 0, event: '' }
  window.interactions = 0
  for (const name of ['pointerup', 'keydown']) addEventListener(name, () => window.interactions++, true)
  const keep = (entries) => {
    for (const it of entries)
      if (it.interactionId && it.duration > window.slowest.ms)
        window.slowest = { ms: it.duration, event: it.name + ' on ' + it.target?.outerHTML.slice(0, 80) }
  }
  const observer = new PerformanceObserver((list) => keep(list.getEntries()))
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true })
  window.keepRest = () => keep(observer.takeRecords())`
/** The browser tells of an interaction after its paint: the second frame comes after that of the last interaction. */
const SLOWEST = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.keepRest()
  resolve({ ...window.slowest, interactions: window.interactions })
})))`

/** Uses what does not leave the page: what unfolds or is ticked, buttons of scripts, and fields. */
async function use(page: Page): Promise<void> {
  for (const control of (
    await page
      .locator('summary:visible, button[type=button]:visible, label:visible:not(:has(select), .menu-button)')
      .all()
  ).slice(0, CONTROLS))
    await control.click()
  const fields = page.locator(
    'input:visible:is([type=text], [type=search], [type=email], [type=tel], :not([type])), textarea:visible',
  )
  for (const field of (await fields.all()).slice(0, CONTROLS)) {
    await field.click()
    await field.pressSequentially('78701')
  }
}

async function inpOf(page: Page, path: string): Promise<{ ms: number; event: string; interactions: number }> {
  await page.goto(world.url + path)
  await use(page)
  return await page.evaluate<{ ms: number; event: string; interactions: number }>(SLOWEST)
}

async function slow(page: Page): Promise<void> {
  await page.setViewportSize(PHONE)
  await page.addInitScript(KEEP_SLOWEST)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
}

const PUBLIC = [
  '/',
  '/?service=plumber&place=Austin%2C+TX',
  `/pros/${slug}`,
  `/pros/${slug}/book?service=${offer?.id}`,
  `/pros/${slug}/quote`,
]
const CONSOLE = ['/console', '/console/profile', '/console/pictures', '/console/hours', '/console/credits']

test.each([
  ['people', PUBLIC],
  ['pros', CONSOLE],
] as const)(
  'each interaction with the scripted pages of %s is answered quickly on a slow phone',
  async (who, paths) => {
    const page = who === 'pros' ? (await world.logIn('pro')).page : await world.browser.newPage()
    await slow(page)
    const measured: [string, { ms: number; event: string; interactions: number }][] = []
    for (const path of paths) {
      let best = await inpOf(page, path)
      // Other programs on this machine make an interaction slower, never quicker.
      for (let again = 0; best.ms > MAX_INP_MS && again < 2; again++) {
        const next = await inpOf(page, path)
        if (next.ms < best.ms) best = next
      }
      measured.push([path, best])
    }
    process.stdout.write(
      `${measured.map(([path, { ms, interactions, event }]) => `${path} ${ms} ms of ${interactions} ${event}`).join('\n')}\n`,
    )
    expect(measured.filter(([, { ms }]) => ms > MAX_INP_MS)).toEqual([])
    expect(measured.reduce((sum, [, { interactions }]) => sum + interactions, 0)).toBeGreaterThan(20)
  },
  120_000,
)
