// A pro blocks time by the clock on the wall: whole days and hours are right across changes of the clock.
import { expect, test } from 'bun:test'

import { blockLocalTime } from '../../../../src/features/calendar/schedule/verbs.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())

async function chicagoPro() {
  const [row] = await app.deps.write.run<{ accountId: string; professionalId: string }>(
    'chicagoPro',
    (sql) => sql`
      update professionals set time_zone = 'America/Chicago'
      where id = (select id from professionals where active order by id limit 1) returning account_id, id as professional_id`,
  )
  if (!row) throw new Error('The seed has no pros.')
  return row
}

const block = async (from: [string, number], to: [string, number]) => {
  const [start, end] = [from, to].map(([date, minute]) => ({ date, minute }))
  if (!start || !end) throw new Error('Two times are needed.')
  const value = await blockLocalTime(ctxOf(app.deps, await chicagoPro()), { start, end, reason: null })
  return [value.block.startDateTime, value.block.endDateTime]
}

test('whole days run from midnight to midnight of the pro, 23 or 25 hours where the clock changes', async () => {
  expect(await block(['2026-07-04', 0], ['2026-07-05', 1440])).toEqual([
    '2026-07-04T05:00:00.000Z',
    '2026-07-06T05:00:00.000Z',
  ])
  expect(await block(['2026-11-01', 0], ['2026-11-01', 1440])).toEqual([
    '2026-11-01T05:00:00.000Z',
    '2026-11-02T06:00:00.000Z',
  ])
  expect(await block(['2027-03-14', 150], ['2027-03-14', 240])).toEqual([
    '2027-03-14T08:00:00.000Z',
    '2027-03-14T09:00:00.000Z',
  ])
})

test('a time that is over, runs backwards or is longer than a year is refused at its field', async () => {
  const refused = async (from: [string, number], to: [string, number], path: string) =>
    expect(await block(from, to).catch((error: unknown) => error)).toMatchObject({ errors: [{ path }] })
  await refused(['2026-05-01', 0], ['2026-05-01', 1440], 'body.toDate')
  await refused(['2026-07-04', 600], ['2026-07-04', 540], 'body.toTime')
  await refused(['2026-07-04', 0], ['2027-08-04', 1440], 'body.toDate')
})
