// Operators say who the marketplace is, and everything that people and programs read says so.
import { expect, test } from 'bun:test'

import { createApp } from '../../../src/app.ts'
import { PRESETS } from '../../../src/auth/scopes.ts'
import { openDeps } from '../../../src/deps.ts'
import { calendarOf } from '../../../src/features/calendar/calendar-feeds/ics.ts'
import { renderMessage } from '../../../src/features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../src/features/messages/messages/templates/samples.ts'
import type { MessageKind } from '../../../src/features/messages/messages/kinds.ts'
import { MESSAGE_KINDS } from '../../../src/features/messages/messages/kind-facts.ts'
import { sendTestMail } from '../../../src/features/messages/messages/verbs/test-mail.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, agentPro, rpc } from '../../support/agents.ts'
import { colour } from '../../../src/platform/style/tokens.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { SHOWN_SITE, SITE } from '../../support/site.ts'
import { Visitor, createTestUser } from '../../support/visitor.ts'

const PATH = '/console/marketplace'
const app = await opened(openTestApp())
const { deps } = app
const operatorEmail = await createTestUser(app, 'operator')
const operator = new Visitor(app)
await operator.logIn(operatorEmail)
/** Another process on the same database. */
const other = await opened(openDeps(deps.config))
const otherApp = createApp(other)
const atOther = async (path: string) => await (await otherApp.handle(new Request(deps.config.baseUrl + path))).text()

const fields = (version: number, changes: Record<string, string> = {}) => ({
  name: SITE.name,
  tagline: SITE.tagline,
  email: SITE.email,
  phone: SITE.phone,
  address: SITE.address,
  accent: SITE.accent,
  country: SITE.country,
  version: String(version),
  ...changes,
})

test('before an operator has named it, it is called Hearth, and the page says who sends messages', async () => {
  expect(await atOther('/about')).toContain('How Hearth works')
  const { text } = await operator.get(PATH)
  expect(text).toContain('value="Hearth"')
  expect(text).toContain('Messages come from Hearth (hearth@localhost).')
})

test('what an operator saves is on the pages of each process, with the contact and the tagline', async () => {
  expect(await operator.post(PATH, fields(0))).toMatchObject({ status: 303, location: PATH })
  const saved = await operator.get(PATH)
  expect(saved.text).toContain('Saved.')
  expect(saved.text).toContain('value="Maple &amp; Beam"')
  expect(saved.text).toContain(operatorEmail)
  expect(await waitUntil(async () => (await atOther('/about')).includes('How Maple &amp; Beam works'), 10_000)).toBe(
    true,
  )
  const about = await atOther('/about')
  for (const text of [SITE.email, SITE.phone, '1 Example Street<br/>Toronto']) expect(about).toContain(text)
  expect(await atOther('/')).toContain(SITE.tagline)
  expect(await atOther('/')).toContain('<title>Find a pro for your home · Maple &amp; Beam</title>')
})

test('a version that another operator has saved meanwhile is not overwritten, and what is wrong is named', async () => {
  const late = await operator.post(PATH, fields(0, { name: 'Oak & Beam' }))
  expect([late.status, late.text]).toEqual([400, expect.stringContaining('another operator has just saved it')])
  const wrong = await operator.post(PATH, fields(1, { name: '', email: 'no address' }))
  expect(wrong.status).toBe(400)
  for (const field of ['name', 'email']) expect(wrong.text).toContain(`href="#${field}"`)
  const rows = await app.sql`select name from marketplace_versions`
  expect([...rows] as unknown).toEqual([{ name: SITE.name }])
})

test('while PostgreSQL does not answer, pages say the last name that the process read', async () => {
  const cut = await opened(openDeps({ ...deps.config, databaseUrl: deps.config.databaseUrl }))
  const cutApp = createApp(cut)
  const about = async () => await (await cutApp.handle(new Request(`${deps.config.baseUrl}/about`))).text()
  expect(await about()).toContain(SITE.name.replace('&', '&amp;'))
  await cut.close()
  expect(await about()).toContain(SITE.name.replace('&', '&amp;'))
})

/** The kinds of message, each rendered as it is sent. */
const site = SHOWN_SITE
const mails = (Object.keys(MESSAGE_KINDS) as MessageKind[]).map((kind) => {
  const options = { site, baseUrl: 'https://maple.example', from: 'hello@maple.example', to: 'you@example.com' }
  return [`the message ${kind}`, renderMessage(kind, SAMPLES[kind], options)] as const
})

test.each(mails)(
  '%s names the marketplace, its address, and no other, in its colour',
  (_, { subject, text, html, attachments }) => {
    expect(html).toContain('Maple &amp; Beam')
    expect(text).toContain('Maple & Beam, 1 Example Street, Toronto')
    expect(html).toContain(SITE.email)
    for (const part of [subject, text, html, ...attachments.map(({ content }) => content)])
      expect(part).not.toContain('Hearth')
    expect(html).toContain(SITE.accent)
    for (const own of Object.values(colour('accent'))) expect(html).not.toContain(own)
  },
)

test('messages come from the marketplace, unless MAIL_FROM has another name', async () => {
  await sendTestMail(ctxOf(deps), { to: 'you@example.com' })
  const [mail] = await app.sql<
    { source: string }[]
  >`select convert_from(source, 'UTF8') as source from mailbox where recipient = 'you@example.com'`
  expect(mail?.source).toMatch(/^From: "?Maple & Beam"? <hearth@localhost>/m)
})

test('documents and agent servers for programs say the name', async () => {
  const { key } = await agentPro(app)
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const [customerKey] = [await app.key([...PRESETS['agent-tools']])]
  const asked = async (server: string, secret: string | undefined, method: string, params: object) =>
    JSON.stringify((await rpc(app, server, secret ?? '', method, params)).reply)
  expect(await asked(PUBLIC_SERVER, undefined, 'initialize', hello)).toContain('"title":"Maple & Beam"')
  expect(await asked(CUSTOMER_SERVER, customerKey, 'initialize', hello)).toContain(
    '"title":"Maple & Beam for customers"',
  )
  expect(await asked(PRO_SERVER, key, 'initialize', hello)).toContain('"title":"Maple & Beam for pros"')
  const texts: [string, string][] = []
  for (const [server, secret] of [
    [PUBLIC_SERVER, undefined],
    [CUSTOMER_SERVER, customerKey],
    [PRO_SERVER, key],
  ] as const)
    for (const method of ['initialize', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
      texts.push([`${server} ${method}`, await asked(server, secret, method, method === 'initialize' ? hello : {})])
  for (const path of [
    '/llms.txt',
    '/openapi.json',
    '/api-docs',
    '/api-docs/try/searchProfessionals',
    '/problems',
    '/.well-known/ai-catalog.json',
    '/.well-known/mcp/server-card.json',
    '/.well-known/mcp/customer-server-card.json',
    '/.well-known/mcp/public-server-card.json',
    '/.well-known/oauth-protected-resource/api/mcp/customer',
  ])
    texts.push([path, (await new Visitor(app).get(path)).text])
  texts.push(['a calendar file', calendarOf(deps.config.baseUrl, [])])
  expect(texts.filter(([, text]) => text.includes('Hearth')).map(([name]) => name)).toEqual([])
  const named = new Set(['/llms.txt', '/openapi.json', '/.well-known/ai-catalog.json'])
  for (const [path, text] of texts.filter(([name]) => named.has(name)))
    expect([path, text]).toEqual([path, expect.stringContaining('Maple & Beam')])
})
