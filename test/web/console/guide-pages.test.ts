// The pages of the guide in a browser: without a fault in both widths, and with a preview that follows what is typed.
import { afterEach, expect, test } from 'bun:test'

import { ctxOf } from '../../../src/ctx.ts'
import { getMarketplace, updateMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { GUIDE, GUIDE_PATH } from '../../../src/web/ui/guide-steps.ts'
import { checkPage, useConsole } from '../../support/console.ts'

const world = await useConsole()
const ctx = ctxOf(world.app.deps)
await updateMarketplace(ctx, { version: 0, isOpen: false, by: null })
await waitUntil(async () => !(await getMarketplace(ctx)).isOpen, 10_000)
const watched = await world.logIn('operator')
const { page } = watched
afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

const OWN = [
  GUIDE_PATH,
  '/console/marketplace',
  ...GUIDE.map(({ path }) => path).filter((path) => path.startsWith(GUIDE_PATH)),
]

test.each(OWN)(
  '%s has no fault',
  async (path) => {
    await page.goto(world.url + path)
    await checkPage(watched, path.slice(1).replaceAll('/', '-'))
  },
  60_000,
)

test('the preview follows the name, the sentence and the colour, and nothing is saved by it', async () => {
  await page.goto(`${world.url}/console/marketplace`)
  const face = page.locator('#face')
  await page.getByLabel('Name', { exact: true }).fill('Maple & Beam')
  await page.getByLabel(/^What you do/).fill('Trades of the city.')
  await page.getByLabel(/^Colour of links/).fill('#1B5A9E')
  await face.getByText('Maple & Beam').waitFor()
  await face.getByText('Trades of the city.').waitFor()
  expect(await face.locator('img').getAttribute('src')).toBe('/assets/mark.svg?v=1b5a9e-M')
  const background = () =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('#face .button')).backgroundColor`)
  expect(await background()).toBe('rgb(27, 90, 158)')
  await page.getByLabel('Choose a colour').fill('#0b655c')
  expect(await page.getByLabel(/^Colour of links/).inputValue()).toBe('#0b655c')
  expect(await background()).toBe('rgb(11, 101, 92)')
  expect((await getMarketplace(ctx)).name).toBe('Hearth')
})
