// Files that no import can read, or that mean harm, are refused by line or as a whole, with words, and in bounded memory.
import { expect, test } from 'bun:test'

import { readNextImport } from '../../../../src/features/business/uploaded-imports/verbs/run.ts'
import { MAX_IMPORT_BYTES } from '../../../../src/features/business/uploaded-imports/schemas.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { HEAD } from '../../../support/pro-imports.ts'
import { IMPORT_PAGE, openUploads } from '../../../support/uploaded-imports.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
const sql = await opened(testSql(app.databaseUrl, 2), 'end')
await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
const operator = await loggedInVisitor(app, 'operator')
const { ctx, send, checked } = openUploads(app, operator)
const countRows = async () => (await sql<{ n: number }[]>`select count(*)::int as n from pro_imports`)[0]?.n

const WHOLE: readonly (readonly [string, string | Uint8Array, string])[] = [
  ['in UTF-16', Buffer.from(`\ufeff${HEAD}\n`, 'utf16le'), 'The file is UTF-16: save it as CSV in UTF-8.'],
  [
    'with 10,000 columns',
    `${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')}\n`,
    'The file has 10000 columns: it may have up to 200.',
  ],
  ['without the column of ids', 'business,email\nOak,oak@x.example\n', 'The file has no column external_id'],
  ['with names only', `${HEAD}\n`, 'The file has no line of a pro.'],
  ['without a line end', 'x'.repeat(2_000_000), 'The file has more than 65536 characters in line 1'],
  ['that is a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'The file has no column external_id'],
  ['with a column twice whose name is a script', '<b>,<b>\n', 'The file has the column &lt;b> twice'],
]

test.each(WHOLE)('a file %s is refused as a whole', async (_, content, said) => {
  const { outcome, text } = await checked(content)
  expect(outcome).toBe('failed')
  expect(text).toContain(said)
  expect(text).not.toContain('Import: ')
})

test('lines in another encoding, with NUL, with formulas and with unknown names are refused or kept by line', async () => {
  const lines = [
    `${HEAD},=cmd|' /C calc'!A0`,
    'h1,Caf\u00e9,h1@x.example,43215,,',
    'h2,O\0ak,h2@x.example,43215,,',
    '"=HYPERLINK(1)",Oak,nowhere,43215,,',
    'h4,Elm,h4@import.example,Columbus OH,,',
  ]
  const { outcome, page, text } = await checked(Buffer.from(`${lines.join('\n')}\n`, 'latin1'))
  expect(outcome).toBe('checked')
  expect(text).toContain('Import: create 1</button>')
  for (const said of [
    'characters that are not UTF-8',
    'a character that no text has (NUL)',
    'Columns that were not understood',
  ])
    expect(text).toContain(said)
  const refused = await operator.get(`${page}/refused`)
  expect(refused.text).toContain("'=HYPERLINK(1)")
  await operator.post(page)
  expect(await readNextImport(ctx)).toBe('done')
  expect(await sql`select from professionals where external_id = 'h4'`).toHaveLength(1)
})

test('JSON lines with very long and malformed names are refused by line', async () => {
  const content = [
    `{"id":"j1","${'x'.repeat(60_000)}":"1","business":"Oak","email":"no","place":"43215"}`,
    '{"id":"j2","\\ud800":"1","id ":"j3","business":"Elm"}',
    '[1]',
  ].join('\n')
  const { outcome, page, text } = await checked(content)
  expect(outcome).toBe('checked')
  expect(text).toContain('is not an object of JSON')
  expect(text.length).toBeLessThan(20_000)
  const refused = await operator.get(`${page}/refused`)
  expect(refused.headers.get('content-type')).toBe('application/jsonl')
  expect(refused.text.trim().split('\n')).toHaveLength(3)
})

test('a file whose last quotation mark is never closed is read up to it', async () => {
  const { text } = await checked(`${HEAD}\nq1,Oak,q1@import.example,Columbus OH,\n"${'y,'.repeat(60_000)}`)
  expect(text).toContain('The file was not read from line')
})

test('a file of one byte more than 50 MB is refused with the way for larger ones, and is not kept', async () => {
  const before = await countRows()
  const large = new Uint8Array(MAX_IMPORT_BYTES + 1).fill(0x61)
  const { status, text } = await send(large, ['paused', 'on'])
  expect(status).toBe(400)
  expect(text).toContain('Is larger than 50 MB: import it on the server by the command “hearth pros import”.')
  expect(text).toMatch(/name="paused"[^>]* checked/)
  expect(await countRows()).toBe(before)
})

test('a file that is far too large is refused before it is read', async () => {
  const request = new Request(`${app.deps.config.baseUrl}${IMPORT_PAGE}`, {
    method: 'POST',
    body: 'x',
    headers: {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': '2000000000',
      'sec-fetch-site': 'same-origin',
      cookie: Array.from(operator.cookies, ([name, value]) => `${name}=${value}`).join('; '),
    },
  })
  const response = await app.app.handle(request)
  expect([response.status, (await response.text()).includes('Is larger than 50 MB')]).toEqual([400, true])
})

test('many refused lines are stored as they come, and the page shows the first', async () => {
  const bad = Array.from({ length: 60_000 }, (_, at) => `m${at},Oak,nowhere,43215,`)
  const content = Buffer.from(`${HEAD}\n${bad.join('\n')}\n`)
  Bun.gc(true)
  const before = process.memoryUsage().rss
  const { outcome, page, text } = await checked(content)
  expect(outcome).toBe('checked')
  expect(text).toContain('Download 60,000 refused lines')
  expect(text).toContain('The first 20 lines')
  expect((await operator.get(`${page}/refused`)).text.split('\r\n')).toHaveLength(60_002)
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
})

test('an empty file, none, and a foreign form are refused', async () => {
  const before = await countRows()
  expect(await send(new Uint8Array())).toMatchObject({ status: 400, text: expect.stringContaining('Choose a file.') })
  const two = await send('a', ['file', Buffer.from('b'), 'other.csv'])
  expect(two).toMatchObject({ status: 400, text: expect.stringContaining('Choose one file.') })
  expect((await operator.postRaw(IMPORT_PAGE, { csrf: 'of another site' })).status).toBe(403)
  await sql`delete from pro_imports where status = 'uploading'`
  expect(await countRows()).toBe(before)
})
