// Operators import pros by upload: a dry run first, then the import with its numbers, in a worker that may die at any moment.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { IMPORT } from '../../../../src/features/business/uploaded-imports/states.ts'
import { readNextImport } from '../../../../src/features/business/uploaded-imports/verbs/run.ts'
import { removeOutdated } from '../../../../src/features/business/uploaded-imports/verbs/uploads.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { HEAD } from '../../../support/pro-imports.ts'
import { IMPORT_PAGE, openUploads } from '../../../support/uploaded-imports.ts'
import { createTestUser, loggedInVisitor, visitorFromNewAddress } from '../../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
const sql = await opened(testSql(app.databaseUrl, 2), 'end')
await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
const operator = visitorFromNewAddress(app)
const email = await createTestUser(app, 'operator')
await operator.logIn(email)
const { ctx, send, checked } = openUploads(app, operator)

const DAY_MS = 86_400_000
let made = 0
const line = (id: string, { name = 'Oak Works', services = 'plumber: 95/hour' } = {}) =>
  `${id},${name},${id}@import.example,Columbus OH,${services}`
/** A file of pros with new ids. */
const fileOf = (pros: number) => {
  const ids = Array.from({ length: pros }, () => `up-${++made}`)
  return { ids, content: `${HEAD}\n${ids.map((id) => line(id)).join('\n')}\n` }
}
const prosOf = async (ids: string[]) =>
  (await sql<{ n: number }[]>`select count(*)::int as n from professionals where external_id = any (${ids})`)[0]?.n
const rowOf = async (id: string) =>
  (
    await sql<{ status: string; counts: { created: number; unchanged: number } | null; next: string | null }[]>`
      select status, counts, next_at::text as next from pro_imports where id = ${id}`
  )[0]
const startedActs = async (id: string) =>
  await sql<{ by: string; details: Record<string, unknown> }[]>`
  select u.email as by, a.details from operator_actions a join users u on u.id = a.by_user_id
  where a.action = 'import.started' and a.subject_id = ${id}`

test('a file is checked first, imported by the button with its numbers, and stands in the log and among the former imports', async () => {
  expect((await operator.get('/console/verification')).text).toContain(`href="${IMPORT_PAGE}"`)
  expect((await operator.get('/console/pros/new')).text).toContain(`href="${IMPORT_PAGE}"`)
  const { ids, content } = fileOf(3)
  const sent = await send(`${content}${line('up-bad', { services: 'unicorn taming' })}\n`, ['invitePerMinute', '30'])
  expect([sent.status, sent.location.startsWith('/console/pros/import/')]).toEqual([303, true])
  const page = sent.location
  const id = page.slice(-36)
  expect((await operator.get(page)).text).toContain('hx-trigger="every 2s"')

  expect(await readNextImport(ctx)).toBe('checked')
  const preview = (await operator.get(page)).text
  expect(preview).toContain('Import: create 3</button>')
  expect(preview).toContain('Nothing was written yet.')
  expect(preview).toMatch(/data-column="Line"[^>]*>5<.*data-column="Column"[^>]*>services</s)
  expect(preview).not.toContain('every 2s')
  expect(await prosOf(ids)).toBe(0)

  const refused = await operator.get(`${page}/refused`)
  expect(refused.headers.get('content-disposition')).toBe('attachment; filename="refused.csv"')
  expect(refused.text.split('\r\n')).toEqual([
    `${HEAD},import_line,import_errors`,
    expect.stringMatching(/^up-bad,.*,5,"services has the service/),
    '',
  ])

  expect((await operator.post(page)).status).toBe(303)
  expect((await operator.get(page)).text).toContain('The import has begun.')
  expect(await readNextImport(ctx)).toBe('done')
  expect(await prosOf(ids)).toBe(3)
  const done = (await operator.get(page)).text
  for (const said of ['The file is imported.', '3 invitations will be sent.', email]) expect(done).toContain(said)
  expect(await startedActs(id)).toMatchObject([
    {
      by: email,
      details: {
        name: 'pros of may.csv',
        options: { pausesMissing: false, status: 'active', invitesPerMinute: 30 },
        counts: { created: 3, refused: 1 },
      },
    },
  ])
  const former = (await operator.get(IMPORT_PAGE)).text
  for (const said of ['pros of may.csv', 'Imported', email, `href="${page}"`]) expect(former).toContain(said)
  const log = (await operator.get('/console/log?kind=import')).text
  expect(log).toContain('Import of pros started')
  expect(log).toContain(`href="${page}"`)
})

test('the options of the form hold: new pros are paused, and pros who are gone are paused', async () => {
  const { ids, content } = fileOf(2)
  const first = await checked(content, ['paused', 'on'])
  await operator.post(first.page)
  expect(await readNextImport(ctx)).toBe('done')
  const statusOf = async (id: string) =>
    (await sql<{ status: string }[]>`select status from professionals where external_id = ${id}`)[0]?.status
  expect(await Promise.all(ids.map(statusOf))).toEqual(['paused', 'paused'])
  await sql`update professionals set status = 'active', active = true where external_id = any (${ids})`
  const [kept = '', gone = ''] = ids
  const second = await checked(`${HEAD}\n${line(kept, { name: 'Elm Works' })}\n`, ['pausesMissing', 'on'])
  expect(second.text).toMatch(/Import: change 1, pause \d+<\/button>/)
  expect(await statusOf(gone)).toBe('active')
  await operator.post(second.page)
  expect(await readNextImport(ctx)).toBe('done')
  expect([await statusOf(kept), await statusOf(gone)]).toEqual(['active', 'paused'])
})

test('the button that is pressed twice starts one import', async () => {
  const { ids, content } = fileOf(2)
  const { page, id } = await checked(content)
  const pressed = await Promise.all([operator.post(page), operator.post(page)])
  expect(pressed.map(({ status }) => status)).toEqual([303, 303])
  expect(await readNextImport(ctx)).toBe('done')
  expect((await operator.post(page)).status).toBe(303)
  expect(await readNextImport(ctx)).toBeUndefined()
  expect([await prosOf(ids), (await startedActs(id)).length]).toEqual([2, 1])
})

test('one file is read at a time: the second one waits, says so, and comes next', async () => {
  const first = await send(fileOf(1).content)
  const second = await send(fileOf(1).content)
  const claim = crypto.randomUUID()
  await sql`update pro_imports set claim = ${claim}, next_at = now() + interval '1 minute' where id = ${first.location.slice(-36)}`
  expect(await readNextImport(ctx)).toBeUndefined()
  expect((await operator.get(second.location)).text).toContain('Another file is read at the moment.')
  expect((await operator.get(first.location)).text).not.toContain('Another file')
  expect(
    await sql`update pro_imports set claim = ${claim} where id = ${second.location.slice(-36)}`.then(
      () => 'changed',
      (error: Error) => error.message,
    ),
  ).toContain('pro_imports_claimed')
  await sql`update pro_imports set next_at = '2000-01-01' where claim is not null`
  expect([await readNextImport(ctx), await readNextImport(ctx)]).toEqual(['checked', 'checked'])
})

test('another process goes on after a crash, and the counts are those of the whole import', async () => {
  const { ids, content } = fileOf(600)
  const { page, id } = await checked(content)
  await operator.post(page)
  // The process dies in the third of its transactions; two parts are written.
  let parts = 0
  const dying = ctxOf({
    ...app.deps,
    write: {
      ...app.deps.write,
      begin: (name, work) => {
        if (name === 'importPros' && ++parts === 3) throw new Error('The process dies here.')
        return app.deps.write.begin(name, work)
      },
    },
  })
  expect(await readNextImport(dying).catch((error: Error) => error.message)).toBe('The process dies here.')
  expect(await prosOf(ids)).toBe(500)
  expect(await rowOf(id)).toMatchObject({ status: 'running', counts: { created: 500 } })
  expect((await operator.get(page)).text).toContain('Imported 500 of 600 lines so far.')
  await sql`update pro_imports set next_at = '2000-01-01' where id = ${id}`
  expect(await readNextImport(ctx)).toBe('done')
  expect(await rowOf(id)).toMatchObject({ status: 'done', counts: { created: 600, unchanged: 0 } })
  expect(await prosOf(ids)).toBe(600)
})

test('a process whose claim has ended writes nothing more', async () => {
  const { ids, content } = fileOf(300)
  const { page, id } = await checked(content)
  await operator.post(page)
  let parts = 0
  const slow = ctxOf({
    ...app.deps,
    write: {
      ...app.deps.write,
      begin: async (name, work) => {
        if (name === 'importPros' && ++parts === 2)
          await sql`update pro_imports set claim = ${crypto.randomUUID()} where id = ${id}`
        return await app.deps.write.begin(name, work)
      },
    },
  })
  expect(await readNextImport(slow)).toBe('taken over')
  expect(await prosOf(ids)).toBe(250)
  await sql`update pro_imports set next_at = '2000-01-01' where id = ${id}`
  expect(await readNextImport(ctx)).toBe('done')
  expect(await rowOf(id)).toMatchObject({ counts: { created: 300, unchanged: 0 } })
})

test('a process that stops leaves the file to the next one at once, and this counts as no crash', async () => {
  const { ids, content } = fileOf(1)
  const { page, id } = await checked(content)
  await operator.post(page)
  for (let time = 0; time < 6; time++)
    expect(await readNextImport(ctx, { signal: AbortSignal.abort(new Error('It stops.')) })).toBe('postponed')
  expect(await prosOf(ids)).toBe(0)
  expect(await readNextImport(ctx)).toBe('done')
  expect(await rowOf(id)).toMatchObject({ counts: { created: 1 } })
})

test('a file that takes down each process is given up, and the page says so', async () => {
  const { location } = await send(fileOf(1).content)
  await sql`update pro_imports set claims = 4 where id = ${location.slice(-36)}`
  expect(await readNextImport(ctx)).toBe('failed')
  expect((await operator.get(location)).text).toContain('did not come to its end')
})

test('the files are removed after a day, the numbers stay, and a file that is gone is not imported', async () => {
  const { ids, content } = fileOf(1)
  const { page, id, text } = await checked(`${content}bad,,,,\n`)
  expect(text).toContain(`${page}/refused`)
  const later = ctxOf({ ...app.deps, clock: { now: () => new Date(Date.now() + DAY_MS + 60_000) } })
  while ((await removeOutdated(later, { limit: 5 })) > 0);
  expect(await app.deps.storage.get(`imports/${id}`)).toBeUndefined()
  expect(await app.deps.storage.get(`imports/${id}-refused`)).toBeUndefined()
  const after = (await operator.get(page)).text
  expect(after).toContain('The file was removed a day after it was checked.')
  expect(after).not.toContain(`${page}/refused`)
  expect((await operator.get(`${page}/refused`)).status).toBe(404)
  await operator.post(page)
  expect((await operator.get(page)).text).toContain('Upload it again.')
  expect([await prosOf(ids), (await rowOf(id))?.status]).toEqual([0, 'checked'])
})

test('the file of an import that waits or is read stays, whatever its age', async () => {
  const { ids, content } = fileOf(1)
  const { page } = await checked(content)
  await operator.post(page)
  const later = ctxOf({ ...app.deps, clock: { now: () => new Date(Date.now() + 3 * DAY_MS) } })
  await removeOutdated(later, { limit: 100 })
  expect(await readNextImport(ctx)).toBe('done')
  expect(await prosOf(ids)).toBe(1)
})

test('a process whose claim has ended says nothing of the file', async () => {
  const { location } = await send(`${HEAD}\n${line('late', { services: 'unicorn taming' })}\n`)
  const id = location.slice(-36)
  const { storage } = app.deps
  const slow = ctxOf({
    ...app.deps,
    storage: Object.assign(Object.create(storage) as typeof storage, {
      put: async (...stored: Parameters<typeof storage.put>) => {
        await sql`update pro_imports set claim = ${crypto.randomUUID()} where id = ${id}`
        await storage.put(...stored)
      },
    }),
  })
  await readNextImport(slow)
  expect(await rowOf(id)).toMatchObject({ status: 'uploaded' })
  await sql`update pro_imports set next_at = '2000-01-01' where id = ${id}`
  expect(await readNextImport(ctx)).toBe('checked')
})

test('a form with another mistake keeps the file that it sent; one that is never sent leaves no row', async () => {
  const { ids, content } = fileOf(1)
  const refused = await send(content, ['invitePerMinute', 'many'], ['paused', 'on'])
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('pros of may.csv is uploaded')
  const file = /name="file" value="([\w-]{36})"/.exec(refused.text)?.[1] ?? ''
  const again = await send(new Uint8Array(), ['file', file], ['invitePerMinute', ''])
  expect([again.status, again.location]).toEqual([303, `${IMPORT_PAGE}/${file}`])
  expect(await readNextImport(ctx)).toBe('checked')
  expect(await prosOf(ids)).toBe(0)

  // Another operator has no use of the file that this one sent.
  const other = visitorFromNewAddress(app)
  await other.logIn(await createTestUser(app, 'operator'))
  const own = /name="file" value="([\w-]{36})"/.exec((await send(content, ['invitePerMinute', '0'])).text)?.[1] ?? ''
  expect((await openUploads(app, other).send(new Uint8Array(), ['file', own])).status).toBe(400)

  const later = ctxOf({ ...app.deps, clock: { now: () => new Date(Date.now() + 2 * DAY_MS) } })
  expect(await removeOutdated(later, { limit: 100 })).toBeGreaterThan(0)
  expect(await sql`select from pro_imports where status = 'uploading'`).toHaveLength(0)
})

test('the database allows the changes of state that the table allows, and no other', async () => {
  const rows = await sql<{ from: string; to: string }[]>`
    select from_state as "from", to_state as "to" from state_transitions where aggregate = 'import' and from_state <> ''`
  const allowed = Object.entries(IMPORT).flatMap(([from, actions]) =>
    Object.values(actions).map((to) => `${from} ${to}`),
  )
  expect(rows.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(allowed.toSorted())
})

test('operators without the area, pros and visitors neither see imports nor send files', async () => {
  const { page } = await checked(fileOf(1).content)
  const finance = visitorFromNewAddress(app)
  await finance.logIn(await createTestUser(app, 'operator', { operatorRole: 'finance' }))
  const developer = await loggedInVisitor(app, 'developer', { account: 'imports@test.example' })
  for (const visitor of [finance, developer])
    for (const path of [IMPORT_PAGE, page, `${page}/refused`])
      expect([path, (await visitor.get(path)).status]).toEqual([path, 403])
  expect((await finance.post(page)).status).toBe(403)
  expect((await finance.get('/console/verification')).text).not.toContain(IMPORT_PAGE)
  expect((await visitorFromNewAddress(app).get(page)).status).toBe(303)
})
