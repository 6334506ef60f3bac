// The same with a bucket, behind a service that verifies signatures.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { removeContent } from '../../../../src/features/files/files/verbs/remove.ts'
import { openBookingFixture } from '../../../support/booking-fixture.ts'
import { openFakeS3 } from '../../../support/fake-s3.ts'
import { opened } from '../../../support/fixture.ts'
import { decodeAll, ready, upload, uploaded } from '../../../support/uploads.ts'

const s3 = await opened(openFakeS3())
const world = await opened(openBookingFixture(s3.env))
const { app, sql, clock } = world
const { key } = await world.pro()
const MEBIBYTE = 1024 * 1024

test('a file is stored, decoded, served and removed', async () => {
  const file = await ready(app, { key })
  expect(file.state).toBe('ready')
  expect([...s3.objects.keys()].map((name) => name.replace(/[\w-]{32}/, '')).sort()).toEqual([
    'ready/-large.avif',
    'ready/-large.webp',
    'ready/-medium.avif',
    'ready/-medium.webp',
    'ready/-small.avif',
    'ready/-small.webp',
  ])
  const answer = await app.app.handle(new Request(file.url))
  const name = file.url.split('/').at(-1)
  expect(await answer.bytes()).toEqual(new Uint8Array(s3.objects.get(`ready/${name}`) ?? []))
  await sql`delete from files where id = ${file.id}`
  await removeContent(ctxOf(app.deps), { limit: 10 })
  expect([s3.objects.size, s3.refused]).toEqual([0, []])
})

test('a large file that is no picture arrives in parts, is refused and leaves none of them', async () => {
  const file = await ready(app, { key, bytes: new Uint8Array(14 * MEBIBYTE).fill(1) })
  expect([file.reason, s3.objects.size, s3.parts.size]).toEqual(['unknown_type', 0, 0])
})

test('an upload is 503 while the service is away, and a file that was received waits for it', async () => {
  const file = await uploaded(app, { key })
  s3.intercept = () => new Response('<Error><Code>SlowDown</Code></Error>', { status: 503 })
  expect((await upload(app, { key })).status).toBe(503)
  expect(await decodeAll(app)).toEqual(['postponed'])
  s3.intercept = () => undefined
  expect(await decodeAll(app)).toEqual([])
  clock.advance(1)
  expect(await decodeAll(app)).toEqual(['ready'])
  expect(((await (await app.send(`/api/v1/files/${file.id}`, { key })).json()) as { state: string }).state).toBe(
    'ready',
  )
})
