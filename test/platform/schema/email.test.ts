// E-mail addresses have one form at every entry, in the database and in limits.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import { createUser } from '../../../src/auth/users/verbs/users.ts'
import { normalEmail } from '../../../src/platform/schema/email.ts'
import { CUSTOMER_SERVER, callTool } from '../../support/agents.ts'
import {
  type FixturePro,
  VISIT,
  VISIT_ADDRESS,
  VISIT_PHONE,
  bookingBody,
  openBookingFixture,
} from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'
import { filesUnder } from '../../support/imports.ts'
import { PASSWORD, visitorFromNewAddress } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await opened(openBookingFixture({ MAX_UNPAID_BOOKINGS: '3', INSTANT_BOOKING_FEE_CENTS: '0' }))

test('JavaScript and PostgreSQL give every character of Unicode the same form', async () => {
  const isCharacter = (code: number) => code > 0 && (code < 0xd8_00 || code > 0xdf_ff)
  const codes = Array.from({ length: 0x11_00_00 }, (_, code) => code).filter(isCharacter)
  const text = codes.map((code) => String.fromCodePoint(code)).join('')
  const [row] = await world.sql<{ text: string }[]>`select lower(${text} collate "C") as text`
  expect(row?.text === normalEmail(text)).toBe(true)
  expect(codes.filter((code) => normalEmail(String.fromCodePoint(code)) !== String.fromCodePoint(code))).toHaveLength(
    26,
  )
})

describe('the database', () => {
  test('has a constraint for the form of every column with e-mail addresses', async () => {
    const columns = await world.sql<{ name: string; isChecked: boolean }[]>`
      select c.table_name || '.' || c.column_name as name, exists (
        select from pg_constraint k where k.conrelid = c.table_name::regclass and k.contype = 'c'
          and strpos(pg_get_constraintdef(k.oid), format('(%1$s = lower((%1$s COLLATE "C")))', c.column_name)) > 0
          or k.conrelid = c.table_name::regclass
          and strpos(pg_get_constraintdef(k.oid), format('(%1$s = lower(%1$s COLLATE "C"))', c.column_name)) > 0
      ) as "isChecked"
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name like '%email%'
        and c.column_name not like '%digest'`
    expect(columns.length).toBeGreaterThanOrEqual(7)
    expect(columns.filter(({ isChecked }) => !isChecked)).toEqual([])
  })

  test('is asked with addresses as they are: no statement and no code folds one', () => {
    const files = ['src', 'workers', 'sql/functions', 'sql/queries'].flatMap((folder) => filesUnder(folder))
    const folding = /lower\([^()]*email(?!.*collate "C")|email\w*(\.trim\(\))?\.to(Locale)?LowerCase/i
    const folds = files.filter((file) =>
      folding.test(readFileSync(file, 'utf8').replaceAll('lower(u.email), lower', '')),
    )
    expect(folds).toEqual([])
  })
})

const WRITTEN = 'Ann.KIM@Mail.Test.EXAMPLE'
const STORED = 'ann.kim@mail.test.example'
const guest = (pro: FixturePro, hours: number, guestEmail = WRITTEN) => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  startDateTime: new Date(Date.parse('2026-11-23T15:00:00Z') + hours * 3_600_000).toISOString(),
  guestName: 'Ann Kim',
  guestEmail,
  ...VISIT,
})

test('every entry stores an address in the form, and its spellings count as one customer', async () => {
  const pro = await world.pro({ deposit: false })
  const customer = { name: 'Ann Kim', email: WRITTEN }
  const json = bookingBody(pro, 0, { customer })
  expect((await world.app.send('/api/v1/bookings', { key: world.key, json })).status).toBe(201)
  const { date, time } = bookingBody(pro, 1)
  const form = {
    service: pro.serviceId,
    date,
    time,
    ...customer,
    phone: VISIT_PHONE,
    ...VISIT_ADDRESS,
    idempotencyKey: crypto.randomUUID(),
  }
  expect((await visitorFromNewAddress(world.app).postRaw(`/pros/${pro.id}/book`, form)).status).toBe(303)
  const agentKey = await world.app.key(['mcp:read', 'mcp:write'], 'agent@test.example')
  const callBook = (hours: number, email?: string) =>
    callTool(world.app, CUSTOMER_SERVER, agentKey, 'book_appointment', guest(pro, hours, email))
  expect((await callBook(2)).isError).toBeFalsy()
  expect((await callBook(3)).problem).toMatchObject({ code: 'too_many_unpaid_bookings' })
  // Another letter is another address, as PostgreSQL and JavaScript agree.
  expect((await callBook(3, 'Ann.K\u0130M@mail.test.example')).isError).toBeFalsy()
  const rows = await world.sql`
    select customer_email as email from bookings where professional_id = ${pro.id} order by starts_at`
  expect(rows.map(({ email }) => email as string)).toEqual([STORED, STORED, STORED, 'ann.k\u0130m@mail.test.example'])
})

test('an address in a query has the form, too', async () => {
  const pro = await world.pro()
  const key = await world.app.key(['rfqs:write'])
  const customer = { name: 'Ann Kim', email: WRITTEN, phone: '512-555-0142' }
  const rfq = { professionalId: pro.id, serviceId: pro.serviceId, description: 'A leak under the sink.', customer }
  expect(await (await world.app.send('/api/v1/rfqs', { key, json: rfq })).json()).toMatchObject({
    rfq: { customer: { email: STORED } },
  })
  for (const email of [WRITTEN, STORED, STORED.toUpperCase()])
    expect(await (await world.app.send(`/api/v1/rfqs?email=${email}`, { key })).json()).toMatchObject({
      meta: { total: 1 },
    })
})

test('a login has one counter for every spelling that reaches it, and other letters do not reach it', async () => {
  const email = 'kim.sink@users.test.example'
  await createUser(ctxOf(world.app.deps), { email, role: 'operator', password: PASSWORD })
  for (const other of ['k\u0130m.sink', '\u212Aim.sink', 'kim.\u017Fink', 'k\u0131m.sink', 'KIM.\u017FINK'])
    expect((await visitorFromNewAddress(world.app).logIn(`${other}@users.test.example`)).status).toBe(401)
  const visitor = visitorFromNewAddress(world.app)
  const spellings = ['KIM.sink@users.test.example', 'kim.Sink@USERS.test.example', ` ${email} `]
  for (let n = 0; n < 10; n++) expect((await visitor.logIn(spellings[n % 3] ?? '', 'wrong')).status).toBe(401)
  for (const spelling of [email, ...spellings]) expect((await visitor.logIn(spelling)).status).toBe(429)
  expect((await visitorFromNewAddress(world.app).logIn(` ${email.toUpperCase()}`)).status).toBe(303)
})
