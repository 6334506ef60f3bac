// Names hold characters that people see, whatever entry they come by: no control characters, marks of direction, zero-width
// characters or tags, in which instructions for models can hide.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { normaliserOf, textNormaliser } from '../../../src/platform/schema/normaliser.ts'
import { linesOf } from '../../../src/http/form.ts'
import { plainName } from '../../../src/platform/text/plain.ts'
import { CUSTOMER_SERVER, agentKey, callTool } from '../../support/agents.ts'
import { VISIT, VISIT_ADDRESS, VISIT_PHONE, bookingBody, openBookingFixture } from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'
import { requestParts } from '../../support/request-schemas.ts'
import { routes } from '../../support/app-routes.ts'
import { loggedInVisitor, visitorFromNewAddress } from '../../support/visitor.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' }))

const HIDDEN = Array.from('\u200B\u200D\u202E\u2066\u061C\uFEFF\u00AD\u3164\uFE0F').concat(
  '\u{E0041}',
  '\u{E007F}',
  '\u{E0100}',
)

describe('a name', () => {
  test('keeps every visible character and loses the others', () => {
    const visible = fc
      .stringMatching(/^[\p{L}\p{N}\p{P}\p{S} ]*$/u)
      .filter((text) => !/\p{Default_Ignorable_Code_Point}/u.test(text))
    fc.assert(
      fc.property(fc.array(fc.tuple(visible, fc.constantFrom(...HIDDEN))), (parts) => {
        const name = parts.map(([shown, hidden]) => shown + hidden).join('')
        expect(plainName(name)).toBe(parts.map(([shown]) => shown).join(''))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = plainName(text)
        expect(plain).not.toMatch(/[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
        expect(plainName(plain)).toBe(plain)
      }),
    )
    expect(plainName('Ann\r\nKim\tLee')).toBe('Ann Kim Lee')
    expect(plainName('Zoë O’Brien-Müller 李 & Partner ☂')).toBe('Zoë O’Brien-Müller 李 & Partner ☂')
  })

  test('is normalised in every field of every request, tool and form that holds one', () => {
    const isName =
      /(^|[._])(n|\w+N)ame$|Title$|title$|\.(headline|question|includes|insuranceCarrier|licenseNumber|callToActionLabel)\b/
    const names = requestParts.filter(({ name, schema }) => schema.type === 'string' && isName.test(name))
    const missed = names.filter(({ schema }) => textNormaliser(schema) !== plainName).map(({ name }) => name)
    // Both are read line by line: see below.
    expect(missed).toEqual([
      'POST /console/services/:id/package form.includes',
      'POST /console/profile/texts form.question[]',
    ])
    expect(linesOf('Sink\u200B\nDr\u202Eain', 5)).toEqual(['Sink', 'Drain'])
    expect(names.length).toBeGreaterThan(30)
  })

  test('is normalised in the bodies that routes read', () => {
    const bodies = routes.flatMap(({ method, path, hooks: { body } }) =>
      body?.['properties']?.['customer'] ? [{ route: `${method} ${path}`, normalise: normaliserOf(body) }] : [],
    )
    expect(bodies.length).toBeGreaterThanOrEqual(3)
    for (const { route, normalise } of bodies)
      expect([route, normalise?.({ customer: { name: 'A\u202En\u{E0041}n' } })]).toEqual([
        route,
        { customer: { name: 'Ann' } },
      ])
  })
})

const WRITTEN = 'Ann\u202E \u200BKim\u{E0053}\u{E0059}'
const STORED = 'Ann Kim'

test('the booking of every entry stores the name as people see it, and a name of nothing visible is refused', async () => {
  const pro = await world.pro({ deposit: false })
  const customer = { name: WRITTEN, email: 'ann.kim@mail.test.example' }
  const send = (json: object, path = '/api/v1/bookings') => world.app.send(path, { key: world.key, json })
  expect((await send(bookingBody(pro, 0, { customer }))).status).toBe(201)
  expect((await send(bookingBody(pro, 1, { customer: { ...customer, name: '\u202E\u200B\t' } }))).status).toBe(400)
  const { date, time } = bookingBody(pro, 1)
  const form = { service: pro.serviceId, date, time, ...customer, phone: VISIT_PHONE, ...VISIT_ADDRESS }
  const page = visitorFromNewAddress(world.app)
  const posted = await page.postRaw(`/pros/${pro.id}/book`, { ...form, idempotencyKey: crypto.randomUUID() })
  expect(posted.status).toBe(303)
  const key = await agentKey(world.app)
  const args = {
    professionalId: pro.id,
    serviceId: pro.serviceId,
    startDateTime: new Date(Date.parse('2026-11-23T17:00:00Z')).toISOString(),
    guestName: WRITTEN,
    guestEmail: customer.email,
    ...VISIT,
  }
  expect((await callTool(world.app, CUSTOMER_SERVER, key, 'book_appointment', args)).isError).toBeFalsy()
  const rows = await world.sql<{ name: string }[]>`
    select customer_name as name from bookings where professional_id = ${pro.id}`
  expect(rows.map(({ name }) => name)).toEqual([STORED, STORED, STORED])
})

test('a pro’s name, offers and papers lose what no reader sees', async () => {
  const pro = await world.pro({ deposit: false })
  const { key } = pro
  const patch = (path: string, json: object) => world.app.send(path, { method: 'PATCH', key, json })
  expect(await (await patch('/api/v1/pro/profile', { businessName: 'Fal\u202Econ\u200B' })).json()).toMatchObject({
    businessName: 'Falcon',
  })
  const entity = { insuranceCarrier: 'Mut\u200Bual', licenseNumber: 'M\u{E0031}1', licenseState: 'TX' }
  expect(await (await patch('/api/v1/pro/business-entity', entity)).json()).toMatchObject({
    insuranceCarrier: 'Mutual',
    licenseNumber: 'M1',
  })
  const visitor = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
  const texts = { question: ['Sun\u202Edays?'], answer: ['Yes.'], highlights: 'Fa\u200Bst' }
  expect(await visitor.post('/console/profile/texts', texts)).toMatchObject({ status: 303 })
  expect(await (await world.app.send('/api/v1/pro/public-profile', { key })).json()).toMatchObject({
    highlights: ['Fast'],
    faq: [{ question: 'Sundays?' }],
  })
})
