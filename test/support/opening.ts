// From the one-time link of `hearth setup` to the first booking of a customer, as a person does it with the pages.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'

import { GUIDE } from '../../src/web/ui/guide-steps.ts'
import type { Hands } from './hands.ts'
import type { OpenedMachine } from './opened-machine.ts'

const PASSWORD = 'a password of my own'

/** A marketplace as its founder has it in mind. */
export interface Market {
  readonly name: string
  readonly operator: string
  readonly tagline: string
  readonly accent: string
  readonly postal: string
  /** Of the starter set. */
  readonly service: string
  /** Where the marketplace serves, in its unit of distance. */
  readonly distance: string
  readonly place: string
  readonly pro: { readonly businessName: string; readonly email: string }
  readonly customer: {
    readonly email: string
    readonly phone: string
    readonly street: string
    readonly postalCode: string
  }
  /** What the region calls a postal code. */
  readonly postalLabel: string
  /** As the booking says it. */
  readonly price: string
}

export interface Person {
  readonly page: Page
  readonly hands: Hands
}

export interface Journey {
  readonly opened: OpenedMachine
  readonly market: Market
  readonly newPerson: () => Promise<Person>
}

/** Opens a page with storage of its own, and watches for errors of its scripts. */
export const personOf =
  (
    { browser, url }: OpenedMachine,
    { context, handsOn, errors }: { context: BrowserContextOptions; handsOn: (page: Page) => Hands; errors: string[] },
  ) =>
  async (): Promise<Person> => {
    const options = { viewport: { width: 1280, height: 900 }, ignoreHTTPSErrors: true, baseURL: url, ...context }
    const page = await (await browser.newContext(options)).newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => void errors.push(error.message))
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    return { page, hands: handsOn(page) }
  }

const button = (of: Locator | Page, name: string | RegExp) => of.getByRole('button', { name, exact: true })
const link = (of: Locator | Page, name: string | RegExp) => of.getByRole('link', { name, exact: true })
const field = (of: Page, label: string | RegExp) => of.getByLabel(label, { exact: true }).first()
const says = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()

/** Chooses the password by the one-time link and logs in with it. */
async function followLink({ page, hands }: Person, url: string, email: string): Promise<void> {
  await page.goto(url)
  await hands.enter(field(page, 'New password'), PASSWORD)
  await hands.use(button(page, 'Set password'))
  await says(page, 'Your password is set.')
  await hands.enter(field(page, 'E-mail address'), email)
  await hands.enter(field(page, 'Password'), PASSWORD)
  await hands.use(button(page, 'Log in'))
}

/** Goes on to the step by the bar of the guide. */
async function goOnTo({ page, hands }: Person, label: string): Promise<void> {
  const index = GUIDE.findIndex((step) => step.label === label)
  await hands.use(link(page.getByRole('navigation', { name: 'Guide' }), `Next: ${label}`))
  await page.getByText(`Step ${index + 1} of ${GUIDE.length}: ${label}`).waitFor()
}

/** The founder's way through the guide, up to the button that opens. */
export async function walkGuide({ opened, market, newPerson }: Journey): Promise<Person> {
  const founder = await newPerson()
  await followLink(founder, opened.link, market.operator)
  await founder.page.getByRole('heading', { name: `Open ${market.name}` }).waitFor()
  await founder.hands.use(link(founder.page, /: Name and contact$/))
  await nameIt(founder, market)
  await goOnTo(founder, 'Area')
  await limitArea(founder, market)
  await goOnTo(founder, 'Services')
  await addServices(founder, market)
  await goOnTo(founder, 'Mail')
  await founder.hands.use(button(founder.page, 'Send a test mail to myself'))
  await says(founder.page, `A test mail to ${market.operator} is on its way`)
  await goOnTo(founder, 'Payments')
  await founder.page.getByText('Customers pay the pro, at the visit').waitFor()
  await goOnTo(founder, 'First pros')
  await addPro(founder, { opened, market, newPerson })
  await goOnTo(founder, 'Test booking')
  await tryBooking(founder, market)
  await goOnTo(founder, 'Open')
  return founder
}

async function nameIt({ page, hands }: Person, { tagline, accent, operator, postal }: Market): Promise<void> {
  await hands.enter(field(page, /^What you do/), tagline)
  await hands.enter(field(page, /^Colour of links/), accent)
  await page.locator('#face .lead', { hasText: tagline }).waitFor()
  await hands.enter(field(page, /^E-mail address for questions/), operator)
  await hands.enter(field(page, /^Postal address/), postal)
  await hands.use(button(page, 'Save'))
  await says(page, 'Saved.')
}

/** Says where the marketplace serves, looks at what lies there, and saves it. */
async function limitArea({ page, hands }: Person, { place, distance }: Market): Promise<void> {
  await hands.enter(field(page, 'Place 1'), place)
  await hands.enter(field(page, 'Distance around place 1'), distance)
  await hands.use(button(page, 'Show what lies within'))
  await page.getByRole('heading', { name: 'What lies within' }).waitFor()
  await hands.use(button(page, 'Save this area'))
  await says(page, 'Pages say where you serve from now on.')
}

async function addServices({ page, hands }: Person, { service }: Market): Promise<void> {
  await page.getByLabel(service, { exact: true }).check()
  await hands.use(button(page, 'Add the ticked ones').first())
  await says(page, '1 service added.')
}

/** The founder makes the pro, whose owner follows the link and says what the pro does, for how much and when. */
async function addPro({ page, hands }: Person, { market, newPerson }: Journey): Promise<void> {
  const { pro, place, service } = market
  await hands.enter(field(page, 'Business'), pro.businessName)
  await hands.enter(field(page, /^E-mail address of the owner/), pro.email)
  await hands.enter(field(page, /^Where they are/), place)
  await hands.use(button(page, 'Create the pro'))
  await says(page, `${pro.businessName} has a page.`)
  const url = await page.getByLabel('Link').inputValue()
  const owner = await newPerson()
  await followLink(owner, url, pro.email)
  await owner.hands.choose('Services and prices')
  const offered = owner.page.getByLabel('Service', { exact: true })
  const label = await offered.locator('option', { hasText: service }).first().innerText()
  await offered.selectOption({ label })
  await owner.hands.enter(field(owner.page, /^Price, /), '120')
  await owner.hands.use(button(owner.page, 'Add service'))
  await says(owner.page, 'You now offer')
  await owner.hands.choose('Today')
  await owner.hands.use(link(owner.page, 'Let customers book open times'))
  await owner.page.getByLabel('Customers can book open times').check()
  await owner.hands.use(button(owner.page, 'Save settings'))
  await says(owner.page, 'Your settings are saved.')
  await owner.page.context().close()
}

/** Books as a customer does, reads the messages and cancels. */
async function tryBooking({ page, hands }: Person, market: Market): Promise<void> {
  const step = page.url()
  await hands.use(link(page, `Book ${market.pro.businessName}`))
  await book({ page, hands }, market, market.operator)
  await isBooked(page)
  await page.goto(step)
  await hands.use(link(page, 'Read its messages'))
  await page
    .getByRole('link', { name: /booking/i })
    .first()
    .waitFor()
  await page.goto(step)
  await hands.use(link(page, 'Cancel it'))
  await hands.use(button(page, 'Cancel the booking'))
  await page.getByRole('heading', { name: 'The booking was cancelled' }).waitFor()
  await page.goto(step)
  await page.getByText('Over', { exact: true }).waitFor()
}

/** From the page of the pro to the booking. */
async function book({ page, hands }: Person, { customer, postalLabel }: Market, email: string): Promise<void> {
  await hands.use(link(page, 'Book a time'))
  await hands.use(page.locator('.slots a').first())
  await hands.enter(field(page, 'Your name'), 'Demo Customer')
  await hands.enter(field(page, 'E-mail address'), email)
  await hands.enter(field(page, 'Phone'), customer.phone)
  await hands.enter(field(page, 'Street'), customer.street)
  await hands.enter(page.getByLabel(postalLabel), customer.postalCode)
  await hands.use(button(page, /^Book/))
}

const isBooked = (page: Page) => page.waitForURL('**/bookings/manage/**')

/**
 * A visitor finds the pro by service and place, and books. The founder has booked from the same network today, so the address is
 * proven by a code.
 */
export async function bookAsCustomer({ opened, market, newPerson }: Journey): Promise<Page> {
  const { page, hands } = await newPerson()
  await page.goto('/')
  await hands.enter(page.locator('[name=service]'), market.service)
  await hands.enter(page.locator('[name=place]'), market.place)
  await page.keyboard.press('Escape')
  await hands.use(button(page, 'Search'))
  await hands.use(link(page, market.pro.businessName).first())
  await book({ page, hands }, market, market.customer.email)
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  const [mail] = await opened.mailsTo(market.customer.email, 1)
  await hands.enter(field(page, /^Code/), /\b\d{3,4} \d{3,4}\b/.exec(mail?.text ?? '')?.[0] ?? '')
  await hands.use(button(page, /^Book/))
  await isBooked(page)
  return page
}
