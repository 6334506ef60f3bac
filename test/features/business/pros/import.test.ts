// What an import of pros changes, and what it leaves.
import { describe, expect, test } from 'bun:test'

import { createUser } from '../../../../src/auth/users/verbs/users.ts'
import { changeOffer } from '../../../../src/features/business/offers/verbs.ts'
import { changeProfile } from '../../../../src/features/business/profile/verbs.ts'
import { changeProStatus } from '../../../../src/features/business/pros/verbs.ts'
import { sendInvitations } from '../../../../src/features/business/imports/verbs/invitations.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { HEAD, openImports, proFile } from '../../../support/pro-imports.ts'

const app = await opened(openTestApp('migrated'))
const sql = await opened(testSql(app.databaseUrl, 2), 'end')
await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
const { ctx, importFile } = openImports(app)

let made = 0
const newId = () => `pro-${++made}`

interface Row {
  id: string
  accountId: string
  name: string
  status: string
  held: boolean
  radius: number
  city: string
  phone: string | null
}
async function proOf(externalId: string): Promise<Row> {
  const [row] = await sql<Row[]>`
    select p.id, p.account_id as "accountId", p.business_name as name, p.status, p.paused_by_operator as held,
      p.service_radius_miles as radius, c.name as city, p.phone
    from professionals p join cities c on c.id = p.city_id where p.external_id = ${externalId}`
  if (!row) throw new Error(`no pro has the id ${externalId}`)
  return row
}
const offersOf = async (externalId: string) =>
  (
    await sql<{ offer: string }[]>`
      select concat_ws(' ', s.slug, o.price_type, o.unit, o.base_price_cents, o.min_price_cents, o.max_price_cents) as offer
      from professional_services o join professionals p on p.id = o.professional_id join services s on s.id = o.service_id
      where p.external_id = ${externalId} order by 1`
  ).map(({ offer }) => offer)
const isFound = async (name: string) => {
  const found = (await (await app.send('/api/v1/pros?limit=50')).json()) as {
    professionals: { businessName: string }[]
  }
  return found.professionals.some(({ businessName }) => businessName === name)
}

describe('an imported pro', () => {
  test('has all that the columns say, by any of their names, and is found at once', async () => {
    const { counts, unknownColumns } = await importFile(
      [
        'ID;Company;E-Mail;Zip;Radius;Phone;Website;About;Years of Experience;Emergency;Hours;Services;Favourite color',
        'all-1;Elm & Sons;Elm@Import.example;43215;30;+1 614 555 0100;elm.example;"Pipes; and ""drains""";12;yes;mon-fri 8-17, sat 9am-1pm;plumber: $1,095.50;green',
      ]
        .join('\r\n')
        .replace('17, sat', '17| sat'),
    )
    expect([counts.created, counts.refused, unknownColumns]).toEqual([1, 0, ['Favourite color']])
    const [row] = await sql`
      select business_name as name, phone, website, description, years_of_experience as years, accepts_emergency as emergency,
        service_radius_miles as radius, business_hours -> 'saturday' as saturday, business_hours -> 'sunday' as sunday,
        time_zone as zone, status, (select email from accounts a where a.id = account_id) as email
      from professionals where external_id = 'all-1'`
    expect(row).toMatchObject({
      name: 'Elm & Sons',
      phone: '+1 614 555 0100',
      website: 'https://elm.example',
      description: 'Pipes; and "drains"',
      years: 12,
      emergency: true,
      radius: 30,
      saturday: [{ start: '09:00', end: '13:00' }],
      sunday: [],
      zone: 'America/New_York',
      status: 'active',
      email: 'elm@import.example',
    })
    expect(await isFound('Elm & Sons')).toBe(true)
  })

  test('may come as JSON lines with lists and numbers', async () => {
    const line = {
      id: 'json-1',
      name: 'Json Works',
      email: 'json@import.example',
      lat: 39.96,
      lng: -82.99,
      radius: 12,
      hours: { monday: [{ start: '08:00', end: '12:00' }] },
      services: ['electrician', { service: 'plumber', min: 80, max: 120, unit: 'hour', minutes: 90 }],
    }
    expect((await importFile(`${JSON.stringify(line)}\n\n`)).refused).toEqual([])
    expect(await proOf('json-1')).toMatchObject({ name: 'Json Works', city: 'Columbus', radius: 12 })
    expect((await offersOf('json-1')).at(-1)).toContain('hourly hour 8000 12000')
  })

  test('is not found until the owner resumes it, if the import says paused', async () => {
    const id = newId()
    await importFile(proFile(id, { name: 'Quiet Works' }), { status: 'paused' })
    const { id: professionalId, ...pro } = await proOf(id)
    expect(pro).toMatchObject({ status: 'paused', held: false })
    expect(await isFound('Quiet Works')).toBe(false)
    await changeProStatus(ctx, { professionalId, action: 'resume', by: null, operatorReason: null })
    expect(await isFound('Quiet Works')).toBe(true)
    await importFile(proFile(id, { name: 'Quiet Works' }), { status: 'paused' })
    expect((await proOf(id)).status).toBe('active')
  })
})

describe('a second import', () => {
  test('changes only what the file says otherwise, and leaves the edits of pros', async () => {
    const id = newId()
    const services = 'plumber: 95/hour; electrician: 80/hour'
    await importFile(proFile(id, { services, more: ['phone=111'] }))
    const { id: professionalId, accountId } = await proOf(id)
    const pro = ctx.as({ professionalId, accountId })
    await changeProfile(pro, { businessName: 'Edited by the pro', serviceRadiusMiles: 77 })
    const [plumber] = await sql<
      { id: string }[]
    >`select id from services where slug = ${(await offersOf(id))[1]?.split(' ')[0] ?? ''}`
    await changeOffer(pro, { serviceId: plumber?.id ?? '', basePrice: 99 })
    const edited = await offersOf(id)

    const again = await importFile(proFile(id, { services, more: ['phone=111'] }))
    expect(again.counts).toMatchObject({ created: 0, changed: 0, unchanged: 1 })
    expect(await offersOf(id)).toEqual(edited)

    const changed = await importFile(proFile(id, { services, more: ['phone=222'] }))
    expect(changed.counts).toMatchObject({ changed: 1, unchanged: 0 })
    expect(await proOf(id)).toMatchObject({ name: 'Edited by the pro', radius: 77, phone: '222' })
    expect(await offersOf(id)).toEqual(edited)

    await importFile(
      proFile(id, { name: 'Renamed by the file', services: 'electrician: 81/hour', more: ['phone=222'] }),
    )
    expect(await proOf(id)).toMatchObject({ name: 'Renamed by the file', radius: 77 })
    expect(await offersOf(id)).toEqual([expect.stringContaining('hourly hour 8100')])
    const actions = await sql`
      select action, details from operator_actions where professional_id = ${professionalId} order by at, action`
    expect(actions.map(({ action }) => action as string).sort()).toEqual([
      'pro.created',
      'pro.imported',
      'pro.imported',
    ])
    expect(actions.at(-1)?.['details']).toEqual({ columns: ['businessName', 'services'] })
  })

  test('that changes one service of a cell leaves the others as the pro has them', async () => {
    const id = newId()
    await importFile(proFile(id, { services: 'plumber: 95/hour; electrician: 80/hour' }))
    const { id: professionalId } = await proOf(id)
    await sql`update professional_services set base_price_cents = 12300 where professional_id = ${professionalId}`
    await importFile(proFile(id, { services: 'plumber: 95/hour; electrician: 85/hour' }))
    const prices = await sql<{ cents: number }[]>`
      select base_price_cents as cents from professional_services where professional_id = ${professionalId} order by 1`
    expect(prices.map(({ cents }) => cents)).toEqual([8500, 12_300])
  })

  test('pauses only pros of imports who are gone, and lets those who are back be found again', async () => {
    const [gone, stays, own] = [newId(), newId(), newId()]
    const two =
      proFile(stays, { name: 'Staying Works' }) + proFile(gone, { name: 'Gone Works' }).replace(`${HEAD}\n`, '')
    await importFile(two)
    await importFile(proFile(own, { name: 'Hand Works' }))
    await sql`delete from imported_pros where professional_id = ${(await proOf(own)).id}`
    const dry = await importFile(proFile(stays, { name: 'Staying Works' }), { pausesMissing: true, isDryRun: true })
    const { counts } = await importFile(proFile(stays, { name: 'Staying Works' }), { pausesMissing: true })
    expect([dry.counts.paused, counts.unchanged]).toEqual([counts.paused, 1])
    expect([(await proOf(gone)).status, (await proOf(stays)).status, (await proOf(own)).status]).toEqual([
      'paused',
      'active',
      'active',
    ])
    expect(await isFound('Gone Works')).toBe(false)
    expect((await importFile(two, { pausesMissing: true })).counts).toMatchObject({ paused: 0, resumed: 1, changed: 1 })
    expect(await proOf(gone)).toMatchObject({ status: 'active', held: false })
    // A line that is refused is there.
    const broken = proFile(stays) + `${gone},Gone Works,gone@import.example,Nowhere,,surplus\n`
    expect((await importFile(broken, { pausesMissing: true })).counts).toMatchObject({ paused: 0, refused: 1 })
  })

  test('that is a dry run writes nothing, and counts the same', async () => {
    const id = newId()
    const { counts } = await importFile(proFile(id), { isDryRun: true })
    expect(counts.created).toBe(1)
    expect(await sql`select from professionals where external_id = ${id}`).toHaveLength(0)
  })
})

describe('an invitation', () => {
  test('goes to pros without a log-in at the chosen pace, once, and its link opens the page of the pro', async () => {
    const [first, second] = [newId(), newId()]
    const file = proFile(first) + proFile(second).replace(`${HEAD}\n`, '')
    await importFile(file)
    const { counts } = await importFile(file, { invitesPerMinute: 2 })
    expect(counts).toMatchObject({ unchanged: 2, invited: 2 })
    const waiting = await sql<{ at: string }[]>`select send_at::text as at from pro_invitations order by send_at`
    expect(Date.parse(waiting[1]?.at ?? '') - Date.parse(waiting[0]?.at ?? '')).toBe(30_000)
    expect(await sendInvitations(ctx, { limit: 10 })).toBe(1)
    expect((await importFile(file, { invitesPerMinute: 2 })).counts.invited).toBe(0)
    const sent = await sql<{ to: string }[]>`select recipient as to from messages where kind = 'invitation'`
    expect(sent.map(({ to }) => to)).toEqual([`${first}@import.example`])
    const [user] = await sql`
      select u.role from users u join professionals p on p.account_id = u.account_id where p.external_id = ${first}`
    expect(user).toEqual({ role: 'pro' })
  })

  test('that cannot be sent says why, and holds up no other', async () => {
    const [first, second] = [newId(), newId()]
    await importFile(proFile(first) + proFile(second).replace(`${HEAD}\n`, ''), { invitesPerMinute: 6000 })
    await createUser(ctx, { email: `${first}@import.example`, role: 'operator' })
    await sql`update pro_invitations set send_at = '2000-01-01' where send_at is not null`
    await sendInvitations(ctx, { limit: 10 })
    const left = await sql`select outcome, send_at from pro_invitations`
    expect(left).toEqual([{ outcome: 'A user with this e-mail address exists already.', sendAt: null }] as never)
  })
})
