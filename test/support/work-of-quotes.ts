// A quote, its job and the visits of it, for tests that walk through their states: each act as its person takes it, and what each
// interface shows.
import { ANONYMOUS, siteAccountOf } from '../../src/auth/accounts/verbs.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { ctxOf } from '../../src/ctx.ts'
import { cancelBooking, rescheduleBooking } from '../../src/features/booking/bookings/verbs/customer-actions.ts'
import { manageUrl } from '../../src/features/booking/bookings/verbs/manage-link.ts'
import { acceptQuote, cancelWork, declineQuote } from '../../src/features/quoting/quotes/verbs/customer-link.ts'
import { bookVisit, listVisitTimes } from '../../src/features/quoting/quotes/verbs/visit.ts'
import { sendQuote } from '../../src/features/quoting/quotes/verbs/quotes.ts'
import { PRO_SERVER, callTool, setPlan } from './agents.ts'
import { type BookingFixture, STARTED_AT } from './booking-fixture.ts'
import { newRfqInput, tokenOf } from './quotes.ts'
import { createRfq } from '../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { loggedInVisitor } from './visitor.ts'

export interface Visit {
  id: string
  status: string
  hasBegun: boolean
}

export interface Work {
  quote: string
  job: { id: string; status: string } | null
  visits: Visit[]
}

/** A work in words: "accepted, job in_progress, visits completed confirmed(ahead)". */
export const nameOf = ({ quote, job, visits }: Work): string =>
  [
    quote,
    ...(job ? [`job ${job.status}`] : []),
    ...visits.map(({ status, hasBegun }) =>
      status === 'confirmed' ? `${status} ${hasBegun ? 'begun' : 'ahead'}` : status,
    ),
  ].join(', ')

/** A new pro's quote, sent to a customer, at the time of the fixture's start. */
export async function openWork(world: BookingFixture, { depositPercentage }: { depositPercentage?: number } = {}) {
  const { app, clock, sql } = world
  clock.set(STARTED_AT)
  const pro = await world.pro({ deposit: false })
  const [{ accountId } = { accountId: '' }] = await sql<{ accountId: string }[]>`
    select account_id from professionals where id = ${pro.id}`
  const caller = { accountId, professionalId: pro.id }
  const { rfq } = await createRfq(
    ctxOf(app.deps, caller),
    newRfqInput({ ...caller, serviceId: pro.serviceId, slug: '', email: pro.email, key: pro.key }),
  )
  const deposit = depositPercentage === undefined ? {} : { depositRequired: true, depositPercentage }
  const send = () => sendQuote(ctxOf(app.deps, caller), { rfqId: rfq.id, amount: 480, ...deposit })
  const { quote } = await send()
  const site = await siteAccountOf(app.deps)()

  const token = () => tokenOf(app.deps, quote.id)
  const read = async (): Promise<Work> => {
    const [stored] = await sql<{ quote: string; jobId: string | null; jobStatus: string }[]>`
      select quote_status(q, ${clock.now().toISOString()}) as quote, j.id as job_id, j.status as job_status
      from quotes q left join jobs j on j.quote_id = q.id where q.id = ${quote.id}`
    const visits = await sql<Visit[]>`
      select b.id, b.status, b.starts_at <= ${clock.now().toISOString()} as has_begun from bookings b
      where b.job_id = ${stored?.jobId ?? null} order by b.created_at, b.id`
    return {
      quote: stored?.quote ?? '',
      job: stored?.jobId ? { id: stored.jobId, status: stored.jobStatus } : null,
      visits: [...visits],
    }
  }
  const lastVisit = async () => (await read()).visits.at(-1)?.id ?? crypto.randomUUID()
  const firstTime = async (skip = 0) => {
    const date = new Date(clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
    const { availability } = await listVisitTimes(ctxOf(app.deps), { date, days: 7, token: token() })
    const open = availability.flatMap(({ date, slots }) =>
      slots.filter((slot) => slot.available).map(({ start }) => ({ date, time: start })),
    )
    return open[skip] ?? { date, time: '03:00' }
  }
  const asPro = async (path: string, json: object) => {
    const answer = await app.send(`/api/v1/pro/${path}`, { key: pro.key, json })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const onJob = (action: string) => async () =>
    asPro(`jobs/${(await read()).job?.id ?? crypto.randomUUID()}`, { action })
  const onVisit = (action: string) => async () =>
    asPro(`bookings/${await lastVisit()}`, {
      action,
      ...(action === 'cancel' ? { reason: 'The van broke down.' } : {}),
    })
  const holder = ctxOf(app.deps, { accountId: site.id, hasManageLink: true })
  const acts: Record<string, () => Promise<unknown>> = {
    accept: () => acceptQuote(ctxOf(app.deps, ANONYMOUS), { token: token() }),
    decline: () => declineQuote(ctxOf(app.deps, ANONYMOUS), { token: token() }),
    'newer quote': send,
    'the quote ends': async () => clock.advance(31 * 24 * 60),
    'choose a time': async () =>
      bookVisit(ctxOf(app.deps), { site, actor: ANONYMOUS, token: token(), ...(await firstTime()) }),
    'cancel the work': () => cancelWork(ctxOf(app.deps, ANONYMOUS), { token: token() }),
    'move the visit': async () => rescheduleBooking(holder, { id: await lastVisit(), ...(await firstTime(3)) }),
    'cancel the visit': async () => cancelBooking(holder, { id: await lastVisit() }),
    'the visit begins': async () => {
      const [visit] = await sql<{ startsAt: Date }[]>`select starts_at from bookings where id = ${await lastVisit()}`
      if (visit) clock.set(new Date(new Date(visit.startsAt).getTime() + 60_000).toISOString())
    },
    'pro: start job': onJob('start'),
    'pro: complete job': onJob('complete'),
    'pro: cancel job': onJob('cancel'),
    'pro: complete visit': onVisit('complete'),
    'pro: no-show': onVisit('no_show'),
    'pro: cancel visit': onVisit('cancel'),
  }
  return { pro, quoteId: quote.id, token, read, acts }
}
export type OpenWork = Awaited<ReturnType<typeof openWork>>

/** What each interface says of the states: by its name, the job's status and the visits' statuses, or the sentences of a page. */
export async function shownWork({ app }: BookingFixture, { pro, token, read }: OpenWork) {
  const { job, visits } = await read()
  if (!job) throw new Error('There is no job yet.')
  await setPlan(app, pro.id, 'business')
  const agentKey = await app.key(PRESETS['agent-tools'], pro.email)
  const console = await loggedInVisitor(app, 'pro', { pro: pro.id })
  const asPro = async <T>(path: string) => (await (await app.send(`/api/v1/pro/${path}`, { key: pro.key })).json()) as T
  const page = async (url: string) => textOf(await (await app.app.handle(new Request(url))).text())
  type Shown = { id: string; status: string; job: { id: string; status: string } | null }
  const bookings = await Promise.all(visits.map(({ id }) => asPro<Shown>(`bookings/${id}`)))
  const listed = (await callTool(app, PRO_SERVER, agentKey, 'list_bookings', {})).structured['bookings'] as Shown[]
  const events = await app.deps.read.run<{ object: Shown }>(
    'eventsOfVisits',
    (sql) => sql`
      select distinct on (aggregate_id) data -> 'object' as object from outbox_events
      where aggregate_id = any(${visits.map(({ id }) => id)}::uuid[]) order by aggregate_id, sequence desc`,
  )
  return {
    rest: { job: (await asPro<{ job: Shown & { visits: Shown[] } }>(`jobs/${job.id}`)).job, visits: bookings },
    tools: {
      job: (await callTool(app, PRO_SERVER, agentKey, 'get_job', { jobId: job.id })).structured['job'] as Shown,
      visits: listed,
    },
    events: events.map(({ object }) => object),
    quotePage: await page(`${app.deps.config.baseUrl}/quotes/${token()}`),
    visitPages: await Promise.all(visits.map(({ id }) => page(manageUrl(ctxOf(app.deps), { bookingId: id })))),
    console: {
      job: textOf((await console.get(`/console/jobs/${job.id}`)).text),
      visits: await Promise.all(
        visits.map(async ({ id }) => textOf((await console.get(`/console/bookings/${id}`)).text)),
      ),
    },
  }
}

const textOf = (html: string): string =>
  html
    .replace(/^[^]*<main/, '<main')
    .replaceAll(/<(style|script)[^]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
