// Photos that people without an account send with a request for a quote.
import { describe, expect, test } from 'bun:test'

import { signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { type Part, sendFormWithFiles } from '../../support/form-with-files.ts'
import { SVG, faultIn, fieldsOf, keptIn, openRequestPhotos, pictures } from '../../support/request-photos.ts'
import { decodeAll, somePicture, whileDecoding } from '../../support/uploads.ts'
import { loggedInVisitor } from '../../support/visitor.ts'

const LARGE = Buffer.alloc(16 * 1024 * 1024, 1)
const BROKEN = Buffer.from('no picture')

const world = await opened(openRequestPhotos())
const { app, deps, sql, pro, path, anyone, send, ask, files, requests, madeSince } = world

describe('photos of a request', () => {
  test('are sent with the form, and seen by the pro and the sender only', async () => {
    const before = await requests()
    const { status, location } = await ask(await pictures(3))
    expect(status).toBe(303)
    const { id, photos } = await madeSince(before)
    expect(photos.length).toBe(3)
    for (const url of photos) expect((await app.app.handle(new Request(url))).status).toBe(404)

    const own = await anyone.get(new URL(location, deps.config.baseUrl).pathname)
    const lead = await (await loggedInVisitor(app, 'pro', { pro: pro.professionalId })).get(`/console/leads/${id}`)
    for (const { text, headers } of [own, lead]) {
      const shown = [...text.matchAll(/<img src="([^"]*-small\.webp[^"]*)"/g)].map(([, url = '']) => url)
      expect(shown.length).toBe(3)
      for (const url of shown)
        expect((await app.app.handle(new Request(url.replaceAll('&amp;', '&')))).status).toBe(200)
      expect(headers.get('content-security-policy')).toContain("img-src 'self' data:")
    }
  }, 30_000)

  test('belong to the request of someone who is signed in, too', async () => {
    const email = 'signed-in-photos@test.example'
    const visitor = await signedInCustomer(app, email)
    const before = await requests()
    const parts: Part[] = [...fieldsOf({ email }), ['photos', await somePicture()]]
    const sent = await whileDecoding(app, sendFormWithFiles(app, visitor, parts, { path, csrf: '' }))
    expect(sent.status).toBe(303)
    const { id, photos } = await madeSince(before)
    expect(photos.length).toBe(1)
    const [row] = await sql<
      { isProven: boolean }[]
    >`select proven_at is not null as "isProven" from rfqs where id = ${id}`
    expect(row?.isProven).toBe(true)
  })

  test('are not needed, and the same photo twice is one', async () => {
    const before = await requests()
    expect((await ask([new Uint8Array()])).status).toBe(303)
    expect((await madeSince(before)).photos).toEqual([])
    const then = await requests()
    const photo = await somePicture()
    expect((await ask([photo, photo])).status).toBe(303)
    expect((await madeSince(then)).photos.length).toBe(1)
  })

  test('of a form that is sent many times at once make one request', async () => {
    const before = await requests()
    const [photos, fields] = [await pictures(2), fieldsOf()]
    const sent = await whileDecoding(app, Promise.all([1, 2, 3].map(() => send(photos, fields))))
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await madeSince(before)).photos.length).toBe(2)
  }, 30_000)
})

describe('a photo that is refused', () => {
  test.each([
    ['a file of 16 MB', LARGE, 'Is larger than 15 MB'],
    ['a drawing in SVG', SVG, '1 photo was not taken. Drawings in SVG are not taken'],
    ['a broken file', BROKEN, '1 photo was not taken. Send a picture in JPEG'],
  ])('%s is said beside the field, and nothing typed or sent beside it is lost', async (_, bytes, fault) => {
    const before = await requests()
    const fields = fieldsOf({ description: 'Typed with care.' })
    const { status, text } = await ask([await somePicture(), bytes, await somePicture()], fields)
    expect([status, await requests()]).toEqual([400, before])
    expect(faultIn(text)).toStartWith(fault)
    expect(text).toContain('Typed with care.</textarea>')
    const kept = keptIn(text)
    expect(kept.length).toBe(2)
    expect((await ask(kept, fieldsOf())).status).toBe(303)
    expect((await madeSince(before)).photos.length).toBe(2)
  })

  test('an eleventh photo is refused, and ten are kept', async () => {
    const before = await requests()
    const { status, text } = await ask(await pictures(11))
    expect([status, faultIn(text)]).toEqual([400, 'Choose at most 10 files at once.'])
    const kept = keptIn(text)
    expect(kept.length).toBe(10)
    const more = await ask([...kept, await somePicture()])
    expect([more.status, faultIn(more.text), keptIn(more.text)]).toEqual([400, 'Choose at most 10 photos.', kept])
    expect((await ask(kept)).status).toBe(303)
    expect((await madeSince(before)).photos.length).toBe(10)
  }, 60_000)

  test('nothing is stored beside a field that is wrong, and the page asks for the photos again', async () => {
    const before = await files()
    const { status, text } = await ask(await pictures(2), fieldsOf({ email: 'nope' }))
    expect([status, faultIn(text)]).toEqual([400, 'Choose your photos again: they are sent once all else is right.'])
    expect(text).toContain('Must be an e-mail address')
    expect(await files()).toEqual(before)
  })

  test('nothing is stored of photos that come before the fields', async () => {
    const before = await files()
    const photos = (await pictures(2)).map((photo): Part => ['photos', photo])
    const { status } = await sendFormWithFiles(app, anyone, [...photos, ...fieldsOf()], { path, csrf: '' })
    expect([status, await files()]).toEqual([400, before])
  })

  test('nothing is stored of a form from another site', async () => {
    const before = await files()
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const target of [path, `${path}/photos`]) {
      const parts: Part[] = [...fieldsOf(), ['photos', await somePicture()], ['file', await somePicture()]]
      expect((await sendFormWithFiles(app, anyone, parts, { path: target, csrf: '', headers })).status).toBe(403)
    }
    expect(await files()).toEqual(before)
  })
})

test('a photo that the script sends at once says what became of it, without its address', async () => {
  const sendOne = async (bytes: Uint8Array) =>
    await sendFormWithFiles(app, anyone, [['file', bytes]], { path: `${path}/photos`, csrf: '' })
  const sent = [await sendOne(await somePicture()), await sendOne(SVG)]
  expect(sent.map(({ status }) => status)).toEqual([202, 202])
  await decodeAll(app)
  const states = await Promise.all(
    sent.map(async ({ text }) => {
      const { id } = JSON.parse(text) as { id: string }
      return JSON.parse((await anyone.get(`/pros/${pro.slug}/quote/photos/${id}`)).text) as object
    }),
  )
  expect(states).toEqual([
    { id: expect.any(String), state: 'ready', message: null },
    { id: expect.any(String), state: 'refused', message: expect.stringContaining('SVG') },
  ])
})
