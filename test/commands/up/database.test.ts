// How a database begins: with demo data where it was asked for, and never among people who are real.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'

import { prepareDatabase } from '../../../src/commands/up/database.ts'
import { type UpOptions, readUpSettings } from '../../../src/commands/up/settings.ts'
import { explainFailure } from '../../../src/commands/failure.ts'
import { listCities } from '../../../src/local/seed/cities.ts'
import { migrate } from '../../../src/platform/postgres/migrate.ts'
import { connect } from '../../../src/platform/postgres/open-database.ts'
import { cloneDatabase, createEmptyDatabase, testSql, withoutSocket } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
import { newFolder, startUp, stopRunning } from '../../support/running-up.ts'

const OWN = { DATABASE_URL: 'postgres://own.example/hearth' }
const FOLDER = {}
type Place = typeof OWN | typeof FOLDER

/** A migrated database, with pros of its own, with demo data of an earlier version, or with nothing. */
async function databaseWith(content: 'nothing' | 'pros') {
  const clone = await cloneDatabase('migrated')
  const sql = testSql(clone.url, 2)
  if (content === 'pros') {
    await start(sql, FOLDER, { demo: true })
    await sql`delete from marketplace`
  }
  return { sql, [Symbol.asyncDispose]: async () => (await sql.end(), await clone.drop()) }
}

function start(sql: ReturnType<typeof testSql>, place: Place, options: UpOptions) {
  const settings = readUpSettings({ ...place, HEARTH_SEED_PROS: '20' }, options)
  return prepareDatabase({ sql, settings, note: () => undefined }).catch(explainFailure)
}

const countsOf = async (sql: ReturnType<typeof testSql>) =>
  (
    await sql<{ pros: number; services: number; cities: number }[]>`
    select (select count(*) from professionals)::int as pros, (select count(*) from services)::int as services,
      (select count(*) from cities)::int as cities`
  )[0]

test.each([
  [FOLDER, {}, true, 20],
  [FOLDER, { demo: true }, true, 20],
  [FOLDER, { empty: true }, false, 0],
  [OWN, {}, false, 0],
  [OWN, { empty: true }, false, 0],
  [OWN, { demo: true }, true, 20],
] as const)(
  'a database of %j, started with %j, has demo data: %p, and begins so once',
  async (place, options, isDemo, pros) => {
    await using database = await databaseWith('nothing')
    const { sql } = database
    expect(await start(sql, place, options)).toBe(isDemo)
    // An empty marketplace begins with places, and its operators fill the catalog.
    expect(await countsOf(sql)).toEqual({ pros, services: isDemo ? 120 : 0, cities: listCities().length })
    // A later start without an option finds what is there.
    expect(await start(sql, place, {})).toBe(isDemo)
    expect(await start(sql, place, options)).toBe(isDemo)
    expect((await countsOf(sql))?.pros).toBe(pros)
  },
)

test('demo data is refused where pros are, and an empty start where demo data is', async () => {
  await using database = await databaseWith('pros')
  const { sql } = database
  expect(await start(sql, OWN, { demo: true })).toContain('The database of DATABASE_URL has pros of its own')
  expect(await start(sql, OWN, { empty: true })).toContain('The database of DATABASE_URL holds pros already')
  // A database of an earlier version: that of the folder had demo data, one's own is left as it is.
  expect(await start(sql, OWN, {})).toBe(false)
  expect(await start(sql, FOLDER, {})).toBe(true)
  expect(await start(sql, FOLDER, { empty: true })).toMatch(
    /holds demo data already\. Choose another folder: .* --empty$/,
  )
  expect(await countsOf(sql)).toMatchObject({ pros: 20, services: 120 })
})

test('demo data may come into a marketplace that began empty and has no pros yet', async () => {
  await using database = await databaseWith('nothing')
  expect(await start(database.sql, FOLDER, { empty: true })).toBe(false)
  expect(await start(database.sql, FOLDER, { demo: true })).toBe(true)
  expect(await start(database.sql, FOLDER, {})).toBe(true)
})

test('production and contradicting options are refused before anything starts', () => {
  expect(() => readUpSettings({ HEARTH_ENV: 'production' })).toThrow('`npm start` is for trying and development')
  expect(() => readUpSettings({}, { empty: true, demo: true })).toThrow('choose one')
})

test('a role that may not create extensions is told what a superuser does, and migrates afterwards', async () => {
  const empty = await createEmptyDatabase()
  const admin = testSql(empty.url, 1)
  const role = `owner_${crypto.randomUUID().slice(0, 8)}`
  await admin`create role ${admin(role)} login password 'owner'`
  await admin`grant all on schema public to ${admin(role)}`
  const own = new URL(withoutSocket(empty.url))
  Object.assign(own, { username: role, password: 'owner' })
  const sql = connect(own.href, 1, { applicationName: 'hearth-test' })
  const message = await migrate(sql).then(String, explainFailure)
  expect(message).toMatch(new RegExp(`^The role ${role} may not create the extension`))
  const [, commands = ''] = /-c '([^']+)'$/.exec(message) ?? []
  for (const command of commands.split(';').filter((it) => it.trim())) await admin.unsafe(command)
  expect((await migrate(sql)).applied.length).toBeGreaterThan(10)
  await sql.end()
  await admin`drop owned by ${admin(role)}`
  await admin.end()
  await empty.drop()
  const root = await opened(Promise.resolve(testSql((await cloneDatabase('migrated')).url, 1)), 'end')
  await root`drop role ${root(role)}`
})

test('npm start -- --empty names the first steps, writes no keys, and stays empty', async () => {
  const home = newFolder()
  const port = '0'
  const first = startUp(home, { PORT: port }, { empty: true })
  const output = await first.printed('npx hearth users invite')
  expect(output).toContain('without demo data')
  const saved = JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8')) as { baseUrl: string; console: object }
  expect(Object.keys(saved)).toEqual(['baseUrl', 'console'])
  expect(Object.keys(saved.console)).toEqual(['url'])
  for (const path of ['/', '/for-pros', '/api/v1/pros?service=plumber', '/api/v1/services', '/sitemap.xml'])
    expect([path, (await fetch(saved.baseUrl + path)).status]).toEqual([path, 200])
  expect(await first.end('SIGINT')).toBe(0)
  const second = startUp(home, { PORT: port }, {})
  expect(await second.printed('npx hearth users invite')).not.toContain('seeding')
  expect(await second.end('SIGINT')).toBe(0)
  await stopRunning()
}, 240_000)
