// Uploads into a bucket, as clients make them: the fixture has a service that verifies signatures, by the clock of the test.
import { ctxOf } from '../../src/ctx.ts'
import type { File, StartedUpload } from '../../src/features/files/files/schemas.ts'
import { removeContent } from '../../src/features/files/files/verbs/remove.ts'
import { deleteOldRows } from '../../src/features/upkeep/retention/verbs.ts'
import { openBookingFixture } from './booking-fixture.ts'
import { openFakeS3 } from './fake-s3.ts'

export type DirectUploads = Awaited<ReturnType<typeof openDirectUploads>>

export async function openDirectUploads() {
  const s3 = openFakeS3()
  const world = await openBookingFixture(s3.env)
  const { app, clock, sql } = world
  s3.now = () => clock.now()
  const pro = await world.pro()
  const ctx = ctxOf(app.deps)
  const begin = async (json: object, { key = pro.key, headers = {} } = {}) =>
    await app.send('/api/v1/files', { method: 'POST', key, json, headers })
  const removeAll = async () => {
    while ((await removeContent(ctx, { limit: 10 })) > 0);
  }
  return {
    ...world,
    s3,
    ctx,
    /** Who uploads. */
    owner: pro,
    begin,
    /** Begins an upload of these bytes, and expects 201. */
    begun: async (bytes: Uint8Array, more: object = {}): Promise<StartedUpload> => {
      const answer = await begin({ purpose: 'pro_gallery', size: bytes.byteLength, ...more })
      if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as StartedUpload
    },
    /** The status of the service. */
    send: async ({ upload: { url, method, headers } }: StartedUpload, bytes: Uint8Array) =>
      (await fetch(url, { method, headers, body: bytes })).status,
    complete: async ({ id }: Pick<File, 'id'>, { key = pro.key, headers = {} } = {}) =>
      await app.send(`/api/v1/files/${id}/complete`, { method: 'POST', key, headers }),
    fileOf: async ({ id }: Pick<File, 'id'>) =>
      (await (await app.send(`/api/v1/files/${id}`, { key: pro.key })).json()) as File,
    /** The keys of what was sent and is not decoded yet. */
    received: () => [...s3.objects.keys()].filter((name) => name.startsWith('received/')),
    rowsOf: async ({ id }: Pick<File, 'id'>) => (await sql`select from files where id = ${id}`).length,
    /** Removes the content of deleted rows, as far as it is due. */
    removeAll,
    /** What happens a day later to what nothing uses. */
    sweep: async () => {
      clock.advance(25 * 60)
      await deleteOldRows(ctx, { table: 'files' })
      await removeAll()
    },
    close: async () => {
      await world.close()
      await s3.close()
    },
  }
}
