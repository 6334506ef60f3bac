// Photos on the page of a job: added with the form, seen by the pro, and refused without a trace.
import { expect, test } from 'bun:test'

import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { type Part, sendFormWithFiles } from '../../support/form-with-files.ts'
import { openProAgentFixture } from '../../support/pro-agent-fixture.ts'
import { decodeAll, somePicture, uploaded, whileDecoding } from '../../support/uploads.ts'
import { loggedInVisitor } from '../../support/visitor.ts'

const app = await opened(openTestApp())
const [pro, other] = await Promise.all([openProAgentFixture(app), openProAgentFixture(app, 1)])
const { jobId } = await pro.createAcceptedJob(300)
const visitor = await loggedInVisitor(app, 'pro', { pro: pro.professionalId })
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
const page = `/console/jobs/${jobId}`

const send = (...parts: Part[]) =>
  whileDecoding(app, sendFormWithFiles(app, visitor, parts, { path: `${page}/photos` }))
/** As the script of the page does, which uploads at once. */
const sendUploaded = async (bytes: Uint8Array) => {
  const { id } = await uploaded(app, { key: pro.key, purpose: 'job', bytes })
  return await visitor.post(`${page}/photos`, { photos: id })
}
const photosOf = async () => {
  const answer = await app.send(`/api/v1/pro/jobs/${jobId}/photos`, { key: pro.key })
  return ((await answer.json()) as { photos: { id: string; state: string }[] }).photos
}

test('photos that a form sends are shown once they are prepared, each loaded from an address that ends', async () => {
  expect((await send(['photos', await somePicture()])).status).toBe(303)
  expect((await sendUploaded(await somePicture())).status).toBe(303)
  expect((await visitor.get(page)).text).toContain('Being prepared')
  await decodeAll(app)
  expect((await photosOf()).map(({ state }) => state)).toEqual(['ready', 'ready'])
  const { text, headers } = await visitor.get(page)
  expect(text).not.toContain('Being prepared')
  const [, address = ''] = /<a href="([^"]*\/files\/[^"]*)"/.exec(text) ?? []
  expect((await app.app.handle(new Request(address.replaceAll('&amp;', '&')))).status).toBe(200)
  expect(headers.get('content-security-policy')).toContain("img-src 'self' data:")
})

test('a photo that cannot be read is refused with the reason, and the agent is not shown it', async () => {
  const refused = await send(['photos', SVG])
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('id="photos-error">1 photo was not taken'),
  ])
  expect((await sendUploaded(SVG)).status).toBe(303)
  await decodeAll(app)
  expect((await visitor.get(page)).text).toContain('A photo was not added: ')
  const { media } = (await pro.tool('list_job_media', { jobId })).structured as { media: unknown[] }
  expect(media).toHaveLength(2)
})

test('a file of 16 MB is refused beside its field', async () => {
  const { status, text } = await send(['photos', Buffer.alloc(16 * 1024 * 1024, 1)])
  expect(status).toBe(400)
  expect(text).toMatch(/id="photos-error">Is larger than 15 MB/)
})

test('a file of another pro is not added', async () => {
  const { id } = await uploaded(app, { key: other.key, purpose: 'job' })
  const before = await photosOf()
  expect((await send(['photos', id])).status).toBe(400)
  expect((await visitor.post(`${page}/photos`, { photos: id })).status).toBe(404)
  expect(await photosOf()).toEqual(before)
})
