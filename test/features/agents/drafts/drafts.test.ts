// Drafts: prepared from the pro's own leads, prices and history, stored, and never sent.
import { describe, expect, test } from 'bun:test'

import type { Assessment, DayBrief, JobSpec } from '../../../../src/features/agents/drafts/schemas.ts'
import type { Quote, QuoteAccepted } from '../../../../src/features/quoting/quotes/schemas.ts'
import { approveReview } from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { openTestApp } from '../../../support/app.ts'
import { openProAgentFixture } from '../../../support/pro-agent-fixture.ts'
import { HOMEOWNER, tokenOf } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())
const sql = app.sql
const [pro, other] = [await openProAgentFixture(app), await openProAgentFixture(app, 1)]

const patchOffer = (json: object) =>
  app.send('/api/pro/services', { method: 'PATCH', key: pro.key, json: { serviceId: pro.serviceId, ...json } })

describe('assessment notes', () => {
  test('contain the known facts, the questions and the customer’s history', async () => {
    await patchOffer({ basePrice: 450, minPrice: 300, maxPrice: 600 })
    const jobId = await pro.createCompletedJob(200, 222)
    const leadId = await pro.lead({
      address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
      timeline: 'This week',
      photos: ['https://photos.test.example/1.jpg', 'https://photos.test.example/2.jpg'],
    })
    const { assessment } = (await pro.tool('prepare_assessment_notes', { leadId })).structured as unknown as {
      assessment: Assessment
    }
    expect(assessment).toMatchObject({ about: { type: 'lead', id: leadId }, photos: 2 })
    expect(assessment.known).toEqual([
      'Request: The gutter leaks at the corner.',
      'Address: 1 Main Street, Austin, TX 78701',
      'Time frame: This week',
      'Photos: 2',
    ])
    expect(assessment.toAsk).toEqual(['At which telephone number can we reach you on the day?', 'Is there a budget?'])
    expect(assessment.toCheck.slice(0, 2)).toEqual([
      'Access and parking at 1 Main Street, Austin, TX 78701',
      'Compare with the 2 photos',
    ])
    expect(assessment.price).toMatchObject({ low: 300, high: 600, from: 'your listed prices' })
    expect(assessment.history).toHaveLength(2)
    expect(assessment.history.find(({ amount }) => amount === 222)).toMatchObject({ kind: 'job', status: 'completed' })

    for (const named of [{ assessmentId: assessment.id }, { leadId }])
      expect((await pro.tool('get_assessment', named)).structured).toEqual({ assessment })
    expect(await pro.outcome('get_assessment', { jobId })).toBe('assessment_not_found')
    expect(await pro.outcome('get_assessment', {})).toBe('validation_failed')
    expect(await pro.outcome('prepare_assessment_notes', { leadId, jobId })).toBe('validation_failed')
  })

  test('are read as the latest of several', async () => {
    const leadId = await pro.lead()
    const prepare = async () =>
      (await pro.tool('prepare_assessment_notes', { leadId })).structured as unknown as { assessment: Assessment }
    await prepare()
    const latest = await prepare()
    expect((await pro.tool('get_assessment', { leadId })).structured).toEqual({ ...latest })
  })
})

test('a day’s brief has its bookings in local order, and gaps that add up to the rest of the day', async () => {
  const hours = {
    wednesday: [
      { start: '08:00', end: '12:00' },
      { start: '13:00', end: '18:00' },
    ],
  }
  const settings = {
    instantBookingEnabled: true,
    bookingLeadTimeHours: 0,
    bookingBufferMinutes: 0,
    businessHours: hours,
  }
  await app.send('/api/v1/pro/availability', { method: 'PATCH', key: pro.key, json: settings })
  const offered = { durationMinutes: 120, packageKind: 'standard', packagePrice: 99, includes: ['Ladder', 'Sealant'] }
  const created = (await (await patchOffer(offered)).json()) as { package: { id: string } }
  const key = await app.key(['bookings:write', 'packages:book'])
  const zone = ((await pro.rest('/pro/profile')) as { timezone: string }).timezone
  const [at] = await sql<{ start: string; from: string; to: string }[]>`
    select '2026-06-10 13:00'::timestamp at time zone ${zone} as start,
      '2026-06-10 16:00'::timestamp at time zone ${zone} as from, '2026-06-10 17:00'::timestamp at time zone ${zone} as to`
  const who = { professionalId: pro.professionalId, serviceId: pro.serviceId }
  const customer = { name: 'Customer', email: 'customer@test.example', phone: '555-0100' }
  const address = { street: '1 Main Street', city: 'Austin', state: 'TX' }
  const day = { date: '2026-06-10', customer, address }
  const bookings = [
    await app.send('/api/v1/bookings', {
      key,
      json: { ...who, ...day, time: '10:00', duration: 90, description: 'Bell is broken.' },
    }),
    await app.send('/api/v1/bookings', { key, json: { ...who, ...day, time: '08:30', duration: 90 } }),
    await app.send('/api/v1/bookings/create', {
      key,
      json: {
        ...who,
        startDateTime: at?.start,
        guestName: 'Guest',
        guestEmail: 'guest@test.example',
        packageId: created.package.id,
      },
    }),
  ]
  expect(bookings.map(({ status }) => status)).toEqual([201, 201, 201])
  const block = { startDateTime: at?.from, endDateTime: at?.to, reason: 'School' }
  await app.send('/api/v1/pro/availability', { key: pro.key, json: block })

  const { brief } = (await pro.tool('prepare_day_brief', { date: '2026-06-10' })).structured as unknown as {
    brief: DayBrief
  }
  expect(brief.stops.map(({ start, end }) => [start, end])).toEqual([
    ['08:30', '10:00'],
    ['10:00', '11:30'],
    ['13:00', '15:00'],
  ])
  expect(brief.stops[1]).toMatchObject({
    customer: { name: 'Customer', phone: '555-0100' },
    address: '1 Main Street, Austin, TX',
    notes: 'Bell is broken.',
    bring: [],
  })
  expect(brief.stops[2]?.bring).toEqual(['Ladder', 'Sealant'])
  expect(brief.blocks).toEqual([{ start: '16:00', end: '17:00', reason: 'School' }])
  const free = brief.gaps.reduce((sum, { minutes }) => sum + minutes, 0)
  expect(free).toBe(9 * 60 - brief.bookedMinutes - 60)
  expect(brief.gaps.slice(0, 2)).toEqual([
    { start: '08:00', end: '08:30', minutes: 30 },
    { start: '11:30', end: '12:00', minutes: 30 },
  ])
  expect(brief.warnings.join('\n')).toContain('0 minutes between 10:00')
  expect(brief.warnings.join('\n')).toContain('13:00')
  const today = (await pro.tool('prepare_day_brief')).structured as unknown as { brief: DayBrief }
  expect(today.brief).toMatchObject({ date: '2026-06-01', timezone: zone })
})

test('a job’s specification has the agreed work and the open points', async () => {
  const rfqId = await pro.lead({ customer: { ...HOMEOWNER, phone: '555-0100' }, preferredDate: '2026-06-20' })
  const lineItems = [
    { description: 'Gutter', quantity: 12, unitPrice: 20, amount: 240 },
    { description: 'Regular customer', quantity: 1, unitPrice: -40, amount: -40 },
  ]
  const terms = { estimatedDays: 2, depositRequired: true, depositPercentage: 50, paymentTerms: 'On the day.' }
  const sent = await app.send('/api/v1/pro/quotes', { key: pro.key, json: { rfqId, amount: 200, lineItems, ...terms } })
  const token = tokenOf(app.deps, ((await sent.json()) as { quote: Quote }).quote.id)
  const accepted = await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
  const { payment } = (await accepted.json()) as QuoteAccepted
  await app.send(`/sandbox/payments/${payment?.clientSecret}`, { json: { outcome: 'succeeds' } })
  const { quote } = (await (await app.send(`/api/v1/quotes/${token}`)).json()) as { quote: Quote }
  const { spec } = (await pro.tool('prepare_job_spec', { jobId: quote.jobId })).structured as unknown as {
    spec: JobSpec
  }
  expect(spec).toMatchObject({
    about: { type: 'job', id: quote.jobId },
    customer: { name: HOMEOWNER.name, phone: '555-0100' },
    scope: [{ item: 'Gutter', quantity: 12 }],
    price: { amount: 200, deposit: 100, terms: 'On the day.' },
    estimatedDays: 2,
    wanted: '2026-06-20',
    open: ['Where is the work: street and city?'],
  })
})

test('a message is drafted for each purpose, and refused when the purpose does not fit', async () => {
  const body = async (args: object) =>
    ((await pro.tool('prepare_customer_message', args)).structured as { message: { body: string } }).message.body
  const leadId = await pro.lead()
  const message = await body({ leadId, purpose: 'ask_details', points: ['We are there on Friday.'] })
  expect(message).toContain('- Where is the work: street and city?')
  expect(message).toContain('\n\nWe are there on Friday.\n\n')
  const refused = (args: object) => pro.outcome('prepare_customer_message', args)
  for (const purpose of ['confirm_visit', 'follow_up', 'thank_you'])
    expect([purpose, await refused({ leadId, purpose })]).toEqual([purpose, 'validation_failed'])
  await app.send('/api/v1/pro/quotes', { key: pro.key, json: { rfqId: leadId, amount: 1234.5 } })
  expect(await body({ leadId, purpose: 'follow_up' })).toContain('$1,234.50')
  const jobId = await pro.createCompletedJob(100)
  expect(await body({ jobId, purpose: 'thank_you' })).toContain('thank you for having us')
  const { bookings } = (await pro.rest('/pro/bookings?date=2026-06-10')) as { bookings: { id: string }[] }
  expect(await body({ bookingId: bookings[0]?.id, purpose: 'confirm_visit' })).toContain('2026-06-10 at 08:30')
})

test('media are the photos of the request and of its job’s reviews', async () => {
  const photos = ['https://photos.test.example/before.jpg']
  const rfqId = await pro.lead({ photos })
  const sent = await app.send('/api/v1/pro/quotes', { key: pro.key, json: { rfqId, amount: 200 } })
  const token = tokenOf(app.deps, ((await sent.json()) as { quote: Quote }).quote.id)
  const accepted = await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
  const { quote } = (await accepted.json()) as { quote: Quote }
  await app.send(`/api/v1/pro/jobs/${quote.jobId}`, { key: pro.key, json: { action: 'complete' } })
  const review = await app.send('/api/v1/reviews', {
    key: await app.key(),
    json: {
      professionalId: pro.professionalId,
      projectId: quote.jobId,
      rating: 5,
      content: 'Fine.',
      customer: HOMEOWNER,
      photos: ['https://photos.test.example/after.jpg'],
    },
  })
  const media = async (args: object) => (await pro.tool('list_job_media', args)).structured
  const before = { url: photos[0], from: 'request', caption: null }
  expect(await media({ jobId: quote.jobId })).toMatchObject({ media: [before] })
  await approveReview(ctxOf(app.deps), { id: ((await review.json()) as { review: { id: string } }).review.id })
  expect(await media({ jobId: quote.jobId })).toMatchObject({
    media: [before, { url: 'https://photos.test.example/after.jpg', from: 'review' }],
  })
  expect(await media({ leadId: rfqId })).toMatchObject({ media: [before] })
  expect(await pro.outcome('list_job_media', {})).toBe('validation_failed')
})

test('a draft never uses another pro’s data', async () => {
  const leadId = await other.lead()
  const { jobId } = await other.createAcceptedJob(100)
  const mine = ((await other.tool('prepare_assessment_notes', { leadId })).structured as { assessment: { id: string } })
    .assessment.id
  const rows = async () =>
    (await sql`select count(*) from prepared_work where professional_id = ${pro.professionalId}`)[0]
  const before = await rows()
  for (const [tool, args, code] of [
    ['prepare_quote_draft', { leadId }, 'rfq_not_found'],
    ['prepare_assessment_notes', { jobId }, 'job_not_found'],
    ['prepare_job_spec', { leadId }, 'rfq_not_found'],
    ['prepare_customer_message', { jobId, purpose: 'answer' }, 'job_not_found'],
    ['get_assessment', { assessmentId: mine }, 'assessment_not_found'],
    ['get_assessment', { leadId }, 'assessment_not_found'],
    ['list_job_media', { jobId }, 'job_not_found'],
    ['list_job_media', { leadId }, 'rfq_not_found'],
  ] as const)
    expect([tool, await pro.outcome(tool, args)]).toEqual([tool, code])
  expect(await rows()).toEqual(before)
})
