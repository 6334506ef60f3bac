// Refused forms of the console on a phone: what is wrong is in view with the focus, each error stands beside its field, and what
// was typed is still there.
import { afterEach, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { createBooking } from '../../../src/features/booking/bookings/verbs/create-booking.ts'
import { listOffers } from '../../../src/features/business/offers/verbs.ts'
import { reportReview } from '../../../src/features/reviews/reviews/verbs/reports.ts'
import { approveReview, rejectReview, submitReview } from '../../../src/features/reviews/reviews/verbs/reviews.ts'
import { VISIT_ADDRESS } from '../../support/booking-fixture.ts'
import { useConsole } from '../../support/console.ts'
import { createAuthor, newReview } from '../../support/reviews.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await useConsole()
const { deps } = world.app
const ids = { review: '', reported: '', toModerate: '', booking: '' }
await insertFixtures()
const watched = { pro: await world.logIn('pro'), operator: await world.logIn('operator') }
for (const { page } of Object.values(watched)) await page.setViewportSize({ width: 390, height: 844 })
afterEach(() => {
  for (const { outside, errors } of Object.values(watched)) expect([outside, errors]).toEqual([[], []])
})

async function insertFixtures(): Promise<void> {
  const [row] = await deps.write.run<{ accountId: string }>(
    'readyPro',
    (sql) => sql`
      with open as (
        update professional_services set instant_book_enabled = true where professional_id = ${world.pro.id})
      update professionals set instant_booking_enabled = true, requires_approval = false, deposit_required = false,
        deposit_percentage = null, lead_time_hours = 0, time_zone = 'UTC',
        business_hours = (select jsonb_object_agg(day, '[{"start":"00:00","end":"24:00"}]'::jsonb)
          from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as day)
      where id = ${world.pro.id} returning account_id`,
  )
  const owner = ctxOf(deps, { accountId: row?.accountId ?? '', professionalId: world.pro.id })
  const serviceId = (await listOffers(owner)).services[0]?.serviceId ?? ''
  const customer = { name: 'Maria Lopez', email: 'maria@test.example' }
  const visit = {
    professionalId: world.pro.id,
    serviceId,
    date: '2026-06-20',
    time: '10:00',
    address: VISIT_ADDRESS,
    customer,
  }
  ids.booking = (await createBooking(owner, visit)).booking.id
  const author = await createAuthor(world.app)
  const submit = async (title: string) =>
    (await submitReview(ctxOf(deps, { ...author, isProven: true }), newReview(world.pro.id, { title }))).review.id
  ids.review = await submit('On time and tidy')
  await approveReview(ctxOf(deps), { id: ids.review })
  ids.reported = await submit('Late by an hour')
  await approveReview(ctxOf(deps), { id: ids.reported })
  await reportReview(owner, { id: ids.reported, reason: 'untrue', words: 'We came on time.', by: null })
  ids.toModerate = await submit('Watches')
}

interface RefusedForm {
  role: 'pro' | 'operator'
  path: string
  /** What is typed, by the ids of the fields. */
  typed: Record<string, string>
  button: string
  /** The fields that the summary names. */
  summary: string
  /** The message beside the last field that is wrong. */
  message: string
}

const FORMS: Readonly<Record<string, RefusedForm>> = {
  'blocking time': {
    role: 'pro',
    path: '/calendar',
    typed: { fromDate: '2026-06-09', toDate: '2026-06-02', reason: 'Away.' },
    button: 'Block time',
    summary: 'Last day',
    message: 'Must not be before the first day.',
  },
  'saving settings': {
    role: 'pro',
    path: '/settings',
    typed: { bookingLeadTimeHours: '24', bookingBufferMinutes: 'an hour', reminderHours: '9999' },
    button: 'Save settings',
    summary: 'Time between bookings, minutes, Reminder before a visit, hours',
    message: 'Must be a whole number',
  },
  'blocking a customer': {
    role: 'pro',
    path: '/blocked-customers',
    typed: { email: 'no address', reason: 'Never at home.' },
    button: 'Block customer',
    summary: 'E-mail address',
    message: 'Must be an e-mail address',
  },
  'proposing another time': {
    role: 'pro',
    path: `/bookings/${ids.booking}`,
    typed: { date: '', time: '', message: 'Our van broke down.' },
    button: 'Propose time',
    summary: 'Day, Time',
    message: 'Is required.',
  },
  'cancelling a booking': {
    role: 'pro',
    path: `/bookings/${ids.booking}`,
    typed: { 'reason-cancel': '' },
    button: 'Cancel booking',
    summary: 'Why you cancel it',
    message: 'Is required.',
  },
  'answering a review': {
    role: 'pro',
    path: '/my-reviews?status=approved',
    typed: { [`content-${ids.review}`]: ' ' },
    button: 'Publish answer',
    summary: 'Your answer',
    message: 'Is required.',
  },
  'reporting a review': {
    role: 'pro',
    path: '/my-reviews?status=approved',
    typed: { [`words-${ids.review}`]: ' ' },
    button: 'Send report',
    summary: 'What we should know',
    message: 'Is required.',
  },
  'keeping a reported review': {
    role: 'operator',
    path: '/reviews?status=reported',
    typed: { [`words-${ids.reported}`]: ' ' },
    button: 'Keep review',
    summary: 'Words to the pro',
    message: 'Is required.',
  },
  'rejecting a review': {
    role: 'operator',
    path: '/reviews?q=Watches',
    typed: { [`reason-${ids.toModerate}`]: ' ' },
    button: 'Reject review',
    summary: 'Reason',
    message: 'Is required.',
  },
  'taking a review down': {
    role: 'operator',
    path: '/reviews?status=approved',
    typed: { [`reason-${ids.review}`]: ' ' },
    button: 'Take review down',
    summary: 'Reason',
    message: 'Is required.',
  },
  'adding agent tasks': {
    role: 'operator',
    path: `/credits?pro=${world.pro.slug}`,
    typed: { tasks: 'many', reference: 'invoice 9' },
    button: 'Add tasks',
    summary: 'Tasks',
    message: 'Must be a whole number',
  },
}

const isInView = (page: Page) =>
  page.evaluate<boolean>(
    `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`,
  )

const REFUSED = Object.entries(FORMS).map(([name, form]) => ({ name, ...form }))

test.each(REFUSED)(
  '$name on a phone: a refused form shows what is wrong and keeps what was typed',
  async ({ role, path, typed, button, summary, message }) => {
    const { page, errors } = watched[role]
    await page.goto(`${world.url}/console${path}`)
    const field = (id: string) => page.locator(`[id="${id}"]`)
    const [first = ''] = Object.keys(typed)
    const folded = page.locator('main details:not([open])', { has: field(first) })
    if ((await folded.count()) > 0) await folded.locator('summary').click()
    for (const [id, value] of Object.entries(typed)) await field(id).fill(value)
    const form = page.locator('main form', { has: field(first) })
    await form.getByRole('button', { name: button }).click()
    await form.locator('.fault').last().getByText(message).waitFor()
    expect(errors.splice(0)).toEqual([expect.stringContaining('400') as string])
    expect(await page.locator(':focus').innerText()).toBe(`Please correct: ${summary}`)
    expect(await isInView(page)).toBe(true)
    for (const [id, value] of Object.entries(typed)) expect(await field(id).inputValue()).toBe(value)
    // The address of the form, opened without sending it, leads to its page.
    expect((await page.goto(page.url()))?.status()).toBe(200)
  },
)

test('opening hours on a phone: the days that are wrong are named, and all times stay', async () => {
  const { page, errors } = watched.pro
  await page.goto(`${world.url}/console/settings`)
  const time = (name: string) => page.getByLabel(name, { exact: true })
  await time('Monday, from').fill('18:00')
  await time('Monday, to').fill('09:00')
  await time('Friday, to').fill('')
  await page.getByRole('button', { name: 'Save hours' }).click()
  await page.locator('#monday-error').waitFor()
  expect(errors.splice(0)).toEqual([expect.stringContaining('400') as string])
  expect(await page.locator(':focus').innerText()).toBe('Please correct: Monday, Friday')
  expect(await isInView(page)).toBe(true)
  expect(await page.locator('#monday-error').innerText()).toBe('Each span must end after it starts.')
  expect(await page.locator('#friday-error').innerText()).toContain('Enter both times of each span')
  expect([await time('Monday, from').inputValue(), await time('Monday, to').inputValue()]).toEqual(['18:00', '09:00'])
})

test('a review that another moderator decided meanwhile says so, with the focus', async () => {
  const { page, errors } = watched.operator
  await page.goto(`${world.url}/console/reviews?q=Watches`)
  await rejectReview(ctxOf(deps), { id: ids.toModerate, reason: 'It is an advertisement.' })
  await page.locator('.entry summary').click()
  await page.locator('.entry').getByLabel('Reason').fill('It is one.')
  await page.getByRole('button', { name: 'Reject review' }).click()
  await page.getByText('No reviews found').waitFor()
  expect(errors.splice(0)).toEqual([expect.stringContaining('409') as string])
  expect(await page.locator(':focus').getAttribute('role')).toBe('alert')
})
