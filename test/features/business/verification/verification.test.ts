// Operators record what was checked of a pro: search shows it at once, the pro is told, and the audit log keeps the reason.
import { expect, test } from 'bun:test'

import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import {
  askForVerification,
  findProsToCheck,
  getProToCheck,
  getVerification,
  refuseVerification,
  setMarks,
} from '../../../../src/features/business/verification/verbs.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'
import { escaped } from '../../../support/escaped.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())

test('a pro is verified on the page, and search, profile, queue, audit log and the pro show it at once', async () => {
  const [found] = (await findProsToCheck(ctxOf(app.deps), {})).pros
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
  const { pros } = await findProsToCheck(ctxOf(app.deps), { q: found.slug })
  expect(pros.map(({ id }) => id)).not.toContain(found.id)
  expect(await listActions(ctxOf(app.deps), { subjectId: found.id })).toMatchObject([
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
  const [found] = (await findProsToCheck(ctxOf(app.deps), { show: 'all' })).pros
  const { id = '', verified = false, backgroundCheck = false, insurance = false, credentials = false } = found ?? {}
  const marks = { verified, backgroundCheck, insurance, credentials }
  const before = await listActions(ctxOf(app.deps), { subjectId: id })
  expect(await setMarks(ctxOf(app.deps), { professionalId: id, marks, reason: 'Again.', by: null })).toBe(false)
  expect([
    await listActions(ctxOf(app.deps), { subjectId: id }),
    await getProToCheck(ctxOf(app.deps), { id }),
  ]).toMatchObject([before, marks])
})

const requestOf = async (id: string) => (await getVerification(ctxOf(app.deps, { professionalId: id }))).request

test('a pro asks, is first in the queue, reads why it was refused, asks again and is verified', async () => {
  const pros = (await findProsToCheck(ctxOf(app.deps), {})).pros
  const id = pros.at(-1)?.id ?? ''
  const [pro, operator] = await Promise.all([
    loggedInVisitor(app, 'pro', { pro: id }),
    loggedInVisitor(app, 'operator'),
  ])
  const [ask, page] = ['/console/my-verification', `/console/verification/${id}`]
  expect((await pro.get(ask)).text).toContain('Ask to be verified')
  const half = await pro.post(ask, { licenseNumber: 'TX-100' })
  expect([half.status, half.text.includes('Enter the number and the state of the license')]).toEqual([400, true])
  const sent = { licenseNumber: 'TX-100', licenseState: 'TX', note: 'Ask the county.' }
  expect(await pro.post(ask, sent)).toMatchObject({ status: 303, location: ask })
  const { askedAt } = (await requestOf(id)) ?? {}
  // Asking twice changes what was sent and keeps the place in the queue.
  const clock = { now: () => new Date(Date.parse(askedAt ?? '') + 60_000) }
  const change = { ...sent, note: 'Ask the <b>county</b>.' }
  await askForVerification(ctxOf({ ...app.deps, clock }, { professionalId: id }), change)
  expect(await requestOf(id)).toMatchObject({ askedAt, note: 'Ask the <b>county</b>.', refusal: null })
  expect((await pro.get(ask)).text).toContain('Waits for us')

  expect((await findProsToCheck(ctxOf(app.deps), {})).pros[0]?.id).toBe(id)
  expect((await findProsToCheck(ctxOf(app.deps), { show: 'asked' })).pros.map((one) => one.id)).toEqual([id])
  expect((await operator.get('/console')).text).toContain('pro to verify')
  expect((await operator.get('/console/verification?show=asked')).text).toContain(page)
  const { text } = await operator.get(page)
  expect([text.includes('TX-100 (TX)'), text.includes(escaped('Ask the <b>county'))]).toEqual([true, true])

  expect(await operator.get(`${page}/refuse`)).toMatchObject({ location: page })
  expect(await operator.post(`${page}/refuse`, {})).toMatchObject({ status: 400 })
  expect(await pro.post(`${page}/refuse`, { reason: 'No.' })).toMatchObject({ status: 403 })
  expect(await operator.post(`${page}/refuse`, { reason: 'The license has expired.' })).toMatchObject({ status: 303 })
  expect((await pro.get('/console')).text).toContain('The license has expired.')
  const refused = (await pro.get(ask)).text
  expect([refused.includes('The license has expired.'), refused.includes('Ask again')]).toEqual([true, true])
  expect((await findProsToCheck(ctxOf(app.deps), { show: 'asked' })).pros).toEqual([])
  expect(await operator.post(`${page}/refuse`, { reason: 'Again.' })).toMatchObject({ status: 409 })

  expect(await pro.post(ask, { ...sent, licenseNumber: 'TX-200' })).toMatchObject({ status: 303 })
  expect(await operator.post(page, { verified: 'on', reason: 'License TX-200 seen.' })).toMatchObject({ status: 303 })
  expect(await getVerification(ctxOf(app.deps, { professionalId: id }))).toMatchObject({
    verified: true,
    request: null,
  })
  const verified = (await pro.get(ask)).text
  expect([verified.includes('is verified'), verified.includes('<button>Ask')]).toEqual([true, false])
  expect(await pro.post(ask, sent)).toMatchObject({ status: 409 })
  expect((await listActions(ctxOf(app.deps), { subjectId: id })).map(({ reason }) => reason)).toEqual([
    'License TX-200 seen.',
    'The license has expired.',
  ])
})

test('asking and refusing name a pro that exists and a request that waits', async () => {
  const unknown = { professionalId: crypto.randomUUID() }
  const codeOf = (result: Promise<unknown>) => result.catch((error: unknown) => error)
  expect(await codeOf(askForVerification(ctxOf(app.deps, unknown), {}))).toMatchObject({
    code: 'professional_not_found',
  })
  expect(await codeOf(getVerification(ctxOf(app.deps, unknown)))).toMatchObject({ code: 'professional_not_found' })
  const [found] = (await findProsToCheck(ctxOf(app.deps), {})).pros
  const refusal = { professionalId: found?.id ?? '', reason: 'No.', by: null }
  expect(await codeOf(refuseVerification(ctxOf(app.deps), refusal))).toMatchObject({ code: 'invalid_transition' })
})
