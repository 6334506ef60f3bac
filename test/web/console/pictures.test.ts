// A pro's pictures in the console: uploaded with and without scripts, and refused without a loss of what was typed.
import { afterEach, expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { type Part, type Sending, sendFormWithFiles } from '../../support/form-with-files.ts'
import { findPros } from '../../support/reviews.ts'
import { decodeAll, ready, somePicture, whileDecoding } from '../../support/uploads.ts'
import { PASSWORD, createTestUser, loggedInVisitor } from '../../support/visitor.ts'

const PATH = '/console/pictures'
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
const LARGE = Buffer.alloc(16 * 1024 * 1024, 1)

const world = await useConsole()
const { app, pro, url } = world
const visitor = await loggedInVisitor(app, 'pro', { pro: pro.id })
const key = await app.key(['pro:read', 'pro:write'], pro.email)
const [, other] = await findPros(app, 2)
const otherKey = await app.key(['pro:read', 'pro:write'], other?.email ?? '')

const sendForm = (parts: readonly Part[], sending: Partial<Sending> = {}) =>
  whileDecoding(app, sendFormWithFiles(app, visitor, parts, { path: PATH, ...sending }))

interface Shown {
  id: string
  state: string
  caption: string | null
}
const pictures = async () =>
  (await (await app.send('/api/v1/pro/pictures', { key })).json()) as {
    logo: Shown | null
    cover: Shown | null
    gallery: Shown[]
  }
const filesThere = async () => await app.deps.read.run('files', (sql) => sql`select id from files`)
const empty = async () => {
  const json = { logo: null, cover: null, gallery: [] }
  await app.send('/api/v1/pro/pictures', { method: 'PUT', key, json })
}
afterEach(empty)

test('a form without scripts sends the logo, the cover and several pictures, and the page shows them', async () => {
  const parts: Part[] = [
    ['logo', await somePicture()],
    ['cover', new Uint8Array()],
    ['gallery', await somePicture()],
    ['gallery', await somePicture()],
  ]
  expect((await sendForm(parts)).status).toBe(303)
  const { logo, cover, gallery } = await pictures()
  expect([logo?.state, cover, gallery.map(({ state }) => state)]).toEqual(['ready', null, ['ready', 'ready']])
  const { text, headers } = await visitor.get(PATH)
  expect(text).not.toContain('Being prepared')
  expect(text).toContain('alt="Your logo"')
  expect(headers.get('content-security-policy')).toContain("img-src 'self' data:")
})

test('without scripts, a logo that is refused replaces nothing, and the form says why beside it', async () => {
  await sendForm([['logo', await somePicture()]])
  const before = await pictures()
  const { status, text } = await sendForm([
    ['logo', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['gallery', await somePicture()],
  ])
  expect(status).toBe(400)
  expect(text).toMatch(/id="logo-error">1 photo was not taken\. /)
  expect(await pictures()).toEqual(before)
  // The picture that was sent with it is kept in the form.
  expect(text).toMatch(/type="checkbox" name="gallery" value="[\da-f-]{36}" checked/)
})

test('the form sets captions, orders and removes pictures, and keeps the others', async () => {
  await sendForm([
    ['logo', await somePicture()],
    ['gallery', await somePicture()],
    ['gallery', await somePicture()],
    ['gallery', await somePicture()],
  ])
  const before = await pictures()
  const [first = '', second = '', third = ''] = before.gallery.map(({ id }) => id)
  const picture = [first, second, third]
  const fields = { picture, caption: ['One', '', 'Three'], position: ['3', '2', '1'], remove: [second] }
  expect((await visitor.post(PATH, fields)).status).toBe(303)
  const { logo, gallery } = await pictures()
  expect(logo?.id).toBe(before.logo?.id ?? '')
  expect(gallery.map(({ id, caption }) => [id, caption])).toEqual([
    [third, 'Three'],
    [first, 'One'],
  ])
})

test('a file of 16 MB is refused beside its field, and nothing that was typed or sent with it is lost', async () => {
  await sendForm([['gallery', await somePicture()]])
  const [row] = (await pictures()).gallery
  const before = await filesThere()
  const { status, text } = await sendForm([
    ['cover', LARGE],
    ['logo', await somePicture()],
    ['picture', row?.id ?? ''],
    ['caption', 'A caption typed with care'],
    ['position', '1'],
  ])
  expect(status).toBe(400)
  expect(text).toMatch(/id="cover-error">Is larger than 15 MB/)
  expect(text).toContain('value="A caption typed with care"')
  const [, kept = ''] = /type="checkbox" name="logo" value="([\da-f-]{36})"/.exec(text) ?? []
  expect((await filesThere()).length).toBe(before.length + 1)
  expect((await visitor.post(PATH, { logo: kept })).status).toBe(303)
  expect((await pictures()).logo?.id).toBe(kept)
})

test('more files than the field takes are refused beside it', async () => {
  const parts = await Promise.all(
    Array.from({ length: 11 }, async (): Promise<Part> => ['gallery', await somePicture()]),
  )
  const { status, text } = await sendForm(parts)
  expect([status, text.includes('Choose at most 10 files at once.')]).toEqual([400, true])
})

test('nothing is stored of a form with another CSRF token, from another site, or with an unknown file', async () => {
  const before = await filesThere()
  const bytes = await somePicture()
  const refused: [Partial<Sending>, number][] = [
    [{ csrf: '' }, 403],
    [{ csrf: 'x' }, 403],
    [{ headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    // Without a session, to the page of the log-in.
    [{ headers: { cookie: '' } }, 303],
  ]
  for (const [sending, due] of refused)
    for (const [path, field] of [
      [PATH, 'logo'],
      ['/console/files', 'file'],
    ] as const) {
      const parts: Part[] = [
        ['purpose', 'pro_logo'],
        [field, bytes],
      ]
      const { status } = await sendForm(parts, { ...sending, path })
      expect([sending, path, status]).toEqual([sending, path, due])
    }
  expect((await sendForm([['passport', await somePicture()]])).status).toBe(400)
  expect(await filesThere()).toEqual(before)
  expect((await pictures()).logo).toBeNull()
})

test('nothing is kept of a form that ends in the midst of a file', async () => {
  const before = await filesThere()
  const { status } = await sendForm([['logo', await somePicture()]], { cut: 80 })
  expect(status).toBe(400)
  expect(await filesThere()).toEqual(before)
})

test("another pro's file is refused, in the form and for the script", async () => {
  const foreign = await ready(app, { key: otherKey, purpose: 'pro_logo' })
  expect((await visitor.post(PATH, { logo: foreign.id })).status).toBe(400)
  expect((await visitor.get(`/console/files/${foreign.id}`)).status).toBe(404)
  expect((await pictures()).logo).toBeNull()
})

test('the script uploads for the purposes of the pages only', async () => {
  const bytes = await somePicture()
  const sent = (purpose: string) =>
    sendForm(
      [
        ['purpose', purpose],
        ['file', bytes],
      ],
      { path: '/console/files' },
    )
  expect((await sent('job')).status).toBe(202)
  for (const purpose of ['verification', 'marketplace', '']) expect((await sent(purpose)).status).toBe(400)
})

test('a pro uploads a logo on a phone, sees that it is ready without a reload, and what is wrong with others', async () => {
  const phone = await onPhone(true)
  const { page, errors, outside } = phone
  await page.goto(url + PATH)
  const field = page.getByLabel('New logo', { exact: true })
  const said = page.getByRole('status', { name: 'Uploads for New logo' })
  await field.setInputFiles({ name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: SVG })
  await said.getByText('being prepared').waitFor()
  await decodeAll(app)
  await said.getByText('drawing.svg: Drawings in SVG are not taken').waitFor()
  await field.setInputFiles({ name: 'cut.jpg', mimeType: 'image/jpeg', buffer: (await somePicture()).subarray(0, 300) })
  await said.getByText('being prepared').waitFor()
  await decodeAll(app)
  await said.getByText('cut.jpg: The file is damaged or incomplete').waitFor()
  // The browser reads it itself: to pass 16 MB to it takes a slow machine longer than people wait.
  const folder = mkdtempSync(join(tmpdir(), 'hearth-large-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await Bun.write(join(folder, 'large.jpg'), LARGE)
  await field.setInputFiles(join(folder, 'large.jpg'))
  await said.getByText('large.jpg: It is larger than 15 MB').waitFor()
  await field.setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await somePicture() })
  await said.getByText('being prepared').waitFor()
  await decodeAll(app)
  await said.getByText('logo.jpg: ready').waitFor()
  await page.getByRole('button', { name: 'Save pictures' }).click()
  await page.getByText('Your pictures are saved').waitFor()
  await page.getByRole('img', { name: 'Your logo' }).waitFor()
  expect((await pictures()).logo?.state).toBe('ready')
  await checkPage(phone, 'console-pictures')
  expect([errors, outside]).toEqual([[], []])
  await page.context().close()
}, 120_000)

test('without scripts the same form uploads a logo, and the page says why a drawing is refused', async () => {
  const { page } = await onPhone(false)
  await page.goto(url + PATH)
  await page
    .getByLabel('New logo', { exact: true })
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: SVG })
  await page.getByRole('button', { name: 'Save pictures' }).click()
  await page.getByText('Being prepared').waitFor()
  await decodeAll(app)
  await page.getByRole('link', { name: 'See whether it is ready' }).click()
  await page.getByText('Drawings in SVG are not taken').waitFor()
  await page
    .getByLabel('New logo', { exact: true })
    .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await somePicture() })
  await page.getByRole('button', { name: 'Save pictures' }).click()
  await page.getByText('Being prepared').waitFor()
  await decodeAll(app)
  await page.getByRole('link', { name: 'See whether it is ready' }).click()
  await page.getByRole('img', { name: 'Your logo' }).waitFor()
  await page.context().close()
}, 120_000)

/** A phone on which the pro is logged in. */
async function onPhone(javaScriptEnabled: boolean) {
  const watched = await watchPage(world.browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    javaScriptEnabled,
  })
  await watched.page.goto(`${url}/console`)
  await watched.page.getByLabel('E-mail address').fill(await createTestUser(app, 'pro', { pro: pro.id }))
  await watched.page.getByLabel('Password').fill(PASSWORD)
  await watched.page.getByRole('button', { name: 'Log in' }).click()
  await watched.page.getByRole('button', { name: 'Log out' }).waitFor()
  return watched
}
