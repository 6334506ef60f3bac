// Photos that a pro takes of a job: files that were uploaded for it, for the pro and the pro's agent.
import { expect, test } from 'bun:test'

import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { openProAgentFixture } from '../../../support/pro-agent-fixture.ts'
import { ready, uploaded } from '../../../support/uploads.ts'

const app = await opened(openTestApp())
const [pro, other] = await Promise.all([openProAgentFixture(app), openProAgentFixture(app, 1)])
const { jobId } = await pro.createAcceptedJob(300)

const add = (photos: readonly string[], { id = jobId, key = pro.key, headers = {} } = {}) =>
  app.send(`/api/v1/pro/jobs/${id}/photos`, { key, json: { photos }, headers })
const photosOf = async (id = jobId) => {
  const answer = await app.send(`/api/v1/pro/jobs/${id}/photos`, { key: pro.key })
  return ((await answer.json()) as { photos: { id: string; url: string }[] }).photos
}
const media = async () =>
  (await pro.tool('list_job_media', { jobId })).structured as { media: { url: string; from: string }[] }

test('a photo is added once, and seen by the pro and the agent at an address that ends', async () => {
  const file = await ready(app, { key: pro.key, purpose: 'job' })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  for (const _ of [1, 2]) expect((await add([file.url], { headers })).status).toBe(200)
  expect((await photosOf()).map(({ id }) => id)).toEqual([file.id])
  const shown = (await media()).media.find(({ from }) => from === 'pro')
  expect((await app.app.handle(new Request(shown?.url ?? ''))).status).toBe(200)
  expect((await app.app.handle(new Request(shown?.url.split('?')[0] ?? ''))).status).toBe(404)
})

test.each([
  ['of another site', () => Promise.resolve('https://photos.test.example/1.jpg')],
  ['for another purpose', async () => (await uploaded(app, { key: pro.key })).url],
  ['of another pro', async () => (await uploaded(app, { key: other.key, purpose: 'job' })).url],
])('a photo %s is refused', async (_, urlOf) => {
  const before = await photosOf()
  expect((await add([await urlOf()])).status).toBe(400)
  expect(await photosOf()).toEqual(before)
})

test('another pro neither adds to a job nor sees its photos', async () => {
  const file = await uploaded(app, { key: other.key, purpose: 'job' })
  expect((await add([file.url], { key: other.key })).status).toBe(404)
  expect((await app.send(`/api/v1/pro/jobs/${jobId}/photos`, { key: other.key })).status).toBe(404)
})
