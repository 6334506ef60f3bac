// What is wrong with a page: faults of accessibility in both colour schemes, controls too small for a finger, width.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { BrowserContextOptions, Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** A phone with a finger as its pointer. */
export const TOUCHED_PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
}
/** The width to which WCAG 1.4.10 asks that content reflows. */
const NARROWEST = { width: 320, height: 844 }
/** The size that WCAG 2.5.5 asks of a target. */
const TARGET_PX = 44

interface AxeOptions {
  /** All by default. */
  rules?: readonly string[]
  /** Selectors of what is not looked at. */
  exclude?: readonly string[]
}

/** The serious violations that axe-core finds, by rule, with the first element. */
export async function seriousFaults(page: Page, { rules, exclude = [] }: AxeOptions = {}): Promise<string[]> {
  await page.evaluate(`window.axe || (() => { ${AXE} })()`)
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } }),
  }
  const context = JSON.stringify({ include: [['html']], exclude: exclude.map((it) => [it]) })
  return await page.evaluate<
    string[]
  >(`axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes[0].html))`)
}

/** The elements that extend beyond the viewport's width. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')].filter((element) => {
    const { right, width } = element.getBoundingClientRect()
    const isVisible = getComputedStyle(element).clipPath === 'none' && width > 1
    return isVisible && right > document.documentElement.clientWidth + 1
  }).map((element) => element.outerHTML.slice(0, 120))`)

/**
 * The controls lower than a finger needs. A checkbox is touched by its label. Links that flow in a text are exempt, as in
 * WCAG 2.5.5, and the places on a map, which stand in the list beside it, too.
 */
const smallTargets = (page: Page, exclude: readonly string[]): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a[href], button, summary, select, textarea, input:not([type=hidden])')]
    .filter((control) => ${JSON.stringify(exclude)}.every((selector) => !control.closest(selector)))
    .filter((control) => !control.matches('a') || (getComputedStyle(control).display !== 'inline' && !control.closest('svg')))
    .map((control) => (['checkbox', 'radio'].includes(control.type) && control.labels[0]) || control)
    .filter((control) => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((control) => {
      const { left, right, height } = control.getBoundingClientRect()
      return right > 0 && left < innerWidth && height < ${TARGET_PX} - 0.5
    })
    .map((control) => Math.round(control.getBoundingClientRect().height) + ' px high: ' + control.outerHTML.slice(0, 160))`)

/** Loads the page once on a {@link TOUCHED_PHONE} and returns all of its faults. */
export async function phoneFaults(page: Page, url: string, { exclude = [] }: AxeOptions = {}): Promise<string[]> {
  await page.setViewportSize(NARROWEST)
  await page.emulateMedia({ colorScheme: 'light' })
  const response = await page.goto(url)
  const status = response?.status() === 200 ? [] : [`answers ${response?.status()}`]
  const scrolls = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  const wide = scrolls ? [`scrolls sideways: ${(await cutOff(page)).join(' ')}`] : []
  await page.setViewportSize(TOUCHED_PHONE.viewport ?? NARROWEST)
  const light = await seriousFaults(page, { exclude })
  const small = await smallTargets(page, exclude)
  // The schemes differ in colours only.
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await seriousFaults(page, { rules: ['color-contrast'], exclude })
  return [...status, ...wide, ...light, ...small, ...dark.map((fault) => `dark: ${fault}`)]
}
