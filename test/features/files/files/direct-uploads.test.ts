// Uploads into a bucket that do not pass the server: the bucket takes what was announced and nothing else.
import { afterEach, describe, expect, test } from 'bun:test'

import type { File, StartedUpload } from '../../../../src/features/files/files/schemas.ts'
import { openDirectUploads } from '../../../support/direct-uploads.ts'
import { opened } from '../../../support/fixture.ts'
import { decodeAll, somePicture } from '../../../support/uploads.ts'

const uploads = await opened(openDirectUploads())
const { app, clock, sql, s3, owner, begin, begun, send, complete, fileOf, received, sweep } = uploads
const MEBIBYTE = 1024 * 1024

const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code

afterEach(async () => {
  // Each test begins without files, and all signatures of Hearth held.
  await decodeAll(app)
  await sweep()
  expect([received(), s3.refused]).toEqual([[], []])
})

test('a file waits for its content, and is like any other once its sender says that it is there', async () => {
  const bytes = await somePicture()
  const answer = await begin({ purpose: 'pro_gallery', size: bytes.byteLength, contentType: 'image/png' })
  expect(answer.status).toBe(201)
  const started = (await answer.json()) as StartedUpload
  expect(answer.headers.get('location')).toBe(`/api/v1/files/${started.id}`)
  expect(started).toMatchObject({
    state: 'waiting',
    upload: { method: 'PUT', headers: { 'content-type': 'image/png' } },
  })
  expect(Date.parse(started.upload.expiresAt)).toBe(clock.now().getTime() + 10 * 60_000)
  expect((await fileOf(started)).state).toBe('waiting')
  expect(await decodeAll(app)).toEqual([])
  expect(await send(started, bytes)).toBe(200)
  const taken = await complete(started)
  expect([taken.status, ((await taken.json()) as File).state]).toEqual([202, 'received'])
  expect(await decodeAll(app)).toEqual(['ready'])
  // Its type is that of the content.
  expect(await fileOf(started)).toMatchObject({ state: 'ready', type: 'image/jpeg', url: started.url })
  expect((await app.app.handle(new Request(started.url))).status).toBe(200)
  expect(received()).toEqual([])
})

describe('the address', () => {
  test.each<[what: string, change: (request: { url: string; init: RequestInit }, bytes: Uint8Array) => void]>([
    ['more bytes', ({ init }, bytes) => void (init.body = Buffer.concat([bytes, Buffer.from('x')]))],
    ['fewer bytes', ({ init }, bytes) => void (init.body = bytes.subarray(1) as Uint8Array<ArrayBuffer>)],
    ['another type', ({ init }) => void (init.headers = { 'content-type': 'text/html' })],
    ['another method', ({ init }) => void Object.assign(init, { method: 'GET', body: undefined })],
    ['the removal of the content', ({ init }) => void Object.assign(init, { method: 'DELETE', body: undefined })],
    ['another name', (request) => void (request.url = request.url.replace(/received\/./, 'received/_'))],
    ['a longer time', (request) => void (request.url = request.url.replace('Expires=600', 'Expires=6000'))],
    ['an upload in parts', (request) => void (request.url += '&uploads=')],
  ])('takes the announced content, not %s', async (_, change) => {
    const bytes = await somePicture()
    const started = await begun(bytes, { contentType: 'image/jpeg' })
    const { url, method, headers } = started.upload
    const request = { url, init: { method, headers, body: bytes } as RequestInit }
    change(request, bytes)
    expect((await fetch(request.url, request.init)).status).toBe(403)
    expect([received(), s3.refused.splice(0).length]).toEqual([[], 1])
  })

  test('ends after ten minutes', async () => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    clock.advance(10)
    expect(await send(started, bytes)).toBe(200)
    clock.advance(1)
    expect(await send(started, bytes)).toBe(403)
    expect(s3.refused.splice(0).length).toBe(1)
    // What was sent before is taken.
    expect((await complete(started)).status).toBe(202)
  })

  test('holds no secret of the site', async () => {
    expect(JSON.stringify(await begun(await somePicture()))).not.toContain(s3.secretAccessKey)
  })
})

describe('a file whose content is not as announced', () => {
  test.each<[what: string, content: Uint8Array | undefined]>([
    ['is missing', undefined],
    ['has fewer bytes', new Uint8Array(9)],
    ['has more than 15 MiB', new Uint8Array(15 * MEBIBYTE + 1)],
  ])('waits on, where it %s', async (_, content) => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    // A service that does not check the length.
    const [name = ''] = started.upload.url.match(/received\/[\w-]{32}/) ?? []
    if (content) s3.objects.set(name, content)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answer = await complete(started, { headers })
    expect([answer.status, await codeOf(answer)]).toEqual([409, 'upload_incomplete'])
    expect([await decodeAll(app), (await fileOf(started)).state]).toEqual([[], 'waiting'])
    // The refusal is not kept under the key.
    expect([await send(started, bytes), (await complete(started, { headers })).status]).toEqual([200, 202])
  })

  test.each([
    ['larger', 16 * MEBIBYTE],
    ['smaller', 5],
  ])('is refused when it becomes %s after that', async (_, size) => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    await send(started, bytes)
    await complete(started)
    for (const name of received()) s3.objects.set(name, new Uint8Array(size))
    expect([await decodeAll(app), (await fileOf(started)).reason]).toEqual([['refused'], 'damaged'])
  })
})

test.each([
  ['no size', { purpose: 'pro_logo' }],
  ['a size of 0', { purpose: 'pro_logo', size: 0 }],
  ['more than 15 MiB', { purpose: 'pro_logo', size: 15 * MEBIBYTE + 1 }],
  ['a type that browsers run', { purpose: 'pro_logo', size: 1, contentType: 'text/html' }],
  ['an unknown purpose', { purpose: 'avatar', size: 1 }],
  ['an unknown field', { purpose: 'pro_logo', size: 1, name: '../x' }],
  ['a list', []],
])('an upload with %s is refused, and nothing is stored', async (_, json) => {
  const [before] = await sql`select count(*)::int as files from files`
  const answer = await begin(json)
  expect([answer.status, await codeOf(answer)]).toEqual([400, 'validation_failed'])
  expect(await sql`select count(*)::int as files from files`).toEqual([before] as never)
})

describe('a repeated request', () => {
  test('to begin gets the same file and address', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const json = { purpose: 'pro_gallery', size: 1000 }
    const first = await (await begin(json, { headers })).text()
    clock.advance(1)
    expect(await (await begin(json, { headers })).text()).toBe(first)
    expect(await codeOf(await begin({ ...json, size: 1001 }, { headers }))).toBe('idempotency_mismatch')
  })

  test.each([
    ['with a key', { 'idempotency-key': 'again' }],
    ['without one', {}],
  ])('to complete, %s, and two at once, leave one file that is decoded once', async (_, headers) => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    await send(started, bytes)
    const answers = await Promise.all([complete(started, { headers }), complete(started, { headers })])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(await decodeAll(app)).toEqual(['ready'])
    expect((await complete(started, { headers })).status).toBe(202)
    expect([await decodeAll(app), (await fileOf(started)).state]).toEqual([[], 'ready'])
  })
})

describe('an account', () => {
  test('completes its own files only', async () => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    await send(started, bytes)
    const stranger = await uploads.pro()
    expect((await complete(started, { key: stranger.key })).status).toBe(404)
    expect((await fileOf(started)).state).toBe('waiting')
  })

  test('needs the scope of the purpose', async () => {
    const key = await app.key(['reviews:write'], 'integrator@test.example')
    expect((await begin({ purpose: 'pro_logo', size: 1 }, { key })).status).toBe(403)
    expect((await begin({ purpose: 'review', size: 1 })).status).toBe(403)
    expect((await begin({ purpose: 'review', size: 1 }, { key })).status).toBe(201)
  })

  test('uses no file that waits', async () => {
    const { id } = await begun(await somePicture(), { purpose: 'pro_logo' })
    const json = { logo: id, cover: null, gallery: [] }
    expect((await app.send('/api/v1/pro/pictures', { method: 'PUT', key: owner.key, json })).status).toBe(400)
  })

  test('has files that wait counted in its quota', async () => {
    const key = await app.key(['reviews:write'], 'many@test.example')
    const json = { purpose: 'review', size: 1 }
    await begin(json, { key })
    await sql`
      insert into files (id, name, account_id, purpose, status, private, bytes, open_until, unused_since, created_at)
      select gen_random_uuid(), 'many-' || n, a.id, purpose, f.status, private, bytes, open_until, unused_since, f.created_at
      from files f join accounts a on a.id = f.account_id and a.email = 'many@test.example', generate_series(1, 198) n`
    expect((await begin(json, { key })).status).toBe(201)
    expect(await codeOf(await begin(json, { key }))).toBe('file_quota_exceeded')
  })
})

test('a file waits on while the service is away', async () => {
  const bytes = await somePicture()
  const started = await begun(bytes)
  await send(started, bytes)
  s3.intercept = () => new Response('<Error><Code>SlowDown</Code></Error>', { status: 503 })
  expect((await complete(started)).status).toBe(503)
  s3.intercept = () => undefined
  expect((await fileOf(started)).state).toBe('waiting')
  expect((await complete(started)).status).toBe(202)
})
