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
  /** Rules that are not run. */
  without?: readonly string[]
  /** Selectors of what is not looked at. */
  exclude?: readonly string[]
}

/** The violations that axe-core finds, of any impact, by rule, with the first element. */
export async function axeFaults(page: Page, { rules, without = [], exclude = [] }: AxeOptions = {}): Promise<string[]> {
  await page.evaluate(`window.axe || (() => { ${AXE} })()`)
  const off = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true }, ...off } }),
  }
  const context = JSON.stringify({ include: [['html']], exclude: exclude.map((it) => [it]) })
  return await page.evaluate<string[]>(`axe.run(${context}, ${JSON.stringify(options)})${FOUND}`)
}

const FOUND = `.then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`

/**
 * Keeps a text of each look as `window.looks` and returns the looks. Texts look alike where the style sheets, and the names,
 * classes and states of the element and those around it, are the same.
 */
const looksOf = (page: Page, exclude: readonly string[]): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const sheets = [...document.styleSheets].map(({ href }) => href).join()
    const isState = ({ name }) =>
      /^(class|type|disabled|open|role|style|aria-(current|invalid|pressed|selected)|data-(owner|tone))$/.test(name)
    const named = ({ tagName, attributes }) =>
      tagName + [...attributes].filter(isState).map(({ name, value }) => '.' + name + value).join('')
    const lookOf = (element) => (element ? lookOf(element.parentElement) + ' ' + named(element) : sheets)
    const hasText = (element) =>
      [...element.childNodes].some((it) => it.nodeType === 3 && it.data.trim()) || element.matches('input, select, textarea')
    window.looks = new Map([...document.querySelectorAll('body *')]
      .filter((element) => hasText(element) && !${JSON.stringify(exclude)}.some((selector) => element.closest(selector)))
      .map((element) => [lookOf(element), element]))
    return [...window.looks.keys()]
  })()`)

/** Faults of contrast in the texts of `window.looks` with these indexes. */
const contrastFaults = async (page: Page, indexes: readonly number[]): Promise<string[]> =>
  indexes.length === 0
    ? []
    : await page.evaluate<string[]>(`(() => {
        const texts = [...window.looks.values()]
        return axe.run({ include: ${JSON.stringify(indexes)}.map((at) => texts[at]) },
          { resultTypes: ['violations'], preload: false, runOnly: ['color-contrast'] })${FOUND}
      })()`)

const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

/** The elements that extend beyond the viewport's width. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')].filter((element) => {
    const { right, width } = element.getBoundingClientRect()
    const isVisible = getComputedStyle(element).clipPath === 'none' && width > 1
    return isVisible && right > document.documentElement.clientWidth + 1
  }).map((element) => element.outerHTML.slice(0, 120))`)

/** The elements beyond the viewport's width when its text is twice as large (WCAG 1.4.4), if the page scrolls sideways then. */
export async function cutOffInLargeText(page: Page): Promise<string[]> {
  await page.evaluate("document.documentElement.style.fontSize = '200%'")
  // Charts are drawn again at their new size in the frame after the text has grown.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  const scrolls = await page.evaluate<boolean>(SCROLLS_SIDEWAYS)
  const faults = scrolls ? [`scrolls sideways in large text: ${(await cutOff(page)).join(' ')}`] : []
  await page.evaluate("document.documentElement.style.removeProperty('font-size')")
  return faults
}

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

/** How far a loaded page's parts may move, and how many bytes it may be with its style sheets, scripts and images. */
export interface PageBudget {
  maxShift: number
  maxBytes: number
}

/** The shifts since the page began, until its first paint at least, and the compressed size of all that it loaded. */
const SHIFT_AND_BYTES = `new Promise((resolve) => {
  let shift = 0
  new PerformanceObserver((list) => { for (const it of list.getEntries()) shift += it.value })
    .observe({ type: 'layout-shift', buffered: true })
  const loaded = () => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  new PerformanceObserver(() => requestAnimationFrame(() =>
    resolve({ shift, bytes: loaded().reduce((sum, it) => sum + it.encodedBodySize, 0) })))
    .observe({ type: 'paint', buffered: true })
})`

async function overBudget(page: Page, { maxShift, maxBytes }: PageBudget): Promise<string[]> {
  const { shift, bytes } = await page.evaluate<{ shift: number; bytes: number }>(SHIFT_AND_BYTES)
  const moved = shift > maxShift ? [`moves by ${shift} while it loads`] : []
  return bytes > maxBytes ? [...moved, `has ${bytes} bytes`] : moved
}

/**
 * Loads the page once on a {@link TOUCHED_PHONE} and returns all of its faults. The contrast of a look in `seen` was judged on
 * another page, which saves most of the time that axe-core needs.
 */
export async function phoneFaults(
  page: Page,
  url: string,
  {
    exclude = [],
    seen = new Set(),
    budget,
  }: { exclude?: readonly string[]; seen?: Set<string>; budget?: PageBudget } = {},
): Promise<string[]> {
  await page.setViewportSize(NARROWEST)
  await page.emulateMedia({ colorScheme: 'light' })
  const response = await page.goto(url)
  const status = response?.status() === 200 ? [] : [`answers ${response?.status()}`]
  const heavy = budget ? await overBudget(page, budget) : []
  const scrolls = await page.evaluate<boolean>(SCROLLS_SIDEWAYS)
  const wide = scrolls ? [`scrolls sideways: ${(await cutOff(page)).join(' ')}`] : []
  await page.setViewportSize(TOUCHED_PHONE.viewport ?? NARROWEST)
  wide.push(...(await cutOffInLargeText(page)))
  const light = await axeFaults(page, { exclude, without: ['color-contrast'] })
  const small = await smallTargets(page, exclude)
  const looks = await looksOf(page, exclude)
  const unseen = looks.flatMap((look, index) => (seen.has(look) ? [] : [index]))
  for (const look of looks) seen.add(look)
  const pale = await contrastFaults(page, unseen)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dim = await contrastFaults(page, unseen)
  return [...status, ...heavy, ...wide, ...light, ...small, ...pale, ...dim.map((fault) => `dark: ${fault}`)]
}
