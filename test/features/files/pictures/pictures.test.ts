// What a pro can rely on when they show a logo, a cover and a gallery.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import type { File } from '../../../../src/features/files/files/schemas.ts'
import type { Pictures, PublicPictures } from '../../../../src/features/files/pictures/schemas.ts'
import { deleteOldRows } from '../../../../src/features/upkeep/retention/verbs.ts'
import { openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { decodeAll, ready, uploaded } from '../../../support/uploads.ts'

const world = await opened(openBookingFixture())
const { app, clock } = world
const pro = await world.pro()
const { key } = pro

const put = (json: unknown, by = key) => app.send('/api/v1/pro/pictures', { method: 'PUT', key: by, json })
const own = async () => (await (await app.send('/api/v1/pro/pictures', { key })).json()) as Pictures
const shown = async () => (await (await app.send(`/api/v1/pros/${pro.id}/pictures`)).json()) as PublicPictures
const pathOf = async (answer: Response) => ((await answer.json()) as { errors?: { path: string }[] }).errors?.[0]?.path
const NONE = { logo: null, cover: null, gallery: [] }
const gallery = (...files: readonly File[]) => files.map(({ id }) => ({ fileId: id }))

test('a pro without pictures gets an empty list, and an unknown pro is not found', async () => {
  expect([await own(), await shown()]).toEqual([NONE, NONE])
  expect((await app.send(`/api/v1/pros/${crypto.randomUUID()}/pictures`)).status).toBe(404)
})

test('pictures are shown to everyone in the pro’s order, with captions', async () => {
  const logo = await ready(app, { key, purpose: 'pro_logo' })
  const cover = await ready(app, { key, purpose: 'pro_cover' })
  const [one, two] = [await ready(app, { key }), await ready(app, { key })]
  const answer = await put({
    logo: logo.id,
    cover: cover.id,
    gallery: [{ fileId: two.id, caption: 'After' }, { fileId: one.id }],
  })
  expect(answer.status).toBe(200)
  const pictures = await shown()
  expect(pictures.logo).toMatchObject({ url: logo.url, width: 64, caption: null })
  expect(pictures.cover?.url).toBe(cover.url)
  expect(pictures.gallery.map(({ url, caption }) => [url, caption])).toEqual([
    [two.url, 'After'],
    [one.url, null],
  ])
  for (const { url } of pictures.gallery) expect((await app.app.handle(new Request(url))).status).toBe(200)
})

test('what is replaced is deleted after a day, and what is shown stays', async () => {
  const [first, second] = [await ready(app, { key }), await ready(app, { key })]
  await put({ ...NONE, gallery: gallery(first) })
  await put({ ...NONE, gallery: gallery(second) })
  clock.advance(25 * 60)
  await deleteOldRows(ctxOf(app.deps), { table: 'files' })
  expect((await app.send(`/api/v1/files/${first.id}`, { key })).status).toBe(404)
  expect((await shown()).gallery.map(({ url }) => url)).toEqual([second.url])
})

test('a picture that is not ready is shown to its pro only, and a refused one is not shown', async () => {
  const [good, bad] = [await uploaded(app, { key }), await uploaded(app, { key, bytes: Buffer.from('no picture') })]
  expect((await put({ ...NONE, gallery: gallery(good, bad) })).status).toBe(200)
  expect((await own()).gallery.map(({ state }) => state)).toEqual(['received', 'received'])
  expect(await shown()).toEqual(NONE)
  await decodeAll(app)
  expect((await own()).gallery.map(({ id }) => id)).toEqual([good.id])
  expect((await shown()).gallery.map(({ url }) => url)).toEqual([good.url])
})

describe('a picture is refused, and nothing changes,', () => {
  test.each([
    ['of another pro', async () => (await ready(app, { key: (await world.pro()).key })).id],
    ['for another purpose', async () => (await ready(app, { key, purpose: 'pro_logo' })).id],
    ['that was refused', async () => (await ready(app, { key, bytes: Buffer.from('no picture') })).id],
    ['that does not exist', () => Promise.resolve(crypto.randomUUID())],
  ])('%s', async (_, idOf) => {
    const kept = await ready(app, { key })
    await put({ ...NONE, gallery: gallery(kept) })
    const answer = await put({ ...NONE, gallery: [{ fileId: kept.id }, { fileId: await idOf() }] })
    expect([answer.status, await pathOf(answer)]).toEqual([400, 'body.gallery.1.fileId'])
    expect((await shown()).gallery.map(({ url }) => url)).toEqual([kept.url])
  })

  test('that is named twice', async () => {
    const file = await ready(app, { key })
    expect((await put({ ...NONE, gallery: gallery(file, file) })).status).toBe(400)
  })

  test('when there are too many', async () => {
    const many = Array.from({ length: 31 }, () => ({ fileId: crypto.randomUUID() }))
    expect((await put({ ...NONE, gallery: many })).status).toBe(400)
  })
})
