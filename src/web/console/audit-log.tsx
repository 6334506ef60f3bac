/** @jsxImportSource preact */
// /console/log: everything that operators did, and what pros and customers did that operators must know of.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { VNode } from 'preact'

import type { Deps } from '../../deps.ts'
import { ACTS, authorOf } from '../../features/upkeep/audit/rules/acts-in-words.ts'
import type { OperatorAction } from '../../features/upkeep/audit/schemas.ts'
import { type LoggedAct, listLog } from '../../features/upkeep/audit/verbs.ts'
import { guard } from '../../http/guard.ts'
import { pageParameters } from '../../platform/schema/paging.ts'
import { OneOf, Text } from '../../platform/schema/types.ts'
import { PageHeading } from '../ui/headings.tsx'
import { EmptyState, Pager } from '../ui/lists.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { SearchChoice, SearchLine } from './search-form.tsx'

const PATH = '/console/log'

type KindOf<Action extends OperatorAction> = Action extends `${infer Kind}.${string}` ? Kind : never

/** The kinds of things that acts are done to, as the first part of an act's name. */
const KINDS = {
  booking: 'Bookings',
  request: 'Requests for quotes',
  message: 'Messages',
  address: 'Addresses of mail',
  customer: 'Customers',
  pro: 'Pros',
  mark: 'Marks that ended',
  member: 'Log-ins of team members',
  application: 'Applications',
  import: 'Imports',
  review: 'Reviews',
  payment: 'Payments',
  refund: 'Refunds',
  plan: 'Plans',
  credits: 'Agent tasks',
  category: 'Categories',
  service: 'Services',
  district: 'Districts',
  area: 'Area',
  marketplace: 'Marketplace',
  text: 'Legal texts',
  endpoint: 'Webhook endpoints',
  delivery: 'Webhook deliveries',
  letter: 'Dead letters',
  key: 'Platform keys',
} as const satisfies Record<KindOf<OperatorAction>, string>

const LogQuery = Type.Object({
  ...pageParameters,
  q: Type.Optional(Text(320)),
  kind: Type.Optional(OneOf(['', ...(Object.keys(KINDS) as (keyof typeof KINDS)[])])),
})

export const auditLogPages = (deps: Deps) =>
  new Elysia({ name: 'audit-log-pages' }).use(guard(deps)).get(
    PATH,
    async function getAuditLog({ ctx, authenticated: by, query: { q = '', kind = '', ...page } }) {
      const { acts, meta } = await listLog(ctx, { by: q, kind, ...page })
      const content = (
        <>
          <PageHeading>Log of acts</PageHeading>
          <p class="lead">Who did what to whom, and why. What is written here stays.</p>
          <SearchLine path={PATH} label="E-mail address of who did it" text={q}>
            <SearchChoice
              name="kind"
              label="What it was about"
              chosen={kind}
              choices={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
            />
          </SearchLine>
          {acts.length > 0 ? listOf(acts) : <EmptyState title="No such act">{whereTo(q, kind)}</EmptyState>}
          <Pager path={PATH} meta={meta} query={{ q, kind }} />
        </>
      )
      return renderConsolePage(ctx, by, { title: 'Log of acts', content, styles: ['operator.css'] })
    },
    { session: ['operator'], query: LogQuery },
  )

const whereTo = (q: string, kind: string): VNode =>
  q === '' && kind === '' ? <>The first act of an operator stands here.</> : <a href={PATH}>Show all acts</a>

const listOf = (acts: readonly LoggedAct[]): VNode => (
  <Table
    caption="Acts, the latest first"
    columns={['When', 'What', 'To', 'Reason', 'By']}
    rows={acts.map((act) => [
      <Time instant={act.at} />,
      ACTS[act.action],
      subjectOf(act),
      act.reason ?? '',
      act.by ?? authorOf(act.action),
    ])}
  />
)

/** The page of what the act was done to, in words that tell one from another. */
function subjectOf({ action, subjectId, planId, pro, details }: LoggedAct): VNode | string {
  const ofPro = pro && <a href={`/console/verification/${pro.id}`}>{pro.businessName}</a>
  // A withdrawn application has no page any more.
  const page =
    subjectId === null || action === 'application.withdrawn' ? undefined : SUBJECT_PAGES[action.split('.')[0] ?? '']
  if (planId !== null) return <a href={`/console/plans/${planId}`}>{planId}</a>
  if (page)
    return (
      <>
        <a href={`${page.path}/${subjectId}`}>{page.word}</a>
        {ofPro && <> of {ofPro}</>}
      </>
    )
  return ofPro ?? namesIn(details)
}

const SUBJECT_PAGES: Readonly<Record<string, { path: string; word: string }>> = {
  booking: { path: '/console/bookings', word: 'Booking' },
  message: { path: '/console/bookings', word: 'Booking' },
  delivery: { path: '/console/bookings', word: 'Booking' },
  payment: { path: '/console/payments', word: 'Payment' },
  refund: { path: '/console/payments', word: 'Payment' },
  application: { path: '/console/applications', word: 'Application' },
  customer: { path: '/console/customers', word: 'Customer' },
  import: { path: '/console/pros/import', word: 'Import' },
  category: { path: '/console/catalog/categories', word: 'Category' },
  service: { path: '/console/catalog/services', word: 'Service' },
}

/** What the details say of something without a page: a district's name, the fields that changed, the kind of a text or message. */
const namesIn = ({ name, fields, kind }: LoggedAct['details']): string =>
  [name, typeof fields === 'object' && fields !== null ? Object.keys(fields) : null, kind]
    .flat()
    .filter((it) => typeof it === 'string')
    .join(', ')
