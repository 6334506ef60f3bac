// What can be measured of the first screen of a page: where its content begins, how its price is written, how colourful it is.
import type { Page } from 'playwright-core'

export interface ScreenTraits {
  /** The top of the first element of `first`, in CSS pixels; null without one. */
  readonly firstY: number | null
  /** The share of the screen's height that neither the page's header nor a bar at an edge takes, from 0 to 1. */
  readonly contentShare: number
  /** The first price: its size in CSS pixels, and its weight; null without one. */
  readonly price: { readonly size: number; readonly weight: number } | null
  /** Different colours of texts, grounds and borders, those of pictures aside. */
  readonly colours: number
}

/** Runs in the page. */
const MEASURE = `(first) => {
  const box = (element) => element.getBoundingClientRect()
  const isShown = (element) => {
    const { top, bottom, width, height } = box(element)
    const isInView = bottom > 0 && top < innerHeight && width > 0 && height > 0
    return isInView && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '')
  const shown = [...document.querySelectorAll('body *')].filter(isShown)
  const colours = new Set()
  for (const element of shown.filter((it) => !it.closest('svg, picture'))) {
    const style = getComputedStyle(element)
    if (hasText(element)) colours.add(style.color)
    if (!/, 0\\)$/.test(style.backgroundColor)) colours.add(style.backgroundColor)
    if (parseFloat(style.borderTopWidth) > 0) colours.add(style.borderTopColor)
  }
  const isPrice = (element) => hasText(element) && /^(from )?\\$\\d/i.test(element.textContent.trim())
  const priced = shown.find((element) => element.closest('main') && isPrice(element))
  const price = priced && getComputedStyle(priced)
  const bars = shown.filter((element) => element.matches('body > header, body > nav, .dock'))
  const taken = bars.reduce((sum, bar) => sum + Math.min(box(bar).bottom, innerHeight) - Math.max(box(bar).top, 0), 0)
  const begin = [...document.querySelectorAll(first)].find(isShown)
  return {
    firstY: begin ? Math.round(box(begin).top) : null,
    contentShare: Math.round((1 - taken / innerHeight) * 100) / 100,
    price: price ? { size: parseFloat(price.fontSize), weight: Number(price.fontWeight) } : null,
    colours: colours.size,
  }
}`

/** The traits of what is in view. `first` selects what the page is for. */
export const traitsOf = (page: Page, first: string): Promise<ScreenTraits> =>
  page.evaluate<ScreenTraits>(`(${MEASURE})(${JSON.stringify(first)})`)
