// What visitors may not do with the photos of a request, and what becomes of those that nothing uses.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../src/ctx.ts'
import { eraseCustomer } from '../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { receiveFile } from '../../../src/features/files/files/verbs/files.ts'
import { deleteOldRows } from '../../../src/features/upkeep/retention/verbs.ts'
import { randomAddress } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { sendFormWithFiles } from '../../support/form-with-files.ts'
import { SVG, faultIn, fieldsOf, keptIn, openRequestPhotos, pictures } from '../../support/request-photos.ts'
import { ready, somePicture, upload } from '../../support/uploads.ts'

const world = await opened(openRequestPhotos())
const { app, deps, sql, path, site, anyone, ask, files, requests, madeSince } = world
const key = await app.key(['rfqs:write', 'reviews:write'], 'integrator@test.example')

describe('the id of a file', () => {
  const idOf = async (purpose: 'request' | 'review') =>
    (
      await receiveFile(ctxOf(deps, { accountId: site.id, professionalId: null, isVisitor: true }), {
        purpose,
        content: new Blob([new Uint8Array(await somePicture())]).stream(),
      })
    ).id
  const used = async () => {
    await ask([await somePicture()])
    return (await files()).find(({ rfqId }) => rfqId !== null)?.id ?? ''
  }

  test.each([
    ['of another account', async () => (await ready(app, { key, purpose: 'request' })).id],
    ['for something else', () => idOf('review')],
    ['in use by another request', used],
    ['that does not exist', () => Promise.resolve(crypto.randomUUID())],
  ])('%s is not taken, and what was typed is kept', async (_, idOfFile) => {
    const id = await idOfFile()
    const before = await requests()
    const { status, text } = await ask([id, await idOf('request')])
    expect([status, faultIn(text)]).toEqual([400, '1 photo was not kept. Choose it again.'])
    expect([keptIn(text).includes(id), keptIn(text).length]).toEqual([false, 1])
    expect(await requests()).toEqual(before)
  })

  test('of another account or for something else says nothing to visitors', async () => {
    for (const id of [(await ready(app, { key, purpose: 'request' })).id, await idOf('review'), crypto.randomUUID()])
      expect((await anyone.get(`${path}/photos/${id}`)).status).toBe(404)
  })
})

describe('a network', () => {
  test('sends 40 photos an hour; more are refused beside the field, and the request goes on without them', async () => {
    const address = randomAddress()
    const sending = { address }
    for (const _ of [1, 2, 3, 4]) expect((await ask(await pictures(9), fieldsOf(), sending)).status).toBe(303)
    const { status, text } = await ask(await pictures(6), fieldsOf(), sending)
    expect(status).toBe(400)
    expect(faultIn(text)).toMatch(
      /^Your network has sent too many photos\. Add more in \d+ minutes, or go on without them\.$/,
    )
    const kept = keptIn(text)
    expect(kept.length).toBe(4)
    const one = await sendFormWithFiles(app, anyone, [['file', await somePicture()]], {
      path: `${path}/photos`,
      csrf: '',
      address,
      headers: { accept: 'application/json' },
    })
    expect([one.status, one.text.includes('Your network has sent too many photos.')]).toEqual([400, true])
    const before = await requests()
    expect((await ask(kept, fieldsOf(), sending)).status).toBe(303)
    expect((await madeSince(before)).photos.length).toBe(4)
    // Others are not affected.
    expect((await ask(await pictures(1))).status).toBe(303)
  }, 90_000)

  test('visitors who send slowly leave room for the files of pros and programs', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' }
    const slowly = async () => {
      const body = new ReadableStream<Uint8Array>()
      const large = { ...headers, 'content-length': String(100 * 1024 * 1024) }
      return (await app.app.handle(new Request(deps.config.baseUrl + path, { method: 'POST', body, headers: large })))
        .status
    }
    const slow = [slowly(), slowly()]
    expect(await Promise.race(slow)).toBe(503)
    expect((await upload(app, { key, purpose: 'request' })).status).toBe(202)
    expect((await Promise.all(slow)).toSorted((a, b) => a - b)).toEqual([408, 503])
    expect(await slowly()).toBe(408)
  })

  test('the quota of an account does not hold for all visitors together', async () => {
    const now = deps.clock.now().toISOString()
    await sql`
      insert into files (id, name, account_id, purpose, status, private, unused_since, created_at)
      select gen_random_uuid(), md5(n::text), ${site.id}, 'request', 'uploading', true, ${now}, ${now}
      from generate_series(1, 250) n`
    expect((await ask(await pictures(1))).status).toBe(303)
    await sql`delete from files where status = 'uploading'`
  })
})

describe('files of visitors', () => {
  test('that nothing uses are swept after a day, and the form then asks for them again', async () => {
    const { text } = await ask([await somePicture(), SVG])
    const [kept = ''] = keptIn(text)
    await sql`update files set unused_since = unused_since - interval '25 hours' where account_id = ${site.id}`
    await deleteOldRows(ctxOf(deps), { table: 'files' })
    expect((await files()).filter(({ rfqId }) => rfqId === null)).toEqual([])
    const again = await ask([kept])
    expect([again.status, faultIn(again.text)]).toEqual([400, '1 photo was not kept. Choose it again.'])
  })

  test('are erased with their customer', async () => {
    const email = 'erased-photos@test.example'
    const before = await requests()
    await ask(await pictures(2), fieldsOf({ email }))
    const { id } = await madeSince(before)
    const own = async () => (await files()).filter(({ rfqId }) => rfqId === id).length
    expect(await own()).toBe(2)
    expect(await eraseCustomer(ctxOf(deps), { email, requestedBy: 'a test' })).toMatchObject({ counts: { files: 2 } })
    expect(await own()).toBe(0)
  })
})
