// The guide leads a new operator from the one-time link to the open marketplace; its states follow from what there is.
import { expect, test } from 'bun:test'

import { createPasswordLink } from '../../../src/auth/users/verbs/password-links.ts'
import { createApp } from '../../../src/app.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { openDeps } from '../../../src/deps.ts'
import { getMarketplace, updateMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { GUIDE, GUIDE_PATH } from '../../../src/web/ui/guide-steps.ts'
import { openTestApp } from '../../support/app.ts'
import { openBookingFixture } from '../../support/booking-fixture.ts'
import { bookPath, fieldsOf, formOf, outcomeOf } from '../../support/booking-forms.ts'
import { opened } from '../../support/fixture.ts'
import { insertPro } from '../../support/schedule.ts'
import { SITE } from '../../support/site.ts'
import { openSmtpReceiver } from '../../support/smtp-receiver.ts'
import { Visitor, createTestUser } from '../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
const ctx = ctxOf(app.deps)
await updateMarketplace(ctx, { version: 0, isOpen: false, by: null })
const email = await createTestUser(app, 'operator')
const operator = new Visitor(app)

/** The link chooses the password, and the log-in after it leads on. */
async function choosePassword(of: string): Promise<string | null> {
  const link = await createPasswordLink(ctx, { email: of, by: null, planMessage: () => Promise.resolve() })
  const { location } = await operator.post(`/console/password/${link.token}`, { password: 'a password of my own' })
  return location
}

/** The state of each step, as the guide says it. */
async function states(): Promise<Record<string, string>> {
  const { text } = await operator.get(GUIDE_PATH)
  const cards = text.matchAll(
    /<li><p>\d\. <a href="[^"]+">([^<]+)<\/a> <span class="[^"]+">(Done|To do)<\/span><\/p><p>([^<]+)/g,
  )
  return Object.fromEntries(Array.from(cards, ([, label = '', state, said]) => [label, `${state}: ${said}`]))
}

test('a password that an operator chooses by a link leads to the guide, that of another user and of an open marketplace does not', async () => {
  expect(await choosePassword(email)).toBe(`/console/login?chosen=1&next=${GUIDE_PATH}`)
  expect(await choosePassword(await createTestUser(app, 'developer'))).toBe('/console/login?chosen=1')
  const open = await opened(openTestApp('migrated'))
  const link = await createPasswordLink(ctxOf(open.deps), {
    email: await createTestUser(open, 'operator'),
    by: null,
    planMessage: () => Promise.resolve(),
  })
  const { location } = await new Visitor(open).post(`/console/password/${link.token}`, {
    password: 'a password of my own',
  })
  expect(location).toBe('/console/login?chosen=1')
})

test('without anything every step says what is missing', async () => {
  await operator.logIn(email, 'a password of my own')
  expect(await states()).toEqual({
    Area: 'Done: Everywhere in the United States',
    'Name and contact': 'To do: Missing: a name of its own, an e-mail address or phone number, a postal address.',
    Services: 'To do: No service yet.',
    Mail: 'To do: No mail server: nothing is sent.',
    Payments: 'Done: By the sandbox, which moves no money',
    'First pros': 'To do: No pro yet.',
    'Test booking': 'To do: Not booked yet.',
    Open: 'To do: Visitors see that you open soon.',
  })
  const { text } = await operator.get('/console')
  expect(text).toContain('Before you open')
  expect(text).toMatch(/href="\/console\/marketplace"[^>]*>Go on: Name and contact/)
  expect(text).toContain(`href="${GUIDE_PATH}"`)
})

test('each step is a page that says where it is, and leads to its neighbours', async () => {
  for (const [index, { path, label }] of GUIDE.entries()) {
    const { status, text } = await operator.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).toContain(`Step ${index + 1} of ${GUIDE.length}: ${label}`)
    for (const neighbour of [GUIDE[index - 1], GUIDE[index + 1]])
      if (neighbour) expect(text).toContain(`href="${neighbour.path}"`)
  }
  expect((await operator.get('/console/users')).text).not.toContain('Step ')
})

test('the name page shows the first page in the saved name, sentence and colour', async () => {
  const { name, tagline, email: contact, phone, address, accent, country } = SITE
  const fields = { name, tagline, email: contact, phone, address, accent, country, version: '1' }
  expect((await operator.post('/console/marketplace', fields)).status).toBe(303)
  const { text } = await operator.get('/console/marketplace')
  const preview = /<figure class="face-preview">.*?<\/figure>/s.exec(text)?.[0] ?? ''
  for (const said of ['Maple &amp; Beam', SITE.tagline, `data-accent="${SITE.accent}"`]) expect(preview).toContain(said)
  expect(text).toContain('/assets/preview.js')
  expect((await states())['Name and contact']).toBe('Done: Maple &amp; Beam')
})

test('a test mail goes to oneself, and the page says what the mail server answers', async () => {
  const { status, location } = await operator.post(`${GUIDE_PATH}/mail`, {})
  expect([status, location]).toEqual([303, `${GUIDE_PATH}/mail`])
  expect((await operator.get(`${GUIDE_PATH}/mail`)).text).toContain('kept in the mailbox')

  const server = await opened(openSmtpReceiver(), 'stop')
  const mail = { server: { host: '127.0.0.1', port: server.port, secure: false, requireTls: false, login: undefined } }
  const config = { ...app.deps.config, mail: { ...app.deps.config.mail, ...mail } }
  const deps = await opened(openDeps(config))
  const sending = new Visitor({ ...app, deps, app: createApp(deps) })
  await sending.logIn(email, 'a password of my own')
  await sending.post(`${GUIDE_PATH}/mail`, {})
  expect(server.to(email)).toHaveLength(1)
  const page = await sending.get(`${GUIDE_PATH}/mail`)
  expect(page.text).toContain(`A test mail to ${email} is on its way`)
  expect(page.text).toContain(`127.0.0.1:${server.port}`)
  server.answer = () => ({ code: 550, text: 'relaying denied' })
  await sending.post(`${GUIDE_PATH}/mail`, {})
  expect((await sending.get(`${GUIDE_PATH}/mail`)).text).toMatch(
    /notice bad.*The test mail was not sent: .*relaying denied/s,
  )
})

test('in production without a provider customers pay the pro, and never through the sandbox', async () => {
  const secret = 'a secret of at least 32 characters'
  const production = await opened(openTestApp('migrated', { env: { HEARTH_ENV: 'production', HEARTH_SECRET: secret } }))
  const by = new Visitor(production)
  await by.logIn(await createTestUser(production, 'operator'))
  const { text } = await by.get(`${GUIDE_PATH}/payments`)
  expect(text).toContain('Customers pay the pro, at the visit')
  expect(text).not.toContain('sandbox')
  expect((await by.get(GUIDE_PATH)).text).toContain('Open your marketplace')
})

test('a pro counts once there is a service', async () => {
  await insertPro(app.sql)
  expect(await states()).toMatchObject({ Services: 'Done: 1 service', 'First pros': 'Done: 1 pro with services' })
  await app.sql`delete from professional_services`
  expect((await states())['First pros']).toMatch(/^To do: .+ has set no services yet\.$/)
  expect((await operator.get(`${GUIDE_PATH}/booking`)).text).toContain('None yet: the owner sets them')
})

test('while it is closed, an operator books the first pro as a customer does, and cancels it: the guide follows', async () => {
  const world = await opened(openBookingFixture())
  const pro = await world.pro({ deposit: false })
  await updateMarketplace(ctxOf(world.app.deps), { version: 0, isOpen: false, by: null })
  const login = await createTestUser(world.app, 'operator')
  const by = new Visitor(world.app)
  await by.logIn(login)
  const step = async () => (await by.get(`${GUIDE_PATH}/booking`)).text
  const state = async () =>
    /Test booking<\/a> <span class="[^"]+">[^<]+<\/span><\/p><p>([^<]+)/.exec((await by.get(GUIDE_PATH)).text)?.[1]
  expect(await state()).toBe('Not booked yet.')
  const page = /href="(\/pros\/[^"]+)">Book /.exec(await step())?.[1] ?? ''
  expect((await by.get(page)).status).toBe(200)
  expect((await new Visitor(world.app).get(page)).text).toContain('opens soon')
  expect(outcomeOf(await by.postRaw(bookPath(pro), formOf(pro, 48, login)))).toBe('booked')
  expect(await state()).toBe('Booked, and not cancelled yet.')
  const link = /href="https?:\/\/[^/]+(\/bookings\/manage\/[^"]+\/cancel)">Cancel it/.exec(await step())?.[1] ?? ''
  expect((await by.get(link)).text).toContain('Cancel')
  const cancelled = await by.postRaw(link, { ...fieldsOf(await by.get(link)) })
  expect(cancelled.status).toBe(303)
  expect(await state()).toBe('Booked and cancelled')
  expect(await step()).not.toContain('Cancel it')
})

test('the last page says what is there, and opens the marketplace: then no page has the guide', async () => {
  const page = await operator.get(`${GUIDE_PATH}/open`)
  expect(page.text).toContain('No backup yet')
  const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? ''
  await operator.post('/console/marketplace/opening', { state: 'open', version })
  expect(await waitUntil(async () => (await getMarketplace(ctx)).isOpen, 10_000)).toBe(true)
  for (const path of ['/console', '/console/catalog', '/console/marketplace'])
    expect((await operator.get(path)).text).not.toContain(GUIDE_PATH)
  expect((await operator.get(`${GUIDE_PATH}/open`)).text).toContain('Maple &amp; Beam is open')
})
