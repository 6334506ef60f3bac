// A marketplace from a bare machine to its first booking: by `hearth setup` and pages alone, with a mouse and by thumb.
import { afterEach, expect, test } from 'bun:test'

import { BROWSER_START_MS } from '../support/browser.ts'
import { MACHINE_START_MS } from '../support/bare-machine.ts'
import { type Hands, mouse, thumb } from '../support/hands.ts'
import { type OpenedMachine, openMachine } from '../support/opened-machine.ts'
import { type Market, bookAsCustomer, personOf, walkGuide } from '../support/opening.ts'
import { TOUCHED_PHONE } from '../support/page-faults.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'

const JOURNEY_MS = 300_000

const pro = { businessName: 'Oak Plumbing', email: 'owner@oak-plumbing.example' }

const OHIO: Market = {
  name: 'Buckeye Homes',
  operator: 'you@buckeye.example',
  tagline: 'Pros of Ohio, by the hour.',
  accent: '#0b655c',
  postal: '1 Example Street\nColumbus, OH 43215',
  service: 'Drain Cleaning',
  distance: '25',
  place: 'Columbus, OH',
  pro,
  customer: { email: 'home@customer.example', phone: '(614) 555-0142', street: '12 High Street', postalCode: '43215' },
  postalLabel: 'ZIP code',
  price: '$120',
}

const TORONTO: Market = {
  name: 'Maple & Beam',
  operator: 'you@maple.example',
  tagline: 'Trades of the city, by the hour.',
  accent: '#1b5a9e',
  postal: '1 Example Street\nToronto, ON M5V 1A1',
  service: 'Drain Cleaning',
  distance: '40',
  place: 'Toronto, ON',
  pro,
  customer: {
    email: 'home@customer.example',
    phone: '+1 416 555 0142',
    street: '301 Front Street West',
    postalCode: 'M5V 1A1',
  },
  postalLabel: 'Postal code',
  price: '$120',
}

let opened: OpenedMachine | undefined
afterEach(() => opened?.close())

/** From setup to the first booking. */
async function openMarketplace(
  market: Market,
  { country }: { country: string },
  way: { context: BrowserContextOptions; handsOn: (page: Page) => Hands },
): Promise<void> {
  const [, domain = ''] = market.operator.split('@')
  const answers = `--name '${market.name}' --country ${country}`
  opened = await openMachine({ domain, answers, operator: market.operator })
  const { machine, url } = opened
  const errors: string[] = []
  const newPerson = personOf(opened, { ...way, errors })
  const journey = { opened, market, newPerson }

  const { page: visitor } = await newPerson()
  await visitor.goto('/')
  expect(await visitor.title()).toBe(`Opening soon · ${market.name}`)

  const { page, hands } = await walkGuide(journey)
  const found = await machine.run(
    'NODE_EXTRA_CA_CERTS=/tmp/.local/share/caddy/pki/authorities/local/root.crt hearth doctor --launch',
  )
  for (const check of [
    'environment',
    'TLS',
    'proxy',
    'headroom',
    'contact',
    'operator',
    'catalog',
    'places',
    'area',
    'pros',
  ])
    expect(found.output).toMatch(new RegExp(`^✓ ${check} `, 'm'))
  await visitor.reload()
  expect(await visitor.title()).toBe(`Opening soon · ${market.name}`)
  await hands.use(page.getByRole('button', { name: 'Open', exact: true }))
  await page.getByRole('heading', { name: `${market.name} is open` }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Guide' }).count()).toBe(0)

  const booked = await bookAsCustomer(journey)
  expect(await booked.getByRole('main').innerText()).toContain(market.price)
  // The code, and the confirmation.
  expect(await opened.mailsTo(market.customer.email, 2)).toHaveLength(2)
  // The invitation is one; the test booking and its end are in others.
  expect((await opened.mailsTo(pro.email, 3)).length).toBeGreaterThanOrEqual(3)
  expect([url, errors]).toEqual([url, []])
}

test(
  'a marketplace for Ohio opens with a mouse at 1280 pixels, and is booked',
  () => openMarketplace(OHIO, { country: 'US' }, { context: {}, handsOn: mouse }),
  MACHINE_START_MS + BROWSER_START_MS + JOURNEY_MS,
)

test(
  'a marketplace for Toronto opens by thumb at 390 pixels, and is booked',
  () => openMarketplace(TORONTO, { country: 'CA' }, { context: TOUCHED_PHONE, handsOn: thumb }),
  MACHINE_START_MS + BROWSER_START_MS + JOURNEY_MS,
)
