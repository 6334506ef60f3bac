// `hearth privacy export | erase` from a terminal.
import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { book, openBookingFixture } from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'
import { testRedisUrl } from '../support/stores.ts'

/** Each command is a process, which takes seconds to start on a busy machine. */
const SLOW_MS = 120_000
const EMAIL = 'home@example.com'

const fixture = await opened(openBookingFixture())

async function hearth(...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../src/cli.ts'), 'privacy', ...args], {
    env: { ...process.env, DATABASE_URL: fixture.app.databaseUrl, REDIS_URL: testRedisUrl },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { exit, out, err }
}
const pro = await fixture.pro({ deposit: false })
const { booking } = await book(fixture, pro)
const [code, bookingId] = [booking.confirmationCode, booking.id]
// The command has the real clock.
await fixture.sql`
    update bookings set starts_at = now() + interval '2 days', ends_at = now() + interval '2 days 1 hour',
      holds = tstzrange(now() + interval '2 days', now() + interval '2 days 1 hour')`

test(
  'the copy goes to the terminal, or to a new file that only its owner can read',
  async () => {
    const shown = await hearth('export', 'HOME@example.com')
    expect(JSON.parse(shown.out)).toMatchObject({
      format: 'hearth-customer-export',
      version: 5,
      email: EMAIL,
      bookings: [{ confirmationCode: code }],
    })
    const folder = mkdtempSync(join(tmpdir(), 'hearth-export-'))
    try {
      const file = join(folder, 'copy.json')
      expect((await hearth('export', EMAIL, '--output', file)).exit).toBe(0)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).toContain(code)
      expect(await hearth('export', EMAIL, '--output', file)).toMatchObject({
        exit: 1,
        err: expect.stringContaining(file),
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  SLOW_MS,
)

test(
  'an erasure is refused while a booking is open, and says what to do; later it prints what it changed',
  async () => {
    expect(await hearth('erase', 'home')).toMatchObject({ exit: 1, err: 'hearth: "home" is not an e-mail address.\n' })
    const refused = await hearth('erase', EMAIL)
    expect(refused).toMatchObject({ exit: 1, out: '' })
    expect(refused.err).toContain(`cancel them first, through the customer’s link or the pro: ${code}.`)

    const cancelled = await fixture.app.send(`/api/v1/bookings/${bookingId}/cancel`, { key: fixture.key, json: {} })
    expect(cancelled.status).toBe(200)
    const erased = await hearth('erase', EMAIL, '--requested-by', 'ticket 12')
    expect(erased.exit).toBe(0)
    expect(erased.out).toMatch(/now belong to erased-[0-9a-f-]{36}@erased\.invalid\.\n +1 {2}bookings\n/)
    const again = await hearth('erase', EMAIL)
    expect(again.out).toContain(
      'Nothing is stored about a customer with this e-mail address.\nThe customer was erased at',
    )
  },
  SLOW_MS,
)
