// Three pros join by three ways, each with the hands that people have: by themselves, invited by an operator, and by a program
// of the operator. A customer finds each of them.
import { expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'

import { letProsJoin } from '../../support/applications.ts'
import { type WatchedPage, watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { mailTo, newAddress, passwordMailTo } from '../../support/customers.ts'
import { type Hands, mouse, thumb } from '../../support/hands.ts'
import { createOperatorWithKey } from '../../support/operator-keys.ts'
import { TOUCHED_PHONE } from '../../support/page-faults.ts'
import { PASSWORD, createTestUser } from '../../support/visitor.ts'

const TEN_MINUTES_MS = 10 * 60_000
const world = await useConsole()
const { app, url } = world

interface Screen {
  context: BrowserContextOptions
  handsOn: typeof mouse
  /** The businesses have names of their own on each screen. */
  called: string
  /** Whether the pages are judged here: `checkPage` needs a wide screen, and looks at a narrow one, too. */
  isJudged: boolean
}

const SCREENS: Readonly<Record<string, Screen>> = {
  'with a mouse at 1280 px': { context: {}, handsOn: mouse, called: 'Wide', isJudged: true },
  'by thumb at 390 px': { context: TOUCHED_PHONE, handsOn: thumb, called: 'Thumb', isJudged: false },
}

interface Person extends Hands {
  visit: WatchedPage
  fill: (label: string | RegExp, value: string) => Promise<void>
  press: (name: string) => Promise<void>
  /** Waits for the page with the heading and, where it is given, the path. */
  reaches: (heading: string, path?: string) => Promise<void>
}

async function personOn({ context, handsOn }: Screen): Promise<Person> {
  const visit = await watchPage(world.browser, context)
  const { page } = visit
  const hands = handsOn(page)
  return {
    ...hands,
    visit,
    fill: (label, value) => hands.enter(page.getByLabel(label), value),
    press: (name) => hands.use(page.getByRole('button', { name, exact: true })),
    reaches: async (name, path) => {
      await page.getByRole('heading', { level: 1, name }).waitFor()
      if (path !== undefined) expect(page.url()).toBe(url + path)
    },
  }
}

async function logInAs(person: Person, email: string): Promise<void> {
  await person.fill('E-mail address', email)
  await person.fill('Password', PASSWORD)
  await person.press('Log in')
  await person.visit.page.waitForURL(`${url}/console`)
}

async function operatorOn(screen: Screen): Promise<Person> {
  const operator = await personOn(screen)
  await operator.visit.page.goto(`${url}/console`)
  await logInAs(operator, await createTestUser(app, 'operator'))
  return operator
}

/** By themselves: the form of eight steps, and the operator who approves what it says. */
async function apply(screen: Screen, business: string): Promise<void> {
  const person = await personOn(screen)
  const { fill, press, reaches, use, visit } = person
  const { page } = visit
  const email = newAddress()
  const judge = async (of: Person, name: string) => (screen.isJudged ? await checkPage(of.visit, name) : undefined)
  const goOn = () => press('Save and go on')
  await page.goto(`${url}/for-pros`)
  await use(page.getByRole('link', { name: 'Apply to join' }).first())
  await reaches('Apply to join', '/for-pros/join')
  await fill('E-mail address', email)
  await press('Send me a code')
  await reaches('Enter your code')
  await fill('Code', (await mailTo(app, email)).code)
  await press('Sign in')

  await reaches('Your business', '/for-pros/join/business')
  await fill('Business name', business)
  await fill('Your name', 'A. Applicant')
  await fill('Phone', '12')
  await goOn()
  await page.getByText('Enter the whole number.').waitFor()
  // The browser reports the status of the refused form.
  visit.errors.length = 0
  await fill('Phone', '614 555 0142')
  await goOn()
  await reaches('Where you work', '/for-pros/join/place')
  await fill('Where you are', '12 Oak Street, Columbus, OH 43215')
  await goOn()
  await reaches('What you do', '/for-pros/join/services')
  await use(page.getByText('Plumbing', { exact: true }))
  await use(page.getByLabel('Drain cleaning'))
  await judge(person, 'join-services')
  await goOn()
  await reaches('Your prices', '/for-pros/join/prices')
  await fill(/Drain cleaning: price/i, '140')
  await judge(person, 'join-prices')
  await goOn()
  await reaches('When you work', '/for-pros/join/hours')
  await goOn()
  await reaches('License and insurance', '/for-pros/join/license')
  await fill('Insurer', 'State Mutual')
  await goOn()
  await reaches('Look it through and send it', '/for-pros/join/preview')
  await page.getByText('$140 per visit').waitFor()
  await judge(person, 'join-preview')
  await press('Send the application')
  await reaches('We have your application')

  const operator = await operatorOn(screen)
  await operator.visit.page.goto(`${url}/console/applications`)
  await operator.use(operator.visit.page.getByRole('link', { name: business }))
  await operator.visit.page.waitForURL('**/console/applications/*')
  await judge(operator, 'application')
  await operator.press('Approve')
  await operator.visit.page.getByText('Approved: customers find the pro').waitFor()
  await page.reload()
  await reaches('You are on')
  for (const one of [person, operator]) await end(one)
}

/** Invited: the operator says where the business is, and its owner the rest. */
async function invite(screen: Screen, business: string): Promise<void> {
  const operator = await operatorOn(screen)
  const { fill, press, visit } = operator
  const owner = newAddress()
  await visit.page.goto(`${url}/console/pros/new`)
  await fill('Business', business)
  await fill('E-mail address of the owner', owner)
  await fill('Where they are', 'Columbus, OH')
  await press('Create the pro')
  await visit.page.getByText(`${business} has a page.`).waitFor()
  await begin(screen, owner)
  await end(operator)
}

/** By a program: two requests with a key of an operator. */
async function create(screen: Screen, businessName: string): Promise<void> {
  const { key } = await createOperatorWithKey(app)
  const email = newAddress()
  const json = { businessName, email, place: 'Columbus, OH', serviceRadiusMiles: 25 }
  const created = await app.send('/api/v1/platform/pros', { key, json })
  const { pro } = (await created.json()) as { pro: { id: string } }
  const invited = await app.send(`/api/v1/platform/pros/${pro.id}/invitation`, { method: 'POST', key })
  expect([created.status, invited.ok]).toEqual([201, true])
  await begin(screen, email)
}

/** The owner opens the link in the mail, chooses a password, and says what the business does and for how much. */
async function begin(screen: Screen, email: string): Promise<void> {
  const owner = await personOn(screen)
  const { choose, fill, press, reaches, visit } = owner
  await visit.page.goto(await passwordMailTo(app, email))
  await reaches('Choose a password')
  await fill('New password', PASSWORD)
  await press('Set password')
  await reaches('Log in')
  await logInAs(owner, email)
  await choose('Services and prices')
  await visit.page.getByLabel('Service', { exact: true }).selectOption({ label: 'Plumbing: Drain Cleaning' })
  await fill(/^Price, US dollars/, '140')
  await press('Add service')
  await visit.page.getByText('$140 per visit').waitFor()
  await end(owner)
}

/** Ends the visit, whose pages loaded nothing from elsewhere and reported no error. */
async function end({ visit }: Person): Promise<void> {
  expect([visit.outside, visit.errors]).toEqual([[], []])
  await visit.page.context().close()
}

async function isFound(screen: Screen, business: string): Promise<void> {
  const { visit } = await personOn(screen)
  await visit.page.goto(`${url}/?service=drain-cleaning&place=Columbus, OH`)
  await visit.page.getByRole('link', { name: business }).first().waitFor()
  await visit.page.context().close()
}

test.each(Object.entries(SCREENS))(
  'three pros join by three ways within ten minutes %s, and customers find each',
  async (_name, screen) => {
    await letProsJoin(app)
    const began = performance.now()
    const ways = { apply, invite, create }
    for (const [name, join] of Object.entries(ways)) await join(screen, `${screen.called} ${name} drains`)
    for (const name of Object.keys(ways)) await isFound(screen, `${screen.called} ${name} drains`)
    expect(performance.now() - began).toBeLessThan(TEN_MINUTES_MS)
  },
  120_000,
)
