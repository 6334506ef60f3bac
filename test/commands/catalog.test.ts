// The catalog as a file: what is exported can be imported, changes come line by line, and a second import changes nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'bun:test'

import type { CatalogFile } from '../../src/features/catalog/entries/rules/catalog-file.ts'
import { seed } from '../../src/local/seed/seed.ts'
import { openTestApp } from '../support/app.ts'
import { SEEDED_AT, testSql } from '../support/database.ts'
import { opened } from '../support/fixture.ts'
import { testRedisUrl } from '../support/stores.ts'

const app = await opened(openTestApp('migrated'))
const sql = await opened(testSql(app.databaseUrl, 2), 'end')
await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
const folder = mkdtempSync(join(tmpdir(), 'hearth-catalog-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...words: string[]) {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'catalog', ...words], {
    env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, lines: said.trim().split('\n'), said, complained }
}
function fileOf(content: unknown): string {
  const path = join(folder, `${crypto.randomUUID()}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const exported = async () => JSON.parse((await run('export')).said) as CatalogFile
const stored = () => sql`select to_jsonb(s) as row from services s order by id`

test('an export has every entry with its id, and importing it changes nothing', async () => {
  const file = await exported()
  const services = file.categories.flatMap((category) => category.services ?? [])
  expect(services.map(({ id }) => id ?? '').toSorted()).toEqual(
    (await sql<{ id: string }[]>`select id from services order by id`).map(({ id }) => id),
  )
  expect((await run('import', fileOf(file))).lines).toEqual(['0 entries added, 0 changed.'])
})

test('an import adds, renames, orders and retires; a dry run only says so, and a second import changes nothing', async () => {
  const asked = [
    { question: 'How deep is it?', required: true },
    { question: 'Of what kind?', choices: ['Dug', 'Drilled'] },
  ]
  const file = await exported()
  const [plumbing, ...others] = file.categories
  const [plumber, second, ...rest] = plumbing?.services ?? []
  const changed = {
    categories: [
      {
        ...plumbing,
        services: [
          second,
          { ...plumber, name: 'Pipe fitter', slug: 'pipe-fitter' },
          { slug: 'well-pumps', name: 'Well pumps', synonyms: ['pump'], durationMinutes: 120, questions: asked },
          ...rest.map((service) => ({ ...service, active: false })),
        ],
      },
      ...others,
      {
        slug: 'pet-care',
        name: 'Pet care',
        services: [{ slug: 'dog-walking', name: 'Dog walking', priceType: 'hourly' }],
      },
    ],
  }
  const path = fileOf(changed)
  const before = await stored()
  const dry = await run('import', path, '--dry-run')
  expect([dry.code, dry.complained]).toEqual([0, ''])
  expect(dry.lines).toContain('+ service Well pumps')
  expect(dry.lines).toContain('+ category Pet care')
  expect(dry.lines).toContain(
    '~ service Pipe fitter: name "Plumber" → "Pipe fitter", slug "plumber" → "pipe-fitter", place 1 → 2',
  )
  expect(dry.lines.at(-1)).toEndWith('Nothing was written: this is a dry run.')
  expect(await stored()).toEqual(before)

  const real = await run('import', path)
  expect(real.lines.slice(0, -1)).toEqual(dry.lines.slice(0, -1))
  const after = await exported()
  const [first] = after.categories
  expect(first?.services?.slice(0, 3).map(({ slug }) => slug)).toEqual([
    second?.slug ?? '',
    'pipe-fitter',
    'well-pumps',
  ])
  expect(first?.services?.[2]?.questions).toEqual([
    { question: 'How deep is it?', required: true, choices: [] },
    { question: 'Of what kind?', required: false, choices: ['Dug', 'Drilled'] },
  ])
  expect(first?.services?.slice(3).every(({ active }) => active === false)).toBe(true)
  expect(after.categories.at(-1)?.services).toMatchObject([{ slug: 'dog-walking', priceType: 'hourly', unit: 'hour' }])
  expect((await run('import', path)).lines).toEqual(['0 entries added, 0 changed.'])
  expect(await sql`select from operator_actions where action = 'service.added'`).toHaveLength(2)
}, 60_000)

test('what a file leaves out stays, and nothing is deleted', async () => {
  const before = await stored()
  expect((await run('import', fileOf({ categories: [] }))).code).toBe(0)
  expect((await run('import', fileOf({ categories: [{ slug: 'pet-care', name: 'Pet care' }] }))).code).toBe(0)
  expect(await stored()).toEqual(before)
})

test('a file that cannot be read is refused with its line or its fields, and changes nothing', async () => {
  const before = await stored()
  const pets = (service: object) => ({ categories: [{ slug: 'pet-care', name: 'Pet care', services: [service] }] })
  const walks = { slug: 'walks', name: 'Walks' }
  for (const [content, message] of [
    ['{\n  "categories": [\n    }\n}', 'line 3'],
    [pets({ slug: 'walks' }), 'categories.0.services.0.name'],
    [pets({ ...walks, questions: [{ question: 'Why? *' }] }), 'categories.0.services.0.questions must have no'],
    [pets({ ...walks, minutes: 60 }), 'categories.0.services.0.minutes'],
    [pets({ ...walks, durationMinutes: 17 }), 'categories.0.services.0.durationMinutes'],
    [pets({ ...walks, slug: 'pipe-fitter', id: crypto.randomUUID() }), 'categories.0.services.0.slug'],
    [pets({ ...walks, slug: 'plumber' }), 'categories.0.services.0.slug was the slug of'],
    [
      { categories: [...pets(walks).categories, ...pets(walks).categories] },
      'categories.1 is the entry of categories.0',
    ],
    [{ categories: [{ slug: 'pet-care', name: 'Pet care', active: false }] }, 'categories.0.active'],
  ] as const) {
    const { code, complained } = await run('import', fileOf(content))
    expect([message, code, complained]).toEqual([message, 1, expect.stringContaining(message)])
  }
  expect((await run('import', join(folder, 'missing.json'))).complained).toContain('cannot be read')
  expect(await stored()).toEqual(before)
}, 60_000)

test('a merge of services or categories says when it is complete, and names what is unknown', async () => {
  const [one, other] = await sql<{ id: string; slug: string }[]>`
    select id, slug from services where active order by ordinal desc limit 2`
  const [slug, into] = [one?.slug ?? '', other?.slug ?? '']
  const merged = await run('merge', slug, into)
  expect([merged.code, merged.lines, merged.complained]).toEqual([0, [`Merged ${slug} into ${into}.`], ''])
  const [row] = await sql`select active, merged_into from services where slug = ${slug}`
  expect(row).toEqual({ active: false, mergedInto: other?.id ?? '' })
  const unknown = await run('merge', into, 'no-such-service')
  expect([unknown.code, unknown.complained]).toEqual([1, expect.stringContaining('no service no-such-service')])
}, 60_000)

test('the starter set is added by command, whole or in part, and lines come from a file or standard input', async () => {
  const other = await opened(openTestApp('migrated'))
  const inOther = async (input: string, ...words: string[]) => {
    const child = Bun.spawn([process.execPath, 'src/cli.ts', 'catalog', ...words], {
      env: { ...process.env, DATABASE_URL: other.databaseUrl, REDIS_URL: testRedisUrl },
      stdin: new Blob([input]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text()])
    return { code: await child.exited, lines: said.trim().split('\n'), complained }
  }
  const some = ['starter', '--only', 'plumber, cleaning'] as const
  const dry = await inOther('', ...some, '--dry-run')
  expect(dry.lines.at(-1)).toEndWith('Nothing was written: this is a dry run.')
  expect(await other.sql`select from services`).toHaveLength(0)
  expect((await inOther('', ...some)).lines).toEqual(
    expect.arrayContaining(['+ category Plumbing', '+ service Plumber']),
  )
  expect((await inOther('', ...some)).lines).toEqual(['0 entries added, 0 changed.'])
  expect((await inOther('', 'starter')).lines.at(-1)).toMatch(/^\d+ entries added, 0 changed\.$/)
  expect(await other.sql`select from services`).toHaveLength(120)
  const wrong = await inOther('', 'starter', '--only', 'plumbing,juggling')
  expect([wrong.code, wrong.complained]).toEqual([
    1,
    expect.stringContaining('--only must be slugs of the starter set. “juggling”'),
  ])

  const lines = 'Koi pond care | flat | 90\nGoat yoga | hourly'
  const added = await inOther(lines, 'add', '-', '--category', 'landscaping')
  expect(added.lines).toEqual(['+ service Koi pond care', '+ service Goat yoga', '2 entries added, 0 changed.'])
  expect((await inOther('', 'add', fileOf(lines), '--category', 'landscaping')).lines).toEqual([
    '0 entries added, 0 changed.',
  ])
  const refused = await inOther('Yoga | free\n\nYoga two | flat | 17', 'add', '-', '--category', 'landscaping')
  expect([refused.code, refused.complained]).toEqual([
    1,
    expect.stringMatching(/Nothing was added:\n {2}line 1 has the price/),
  ])
  const unknown = await inOther(lines, 'add', '-', '--category', 'juggling')
  expect(unknown.complained).toContain('The catalog has no category juggling. It has: plumbing, electrical')
  expect((await inOther('', 'add', join(folder, 'missing.txt'), '--category', 'landscaping')).complained).toContain(
    'cannot be read',
  )
}, 120_000)
