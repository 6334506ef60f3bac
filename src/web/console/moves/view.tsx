/** @jsxImportSource preact */
// The view of a move: what is typed, and then what would change, by the data.
import type { VNode } from 'preact'

import type { PlannedMove, VisitToCome } from '../../../features/business/moves/schemas.ts'
import type { FormSchema } from '../../../http/form.ts'
import type { Session } from '../../../http/session.ts'
import { zoneName } from '../../../platform/clock/zones.ts'
import { distanceText } from '../../../platform/text/distance.ts'
import { clockTime, localDateTime, plural } from '../../../platform/text/format.ts'
import type { Region } from '../../../platform/text/region.ts'
import { ServedArea } from '../../public/served-area.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { MapLink } from '../../ui/links.tsx'
import { Table } from '../../ui/table.tsx'

/** How many visits the page lists. */
const LISTED = 10

interface MovePage {
  form: FormSchema
  fields: VNode
  path: string
  back: VNode
  /** The name of the business, on the page of an operator. */
  businessName: string | undefined
  region: Region
  formState: FormState
  plan: PlannedMove | undefined
}

export const moveView = (session: Session, page: MovePage): VNode => {
  const { form, fields, path, back, businessName, region, formState, plan } = page
  return (
    <>
      {back}
      <PageHeading>{businessName === undefined ? 'Move your business' : `Move ${businessName}`}</PageHeading>
      <p class="lead">
        {businessName === undefined
          ? 'You are somewhere else now, or come a different distance? See first what changes. Nothing is cancelled by a move.'
          : 'The pro is somewhere else now, or comes a different distance. See first what changes. Nothing is cancelled by a move.'}
      </p>
      <ServedArea />
      <Form of={form} action={path} session={session} formState={formState} isNarrow>
        {fields}
        {plan ? (
          <>
            {planOf(plan, { region, isOwn: businessName === undefined })}
            <input type="hidden" name="seen" value={plan.version} />
            <Button>Move</Button>
          </>
        ) : (
          <Button>See what changes</Button>
        )}
      </Form>
    </>
  )
}

interface Shown {
  region: Region
  /** Whether the pro reads it. */
  isOwn: boolean
}

const planOf = (plan: PlannedMove, { region, isOwn }: Shown): VNode => {
  const { from, to, isOutsideArea } = plan
  const isOtherZone = from.timeZone !== to.timeZone
  return (
    <Section title="What changes">
      <ul>
        <li>
          From {from.city}, {distanceText(region, from.radiusMiles)} around, to <MapLink address={to.city} />,{' '}
          {distanceText(region, to.radiusMiles)} around. Customers there find {isOwn ? 'you' : 'the pro'} at once, and
          those who are farther away do not. The address of the page stays.
        </li>
        {isOtherZone && <li>{hoursText(plan)}</li>}
        <li>{visitsText(plan)}</li>
      </ul>
      {isOutsideArea && (
        <p class="notice wait">
          {isOwn ? 'You would come' : 'The pro would come'} to no place that we serve. The move is possible all the
          same.
        </p>
      )}
      {plan.outside.length > 0 && listOf(plan, { title: 'Farther away', visits: plan.outside })}
      {isOtherZone && plan.visits.length > 0 && listOf(plan, { title: 'The next visits', visits: plan.visits })}
    </Section>
  )
}

const hoursText = ({ from, to, opensAt }: PlannedMove): string => {
  const zone = `The time zone becomes ${zoneName(to.timeZone)}, and opening hours stay on its clock`
  return opensAt === null
    ? `${zone}.`
    : `${zone}: ${clockTime(opensAt)} in ${to.city} instead of ${clockTime(opensAt)} in ${from.city}.`
}

const visitsText = ({ visits, outside, unknown }: PlannedMove): string => {
  if (visits.length === 0) return 'No visit is booked.'
  const far =
    outside.length === 0
      ? 'No address of them is'
      : `${plural(outside.length, 'address', 'addresses')} of them ${outside.length === 1 ? 'is' : 'are'}`
  const rest = unknown === 0 ? '' : ` We know no address of ${plural(unknown, 'visit')}.`
  const stays = visits.length === 1 ? 'stays when it was' : 'stay when they were'
  return `${plural(visits.length, 'visit')} to come ${stays} agreed: customers were told a time. ${far} farther away than the new distance.${rest}`
}

const listOf = (
  { from, to }: PlannedMove,
  { title, visits }: { title: string; visits: readonly VisitToCome[] },
): VNode => {
  const isOtherZone = from.timeZone !== to.timeZone
  return (
    <Table
      caption={visits.length > LISTED ? `${title}: the first ${LISTED} of ${visits.length}` : title}
      columns={['Visit', ...(isOtherZone ? ['Agreed as', 'Shown as'] : ['When']), 'Where']}
      rows={visits
        .slice(0, LISTED)
        .map(({ id, startsAt, serviceName, city }) => [
          <a href={`/console/bookings/${id}`}>{serviceName}</a>,
          localDateTime(startsAt, from.timeZone),
          ...(isOtherZone ? [localDateTime(startsAt, to.timeZone)] : []),
          city ?? '–',
        ])}
    />
  )
}

export const backTo = (href: string, label: string): VNode => <BackLink href={href}>{label}</BackLink>
