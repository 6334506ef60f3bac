// `hearth zones update` moves bookings to the local time that was agreed.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { insertBookings, insertPro } from '../support/schedule.ts'
import { testRedisUrl } from '../support/stores.ts'

/** Each command is a process, which takes seconds to start on a busy machine. */
const SLOW_MS = 120_000

const app = await opened(openTestApp('migrated'))

async function update(...options: string[]): Promise<{ code: number; lines: string[] }> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../../src/cli.ts'), 'zones', 'update', ...options],
    {
      env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
      stdout: 'pipe',
      stderr: 'inherit',
    },
  )
  const [out, code] = await Promise.all([child.stdout.text(), child.exited])
  return { code, lines: out.trim().split('\n') }
}

test(
  'hearth zones update says which bookings moved, and ends with 1 while another booking has the time of one',
  async () => {
    const pro = await insertPro(app.sql)
    const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000
    const hour = (n: number) => new Date(midnight + 30 * 86_400_000 + n * 3_600_000).toISOString()
    const booking = { durationMinutes: 60, bufferMinutes: 0, status: 'confirmed' as const }
    await insertBookings(
      app.sql,
      pro,
      [10, 14, 15].map((n) => ({ ...booking, startsAt: hour(n) })),
    )
    // As if the clocks of Chicago showed an hour less since then.
    await app.sql`
      update bookings set time_zone = 'America/Chicago',
        local_start = (starts_at at time zone 'America/Chicago')
          + case when starts_at < ${hour(15)} then interval '1 hour' else '0' end`
    const plan = await update('--plan')
    expect(plan).toMatchObject({ code: 0 })
    expect(plan.lines.at(-1)).toBe('2 bookings no longer start at the local time that was agreed.')

    const moved = await update()
    expect(moved.code).toBe(1)
    expect(moved.lines.map((line) => line.split(' ')[0])).toEqual(['conflict', 'moved', '1', '1'])
    expect(moved.lines.find((line) => line.startsWith('moved'))).toEndWith(`${hour(10)} → ${hour(11)}`)
    const starts = await app.sql<{ startsAt: Date }[]>`select starts_at as "startsAt" from bookings order by starts_at`
    expect(starts.map(({ startsAt }) => new Date(startsAt).toISOString())).toEqual([hour(11), hour(14), hour(15)])
  },
  SLOW_MS,
)
