/** @jsxImportSource preact */
// The views of verification: the queue of pros, and one pro with what was checked.
import { authorOf } from '../../../features/upkeep/audit/rules/acts-in-words.ts'
import type { AuditEntry } from '../../../features/upkeep/audit/verbs.ts'
import {
  MARK_NAMES,
  type CheckedPro,
  type Evidence,
  type VerificationQuery,
  type VerificationRequest,
  type WithdrawnMark,
} from '../../../features/business/verification/schemas.ts'
import type { Session } from '../../../http/session.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { count, day, plural } from '../../../platform/text/format.ts'
import { Time } from '../../ui/time.tsx'
import type { ComponentChildren, VNode } from 'preact'
import { type FormState, EMPTY_FORM, Form, ProblemBox } from '../../ui/form.tsx'
import { FreeText } from '../../../platform/schema/types.ts'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { Button, ButtonRow, Disclosure, LinkButton } from '../../ui/buttons.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { Badge } from '../../ui/badge.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { EmptyState, Pager, Tabs } from '../../ui/lists.tsx'
import { linksOfPro } from '../bookings/by-hand-link.tsx'
import { givenPlanText } from '../plans/view.tsx'
import { closedBadge } from '../closing/view.tsx'
import { pausedBadge } from '../pro-status.tsx'
import { ForThoseWhoMay } from '../../ui/permitted.tsx'
import { mayOpen } from '../../../auth/users/rules/permissions.ts'
import { SearchLine } from '../search-form.tsx'
import { marksOf, marksSection } from './marks.tsx'

export const VERIFICATION_PATH = '/console/verification'
export const NEW_PRO_PATH = '/console/pros/new'
export const IMPORT_PATH = '/console/pros/import'

const reason = { schema: FreeText({ minLength: 1 }), rows: 3 }
export const RefusalForm = defineForm({
  reason: { ...reason, id: 'refusal', label: 'Reason for the refusal', hint: 'The pro reads it and can ask again.' },
})

export const proListView = (
  session: Session,
  { pros, meta, query }: { pros: readonly CheckedPro[]; meta: PageMeta; query: VerificationQuery },
): VNode => {
  const { q = '', show = 'unverified' } = query
  return (
    <>
      <PageHeading
        beside={
          mayOpen(session, NEW_PRO_PATH) && (
            <ButtonRow>
              <LinkButton href={IMPORT_PATH} look="quiet">
                Import
              </LinkButton>
              <LinkButton href={NEW_PRO_PATH}>New pro</LinkButton>
            </ButtonRow>
          )
        }
      >
        Verification
      </PageHeading>
      <Tabs
        label="Pros by verification"
        path={VERIFICATION_PATH}
        parameter="show"
        chosen={show === 'unverified' ? '' : show}
        choices={[
          { value: '', label: 'Not verified' },
          { value: 'asked', label: 'Asked' },
          { value: 'verified', label: 'Verified' },
          { value: 'paused', label: 'Paused' },
          { value: 'closed', label: 'Closed' },
          { value: 'all', label: 'All' },
        ]}
      />
      <SearchLine path={VERIFICATION_PATH} label="Business, slug, id or e-mail address" text={q}>
        <input type="hidden" name="show" value={show} />
      </SearchLine>
      {pros.length === 0 ? (
        noPros(q, show)
      ) : (
        <Table
          caption={q === '' ? plural(meta.total, 'pro') : `${plural(meta.total, 'pro')} found`}
          columns={['Pro', 'Place', 'Since', 'Asked', 'Checked', 'Reviews']}
          rows={pros.map(rowOf)}
          numbers={5}
        />
      )}
      <Pager path={VERIFICATION_PATH} meta={meta} query={{ q, show }} words={['← Previous', 'Next →']} />
    </>
  )
}

/** What an empty list means, and what to do about it. */
const noPros = (text: string, show: Required<VerificationQuery>['show']): VNode => {
  const all = <a href={`${VERIFICATION_PATH}?show=all`}>Show all pros</a>
  if (text !== '') return <EmptyState title="No pros found">{all}</EmptyState>
  if (show === 'all') return <EmptyState title="No pros yet">Create the first one with the button above.</EmptyState>
  const titles = {
    asked: 'No pro waits for an answer',
    unverified: 'No pro without verification',
    verified: 'No pro is verified yet',
    paused: 'No pro is paused',
    closed: 'No pro has closed the account',
  }
  return <EmptyState title={titles[show]}>{all}</EmptyState>
}

const rowOf = (pro: CheckedPro): ComponentChildren[] => [
  <div>
    <a href={`${VERIFICATION_PATH}/${pro.id}`}>{pro.businessName}</a> {pro.status === 'paused' && pausedBadge}
    {pro.status === 'closed' && closedBadge}
    <br />
    <span class="hint">{pro.email}</span>
  </div>,
  `${pro.city}, ${pro.state}`,
  day(pro.createdAt),
  pro.request ? (
    <div>
      <Badge tone="wait">{day(pro.request.askedAt)}</Badge>
    </div>
  ) : (
    '–'
  ),
  <div>{marksOf(pro)}</div>,
  count(pro.reviewCount),
]

/** What was checked when a mark that was withdrawn was given. */
export const withdrawnTexts = ({ withdrawn }: VerificationRequest): string[] =>
  WITHDRAWN.flatMap(([mark, what]) => {
    const was = withdrawn[mark]
    if (was === undefined) return []
    return `“${MARK_NAMES[mark]}” was withdrawn: ${was === null ? `no ${what} was entered` : `the ${what} was “${was}”`} when it was checked.`
  })

const WITHDRAWN: readonly (readonly [WithdrawnMark, string])[] = [
  ['verified', 'name'],
  ['credentials', 'license'],
  ['insurance', 'insurer'],
]

/** What a pro says of itself, told apart from what was checked. */
const declaredSection = (pro: CheckedPro): VNode => (
  <Section title="What the pro declares">
    <DetailList
      pairs={[
        ['Name', pro.businessName],
        ['Legal name', pro.legalName],
        ['License', pro.licenseNumber && `${pro.licenseNumber} (${pro.licenseState ?? ''})`],
        ['Insured with', pro.insuranceCarrier],
      ]}
    />
  </Section>
)

interface ProPage {
  pro: CheckedPro
  actions: readonly AuditEntry[]
  evidence: readonly Evidence[]
  formState: FormState
  refusalState: FormState
  statusState: FormState
  closingState: FormState
  /** Status and plan. */
  sections: readonly VNode[]
}

export const proView = (
  session: Session,
  { pro, actions, evidence, formState, refusalState, statusState, closingState, sections }: ProPage,
): VNode => (
  <>
    <BackLink href={VERIFICATION_PATH}>Verification</BackLink>
    <PageHeading beside={pro.status === 'active' && linksOfPro(session, pro)}>{pro.businessName}</PageHeading>
    <ProblemBox formState={refusalState} />
    <ProblemBox formState={statusState} />
    <ProblemBox formState={closingState} />
    <DetailList
      pairs={[
        ['E-mail address', pro.email],
        ['Phone', pro.phone],
        [
          'Website',
          pro.website && (
            <a href={pro.website} rel="noreferrer">
              {pro.website}
            </a>
          ),
        ],
        [
          'Place',
          <>
            {pro.city}, {pro.state}
            {pro.status !== 'closed' && mayOpen(session, `${VERIFICATION_PATH}/${pro.id}/move`) && (
              <>
                {' '}
                (<a href={`${VERIFICATION_PATH}/${pro.id}/move`}>move</a>)
              </>
            )}
          </>,
        ],
        ['Since', day(pro.createdAt)],
        ['Reviews', count(pro.reviewCount)],
      ]}
    />
    {declaredSection(pro)}
    {pro.request && askedSection(session, { id: pro.id, request: pro.request }, refusalState)}
    {marksSection(session, { path: `${VERIFICATION_PATH}/${pro.id}`, pro, evidence, formState })}
    {sections}
    <Section title="History">{actions.length === 0 ? <p>No changes recorded.</p> : history(actions)}</Section>
  </>
)

const askedSection = (
  session: Session,
  { id, request }: { id: string; request: VerificationRequest },
  formState: FormState,
): VNode => (
  <Section title={`Asked on ${day(request.askedAt)}`}>
    {withdrawnTexts(request).map((text) => (
      <p class="notice wait">{text}</p>
    ))}
    <DetailList
      pairs={[
        ['License', request.licenseNumber && `${request.licenseNumber} (${request.licenseState ?? ''})`],
        ['Note', request.note && <span class="text">{request.note}</span>],
      ]}
    />
    <ForThoseWhoMay session={session} post={`${VERIFICATION_PATH}/${id}/refuse`}>
      <p>Tick below what you have checked. Saving with “Verified” ends the request.</p>
      <Disclosure label="Refuse" isOpen={formState !== EMPTY_FORM}>
        <Form
          of={RefusalForm}
          action={`${VERIFICATION_PATH}/${id}/refuse`}
          session={session}
          formState={formState}
          saysProblem={false}
        >
          <Fields of={RefusalForm} />
          <Button look="danger" isSmall>
            Refuse the request
          </Button>
        </Form>
      </Disclosure>
    </ForThoseWhoMay>
  </Section>
)

const history = (actions: readonly AuditEntry[]): VNode => (
  <Table
    caption={`Last ${plural(actions.length, 'change')}`}
    columns={['When', 'Since then', 'Reason', 'By']}
    rows={actions.map(({ at, action, details, reason, by }) => [
      <Time instant={at} />,
      <div>
        {details['refused'] === true && <Badge tone="bad">Request refused</Badge>}{' '}
        {action === 'pro.marks_withdrawn' && <Badge tone="wait">Withdrawn</Badge>} {changeOf(action, details)}
      </div>,
      action === 'pro.marks_withdrawn'
        ? `Changed from “${shown(details['was'])}” to “${shown(details['becomes'])}”`
        : reason,
      by ?? authorOf(action),
    ])}
  />
)

const changeOf = (action: AuditEntry['action'], details: AuditEntry['details']) => {
  if (action === 'pro.created') return <Badge>Created</Badge>
  if (action === 'pro.moved') return <Badge>{`Moved to ${cityIn(details['after'])}`}</Badge>
  if (action === 'pro.imported') return <Badge>Changed by an import</Badge>
  if (action === 'pro.paused') return pausedBadge
  if (action === 'pro.closed') return closedBadge
  if (action === 'pro.reopened') return <Badge tone="wait">Opened again</Badge>
  if (action === 'pro.erased') return <Badge>Erased</Badge>
  if (action === 'pro.resumed') return <Badge tone="good">Found again</Badge>
  if (action === 'pro.plan_given') return givenPlanText(details)
  return marksOf(details['after'] ?? {})
}

const cityIn = (place: unknown): string =>
  typeof place === 'object' && place !== null && 'city' in place ? shown(place.city) : shown(undefined)

const shown = (value: unknown): string => (typeof value === 'string' ? value : 'none')
