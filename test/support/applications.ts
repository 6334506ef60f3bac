// An application to join, as a person fills it in on the pages.
import type { TestApp } from './app.ts'
import { signedInCustomer } from './customers.ts'
import type { Open } from './message-acts.ts'
import { type Visitor, loggedInVisitor } from './visitor.ts'

export const JOIN = '/for-pros/join'

/** What each step sends. */
export const APPLIED = {
  business: {
    businessName: 'Maple Drain Works',
    personName: 'A. Applicant',
    phone: '(614) 555-0142',
    description: 'Drains.',
  },
  place: { place: '10234 Oak Street, Columbus, OH 43215', radius: '20' },
  hours: { monday: ['09:00', '17:00'], tuesday: ['09:00', '17:00'] },
  license: {
    licenseNumber: 'PL 12345',
    licenseState: 'OH',
    licenseExpires: '2027-03-31',
    insuranceCarrier: 'State Mutual',
    insurancePolicy: 'SM-9',
    insuranceExpires: '2027-01-31',
  },
} as const

/** Lets pros apply, or ends that. */
export const letProsJoin = ({ sql }: Pick<TestApp, 'sql'>, mayJoin = true) => sql`
  insert into marketplace_versions (version, name, country, area, is_open, radius_miles, fee_cents, min_deposit_percentage,
    max_deposit_percentage, free_cancellation_hours, hold_minutes, pros_may_join, at)
  select coalesce(max(version), 0) + 1, 'Hearth', 'US', '[]', true, 25, 500, 1, 100, 24, 15, ${mayJoin}, now()
  from marketplace_versions`

/** The id of a service of the catalog. */
export async function serviceIdOf(app: TestApp, slug = 'plumber'): Promise<string> {
  const { services } = (await (await app.send('/api/v1/services')).json()) as {
    services: { id: string; slug: string }[]
  }
  const found = services.find((it) => it.slug === slug) ?? services[0]
  if (!found) throw new Error('The catalog has no services.')
  return found.id
}

/** Fills in all steps, each of which leads to the next. */
export async function fillIn(
  app: TestApp,
  visitor: Visitor,
  changes: { readonly [Step in keyof typeof APPLIED]?: Record<string, string> } = {},
): Promise<void> {
  const serviceId = await serviceIdOf(app)
  const steps: [string, Record<string, string | string[]>][] = [
    ['business', { ...APPLIED.business, ...changes.business }],
    ['place', { ...APPLIED.place, ...changes.place }],
    ['services', { services: [serviceId] }],
    ['prices', { [`type-${serviceId}`]: 'flat', [`price-${serviceId}`]: '120' }],
    ['hours', { monday: [...APPLIED.hours.monday], tuesday: [...APPLIED.hours.tuesday] }],
    ['license', { ...APPLIED.license, ...changes.license }],
  ]
  for (const [step, fields] of steps) {
    const { status, location, text } = await visitor.post(`${JOIN}/${step}`, fields)
    if (status !== 303 || location === `${JOIN}/${step}`)
      throw new Error(`${step} answered ${status} ${location}: ${text}`)
  }
}

/** A signed-in applicant whose application was sent, with its id. */
export async function sentApplication(
  app: TestApp,
  email: string,
  changes: Parameters<typeof fillIn>[2] = {},
): Promise<{ visitor: Visitor; id: string }> {
  const visitor = await signedInCustomer(app, email)
  await fillIn(app, visitor, changes)
  const { status, location } = await visitor.post(`${JOIN}/preview`)
  if (status !== 303 || location !== JOIN) throw new Error(`Sending answered ${status} ${location}.`)
  const [row] = await app.sql<{ id: string }[]>`select id from pro_applications where email = ${email}`
  return { visitor, id: row?.id ?? '' }
}

/** The story of a message: an operator asks an applicant. */
export async function askedApplicant(open: Open) {
  const { at } = await open()
  await letProsJoin(at.app)
  const [operator, to] = [await loggedInVisitor(at.app, 'operator'), 'applicant@example.com']
  const { id } = await sentApplication(at.app, to)
  const act = () => operator.post(`/console/applications/${id}`, { action: 'ask', words: 'Which license?' })
  return { act, to, subject: ['A question about Maple Drain Works'], text: ['Which license?', JOIN] }
}
