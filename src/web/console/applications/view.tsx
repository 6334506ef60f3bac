/** @jsxImportSource preact */
// The views of applications: the queue, and one with what was given and what was checked by itself.
import { Type } from '@sinclair/typebox'
import type { VNode } from 'preact'

import { hasKnownForm } from '../../../features/business/applications/rules/license-form.ts'
import type { Application, Likeness, ListedApplication } from '../../../features/business/applications/schemas.ts'
import type { ApplicationState } from '../../../features/business/applications/states.ts'
import type { CityRow } from '../../../features/catalog/services/verbs/city-services.ts'
import type { AuditEntry } from '../../../features/upkeep/audit/verbs.ts'
import type { Session } from '../../../http/session.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { FreeText, OneOf } from '../../../platform/schema/types.ts'
import { ago, plural } from '../../../platform/text/format.ts'
import { AppliedHours, AppliedServices, Declared } from '../../public/join/preview-view.tsx'
import type { ServiceRow } from '../../public/join/forms.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { ActionButton, ActionForm, type FormState, ProblemBox } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { EmptyState, Pager, Tabs } from '../../ui/lists.tsx'
import { Distance } from '../../ui/site.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { VERIFICATION_PATH } from '../verification/view.tsx'

export const APPLICATIONS_PATH = '/console/applications'

type Sent = Exclude<ApplicationState, 'draft'>

export const DecisionForm = defineForm(
  {
    action: { schema: OneOf(['approve', 'ask', 'refuse', 'reopen']) },
    words: { schema: Type.Optional(FreeText()), label: 'What the applicant reads', rows: 3 },
  },
  ({ action, words }) => ({
    words:
      (action === 'ask' || action === 'refuse') && words === undefined ? 'enter what the applicant reads' : undefined,
  }),
)

const EMPTY: Readonly<Record<Sent, string>> = {
  sent: 'No application waits',
  asked: 'No applicant was asked',
  approved: 'No application is approved',
  refused: 'No application is refused',
}

export const applicationsView = ({
  applications,
  meta,
  show,
  now,
}: {
  applications: readonly ListedApplication[]
  meta: PageMeta
  show: Sent
  now: Date
}): VNode => (
  <>
    <PageHeading>Applications</PageHeading>
    <Tabs
      label="Applications by state"
      path={APPLICATIONS_PATH}
      parameter="show"
      chosen={show === 'sent' ? '' : show}
      choices={[
        { value: '', label: 'Waiting' },
        { value: 'asked', label: 'Asked' },
        { value: 'approved', label: 'Approved' },
        { value: 'refused', label: 'Refused' },
      ]}
    />
    {applications.length === 0 ? (
      <EmptyState title={EMPTY[show]}>
        People apply at <a href="/for-pros">the page for pros</a>, while the marketplace lets them.
      </EmptyState>
    ) : (
      <Table
        caption={plural(meta.total, 'application')}
        columns={['Business', 'Place', 'Services', 'Sent']}
        numbers={2}
        rows={applications.map(({ id, businessName, personName, services, sentAt, city }) => [
          <div>
            <a href={`${APPLICATIONS_PATH}/${id}`}>{businessName}</a>
            <br />
            <span class="hint">{personName}</span>
          </div>,
          city,
          services,
          sentAt === null ? '–' : ago(sentAt, now),
        ])}
      />
    )}
    <Pager path={APPLICATIONS_PATH} meta={meta} query={{ show }} words={['← Previous', 'Next →']} />
  </>
)

interface ApplicationPage {
  application: Application
  likely: readonly Likeness[]
  actions: readonly AuditEntry[]
  services: readonly ServiceRow[]
  city: CityRow | undefined
  /** Whether the applicant comes to a place of the area. */
  isServed: boolean
  formState: FormState
}

const BADGES: Readonly<Record<ApplicationState, VNode>> = {
  draft: <Badge>Draft</Badge>,
  sent: <Badge tone="wait">Waits</Badge>,
  asked: <Badge tone="wait">Asked</Badge>,
  approved: <Badge tone="good">Approved</Badge>,
  refused: <Badge tone="bad">Refused</Badge>,
}

export const applicationView = (session: Session, shown: ApplicationPage): VNode => {
  const { application, city, services, actions, formState } = shown
  return (
    <>
      <BackLink href={APPLICATIONS_PATH}>Applications</BackLink>
      <PageHeading beside={BADGES[application.status]}>{application.businessName ?? ''}</PageHeading>
      <ProblemBox formState={formState} />
      {decisions(session, shown)}
      <Section title="Checked by itself">
        <ul>{checksOf(shown)}</ul>
      </Section>
      <Section title="What was given">
        <DetailList
          pairs={[
            ['Person', application.personName],
            ['E-mail address, proven', application.email],
            ['Phone', application.phone],
            ['Address as typed', application.place],
            ['City', city && `${city.name}, ${city.state}`],
            [
              'Shown to customers',
              application.isPlaceHidden ? 'The middle of the city' : 'The place, without the street',
            ],
            ['Comes', application.radiusMiles !== null && <Distance miles={application.radiusMiles} />],
            ['Sent', application.sentAt !== null && <Time instant={application.sentAt} />],
            ['About', application.description !== null && <span class="text">{application.description}</span>],
          ]}
        />
      </Section>
      <AppliedServices applied={application.services ?? []} services={services} />
      <AppliedHours hours={application.businessHours ?? {}} />
      <Declared application={application} />
      <Section title="History">
        <Table
          caption={plural(actions.length, 'entry', 'entries')}
          columns={['When', 'What', 'Words', 'By']}
          rows={actions.map(({ at, action, reason, by }) => [
            <Time instant={at} />,
            HISTORY[action] ?? action,
            reason,
            by ?? (action === 'application.sent' ? 'The applicant' : 'Command line'),
          ])}
        />
      </Section>
    </>
  )
}

const HISTORY: { readonly [Action in AuditEntry['action']]?: string } = {
  'application.sent': 'Sent',
  'application.asked': 'Asked',
  'application.approved': 'Approved',
  'application.refused': 'Refused',
  'application.reopened': 'Opened again',
}

/** What an operator can make of it. */
function decisions(
  session: Session,
  { application: { id, status, professionalId, operatorWords }, formState }: ApplicationPage,
): VNode {
  const path = `${APPLICATIONS_PATH}/${id}`
  const button = (action: string, label: string) => (
    <ActionButton session={session} action={path} fields={{ action }} label={label} look="plain" />
  )
  const form = (action: 'ask' | 'refuse', label: string) => (
    <ActionForm of={DecisionForm} session={session} path={path} action={action} label={label} formState={formState}>
      <Fields
        of={DecisionForm}
        names={['words']}
        row={action}
        more={{
          words: { isOptional: false, ...(action === 'refuse' && { label: 'Reason, which the applicant reads' }) },
        }}
      />
      <Button isSmall look={action === 'refuse' ? 'danger' : 'plain'}>
        {label}
      </Button>
    </ActionForm>
  )
  return (
    <Section title="Decide">
      {operatorWords !== null && <p class="notice wait prose">{operatorWords}</p>}
      {status === 'approved' && professionalId !== null && (
        <p>
          It became <a href={`${VERIFICATION_PATH}/${professionalId}`}>this pro</a>. What was declared waits to be
          checked there.
        </p>
      )}
      <ButtonRow>
        {status === 'sent' && button('approve', 'Approve')}
        {status === 'sent' && form('ask', 'Ask the applicant')}
        {(status === 'sent' || status === 'asked') && form('refuse', 'Refuse')}
        {status === 'refused' && button('reopen', 'Open again')}
      </ButtonRow>
    </Section>
  )
}

function checksOf({ application, likely, city, isServed }: ApplicationPage): VNode[] {
  const { licenseNumber: number, licenseState: state } = application
  const form = number !== null && state !== null ? hasKnownForm({ number, state }) : undefined
  return [
    ...(likely.length === 0
      ? [<li>No pro and no other application has this e-mail address, phone, or name in this city.</li>]
      : likely.map(likenessLine)),
    <li>
      {city === undefined ? (
        <>
          <Badge tone="bad">Unknown place</Badge> The catalog no longer knows the place.
        </>
      ) : isServed ? (
        'The applicant comes to places of the area.'
      ) : (
        <>
          <Badge tone="wait">Outside</Badge> The applicant comes to no place of the area.
        </>
      )}
    </li>,
    ...(form === undefined
      ? []
      : [
          <li>
            {form ? (
              `The license number has the form of ${state}.`
            ) : (
              <>
                <Badge tone="wait">Unusual</Badge> The license number does not have the form of {state}.
              </>
            )}
          </li>,
        ]),
  ]
}

const likenessLine = ({ kind, id, businessName, sameEmail, samePhone, sameName }: Likeness): VNode => (
  <li>
    <Badge tone="wait">Alike</Badge>{' '}
    <a href={`${kind === 'pro' ? VERIFICATION_PATH : APPLICATIONS_PATH}/${id}`}>{businessName}</a>
    {kind === 'pro' ? ', a pro' : ', another application'}:{' '}
    {[sameEmail && 'e-mail address', samePhone && 'phone', sameName && 'name'].filter(Boolean).join(', ') ||
      'city and name'}
  </li>
)
