// A headless Chromium that reaches this machine only and records requests to other hosts.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'

import { aptInstall, isAvailableInApt } from '../../src/local/apt.ts'
import { ROOT } from './imports.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from './booking-fixture.ts'

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const SCREENSHOTS = join(ROOT, '.hearth/test/screenshots')

/** The time limit of a hook that opens a browser, which may have to install it first. */
export const BROWSER_START_MS = 300_000

/** A page with its blocked requests and errors. */
export interface WatchedPage {
  page: Page
  /** URLs of other hosts that the page requested. All were blocked. */
  outside: string[]
  /** Console errors, such as a blocked script, and uncaught exceptions. */
  errors: string[]
  /** Writes `.hearth/test/screenshots/<name>.png` for people. */
  screenshot: (name: string) => Promise<void>
}

/** Starts the browser of CHROME_PATH or an installed one. On Debian, root installs a missing one first. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: await findBrowser(), headless: true, args: FLAGS })
}

/** Opens a page with its own storage. */
export async function watchPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const [outside, errors]: [string[], string[]] = [[], []]
  await context.route('**/*', async (route) => {
    const { protocol, hostname } = new URL(route.request().url())
    if (protocol === 'data:' || protocol === 'blob:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
      return await route.continue()
    outside.push(route.request().url())
    return await route.abort()
  })
  const page = await context.newPage()
  // Shorter than the limit of a test, so that the error names the locator and the browser stays open.
  page.setDefaultTimeout(20_000)
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
  page.on('pageerror', (error) => void errors.push(error.message))
  const screenshot = async (name: string) => {
    mkdirSync(SCREENSHOTS, { recursive: true })
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
  }
  return { page, outside, errors, screenshot }
}

const installed = () => process.env['CHROME_PATH'] ?? COMMANDS.map((name) => Bun.which(name)).find(Boolean)

export async function findBrowser(): Promise<string> {
  const note = (line: string) => process.stderr.write(`hearth: ${line}\n`)
  if (!installed() && process.getuid?.() === 0 && Bun.which('apt-get') && (await isAvailableInApt('chromium')))
    await aptInstall(() => Promise.resolve(['chromium']), note)
  const found = installed()
  if (!found)
    throw new Error(
      'The browser tests need Chromium: `apt-get install chromium`, `brew install --cask chromium`, or set CHROME_PATH.',
    )
  return found
}

/** Says where the pro is to come; the widget asks for no city, which follows from the ZIP code. */
export async function fillAddress(page: Page, { hasCity = true } = {}): Promise<void> {
  await page.getByLabel('Phone').fill(VISIT_PHONE)
  await page.getByLabel('Street').fill(VISIT_ADDRESS.street)
  if (hasCity) await page.getByLabel('City').fill(VISIT_ADDRESS.city)
  if (hasCity) await page.getByLabel('State').fill(VISIT_ADDRESS.state)
  await page.getByLabel('ZIP code').fill(VISIT_ADDRESS.zipCode)
}
