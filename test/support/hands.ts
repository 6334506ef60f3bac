// How a person uses the pages: with a mouse, with a thumb and without scripts, or with the keyboard alone. A journey that is
// written once runs with each.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'

import { TOUCHED_PHONE } from './page-faults.ts'

export interface Hands {
  /** Opens a page by its entry in the console's menu. */
  choose: (entry: string) => Promise<void>
  /** Uses a link, a button or a summary. */
  use: (control: Locator) => Promise<void>
  /** Enters a text, a date (YYYY-MM-DD) or a time (HH:MM). */
  enter: (field: Locator, value: string) => Promise<void>
}

export interface Way {
  context: BrowserContextOptions
  handsOn: (page: Page) => Hands
}

const entryOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true })

export const mouse = (page: Page): Hands => ({
  choose: (entry) => entryOf(page, entry).click(),
  use: (control) => control.click(),
  enter: (field, value) => field.fill(value),
})

export const thumb = (page: Page): Hands => ({
  choose: async (entry) => {
    await page.locator('.menu-button').tap()
    await entryOf(page, entry).tap()
  },
  use: (control) => control.tap(),
  enter: async (field, value) => {
    await field.tap()
    await field.fill(value)
  },
})

const matches = (control: Locator, selector: string) =>
  control.evaluate<boolean, string>(
    (it, css) => (it as unknown as { matches(css: string): boolean }).matches(css),
    selector,
  )

/** No page has more stops between its beginning and a control. */
const MAX_STOPS = 120

/** Whether the element with the focus, or the label of a hidden one, has an outline or a shadow. */
const showsFocus = (page: Page) =>
  page.evaluate<boolean>(`[document.activeElement, document.activeElement.nextElementSibling].some((element) => {
    if (!element) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  })`)

/**
 * Presses Tab until the control has the focus, from where the focus is. The first stop of a fresh page skips the menu, unless
 * the page opened at a part of it. The control must show that it has the focus.
 */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  await page.waitForLoadState()
  const isFresh = (await page.locator(':focus').count()) === 0
  if (isFresh && (await matches(control, 'main *'))) {
    await page.keyboard.press('Tab')
    if ((await page.locator('.skip:focus').count()) > 0) await page.keyboard.press('Enter')
  }
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    if (await matches(control, ':focus')) {
      if (await showsFocus(page)) return
      throw new Error(`${control.toString()} does not show that it has the focus.`)
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${control.toString()}.`)
}

/** What is typed into a field of the kind: parts of dates and times follow each other as in the United States. */
function keysOf(type: string | null, value: string): string {
  if (type === 'date') return value.replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1')
  if (type !== 'time') return value
  const [hours = 0, minutes = 0] = value.split(':').map(Number)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(hours % 12 || 12)}${two(minutes)}${hours < 12 ? 'AM' : 'PM'}`
}

/** Tab, Enter and letters. */
export const keyboard = (page: Page): Hands => {
  const use = async (control: Locator) => {
    await tabTo(page, control)
    await page.keyboard.press('Enter')
  }
  return {
    choose: (entry) => use(entryOf(page, entry)),
    use,
    enter: async (field, value) => {
      await tabTo(page, field)
      const type = await field.getAttribute('type')
      if (type !== 'date' && type !== 'time') {
        await page.keyboard.press('ControlOrMeta+A')
        await page.keyboard.press('Delete')
      }
      await page.keyboard.type(keysOf(type, value))
    },
  }
}

export const WAYS: Readonly<Record<string, Way>> = {
  'with a mouse at 1280 pixels': { context: {}, handsOn: mouse },
  'with a thumb at 390 pixels, without scripts': {
    context: { ...TOUCHED_PHONE, javaScriptEnabled: false },
    handsOn: thumb,
  },
  'with the keyboard alone': { context: {}, handsOn: keyboard },
}
