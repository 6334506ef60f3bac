// A pro's day from the log-in to the evening, in three ways: with a mouse, with a thumb and without scripts, by keyboard.
import { expect, test } from 'bun:test'

import type { Locator, Page } from 'playwright-core'

import { ANONYMOUS } from '../../../src/auth/accounts/verbs.ts'
import { createBooking } from '../../../src/features/booking/bookings/verbs/create-booking.ts'
import { getJob, listJobs } from '../../../src/features/booking/jobs/verbs/jobs.ts'
import { listOffers } from '../../../src/features/business/offers/verbs.ts'
import { acceptQuote } from '../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { approveReview, submitReview } from '../../../src/features/reviews/reviews/verbs/reviews.ts'
import { createRfq } from '../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { getSchedule } from '../../../src/features/calendar/schedule/verbs.ts'
import { watchPage } from '../../support/browser.ts'
import { useConsole } from '../../support/console.ts'
import { WAYS } from '../../support/hands.ts'
import { cutOff } from '../../support/page-faults.ts'
import { type QuotingPro, quotingPro, sentQuote, tokenOf } from '../../support/quotes.ts'
import { createAuthor, newReview } from '../../support/reviews.ts'
import { PASSWORD, createTestUser } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const HOURS = `[{"start":"08:00","end":"18:00"}]`
const ADDRESS = { street: '12 Oak Street', city: 'Austin', state: 'TX', zipCode: '78704' }

const world = await useConsole()

/** What waits for the pro in the morning: a visit, a lead, two accepted quotes and a review. Returns the quotes' jobs. */
async function prepare(pro: QuotingPro): Promise<{ cancelled: string }> {
  const { deps } = world.app
  await deps.write.run(
    'openPro',
    (sql) => sql`
      with open as (
        update professional_services set instant_book_enabled = true where professional_id = ${pro.professionalId})
      update professionals set instant_booking_enabled = true, requires_approval = true, deposit_required = false,
        deposit_percentage = null, lead_time_hours = 0, time_zone = 'America/Chicago',
        business_hours = (select jsonb_object_agg(day, ${HOURS}::text::jsonb)
          from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as day)
      where id = ${pro.professionalId}`,
  )
  const { professionalId, serviceId } = pro
  const customer = { name: 'Maria Lopez', email: 'maria@test.example', phone: '(512) 555-0110' }
  const visit = { professionalId, serviceId, date: '2026-06-01', time: '15:00', customer, address: ADDRESS }
  await createBooking(ctxOf(deps, pro), visit)
  const asking = { name: 'Pat Brown', email: 'pat@test.example' }
  await createRfq(ctxOf(deps, pro), {
    professionalId,
    serviceId,
    customer: asking,
    description: 'The gutter leaks.',
    address: ADDRESS,
  })
  const { token } = await sentQuote(deps, pro, {}, { name: 'Dana White', email: 'dana@test.example' })
  await acceptQuote(ctxOf(deps, ANONYMOUS), { token })
  const [job] = (await listJobs(ctxOf(deps, pro), { status: 'scheduled' })).jobs
  const author = await createAuthor(world.app)
  const value = await submitReview(
    ctxOf(deps, { ...author, isProven: true }),
    newReview(professionalId, { title: 'Dry again' }),
  )
  await approveReview(ctxOf(deps), { id: value.review.id })
  return { cancelled: job?.id ?? '' }
}

/** Fails where something on a page is wider than the screen. */
const fits = async (page: Page) => {
  await page.waitForLoadState()
  expect([page.url(), await cutOff(page)]).toEqual([page.url(), []])
}

test.each(Object.entries(WAYS))(
  'a pro works a day %s',
  async (name, { context, handsOn }) => {
    const { app } = world
    const { deps } = app
    const pro = await quotingPro(app, Object.keys(WAYS).indexOf(name) + 1)
    const { cancelled } = await prepare(pro)
    const email = await createTestUser(app, 'pro', { pro: pro.professionalId })
    const { page, outside, errors } = await watchPage(world.browser, context)
    const { choose, use, enter } = handsOn(page)
    const button = (label: string, of: Locator | Page = page) => of.getByRole('button', { name: label, exact: true })
    const field = (label: string | RegExp) => page.getByLabel(label, { exact: true }).first()
    const summary = (text: string) => page.locator('summary', { hasText: text }).first()
    const says = (text: string) => page.getByRole('status').getByText(text).waitFor()
    const sees = (text: string) => page.locator('main').getByText(text).first().waitFor()

    await page.goto(`${world.url}/console`)
    await enter(field('E-mail address'), email)
    await enter(field('Password'), PASSWORD)
    await use(button('Log in'))

    // Today: the visit that waits is confirmed, and the page of the visit says where and for whom it is.
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
    await fits(page)
    await use(button('Confirm', page.locator('.visit', { hasText: 'Maria Lopez' }).last()))
    await says('The booking is confirmed')
    await page.getByRole('link', { name: '12 Oak Street' }).waitFor()
    await page.getByRole('link', { name: '(512) 555-0110' }).waitFor()
    await fits(page)
    expect(await statesOfVisits(pro)).toEqual(['confirmed'])

    await choose('Calendar')
    await sees('Maria Lopez')
    await enter(field('First day'), '2026-06-03')
    await enter(field(/^From/), '16:00')
    await enter(field(/^To/), '17:30')
    await enter(field(/^Reason/), 'Dentist')
    await use(button('Block time'))
    await says('The time is blocked')
    await sees('4:00 PM to 5:30 PM')
    await fits(page)
    const { blocks } = await getSchedule(ctxOf(deps, pro))
    expect(blocks.map(({ startDateTime, reason }) => [startDateTime, reason])).toEqual([
      ['2026-06-03T21:00:00.000Z', 'Dentist'],
    ])

    // A lead gets a quote, whose lines are summed up before it is sent.
    await choose('Leads')
    await sees('Austin')
    await fits(page)
    await use(page.locator('main').getByRole('link', { name: 'Pat Brown' }))
    await enter(field('Description of line item 1'), 'New gutter')
    await enter(field('Quantity of line item 1'), '16')
    await enter(field('Price each of line item 1'), '12.50')
    if (context.javaScriptEnabled === false) await use(button('Calculate'))
    await sees('Total of the lines: $200')
    await enter(field(/^Message/), 'We can begin next week.')
    await use(button('Send quote'))
    await says('The quote is sent')
    await sees('The customer has not opened it yet')
    await fits(page)
    const [quote] = await deps.read.run<{ id: string; cents: number }>(
      'quoteOfLead',
      (sql) => sql`
      select q.id, q.amount_cents as cents from quotes q join rfqs r on r.id = q.rfq_id
      where q.professional_id = ${pro.professionalId} and r.customer_name = 'Pat Brown'`,
    )
    expect(quote?.cents).toBe(20_000)
    await acceptQuote(ctxOf(deps, ANONYMOUS), { token: tokenOf(deps, quote?.id ?? '') })

    // The accepted quote is a job that is begun and finished; the other customer's job is cancelled.
    await choose('Jobs')
    await use(page.getByRole('row', { name: /Pat Brown/ }).getByRole('link'))
    await use(button('Start'))
    await says('The job is in progress.')
    await use(summary('Complete'))
    await enter(field(/^Final amount/), '210')
    await use(button('Complete job'))
    await says('The job is completed. The customer can review it now.')
    await fits(page)
    const { jobs } = await listJobs(ctxOf(deps, pro), { status: 'completed' })
    expect(jobs.map(({ amount, customer }) => [amount, customer?.name])).toContainEqual([210, 'Pat Brown'])
    await choose('Jobs')
    await use(page.getByRole('row', { name: /Dana White/ }).getByRole('link'))
    await use(summary('Cancel'))
    await enter(field(/^Why you cancel it/), 'The van broke down.')
    await use(button('Cancel job'))
    await says('The job is cancelled.')
    expect(await getJob(ctxOf(deps, pro), { id: cancelled })).toMatchObject({
      status: 'cancelled',
      cancellationReason: 'The van broke down.',
    })

    await choose('Reviews')
    const entry = page.locator('.entry', { hasText: 'Dry again' })
    await use(entry.locator('summary', { hasText: 'Answer' }))
    await enter(entry.getByLabel('Your answer'), 'Thank you, it was a pleasure.')
    await use(button('Publish answer', entry))
    await says('Your answer is published')
    await fits(page)
    expect(await (await app.send(`/api/v1/reviews?professionalId=${pro.professionalId}`)).text()).toContain(
      'it was a pleasure',
    )

    await choose('Services and prices')
    const { services } = await listOffers(ctxOf(deps, pro))
    const own = services.find(({ serviceId }) => serviceId === pro.serviceId)
    await use(page.getByRole('link', { name: own?.name ?? '', exact: true }))
    await enter(field(/^Price, US dollars/), '135')
    await enter(field(/^Lowest price/), '')
    await enter(field(/^Highest price/), '')
    await use(button('Save service'))
    await says('The service is saved')
    await sees('$135 per visit')
    await fits(page)
    expect(
      (await listOffers(ctxOf(deps, pro))).services.find(({ serviceId }) => serviceId === pro.serviceId),
    ).toMatchObject({
      basePrice: 135,
    })

    await choose('Booking settings')
    await enter(field('Monday, from'), '09:30')
    await use(button('Save hours'))
    await says('Your hours are saved')
    await fits(page)
    const { settings } = await getSchedule(ctxOf(deps, pro))
    expect(settings.businessHours.monday).toEqual([{ start: '09:30', end: '18:00' }])
    expect([outside, errors]).toEqual([[], []])
    await page.context().close()
  },
  60_000,
)

const statesOfVisits = async ({ professionalId }: QuotingPro) =>
  (
    await world.app.deps.read.run<{ status: string }>(
      'statesOfVisits',
      (sql) => sql`
        select status from bookings
        where professional_id = ${professionalId} and customer_email = 'maria@test.example'`,
    )
  ).map(({ status }) => status)
