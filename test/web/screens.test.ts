// The screens that decide keep the traits that docs/design/screens.md states: what comes first, how a price is written, few colours.
import { expect, test } from 'bun:test'

import { useConsole } from '../support/console.ts'
import { TOUCHED_PHONE } from '../support/page-faults.ts'
import { type ScreenTraits, traitsOf } from '../support/screen-traits.ts'

const world = await useConsole()
const { slug } = world.pro
const [offer] = await world.app.sql<{ id: string }[]>`
  select service_id as id from professional_services
  where professional_id = ${world.pro.id} and instant_book_enabled order by service_id limit 1`

interface Bounds {
  path: string
  /** What the page is for. */
  first: string
  maxFirstY: number
  /** Of the first price in CSS pixels; 0 where a page shows none at first. */
  minPriceSize: number
  maxColours: number
}

const SCREENS: Record<string, Bounds> = {
  home: { path: '/', first: 'main form input:not([type=hidden])', maxFirstY: 340, minPriceSize: 0, maxColours: 12 },
  results: {
    path: '/?service=plumber&place=Texas',
    first: '.found > li',
    maxFirstY: 260,
    minPriceSize: 16,
    maxColours: 12,
  },
  profile: { path: `/pros/${slug}`, first: 'main h1', maxFirstY: 300, minPriceSize: 16, maxColours: 12 },
  booking: {
    path: `/pros/${slug}/book?service=${offer?.id}`,
    first: 'main table, main .slots',
    maxFirstY: 500,
    minPriceSize: 16,
    maxColours: 12,
  },
}

const faultsOf = ({ firstY, contentShare, price, colours }: ScreenTraits, bounds: Bounds): string[] => [
  ...(firstY === null || firstY > bounds.maxFirstY ? [`begins at ${firstY}`] : []),
  ...(bounds.minPriceSize > 0 && (price === null || price.size < bounds.minPriceSize || price.weight < 600)
    ? [`writes the price as ${JSON.stringify(price)}`]
    : []),
  ...(contentShare < 0.8 ? [`has ${contentShare} of the screen for content`] : []),
  ...(colours > bounds.maxColours ? [`has ${colours} colours`] : []),
]

test.each(Object.entries(SCREENS))(
  '%s on a phone: content first, a price that is seen, few colours',
  async (_, bounds) => {
    const context = await world.browser.newContext(TOUCHED_PHONE)
    const page = await context.newPage()
    await page.goto(world.url + bounds.path)
    const traits = await traitsOf(page, bounds.first)
    process.stdout.write(`${bounds.path} ${JSON.stringify(traits)}\n`)
    expect(faultsOf(traits, bounds)).toEqual([])
    await context.close()
  },
  60_000,
)
