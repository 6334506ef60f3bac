// What a client can rely on when it uploads a file: what was answered 202 becomes ready or is refused with a reason.
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'

import type { File } from '../../../../src/features/files/files/schemas.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openBookingFixture } from '../../../support/booking-fixture.ts'
import { countLockWaits } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { passivePdf } from '../../../support/hostile-documents.ts'
import { goodPictures, pixels } from '../../../support/hostile-files.ts'
import { decodeAll, formOf, ready, somePicture, upload, uploaded } from '../../../support/uploads.ts'

const world = await opened(openBookingFixture())
const { app } = world
const pro = await world.pro()
const server = await app.key(['rfqs:write', 'reviews:write'], 'integrator@test.example')

const problem = async (answer: Response) => {
  const { code, detail } = (await answer.json()) as { code: string; detail: string }
  return { status: answer.status, code, detail }
}
/** The first upload makes the folder. */
const stored = () =>
  (existsSync(app.deps.config.files.folder)
    ? readdirSync(app.deps.config.files.folder, { recursive: true, withFileTypes: true })
    : []
  )
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
/** What is not decoded yet. */
const originals = () => stored().filter((name) => !name.includes('.'))
const pathOf = (url: string) => url.slice(app.deps.config.baseUrl.length)

test('an upload is answered 202 with its address, and is ready once it is decoded', async () => {
  const answer = await upload(app, { key: pro.key })
  expect(answer.status).toBe(202)
  const file = (await answer.json()) as File
  expect(answer.headers.get('location')).toBe(`/api/v1/files/${file.id}`)
  expect(file).toMatchObject({ state: 'received', reason: null, type: null, sizes: [] })
  expect((await app.send(pathOf(file.url))).status).toBe(404)
  expect(await decodeAll(app)).toEqual(['ready'])
  const found = (await (await app.send(`/api/v1/files/${file.id}`, { key: pro.key })).json()) as File
  expect(found).toMatchObject({ id: file.id, state: 'ready', type: 'image/jpeg', url: file.url, width: 64 })
  expect(found.placeholder).toStartWith('data:image/webp;base64,')
  expect(found.sizes.map(({ size }) => size)).toEqual(['small', 'medium', 'large'])
  // The original is gone.
  expect(originals()).toEqual([])
})

test.each(['jpeg', 'png', 'webp', 'avif'] as const)('a %s is served in each size and format', async (format) => {
  const file = await ready(app, { key: pro.key, bytes: (await goodPictures())[format] })
  expect(file.type).toBe(`image/${format}`)
  for (const { avif, webp } of file.sizes)
    for (const [url, type] of [
      [avif, 'image/avif'],
      [webp, 'image/webp'],
    ] as const) {
      const answer = await app.app.handle(new Request(url))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect((await answer.bytes()).byteLength).toBe(Number(answer.headers.get('content-length')))
    }
})

test('nothing that the sender calls the file is in its address or in the storage', async () => {
  const { url } = await ready(app, { key: pro.key })
  expect(url).toMatch(/\/files\/[A-Za-z0-9_-]{32}-large\.webp$/)
  expect(stored().filter((name) => name.includes('evil'))).toEqual([])
})

test.each([
  ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'svg'],
  ['html', Buffer.from('<!doctype html>'), 'unknown_type'],
  ['pdf', passivePdf(), 'unknown_type'],
  ['nothing', Buffer.alloc(0), 'unknown_type'],
])('%s is received, and refused with a reason', async (_, bytes, reason) => {
  const file = await ready(app, { key: pro.key, bytes })
  expect(file).toMatchObject({ state: 'refused', reason, message: expect.any(String), sizes: [] })
  expect((await app.send(pathOf(file.url))).status).toBe(404)
  expect(originals()).toEqual([])
})

test('a document is taken for a verification', async () => {
  const file = await ready(app, { key: pro.key, purpose: 'verification', bytes: passivePdf() })
  expect(file).toMatchObject({ state: 'ready', type: 'application/pdf', private: true, sizes: [] })
  const answer = await app.app.handle(new Request(file.url))
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, 'attachment'])
  expect(Buffer.from(await answer.bytes())).toEqual(Buffer.from(passivePdf()) as never)
})

describe('a body', () => {
  const send = async (body: FormData | string, type?: string) =>
    await problem(
      await app.send('/api/v1/files', {
        method: 'POST',
        key: pro.key,
        body,
        ...(type ? { headers: { 'content-type': type } } : {}),
      }),
    )
  const BOUNDARY = 'multipart/form-data; boundary=x'
  const part = (name: string, content: string, more = '') =>
    `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
  const filePart = (name = 'file') => part(name, 'content', '; filename="a.jpg"')

  test.each([
    ['without a purpose', formOf({}), undefined, 'validation_failed'],
    ['with an unknown purpose', formOf({ purpose: 'avatar' }), undefined, 'validation_failed'],
    ['without a file', `${part('purpose', 'pro_logo')}--x--`, BOUNDARY, 'validation_failed'],
    ['with two files', `${part('purpose', 'pro_logo')}${filePart()}${filePart()}--x--`, BOUNDARY, 'validation_failed'],
    ['with another file', `${part('purpose', 'pro_logo')}${filePart('other')}--x--`, BOUNDARY, 'validation_failed'],
    [
      'with an unknown field',
      `${part('purpose', 'pro_logo')}${part('name', 'x')}${filePart()}--x--`,
      BOUNDARY,
      'validation_failed',
    ],
    [
      'with the purpose twice',
      `${part('purpose', 'pro_logo')}${part('purpose', 'review')}${filePart()}--x--`,
      BOUNDARY,
      'validation_failed',
    ],
    [
      'with the purpose after the file',
      `${filePart()}${part('purpose', 'pro_logo')}--x--`,
      BOUNDARY,
      'validation_failed',
    ],
    ['with a hundred parts', `${part('a', 'b').repeat(100)}--x--`, BOUNDARY, 'validation_failed'],
    ['that is cut off', `${part('purpose', 'pro_logo')}${filePart()}`, BOUNDARY, 'malformed_body'],
    ['that is empty', '', BOUNDARY, 'malformed_body'],
    ['without a boundary', 'x', 'multipart/form-data;', 'malformed_body'],
    [
      'that begins a direct upload',
      '{"purpose":"pro_logo","size":1}',
      'application/json',
      'direct_uploads_not_configured',
    ],
    ['of another type', 'x', 'text/plain', 'unsupported_media_type'],
    ['of the type of a form', 'purpose=pro_logo', 'application/x-www-form-urlencoded', 'unsupported_media_type'],
  ])('%s is refused, and nothing is stored', async (_, body, type, code) => {
    const [before] = await app.sql`select count(*)::int as files from files`
    expect((await send(body, type)).code).toBe(code)
    const [after] = await app.sql`select count(*)::int as files from files`
    expect(after).toEqual(before as never)
    expect(originals()).toEqual([])
  })

  test('of more than 15 MiB is refused, with and without a length', async () => {
    const large = new Uint8Array(15 * 1024 * 1024 + 1)
    expect(await send(formOf({ purpose: 'pro_logo', bytes: large }))).toMatchObject({ status: 413 })
    const chunks = async function* () {
      yield Buffer.from(part('purpose', 'pro_logo') + filePart().replace('content\r\n', ''))
      for (let at = 0; at < 20; at++) yield new Uint8Array(1024 * 1024)
    }
    const endless = new Request(`${app.deps.config.baseUrl}/api/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pro.key}`, 'content-type': BOUNDARY },
      body: chunks() as never,
    })
    expect((await app.app.handle(endless)).status).toBe(413)
    expect(originals()).toEqual([])
  })
})

test('a repeated upload with the same key is the same file, and another file under it is refused', async () => {
  const bytes = await somePicture()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const [first, second] = [
    await uploaded(app, { key: pro.key, bytes, headers }),
    await upload(app, { key: pro.key, bytes, headers }),
  ]
  expect(((await second.json()) as File).id).toBe(first.id)
  expect((await problem(await upload(app, { key: pro.key, headers }))).code).toBe('idempotency_mismatch')
  const [row] = await app.sql`select count(*)::int as files from files where status = 'uploading'`
  expect(row).toEqual({ files: 0 })
})

describe('the scope', () => {
  test.each([
    ['a server key', 'pro_logo', () => server, 403],
    ['a server key', 'verification', () => server, 403],
    ['a server key', 'request', () => server, 202],
    ['a server key', 'review', () => server, 202],
    ['a pro’s key', 'request', () => pro.key, 403],
    ['a pro’s key', 'marketplace', () => pro.key, 403],
    ['a pro’s key', 'job', () => pro.key, 202],
  ])('of %s for %s', async (_, purpose, key, status) => {
    expect((await upload(app, { key: key(), purpose })).status).toBe(status)
  })

  test('pro:write of an account that is no pro uploads nothing of a pro', async () => {
    const key = await app.key(['pro:write'], 'no-pro@test.example')
    expect((await upload(app, { key })).status).toBe(403)
  })
})

describe('the quota', () => {
  test('of a day is 200 files, also of those that are sent at once', async () => {
    const key = await app.key(['reviews:write'], 'many@test.example')
    await uploaded(app, { key, purpose: 'review' })
    await app.sql`
      insert into files (id, name, account_id, purpose, status, private, unused_since, created_at)
      select gen_random_uuid(), 'many-' || n, f.account_id, 'review', 'uploading', true, f.created_at, f.created_at
      from files f join accounts a on a.id = f.account_id and a.email = 'many@test.example', generate_series(1, 194) n`
    const first = await app.sql.reserve()
    await first`begin`
    await first`
      select pg_advisory_xact_lock(hashtextextended('files:' || id, 0)) from accounts where email = 'many@test.example'`
    const sent = Array.from({ length: 10 }, () => upload(app, { key, purpose: 'review' }))
    const haveMet = await waitUntil(async () => (await countLockWaits(app.sql)) > 1, 5000, 5)
    await first`commit`
    first.release()
    expect(haveMet).toBe(true)
    const answers = await Promise.all(sent)
    const statuses = answers.map(({ status }) => status).sort((one, other) => one - other)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 400, 400, 400, 400, 400])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused && (await problem(refused)).code).toBe('file_quota_exceeded')
    // Others are not concerned.
    expect((await upload(app, { key: server, purpose: 'review' })).status).toBe(202)
  })
})

test('a picture of an odd size keeps its proportions', async () => {
  const file = await ready(app, { key: pro.key, bytes: await pixels(2000, 3).png().toBuffer() })
  expect([file.width, file.height]).toEqual([2000, 3])
  expect(file.sizes.map(({ width, height }) => `${width}x${height}`)).toEqual(['320x1', '960x2', '1920x3'])
})

test('a process receives so many files at once that their bytes fit into its memory', async () => {
  const ending = Promise.withResolvers<void>()
  const waiting = async function* () {
    yield Buffer.from('--x\r\n')
    await ending.promise
  }
  const sent = Array.from({ length: 20 }, () =>
    app.app.handle(
      new Request(`${app.deps.config.baseUrl}/api/v1/files`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${pro.key}`,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': String(15 * 1024 * 1024),
        },
        body: waiting() as never,
      }),
    ),
  )
  const answered: number[] = []
  const all = sent.map(async (answer) => answered.push((await answer).status))
  expect(await waitUntil(() => answered.length === 3, 5000)).toBe(true)
  expect(answered).toEqual([503, 503, 503])
  ending.resolve()
  await Promise.all(all)
  expect(answered.filter((status) => status === 400).length).toBe(17)
  expect((await upload(app, { key: pro.key })).status).toBe(202)
})
