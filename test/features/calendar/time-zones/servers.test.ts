// A server says at its start, and when a zone comes into use, where PostgreSQL and the runtime have different data.
import { expect, test } from 'bun:test'

import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { insertPro } from '../../../support/schedule.ts'
import { startServer } from '../../../support/server.ts'

const app = await opened(openTestApp('migrated'))

test('a server logs the zones that differ when it starts, and those of later pros without a restart', async () => {
  // As if PostgreSQL alone knew of laws that moved two zones by an hour for good.
  await app.sql`
    create or replace function zone_offset(at timestamptz, zone text) returns integer language sql stable as $$
      select extract(epoch from (at at time zone zone) - (at at time zone 'UTC'))::integer
        + case when zone in ('America/Denver', 'Asia/Kathmandu') then 3600 else 0 end $$`
  await insertPro(app.sql, { timeZone: 'America/Denver' })
  const server = await startServer({ databaseUrl: app.databaseUrl })
  const logged = () => {
    const lines = server.log().filter(({ msg = '' }) => msg.includes('different time zone data'))
    return new Set(lines.flatMap(({ zones }) => zones as string[]).map((text) => text.slice(0, text.indexOf(':'))))
  }
  expect(logged()).toEqual(new Set(['America/Denver']))
  await insertPro(app.sql, { timeZone: 'Asia/Kathmandu' })
  expect(await waitUntil(() => logged().has('Asia/Kathmandu'), 10_000)).toBe(true)
  expect(await server.stop()).toBe(0)
}, 60_000)
