// Uploads into a bucket that are interrupted: no file is lost, doubled or left.
import { afterEach, describe, expect, test } from 'bun:test'

import { decodeNextFile } from '../../../../src/features/files/files/verbs/decode.ts'
import { completeUpload } from '../../../../src/features/files/files/verbs/direct-uploads.ts'
import { deleteOldRows } from '../../../../src/features/upkeep/retention/verbs.ts'
import { openDirectUploads } from '../../../support/direct-uploads.ts'
import { dyingCtx, expectKilled } from '../../../support/dying-storage.ts'
import { opened } from '../../../support/fixture.ts'
import { decodeAll, somePicture } from '../../../support/uploads.ts'

const uploads = await opened(openDirectUploads())
const { app, clock, sql, s3, ctx, owner, begun, send, complete, fileOf, received, rowsOf, removeAll, sweep } = uploads

afterEach(async () => {
  // Each test begins without files, and all signatures of Hearth held.
  await decodeAll(app)
  await sweep()
  expect([received(), s3.refused]).toEqual([[], []])
})

describe('a sender who leaves', () => {
  test.each([
    ['before the content', 0],
    ['after it', 1],
  ])('%s leaves nothing after a day', async (_, sent) => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    if (sent) await send(started, bytes)
    expect(received().length).toBe(sent)
    clock.advance(23 * 60)
    await deleteOldRows(ctx, { table: 'files' })
    expect(await rowsOf(started)).toBe(1)
    await sweep()
    expect([await rowsOf(started), received()]).toEqual([0, []])
    expect((await complete(started)).status).toBe(404)
  })

  test('and comes back within the day has the file for a day from then on', async () => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    await send(started, bytes)
    clock.advance(23 * 60)
    await complete(started)
    await decodeAll(app)
    clock.advance(2 * 60)
    await deleteOldRows(ctx, { table: 'files' })
    expect((await fileOf(started)).state).toBe('ready')
  })
})

describe('a process that dies', () => {
  test.each(['before', 'after'] as const)(
    '%s it has looked for the content takes the file at the next request',
    async (when) => {
      const bytes = await somePicture()
      const started = await begun(bytes)
      await send(started, bytes)
      await expectKilled(completeUpload(dyingCtx(app.deps, 'get', 1, when).as({ accountId: owner.accountId }), started))
      expect((await fileOf(started)).state).toBe('waiting')
      expect((await complete(started)).status).toBe(202)
      expect([await decodeAll(app), (await fileOf(started)).state]).toEqual([['ready'], 'ready'])
    },
  )

  test.each([
    ['put', 1, 'before'],
    ['put', 6, 'after'],
    ['delete', 1, 'before'],
    ['delete', 1, 'after'],
  ] as const)('at the %s number %d, %s it, loses nothing and leaves nothing', async (method, number, when) => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    await send(started, bytes)
    await complete(started)
    await expectKilled(decodeNextFile(dyingCtx(app.deps, method, number, when)))
    clock.advance(6)
    expect((await decodeAll(app)).length).toBe(1)
    expect([(await fileOf(started)).state, received()]).toEqual(['ready', []])
  })
})

describe('content that comes after', () => {
  test('the file was decoded is removed once the address has ended, and changes nothing', async () => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    await send(started, bytes)
    await complete(started)
    expect(await decodeAll(app)).toEqual(['ready'])
    const before = await fileOf(started)
    clock.advance(9)
    expect(await send(started, bytes)).toBe(200)
    expect([received().length, await decodeAll(app)]).toEqual([1, []])
    clock.advance(12)
    expect([await decodeAll(app), received()]).toEqual([['cleared'], []])
    expect(await fileOf(started)).toEqual(before)
    expect(await sql`select from files where next_claim_at is not null`).toEqual([] as never)
  })

  test('the file was erased is removed', async () => {
    const bytes = await somePicture()
    const started = await begun(bytes)
    await sql`delete from files where id = ${started.id}`
    await removeAll()
    clock.advance(9)
    expect([await send(started, bytes), received().length]).toEqual([200, 1])
    clock.advance(13)
    await removeAll()
    expect(received()).toEqual([])
  })
})
