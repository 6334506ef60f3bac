// The storage holds nothing without a row: whatever deletes the row, and whenever a process dies.
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { ctxOf } from '../../../../src/ctx.ts'
import type { File } from '../../../../src/features/files/files/schemas.ts'
import { decodeNextFile } from '../../../../src/features/files/files/verbs/decode.ts'
import { removeContent } from '../../../../src/features/files/files/verbs/remove.ts'
import { deleteOldRows } from '../../../../src/features/upkeep/retention/verbs.ts'
import { openFolder } from '../../../../src/platform/storage/folder.ts'
import type { Storage } from '../../../../src/platform/storage/storage.ts'
import { openBookingFixture } from '../../../support/booking-fixture.ts'
import { dyingCtx, expectKilled } from '../../../support/dying-storage.ts'
import { opened } from '../../../support/fixture.ts'
import { decodeAll, ready, somePicture, upload, uploaded } from '../../../support/uploads.ts'

const world = await opened(openBookingFixture())
const { app, clock, sql } = world
const { deps } = app
const pro = await world.pro()
const key = pro.key
const ctx = ctxOf(deps)

const folder = deps.config.files.folder
/** The content of a file in the storage, by the names of its parts. */
const partsOf = ({ url }: Pick<File, 'url'>) => {
  const name = /files\/(.{32})/.exec(url)?.[1] ?? ''
  const found = ['received', 'ready'].flatMap((kind) => {
    const place = join(folder, kind, name.slice(0, 2))
    return existsSync(place) ? readdirSync(place).map((part) => `${kind}/${part}`) : []
  })
  return found.filter((part) => part.includes(name)).map((part) => part.replace(name, ''))
}
const SIZES = ['small', 'medium', 'large'].flatMap((size) => [`ready/-${size}.avif`, `ready/-${size}.webp`])
const stateOf = async ({ id }: Pick<File, 'id'>) => {
  const [row] = await sql<{ status: string }[]>`select status from files where id = ${id}`
  return row?.status
}
/** All removals that are due now. */
const removeAll = async () => {
  while ((await removeContent(ctx, { limit: 10 })) > 0);
}

describe('a worker that dies', () => {
  const moments = [
    ...Array.from({ length: 6 }, (_, index) => ['put', index + 1, 'before'] as const),
    ...Array.from({ length: 6 }, (_, index) => ['put', index + 1, 'after'] as const),
    ['delete', 1, 'before'],
    ['delete', 1, 'after'],
  ] as const

  test.each(moments)('at the %s number %d, %s it, loses nothing and leaves nothing', async (method, number, when) => {
    const file = await uploaded(app, { key })
    await expectKilled(decodeNextFile(dyingCtx(deps, method, number, when)))
    // Its claim has not ended.
    expect(await decodeAll(app)).toEqual([])
    clock.advance(6)
    expect((await decodeAll(app)).length).toBe(1)
    expect(await stateOf(file)).toBe('ready')
    expect(partsOf(file).sort()).toEqual(SIZES.toSorted())
  })

  test('three times with the same file has it refused', async () => {
    const file = await uploaded(app, { key })
    for (let death = 1; death <= 3; death++) {
      await expectKilled(decodeNextFile(dyingCtx(deps, 'put', 1, 'before')))
      clock.advance(6)
    }
    expect(await decodeAll(app)).toEqual(['refused'])
    expect([await stateOf(file), partsOf(file)]).toEqual(['refused', []])
  })
})

describe('an upload that dies', () => {
  test.each(['uploading, before its content', 'uploading, after its content'] as const)(
    '%s leaves nothing after a day',
    async (moment) => {
      const [id, name] = [crypto.randomUUID(), 'k'.repeat(31) + String(moment.length % 10)]
      await sql`
        insert into files (id, name, account_id, purpose, status, private, unused_since, created_at)
        select ${id}, ${name}, ${pro.accountId}, 'job', 'uploading', true, ${clock.now().toISOString()}, ${clock.now().toISOString()}`
      const url = `x/files/${name}`
      if (moment.includes('after')) await deps.storage.put(`received/${name}`, await somePicture())
      expect((await app.send(`/api/v1/files/${id}`, { key })).status).toBe(404)
      expect(partsOf({ url }).length).toBe(moment.includes('after') ? 1 : 0)
      clock.advance(25 * 60)
      await deleteOldRows(ctx, { table: 'files' })
      await removeAll()
      expect([await stateOf({ id }), partsOf({ url })]).toEqual([undefined, []])
    },
  )

  test('of a storage that fails is 503, and leaves no row', async () => {
    const [before] = await sql`select count(*)::int as files from files`
    const put = deps.storage.put.bind(deps.storage)
    const unusable = openFolder('/dev/null')
    Object.assign(deps.storage, { put: (...args: Parameters<Storage['put']>) => unusable.put(...args) })
    try {
      const answer = await upload(app, { key })
      expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true])
      expect(await answer.text()).not.toContain('/dev/null')
    } finally {
      Object.assign(deps.storage, { put })
    }
    expect(await sql`select count(*)::int as files from files`).toEqual([before] as never)
  })
})

describe('a file whose row is deleted', () => {
  test('is gone from the storage at once', async () => {
    const file = await ready(app, { key })
    expect(partsOf(file).length).toBe(6)
    await sql`delete from files where id = ${file.id}`
    await removeAll()
    expect(partsOf(file)).toEqual([])
  })

  test('while it is decoded leaves nothing once the removal has ended', async () => {
    const file = await uploaded(app, { key })
    const put = deps.storage.put.bind(deps.storage)
    let hasDeleted = false
    Object.assign(deps.storage, {
      put: async (...args: Parameters<Storage['put']>) => {
        if (!hasDeleted) {
          hasDeleted = true
          await sql`delete from files where id = ${file.id}`
          await removeAll()
        }
        await put(...args)
      },
    })
    await decodeAll(app)
    Object.assign(deps.storage, { put })
    expect(partsOf(file).length).toBe(6)
    clock.advance(22)
    await removeAll()
    expect(partsOf(file)).toEqual([])
    expect(await sql`select name from file_removals where ${file.url} like '%' || name || '%'`).toEqual([] as never)
  })

  test('is removed although a storage was away meanwhile', async () => {
    const file = await ready(app, { key })
    await sql`delete from files where id = ${file.id}`
    const away = dyingCtx(deps, 'delete', 1, 'before')
    await expectKilled(removeContent(away, { limit: 100 }))
    expect(partsOf(file).length).toBe(6)
    clock.advance(2)
    await removeAll()
    expect(partsOf(file)).toEqual([])
  })
})

test('a file that nothing uses is deleted after a day, and one that is used is not', async () => {
  const [unused, used] = [await ready(app, { key }), await ready(app, { key })]
  await sql`update files set unused_since = null where id = ${used.id}`
  clock.advance(23 * 60)
  await deleteOldRows(ctx, { table: 'files' })
  expect([await stateOf(unused), await stateOf(used)]).toEqual(['ready', 'ready'])
  clock.advance(2 * 60)
  await deleteOldRows(ctx, { table: 'files' })
  await removeAll()
  expect([await stateOf(unused), partsOf(unused)]).toEqual([undefined, []])
  expect([await stateOf(used), partsOf(used).length]).toEqual(['ready', 6])
})
