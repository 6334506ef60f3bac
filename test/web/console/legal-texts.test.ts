// Operators publish terms, privacy policy and imprint; each version stays readable, and everything leads to those in force.
import { expect, test } from 'bun:test'

import { createApp } from '../../../src/app.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { openDeps } from '../../../src/deps.ts'
import { SAMPLES } from '../../../src/features/messages/messages/templates/samples.ts'
import { renderMessage } from '../../../src/features/messages/messages/templates/render.ts'
import { inForceAt } from '../../../src/features/upkeep/legal-texts/schemas.ts'
import { getLegalTexts, publishText } from '../../../src/features/upkeep/legal-texts/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { SHOWN_SITE, nameSite } from '../../support/site.ts'
import { Visitor, createTestUser } from '../../support/visitor.ts'

const PATH = '/console/marketplace/texts'
const app = await opened(openTestApp('migrated'))
const { deps } = app
await nameSite(app)
const operatorEmail = await createTestUser(app, 'operator')
const operator = new Visitor(app)
await operator.logIn(operatorEmail)
const visitor = new Visitor(app)
/** Another process on the same database. */
const other = await opened(openDeps(deps.config))
const otherApp = createApp(other)
const atOther = async (path: string) => await (await otherApp.handle(new Request(deps.config.baseUrl + path))).text()
const until = async (path: string, text: string) =>
  expect(await waitUntil(async () => (await atOther(path)).includes(text), 10_000)).toBe(true)

test('before there is one, pages say what the software does, no page is an imprint, and the list says what is missing', async () => {
  expect((await visitor.get('/terms')).text).toContain('<h1>Booking terms</h1>')
  expect((await visitor.get('/imprint')).status).toBe(404)
  expect((await visitor.get('/about')).text).not.toContain('href="/imprint"')
  expect((await operator.get(PATH)).text.match(/Missing/g)).toHaveLength(3)
  expect((await operator.get(`${PATH}/imprint`)).text).toContain('Maple &amp; Beam\n\n1 Example Street  \nToronto')
})

test('a preview shows the text as it would be read, keeps what was typed, and publishes nothing', async () => {
  const { status, text } = await operator.post(`${PATH}/terms`, {
    content: '# Scope\n\n**All** work <b>here</b>.',
    version: '0',
    step: 'preview',
  })
  expect(status).toBe(200)
  expect(text).toContain('<h3 id="text-scope">Scope</h3><p><strong>All</strong> work &lt;b>here&lt;/b>.</p>')
  expect(text).toContain('# Scope\n\n**All** work &lt;b>here&lt;/b>.</textarea>')
  expect(text).toContain('Publish as version 1')
  expect((await visitor.get('/terms')).text).not.toContain('Scope')
})

test('a published text is on the page of each process, before the rules of the software', async () => {
  const sent = { content: '# Scope\r\n\r\nAll work.  ', version: '0', step: 'publish' }
  expect(await operator.post(`${PATH}/terms`, sent)).toMatchObject({ status: 303, location: `${PATH}/terms` })
  await until('/terms', 'Scope')
  const { text } = await visitor.get('/terms')
  expect(text).toMatch(
    /<h1>Terms<\/h1>[^]*Version 1, in force since[^]*<h2 id="text-scope">[^]*<h2 id="booking-terms">/,
  )
  expect(text).toContain('<h3>When a booking is confirmed</h3>')
  expect(text).not.toContain('Former versions')
  expect((await operator.get(`${PATH}/terms`)).text).toContain(operatorEmail)
})

test('a later version says what it changes, and the former one stays readable', async () => {
  const changed = { content: '# Scope\n\nMost work.', version: '1' }
  const { text } = await operator.post(`${PATH}/terms`, { ...changed, step: 'preview' })
  expect(text).toContain('<del>All work.</del>')
  expect(text).toContain('<ins>Most work.</ins>')
  await operator.post(`${PATH}/terms`, { ...changed, step: 'publish' })
  await until('/terms', 'Most work.')
  const page = await visitor.get('/terms')
  expect(page.text).not.toContain('All work.')
  expect(page.text).toContain('<a href="/terms/1">Version 1</a>, in force from')
  const former = await visitor.get('/terms/1')
  expect(former.text).toMatch(/<h1>Terms, version 1<\/h1>[^]*in force from[^]*All work\./)
  expect(former.text).toContain('<meta name="robots" content="noindex"')
  for (const none of ['3', '0', '-1', '01', '1e0', '999999999999', 'x'])
    expect([none, (await visitor.get(`/terms/${none}`)).status]).toEqual([none, 404])
})

test('what another operator published meanwhile, and what is in force already, is not published again', async () => {
  const late = await operator.post(`${PATH}/terms`, { content: 'Mine', version: '1', step: 'publish' })
  expect([late.status, late.text]).toEqual([400, expect.stringContaining('another operator has just published')])
  expect(late.text).toContain('Mine</textarea>')
  const same = await operator.post(`${PATH}/terms`, {
    content: '# Scope\n\nMost work.\n',
    version: '2',
    step: 'publish',
  })
  expect([same.status, same.text]).toEqual([400, expect.stringContaining('Is what is in force already')])
  const long = await operator.post(`${PATH}/terms`, { content: 'a'.repeat(60_001), version: '2', step: 'preview' })
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('href="#content"')])
  expect(await app.sql`select from marketplace_texts`).toHaveLength(2)
})

test('the database refuses to change or remove a version', async () => {
  const refused = 'a version of a legal text never changes'
  expect(async () => await app.sql`update marketplace_texts set content = 'b'`).toThrow(refused)
  expect(async () => await app.sql`delete from marketplace_texts`).toThrow(refused)
  expect(async () => await app.sql`truncate marketplace_texts`).toThrow(refused)
})

test('the footer, messages, consent and documents lead to what there is', async () => {
  const publish = (kind: 'privacy' | 'imprint', content: string) =>
    publishText(ctxOf(deps), { kind, version: 0, content, by: null })
  await publish('privacy', 'We keep little.')
  await publish('imprint', 'Maple & Beam, Toronto')
  await until('/imprint', 'Maple &amp; Beam, Toronto')
  await until('/privacy', 'We keep little.')
  expect(await atOther('/privacy')).toContain('<h3>What is stored</h3>')
  const about = await atOther('/about')
  for (const link of ['<a href="/terms">Terms</a>', '<a href="/privacy">Privacy</a>', '<a href="/imprint">Imprint</a>'])
    expect(about).toContain(link)
  const { baseUrl } = deps.config
  expect(await atOther('/llms.txt')).toContain(`[Imprint](${baseUrl}/imprint)`)
  const { info } = JSON.parse(await atOther('/openapi.json')) as { info: { termsOfService: string } }
  expect(info.termsOfService).toBe(`${baseUrl}/terms`)
  expect(JSON.parse(await atOther('/.well-known/oauth-authorization-server'))).toMatchObject({
    op_policy_uri: `${baseUrl}/privacy`,
    op_tos_uri: `${baseUrl}/terms`,
  })
  const site = { ...SHOWN_SITE, legal: await getLegalTexts(ctxOf(deps)) }
  const options = { site, baseUrl, from: 'a@b.example', to: 'c@d.example' }
  const { text, html } = renderMessage('booking-confirmed', SAMPLES['booking-confirmed'], options)
  for (const page of ['terms', 'privacy', 'imprint']) {
    expect(text).toContain(`: ${baseUrl}/${page}\n`)
    expect(html).toContain(`href="${baseUrl}/${page}"`)
  }
})

test('an emptied text ends, and its versions stay readable', async () => {
  const { text } = await operator.post(`${PATH}/imprint`, { content: ' ', version: '1', step: 'preview' })
  expect(text).toContain('Take the text off the page')
  await operator.post(`${PATH}/imprint`, { content: '', version: '1', step: 'publish' })
  expect(await waitUntil(async () => (await visitor.get('/imprint')).status === 404, 10_000)).toBe(true)
  expect((await visitor.get('/imprint/1')).text).toContain('Maple &amp; Beam, Toronto')
  expect((await visitor.get('/imprint/2')).status).toBe(404)
  const again = await operator.post(`${PATH}/imprint`, { content: '', version: '2', step: 'publish' })
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('Is empty.')])
})

test('a booking points at the terms of its time', () => {
  const at = (version: number, day: string, isEmpty = false) => ({ version, isEmpty, at: `2026-06-0${day}T12:00:00Z` })
  const terms = { ...at(3, '3', true), content: '', former: [at(2, '2'), at(1, '1')] }
  const versionAt = (instant: string) => inForceAt({ terms }, 'terms', instant)?.version
  expect(versionAt('2026-06-01T11:59:59Z')).toBeUndefined()
  expect(versionAt('2026-06-01T12:00:00Z')).toBe(1)
  expect(versionAt('2026-06-02T18:00:00+02:00')).toBe(2)
  expect(versionAt('2026-06-04T00:00:00Z')).toBeUndefined()
  expect(inForceAt({}, 'terms', '2026-06-01T12:00:00Z')).toBeUndefined()
})
