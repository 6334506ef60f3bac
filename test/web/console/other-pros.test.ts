// A pro's console shows and changes nothing of another pro: a foreign id is a page that says that there is no such thing.
import { expect, test } from 'bun:test'

import { addMember } from '../../../src/features/business/members/verbs/team.ts'
import { blockLocalTime, getSchedule } from '../../../src/features/calendar/schedule/verbs.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { loggedInVisitor } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp())
const owner = { accountId: '', professionalId: '' }
const { deps } = app
const [row] = await deps.read.run<typeof ids & { accountId: string; professionalId: string; strangerId: string }>(
  'workOfOnePro',
  (sql) => sql`
      select p.account_id, p.id as professional_id,
        (select id from bookings b where b.professional_id = p.id limit 1) as booking,
        (select id from rfqs r where r.professional_id = p.id limit 1) as rfq,
        (select id from quotes q where q.professional_id = p.id limit 1) as quote,
        (select id from jobs j where j.professional_id = p.id limit 1) as job,
        (select id from reviews v where v.professional_id = p.id and status = 'approved' limit 1) as review,
        (select service_id from professional_services o where o.professional_id = p.id limit 1) as service,
        (select other.id from professionals other where other.active and not exists (
          select from professional_services o where o.professional_id = other.id
            and o.service_id = any (select service_id from professional_services x where x.professional_id = p.id))
          order by other.id limit 1) as stranger_id
      from professionals p
      where p.active and exists (select from bookings b where b.professional_id = p.id)
      order by (select count(*) from jobs j where j.professional_id = p.id) desc,
        (select count(*) from rfqs r where r.professional_id = p.id) desc, p.id limit 1`,
)
if (!row) throw new Error('The seed has no pro with bookings.')
const none = crypto.randomUUID()
const ids: Record<'booking' | 'rfq' | 'quote' | 'job' | 'review' | 'service', string> = {
  ...row,
  rfq: row.rfq ?? none,
  quote: row.quote ?? none,
  job: row.job ?? none,
  review: row.review ?? none,
}
Object.assign(owner, { accountId: row.accountId, professionalId: row.professionalId })
const memberId = (await addMember(ctxOf(deps, owner), { name: 'Jo Rivera', email: 'jo@test.example' })).member.id
const day = { start: { date: '2026-07-01', minute: 0 }, end: { date: '2026-07-01', minute: 1440 }, reason: 'Family' }
const blockId = (await blockLocalTime(ctxOf(deps, owner), day)).block.id
const stranger = await loggedInVisitor(app, 'pro', { pro: row.strangerId })

test('pages with the ids of another pro are 404 pages, and their forms change nothing', async () => {
  for (const path of [`bookings/${ids.booking}`, `services/${ids.service}`, `jobs/${ids.job}`, `leads/${ids.rfq}`]) {
    const { status, text } = await stranger.get(`/console/${path}`)
    expect([path, status, text.startsWith('<!doctype html>')]).toEqual([path, 404, true])
  }
  const price = { priceType: 'flat', durationMinutes: '60', basePrice: '1' }
  const forms: [path: string, fields: Record<string, string>][] = [
    [`bookings/${ids.booking}`, { action: 'cancel', reason: 'Not mine.' }],
    [`calendar/blocks/${blockId}/delete`, {}],
    [`services/${ids.service}`, price],
    [`services/${ids.service}/package`, { packageName: 'Mine', packagePrice: '1', cadence: 'once' }],
    [`services/${ids.service}/package/delete`, {}],
    [`services/${ids.service}/delete`, {}],
    [`team/${memberId}/delete`, {}],
    [`my-reviews/${ids.review}/answer`, { content: 'Mine.' }],
    [`my-reviews/${ids.review}/report`, { reason: 'untrue', words: 'Mine.' }],
    [`jobs/${ids.job}`, { action: 'cancel' }],
    [`leads/${ids.rfq}/archive`, {}],
    [`quotes/${ids.quote}/send`, {}],
    [`quotes/${ids.quote}/delete`, {}],
  ]
  for (const [path, fields] of forms)
    expect([path, (await stranger.post(`/console/${path}`, fields)).status]).toEqual([path, 404])
  expect((await getSchedule(ctxOf(app.deps, owner))).blocks.map(({ id }) => id)).toContain(blockId)
})

test('lists, the week and the search show nothing of another pro', async () => {
  const [booking] = await app.deps.read.run<{ name: string; email: string; code: string; week: string }>(
    'oneBooking',
    (sql) => sql`
      select customer_name as name, customer_email as email, confirmation_code as code, starts_at::date as week
      from bookings where id = ${ids.booking}`,
  )
  if (!booking) throw new Error('The booking is missing.')
  const q = (text: string) => encodeURIComponent(text)
  for (const path of [
    'bookings?show=all',
    `bookings?show=all&q=${q(booking.code)}`,
    `search?q=${q(booking.email)}`,
    'calendar?week=2026-07-01',
    'team',
    'jobs',
    `leads?q=${q(booking.name)}`,
  ]) {
    const { status, text } = await stranger.get(`/console/${path}`)
    const shown = [ids.booking, ids.rfq, ids.job, memberId, 'Jo Rivera', 'Family'].filter((one) => text.includes(one))
    expect([path, status, shown]).toEqual([path, 200, []])
  }
})

test('strange days and search words are answered with a page', async () => {
  for (const path of ['calendar?week=1900-01-01', 'calendar?week=9998-12-31', 'search?q=%25', 'bookings?q=%5C'])
    expect([path, (await stranger.get(`/console/${path}`)).status]).toEqual([path, 200])
  const far = await stranger.post('/console/calendar/blocks', { fromDate: '9998-12-31' })
  expect([far.status, far.text.includes('Must be a day of this century')]).toEqual([400, true])
})
