// `hearth doctor --launch` names each thing that a marketplace lacks before it opens, and passes it once it is there.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { ctxOf } from '../../../src/ctx.ts'
import { archiveFinding, checkLaunch } from '../../../src/commands/doctor/launch.ts'
import { LEGAL_KINDS } from '../../../src/features/upkeep/legal-texts/schemas.ts'
import { publishText } from '../../../src/features/upkeep/legal-texts/verbs.ts'
import { updateMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { NEW_PRO_PATH } from '../../../src/web/console/verification/view.tsx'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { insertPro } from '../../support/schedule.ts'
import { SITE } from '../../support/site.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { Visitor, createTestUser } from '../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
const FREE = { connections: 20, maxConnections: 100 }

/** The lines by subject, as the command prints them. */
async function findings(config: Partial<typeof app.deps.config> = {}, connections = FREE) {
  const ctx = ctxOf({ ...app.deps, config: { ...app.deps.config, databaseConnections: 10, ...config } })
  const found = await checkLaunch(ctx, connections)
  return Object.fromEntries(
    found.map(({ subject, message, remedy }) => [subject, remedy ? `✗ ${message} → ${remedy}` : `✓ ${message}`]),
  )
}

test('an empty marketplace of a developer lacks each of them, with what to do', async () => {
  const url = app.deps.config.baseUrl
  expect(await findings()).toEqual({
    environment: '✗ development: payments are a sandbox, messages are kept → set HEARTH_ENV=production',
    TLS: `✗ BASE_URL is ${url} → set it to the https:// address that visitors use`,
    proxy: expect.stringMatching(/^✗ TRUSTED_PROXIES is empty: all visitors .* → set TRUSTED_PROXIES/),
    headroom: '✓ 62 of 100 connections with the next server of an upgrade',
    backup: expect.stringMatching(/^✗ none: PostgreSQL archives no change → follow docs\/operators\/backups.md$/),
    contact: `✗ the marketplace lacks a name of its own, an e-mail address or phone number, a postal address → fill them in at ${url}/console/marketplace`,
    operator: '✗ no operator who has logged in → run `hearth users invite <email> --role operator`, and open the link',
    'legal texts': `✗ the marketplace lacks terms, a privacy policy, an imprint → publish them at ${url}/console/marketplace/texts`,
    catalog: `✗ no service → add services at ${url}/console/catalog`,
    places: '✗ no city → run `hearth migrate`, which adds the cities',
    area: `✓ everywhere in the United States; ${url}/console/area limits it`,
    pros: `✗ no active pro with an offer → add the first at ${url}${NEW_PRO_PATH}`,
    opening: '✓ open',
  })
})

test('processes that leave no fifth of the connections free are a fault', async () => {
  expect((await findings({}, { connections: 39, maxConnections: 100 }))['headroom']).toBe(
    '✗ 81 of 100 connections with the next server of an upgrade, more than 80 → raise max_connections, or lower DATABASE_CONNECTIONS',
  )
})

test.each([
  [{ isArchiving: true, archivedSeconds: null, isFailing: false }, 'PostgreSQL has not archived a change yet'],
  [{ isArchiving: true, archivedSeconds: 60, isFailing: true }, 'PostgreSQL cannot archive its changes'],
  [{ isArchiving: true, archivedSeconds: 200_000, isFailing: false }, 'last change archived 2 days ago'],
])('an archive of changes %p is a fault', (archive, message) => {
  expect(archiveFinding(archive)).toMatchObject({ message, remedy: expect.any(String) })
})

test('an archive that works passes', () => {
  const works = archiveFinding({ isArchiving: true, archivedSeconds: 60, isFailing: false })
  expect(works).toEqual({ subject: 'backup', message: 'PostgreSQL archives its changes' })
})

test('what is there passes', async () => {
  await updateMarketplace(ctxOf(app.deps), { ...SITE, isOpen: false, version: 0, by: null })
  for (const kind of LEGAL_KINDS)
    await publishText(ctxOf(app.deps), { kind, version: 0, content: '# Who we are', by: null })
  await insertPro(app.sql)
  const operator = new Visitor(app)
  await operator.logIn(await createTestUser(app, 'operator'))
  const https = { baseUrl: 'https://maple.example', environment: 'production' as const }
  expect(await findings({ ...https, trustedProxies: [[[127, 0, 0, 1] as never, 32]] })).toMatchObject({
    environment: '✓ production',
    TLS: '✓ https://maple.example',
    proxy: '✓ 1 range of addresses known',
    contact: '✓ Maple & Beam, hello@maple-and-beam.example',
    'legal texts': '✓ terms, privacy policy and imprint are published',
    operator: '✓ 1 operator who has logged in',
    catalog: '✓ 1 service',
    places: expect.stringMatching(/^✓ \d+ (city|cities)$/),
    pros: '✓ 1 active pro with an offer',
    opening: '✓ visitors see that it opens soon; “Open” is at https://maple.example/console/marketplace',
  })
})

test('the command prints them below the other checks, and only when asked to', async () => {
  const print = async (...args: string[]) => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../../src/cli.ts'), 'doctor', ...args], {
      env: { PATH: process.env['PATH'], DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
      stdout: 'pipe',
    })
    return await child.stdout.text()
  }
  expect(await print()).not.toMatch(/^[✓✗] headroom/m)
  expect(await print('--launch')).toMatch(
    /^[✓✗] headroom .*\n[✓✗] backup .*\n✓ contact .*\n✓ legal texts .*\n✓ operator .*\n✓ catalog /m,
  )
}, 60_000)
