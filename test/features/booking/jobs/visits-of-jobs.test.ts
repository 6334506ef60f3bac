// A job and its visits never contradict each other: walked through every state that people can bring them to.
import { expect, test } from 'bun:test'

import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { manageUrl } from '../../../../src/features/booking/bookings/verbs/manage-link.ts'
import { openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { visitorFromNewAddress } from '../../../support/visitor.ts'
import { type OpenWork, type Work, nameOf, openWork, shownWork } from '../../../support/work-of-quotes.ts'

const world = await opened(openBookingFixture())

/** More visits would only repeat what two show. */
const MAX_VISITS = 2

/** Which of the rules a work breaks. */
function contradictions({ quote, job, visits }: Work, act: string, isMade: boolean): string[] {
  const open = visits.filter(({ status }) => status === 'pending' || status === 'confirmed')
  const isDone = visits.some(({ status }) => status === 'completed')
  return [
    (quote === 'accepted') !== (job !== null) && 'a job without an accepted quote, or the reverse',
    open.length > 1 && 'two open visits',
    job?.status === 'scheduled' && isDone && 'a completed visit of work that has not begun',
    (job?.status === 'completed' || job?.status === 'cancelled') &&
      open.length > 0 &&
      'an open visit of work that is over',
    act === 'pro: start job' &&
      isMade &&
      open.some(({ hasBegun }) => !hasBegun) &&
      'work that began before its first visit',
    visits.some(({ status, hasBegun }) => status === 'completed' && !hasBegun) && 'a visit completed before it began',
  ].filter((one) => one !== false)
}

interface State {
  path: string[]
  work: Work
}

/** Every state that acts lead to, with the shortest way there. Calls `visit` in each. */
async function walk(
  visit: (state: State, work: OpenWork) => Promise<void>,
): Promise<{ states: State[]; tries: number }> {
  const found = new Map<string, State>()
  const replay = async (path: readonly string[]) => {
    const work = await openWork(world)
    for (const act of path) await work.acts[act]?.()
    return work
  }
  const first = await replay([])
  const waiting: State[] = [{ path: [], work: await first.read() }]
  let tries = 0
  for (let state = waiting.shift(); state; state = waiting.shift()) {
    const key = keyOf(state.work)
    if (found.has(key)) continue
    found.set(key, state)
    await visit(state, await replay(state.path))
    // An act that is refused changes nothing, so the same work is there for the next one.
    let work = await replay(state.path)
    for (const act of Object.keys(first.acts)) {
      const before = viewed(nameOf(await work.read()))
      const refusal = await refusalOf(work.acts[act]?.())
      const after = await work.read()
      tries++
      expect({ path: state.path, act, broken: contradictions(after, act, refusal === undefined) }).toEqual({
        path: state.path,
        act,
        broken: [],
      })
      // A refused act changes nothing but that its page was opened, and is refused in words.
      if (refusal !== undefined) expect([act, refusal, viewed(nameOf(after))]).toEqual([act, 'in words', before])
      if (refusal !== undefined) continue
      if (after.visits.length <= MAX_VISITS) waiting.push({ path: [...state.path, act], work: after })
      work = await replay(state.path)
    }
  }
  return { states: [...found.values()], tries }
}

/** A missed visit and a cancelled one leave the same to a later visit. */
const keyOf = (work: Work): string =>
  nameOf({
    ...work,
    visits: work.visits.map((visit, n) =>
      visit.status === 'no_show' && n + 1 < work.visits.length ? { ...visit, status: 'cancelled' } : visit,
    ),
  })

const viewed = (name: string): string => name.replace(/^sent/, 'viewed')

/** Undefined for an act that succeeded. */
const refusalOf = (act: Promise<unknown> | undefined) =>
  Promise.resolve(act).then(
    () => undefined,
    (error: Error & { code?: string }) =>
      /invalid_transition|quote_not_found|booking_not_found|job_not_found|slot_unavailable/.test(
        `${error.code} ${error.message}`,
      )
        ? 'in words'
        : error.message,
  )

const QUOTE_PAGES: Record<string, RegExp> = {
  scheduled: /Now choose when the work is done\.|the next visit has its time\./,
  in_progress: /is at work\.|has begun the work\.|the next visit has its time\./,
  completed: /The work is done\./,
  cancelled: /cancelled the work\./,
}
const EVERY_STEP =
  /Now choose when|has its time\.|is at work\.|has begun the work\.|The work is done\.|cancelled the work\./g

async function expectOneStory({ path }: State, work: OpenWork): Promise<void> {
  const { job, visits } = await work.read()
  if (!job) return
  const shown = await shownWork(world, work)
  const where = { path, job: job.status }
  const states = visits.map(({ id, status }) => ({ id, status }))
  const brief = (rows: readonly { id: string; status: string }[]) =>
    rows
      .map(({ id, status }) => ({ id, status }))
      .toSorted((a, b) => states.findIndex((one) => one.id === a.id) - states.findIndex((one) => one.id === b.id))
  for (const [name, { job: told, visits: rows }] of Object.entries({ rest: shown.rest, tools: shown.tools })) {
    expect({ where, name, job: told.status }).toEqual({ where, name, job: job.status })
    expect({ where, name, visits: brief(rows) }).toEqual({ where, name, visits: states })
    for (const { job: of } of rows)
      expect({ where, name, job: of }).toMatchObject({ where, job: { id: job.id, status: job.status } })
  }
  expect(brief(shown.rest.job.visits)).toEqual(states)
  expect(brief(shown.events)).toEqual(states)

  expect(shown.quotePage).toMatch(QUOTE_PAGES[job.status] ?? /never/)
  expect(shown.quotePage.match(EVERY_STEP)).toHaveLength(1)
  const isAhead = visits.some(({ status, hasBegun }) => status === 'confirmed' && !hasBegun)
  expect([where, shown.quotePage.includes('has its time.')]).toEqual([
    where,
    visits.some(({ status, hasBegun }) => status === 'confirmed' && (!hasBegun || job.status === 'scheduled')),
  ])
  for (const [n, page] of shown.visitPages.entries()) {
    const isDone = visits[n]?.status === 'completed'
    expect([where, page.includes('The work is done')]).toEqual([where, isDone && job.status === 'completed'])
    expect([where, page.includes('The visit is done')]).toEqual([where, isDone && job.status !== 'completed'])
    expect([where, page.includes('comes at this time')]).toEqual([where, visits[n]?.status === 'confirmed'])
    expect(shown.console.visits[n]).toContain('A job from an accepted quote')
  }
  const buttons = ['Start', 'Complete job', 'Cancel job'].filter((label) => shown.console.job.includes(` ${label} `))
  expect([where, buttons]).toEqual([where, isAhead ? ['Cancel job'] : (CONSOLE_BUTTONS[job.status] ?? [])])
}

const CONSOLE_BUTTONS: Record<string, string[]> = {
  scheduled: ['Start', 'Complete job', 'Cancel job'],
  in_progress: ['Complete job', 'Cancel job'],
}

test('no act of a customer or pro leads to a job that contradicts its visits, and every interface tells the same', async () => {
  const { states, tries } = await walk(expectOneStory)
  const names = states.map(({ work }) => nameOf(work))
  expect([names.length > 35, tries > 500]).toEqual([true, true])
  for (const reached of [
    'accepted, job in_progress, completed, confirmed ahead',
    'accepted, job completed, completed, completed',
  ])
    expect(names).toContain(reached)
}, 300_000)

test('cancelling a later visit ends neither the work nor its payment, and no text says otherwise', async () => {
  const work = await openWork(world, { depositPercentage: 25 })
  const started = (await work.acts['accept']?.()) as { payment: { clientSecret: string } }
  await pay(world, started.payment.clientSecret)
  for (const act of ['choose a time', 'the visit begins', 'pro: complete visit', 'choose a time'])
    await work.acts[act]?.()
  const { visits } = await work.read()
  const url = manageUrl(ctxOf(world.app.deps), { bookingId: visits[1]?.id ?? '' })
  const visitor = visitorFromNewAddress(world.app)
  for (const path of ['', '/cancel', '/move']) {
    const { text } = await visitor.get(`${new URL(url).pathname}${path}`)
    expect([path, /get (all|the other)|not refundable|do not get|nothing back|ends with it/.exec(text)?.[0]]).toEqual([
      path,
      undefined,
    ])
  }
  await work.acts['cancel the visit']?.()
  expect(nameOf(await work.read())).toBe('accepted, job in_progress, completed, cancelled')
  expect((await shownWork(world, work)).rest.job).toMatchObject({
    balance: { paid: 120, refundable: 120, dueAtVisit: 360 },
  })
  await work.acts['pro: complete job']?.()
  expect((await shownWork(world, work)).rest.job).toMatchObject({ balance: { paid: 120, dueAtVisit: 0 } })
})

test('the database refuses a job that contradicts its visits, whatever code runs', async () => {
  const [ahead, done] = [await openWork(world), await openWork(world)]
  for (const act of ['accept', 'choose a time']) await ahead.acts[act]?.()
  for (const act of ['accept', 'choose a time', 'the visit begins', 'pro: complete visit']) await done.acts[act]?.()
  const [job, doneJob] = [(await ahead.read()).job?.id ?? '', (await done.read()).job?.id ?? '']
  const { sql } = world
  const now = world.clock.now().toISOString()
  for (const change of [
    () => sql`update jobs set status = 'completed', completed_at = ${now} where id = ${job}`,
    () => sql`update jobs set status = 'cancelled', cancelled_at = ${now} where id = ${job}`,
    () => sql`update jobs set status = 'in_progress', started_at = created_at + interval '1 second' where id = ${job}`,
    () => sql`update jobs set status = 'completed', completed_at = created_at where id = ${doneJob}`,
  ])
    expect(change()).rejects.toMatchObject({ constraint_name: 'visits_of_job' })
  // A completed visit begins the work, also where other code completes it.
  await sql`update bookings set status = 'completed', completed_at = starts_at where job_id = ${job}`
  expect(nameOf(await ahead.read())).toMatch(/^accepted, job in_progress, completed$/)
})
