// Operators record what was checked of a pro: search shows it at once, the pro is told, and the audit log keeps the reason.
import { expect, test } from 'bun:test'

import { listActions } from '../../../src/features/audit/verbs.ts'
import { findProsToCheck, getProToCheck, setMarks } from '../../../src/features/verification/verbs.ts'
import { openTestApp } from '../../support/app.ts'
import { useFixture } from '../../support/fixture.ts'
import { loggedInVisitor } from '../../support/visitor.ts'

const app = useFixture(() => openTestApp())

test('a pro is verified on the page, and search, profile, queue, audit log and the pro show it at once', async () => {
  const [found] = (await findProsToCheck(app.deps, {})).pros
  if (!found) throw new Error('The seed has no unverified pro.')
  const operator = await loggedInVisitor(app, 'operator')
  const { text: queue } = await operator.get(`/console/verification?q=${encodeURIComponent(found.slug.toUpperCase())}`)
  expect(queue).toContain(`/console/verification/${found.id}`)
  expect((await operator.get(`/console/verification/${found.id}`)).text).toContain('Public profile')
  const path = `/console/verification/${found.id}`
  expect(await operator.post(path, { verified: 'on' })).toMatchObject({ status: 400 })
  const sent = { verified: 'on', insurance: 'on', reason: 'License 4711 seen.' }
  expect(await operator.post(path, sent)).toMatchObject({ status: 303, location: path })
  const shown = (await (await app.send(`/api/v1/pros/${found.slug}`)).json()) as { verified: boolean }
  expect(shown.verified).toBe(true)
  const { pros } = await findProsToCheck(app.deps, { q: found.slug })
  expect(pros.map(({ id }) => id)).not.toContain(found.id)
  expect(await listActions(app.deps, found.id)).toMatchObject([
    {
      action: 'pro.verification',
      reason: 'License 4711 seen.',
      details: { after: { verified: true, insurance: true } },
    },
  ])
  const pro = await loggedInVisitor(app, 'pro', { pro: found.id })
  expect((await pro.get('/console')).text).toContain('License 4711 seen.')
  expect(await pro.post(path, sent)).toMatchObject({ status: 403 })
})

test('setting the same again changes and records nothing', async () => {
  const [found] = (await findProsToCheck(app.deps, { show: 'all' })).pros
  const { id = '', verified = false, backgroundCheck = false, insurance = false, credentials = false } = found ?? {}
  const marks = { verified, backgroundCheck, insurance, credentials }
  const before = await listActions(app.deps, id)
  expect(await setMarks(app.deps, { professionalId: id, marks, reason: 'Again.', by: null })).toBe(false)
  expect([await listActions(app.deps, id), await getProToCheck(app.deps, id)]).toMatchObject([before, marks])
})
