// The console in a browser: a server in the test process, users of every role, and the page check.
import { expect } from 'bun:test'
import type { Browser } from 'playwright-core'

import { requestContextOf } from '../../src/auth/request-context.ts'
import type { Role } from '../../src/auth/users/schemas.ts'
import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type TestApp, instrumentedApp, openTestApp, randomAddress } from './app.ts'
import { type WatchedPage, openBrowser, watchPage } from './browser.ts'
import { opened } from './fixture.ts'
import { cutOff, axeFaults } from './page-faults.ts'
import { findPros } from './reviews.ts'
import { PASSWORD, createTestUser } from './visitor.ts'

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 375, height: 720 }

export interface ConsoleFixture {
  app: TestApp
  url: string
  browser: Browser
  /** The pro whose users have the role `pro`. */
  pro: { id: string; slug: string; email: string }
  /** The account of the users with the role `developer`. */
  developer: string
  /** The network from which bookings come. Each comes from another one, as those of different people do, unless it is set. */
  network?: string | undefined
  /** Logs in a new user of the role through the form and returns their page. */
  logIn(role: Role): Promise<WatchedPage>
}

/** One app and one browser for the tests of a file. */
export async function useConsole(options: { env?: Record<string, string> } = {}): Promise<ConsoleFixture> {
  const fixture = {} as ConsoleFixture & { stop: () => Promise<void> }
  return await opened(Object.assign(fixture, await openConsole(options, fixture)), 'stop')
}

async function openConsole({ env = {} }: { env?: Record<string, string> }, fixture: Pick<ConsoleFixture, 'network'>) {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const app = await openTestApp('seeded', { env: { BASE_URL: url, PORT: String(port), ...env } })
  const { fetch } = instrumentedApp(app.deps)
  // Limits per address are those of this file, although other files have used up some of theirs.
  const address = randomAddress()
  const serve = (request: Request) => {
    const from = isBooking(request) ? (fixture.network ?? randomAddress()) : address
    requestContextOf(request).peer = () => from
    return fetch(request)
  }
  const server = Bun.serve({ hostname: '127.0.0.1', port, fetch: serve })
  const browser = await openBrowser()
  const [pro] = await findPros(app, 1)
  if (!pro) throw new Error('The seed has no pros.')
  const developer = 'console-developer@test.example'
  const logIn = async (role: Role) => {
    const account = role === 'pro' ? { pro: pro.id } : role === 'developer' ? { account: developer } : {}
    const email = await createTestUser(app, role, account)
    const watched = await watchPage(browser)
    watched.page.setDefaultTimeout(10_000)
    await watched.page.goto(`${url}/console`)
    await watched.page.getByLabel('E-mail address').fill(email)
    await watched.page.getByLabel('Password').fill(PASSWORD)
    await watched.page.getByRole('button', { name: 'Log in' }).click()
    await watched.page.getByRole('button', { name: 'Log out' }).waitFor()
    return watched
  }
  const stop = async () => {
    await browser.close()
    await server.stop(true)
    await app.close()
  }
  return { app, url, browser, pro, developer, logIn, stop }
}

const isBooking = ({ method, url }: Request) =>
  method === 'POST' && /^\/pros\/[^/]+\/book$|^\/api\/v1\/bookings/.test(new URL(url).pathname)

/**
 * Checks that the page loads nothing from other hosts, violates no policy of its own, passes axe-core in light and dark
 * mode, and fits a phone. Saves screenshots of both widths under `name`.
 */
export async function checkPage({ page, outside, errors, screenshot }: WatchedPage, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // Some colors are still the old ones just after the change.
    let faults: string[] = []
    // The schemes differ in colours only.
    const rules = colorScheme === 'dark' ? { rules: ['color-contrast'] } : {}
    await waitUntil(async () => (faults = await axeFaults(page, rules)).length === 0, 2000)
    expect([name, colorScheme, faults]).toEqual([name, colorScheme, []])
  }
  await screenshot(name)
  await page.setViewportSize(PHONE)
  // Scripts redraw after the width changes.
  let tooWide: string[] = []
  await waitUntil(async () => (tooWide = await cutOff(page)).length === 0, 2000)
  expect([name, tooWide]).toEqual([name, []])
  await screenshot(`${name}-phone`)
  await page.setViewportSize(DESKTOP)
  expect([name, outside, errors]).toEqual([name, [], []])
}
