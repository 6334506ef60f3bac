// The people of a pro's business, one of each role, each logged in, and work of which a part is the worker's.
import { type ProRole, PRO_ROLES } from '../../src/auth/users/rules/pro-roles.ts'
import { createUser } from '../../src/auth/users/verbs/users.ts'
import { ctxOf } from '../../src/ctx.ts'
import { type BookingFixture, type FixturePro, book } from './booking-fixture.ts'
import { PASSWORD, type Visitor, visitorFromNewAddress } from './visitor.ts'
import { openWork } from './work-of-quotes.ts'

export interface Person {
  email: string
  memberId: string
  visitor: Visitor
}

export type Team = Awaited<ReturnType<typeof teamOf>>

/** A new member of the pro. */
export async function newMember({ app }: BookingFixture, pro: FixturePro, name: string): Promise<string> {
  const json = { name, email: `${crypto.randomUUID()}@test.example` }
  const answer = await app.send('/api/v1/pro/team', { key: pro.key, json })
  const { member } = (await answer.json()) as { member: { id: string } }
  return member.id
}

/** A new member of the pro who logs in with the role. */
export async function personOf(fixture: BookingFixture, pro: FixturePro, proRole: ProRole): Promise<Person> {
  const memberId = await newMember(fixture, pro, `The ${proRole}`)
  const email = `${proRole}-${crypto.randomUUID()}@users.test.example`
  const member = { id: memberId, proRole }
  await createUser(ctxOf(fixture.app.deps), { email, role: 'pro', pro: pro.id, member, password: PASSWORD })
  const visitor = visitorFromNewAddress(fixture.app)
  await visitor.logIn(email)
  return { email, memberId, visitor }
}

/** Assigns a visit of the pro to a member. */
export async function assign(
  { app }: BookingFixture,
  pro: FixturePro,
  id: string,
  assignToMemberId: string,
): Promise<void> {
  const answer = await app.send(`/api/v1/pro/bookings/${id}`, {
    key: pro.key,
    json: { action: 'assign', assignToMemberId },
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** A pro with one person of each role, two bookings of which one is the worker's, and a job with a visit of the worker. */
export async function teamOf(fixture: BookingFixture) {
  const { pro, acts, read } = await openWork(fixture)
  const people = {} as Record<ProRole, Person>
  for (const role of PRO_ROLES) people[role] = await personOf(fixture, pro, role)
  const colleague = await newMember(fixture, pro, 'The colleague')
  await acts['accept']?.()
  await acts['choose a time']?.()
  const { job, visits } = await read()
  const visit = visits[0]?.id ?? ''
  const [assigned, other] = [(await book(fixture, pro, 3)).booking.id, (await book(fixture, pro, 6)).booking.id]
  await assign(fixture, pro, visit, people.worker.memberId)
  await assign(fixture, pro, assigned, people.worker.memberId)
  await assign(fixture, pro, other, colleague)
  const [lead] = await fixture.sql<{ id: string }[]>`select id from rfqs where professional_id = ${pro.id}`
  const work = { assigned, other, visit, job: job?.id ?? '', lead: lead?.id ?? '' }
  return { ...people, pro, colleague, acts, work, week: '2026-11-23' }
}
