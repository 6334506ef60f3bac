// A baseline stands for the migrations that made the same schema step by step.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { checksumOf, schemaFiles } from '../../../src/platform/postgres/schema-files.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { migrate } from '../../../src/platform/postgres/migrate.ts'
import { planMigration } from '../../../src/platform/postgres/migration-plan.ts'
import { cloneDatabase, createEmptyDatabase, testSql } from '../../support/database.ts'
import { type Release, allReleases, gitOfRelease } from '../../support/release.ts'
import { dataDump, schemaDump } from '../../support/schema-dump.ts'

describe('the baseline of 0.1.0', () => {
  let fresh: Awaited<ReturnType<typeof cloneDatabase>>

  beforeAll(async () => {
    fresh = await cloneDatabase('migrated')
  }, 60_000)
  afterAll(() => fresh.drop())

  test('replaces exactly the migrations of 0.1.0, unchanged', async () => {
    const [first] = allReleases()
    if (!first) throw new Error('There is no release.')
    const folder = await sqlOf(first)
    const released = schemaFiles(folder).migrations.map(({ name, checksum }) => ({ name, checksum }))
    rmSync(folder, { recursive: true })
    expect(schemaFiles().migrations.flatMap(({ replaces }) => replaces)).toEqual(released)
  })

  test.each(allReleases())(
    'a database of $version gets the schema and data of a new one',
    async (release) => {
      const [folder, database] = await Promise.all([sqlOf(release), createEmptyDatabase()])
      const sql = testSql(database.url, 1)
      try {
        await migrate(sql, { folder, version: release.version })
        // 0.1.0 kept its record so.
        if (release.version === '0.1.0') {
          await sql`alter table schema_files drop column version`
          await sql`alter table schema_files rename to schema_migrations`
        }
        const { applied } = await migrate(sql)
        expect(applied).not.toContain('migrations/0061_baseline.sql')
        expect(await schemaDump(database.url)).toBe(await schemaDump(fresh.url))
        expect(await dataDump(database.url)).toEqual(await dataDump(fresh.url))
      } finally {
        await sql.end()
        await database.drop()
        rmSync(folder, { recursive: true })
      }
    },
    120_000,
  )
})

/** The folder `sql` of a release, for the caller to remove. */
async function sqlOf(release: Release): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-release-'))
  const archive = join(folder, 'sql.tar')
  await gitOfRelease(release, ['archive', `--output=${archive}`, `${release.commit}:sql`])
  const tar = Bun.spawn(['tar', '-xf', archive, '-C', folder])
  expect(await tar.exited).toBe(0)
  rmSync(archive)
  return folder
}

describe('a baseline', () => {
  const [steps, short] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'hearth-baseline-'))) as [string, string]
  const [first, second] = ['create table first (n integer);', 'create table second (n integer);']
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>
  let sql: Sql

  beforeAll(async () => {
    for (const folder of [steps, short])
      for (const kind of ['migrations', 'functions']) mkdirSync(join(folder, kind), { recursive: true })
    writeFileSync(join(steps, 'migrations/0001_first.sql'), first)
    writeFileSync(join(steps, 'migrations/0002_second.sql'), second)
    writeFileSync(join(short, 'migrations/0002_both.sql'), `${first} ${second}`)
    writeFileSync(
      join(short, 'migrations/0002_both.sha256'),
      `${checksumOf(first)}  0001_first.sql\n${checksumOf(second)}  0002_second.sql\n`,
    )
    database = await createEmptyDatabase()
    sql = testSql(database.url, 1)
  })
  afterAll(async () => {
    await sql.end()
    await database.drop()
    for (const folder of [steps, short]) rmSync(folder, { recursive: true })
  })
  const older = { folder: steps, version: '1.0.0' }
  const newer = { folder: short, version: '1.1.0' }
  const empty = () => sql`drop table if exists first, second, schema_files`

  test('makes a new database, on which the release before has nothing to apply', async () => {
    await empty()
    expect((await migrate(sql, newer)).applied).toEqual(['migrations/0002_both.sql'])
    expect((await migrate(sql, newer)).applied).toEqual([])
    expect((await migrate(sql, older)).applied).toEqual([])
  })

  test('is not applied to a database that has its steps, but recorded', async () => {
    await empty()
    await migrate(sql, older)
    const steps = await sql`select * from schema_files`
    expect(await planMigration(sql, short, newer.version)).toEqual(['The database is up to date.'])
    expect((await migrate(sql, newer)).applied).toEqual([])
    expect(await sql`select * from schema_files where name <> 'migrations/0002_both.sql'`).toEqual(steps)
    expect((await migrate(sql, older)).applied).toEqual([])
  })

  test('is refused for a database that has only some of its steps', async () => {
    await empty()
    await migrate(sql, older)
    await sql`drop table second`
    await sql`delete from schema_files where name = 'migrations/0002_second.sql'`
    const refusal =
      'This database has 1 of the 2 migrations that migrations/0002_both.sql replaces. Run `hearth migrate` of release 0.2.0 first.'
    expect(await migrate(sql, newer).catch(String)).toBe(`MigrationChanged: ${refusal}`)
    expect(await planMigration(sql, short, newer.version).catch(String)).toBe(`MigrationChanged: ${refusal}`)
    expect(await sql`select name from schema_files`).toMatchObject([{ name: 'migrations/0001_first.sql' }])
  })

  test('is refused for a database with a step that was edited', async () => {
    await empty()
    await migrate(sql, older)
    await sql`update schema_files set checksum = 'other' where name = 'migrations/0001_first.sql'`
    expect(await migrate(sql, newer).catch(String)).toContain('migrations/0001_first.sql has changed')
  })
})
