/** @jsxImportSource preact */
// The views of the guide: all steps with their state, and those that have no page elsewhere.
import type { VNode } from 'preact'

import { UNNAMED } from '../../../features/upkeep/marketplace/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { localDateTime, plural } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { ActionButton } from '../../ui/form.tsx'
import { GUIDE, GUIDE_PATH, type GuideFacts, type GuideStep, OPEN_STEP, nextStep } from '../../ui/guide-steps.ts'
import { PageHeading, Section } from '../../ui/headings.tsx'
import { EmptyState, Steps } from '../../ui/lists.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { MARKETPLACE_PATH, OPENING_PATH } from '../marketplace.tsx'
import { NEW_PRO_PATH, VERIFICATION_PATH } from '../verification/view.tsx'

/** Where the settings stand of a machine that was set up by command. */
const SETTINGS = '/etc/hearth/hearth.env'

/** The way to the next step, and how many are done. */
export function guideLead(facts: GuideFacts): VNode {
  const left = GUIDE.filter(({ stateOf }) => !stateOf(facts).isDone).length
  const next = nextStep(facts)
  return (
    <>
      <p class="lead">
        {left === 0
          ? 'All steps are done.'
          : `${GUIDE.length - left} of ${plural(GUIDE.length, 'step')} are done. Leave at any time: each page keeps what you saved.`}
      </p>
      {next && left > 0 && (
        <p>
          <LinkButton href={next.path}>
            {left === GUIDE.length ? 'Begin' : 'Go on'}: {next.label}
          </LinkButton>
        </p>
      )}
    </>
  )
}

export const guideView = (facts: GuideFacts): VNode => (
  <>
    <PageHeading>{facts.site.name === UNNAMED.name ? 'Open your marketplace' : `Open ${facts.site.name}`}</PageHeading>
    {guideLead(facts)}
    <Steps steps={GUIDE.map((step, index) => stepCard(step, index, facts))} />
  </>
)

function stepCard({ label, path, task, stateOf }: GuideStep, index: number, facts: GuideFacts): VNode {
  const { isDone, text } = stateOf(facts)
  return (
    <>
      <p>
        {index + 1}. <a href={path}>{label}</a> {state(isDone)}
      </p>
      <p>{text}</p>
      {!isDone && <p class="hint">{task}</p>}
    </>
  )
}

export const mailView = (
  session: Session,
  { mailServer, site }: GuideFacts,
  from: { name: string | undefined; address: string },
): VNode => (
  <>
    <PageHeading>Sending mail</PageHeading>
    <p class="lead">
      Customers get confirmations, reminders and codes by e-mail, and pros their bookings and requests.
    </p>
    <DetailList
      pairs={[
        ['Mail server', mailServer ?? 'not set: messages are kept here, and nothing is sent'],
        ['Messages come from', `${from.name ?? site.name} (${from.address})`],
      ]}
    />
    {mailServer === undefined && (
      <Section title="Set the mail server">
        <p>
          On the machine, add the two lines to <code>{SETTINGS}</code>, with what your mail provider gave you:
        </p>
        <pre>{`MAIL_URL=smtps://user:password@smtp.example.com\nMAIL_FROM="${site.name} <hello@example.com>"`}</pre>
        <p>
          Then run <code>systemctl restart 'hearth-server@*' hearth-workers</code>, and open this page again. Until then
          customers cannot prove their addresses: a code that is not sent cannot be entered.
        </p>
      </Section>
    )}
    <Section title="Try it">
      <p>
        {mailServer === undefined ? 'The test mail stays here, too.' : `A test mail goes to ${session.email}.`}{' '}
        <a href="/console/mail">All messages</a>
      </p>
      <ActionButton
        session={session}
        action={`${GUIDE_PATH}/mail`}
        label="Send a test mail to myself"
        look={mailServer === undefined ? 'quiet' : 'plain'}
      />
    </Section>
  </>
)

export const paymentsView = ({ provider }: GuideFacts): VNode => (
  <>
    <PageHeading>How pros are paid</PageHeading>
    {provider === 'stripe' ? (
      <p class="lead">
        Customers pay deposits, packages and invoices by card through Stripe. You have nothing to do here.{' '}
        <a href="/console/payments">Payments</a>
      </p>
    ) : provider === 'sandbox' ? (
      <p class="lead">
        This is no production: payments go through a sandbox that moves no money. In production nothing is paid through
        it.
      </p>
    ) : (
      <p class="lead">
        Customers pay the pro, at the visit: no money passes through you. You can leave it at that, and open.
      </p>
    )}
    {provider !== 'stripe' && (
      <Section title="Card payments">
        <p>
          With Stripe customers can also pay deposits and packages online. Without it, pros who ask for a deposit are
          asked for a quote instead of being booked, and packages are not offered.
        </p>
        <p>
          On the machine, add the two lines to <code>{SETTINGS}</code>, and run{' '}
          <code>systemctl restart 'hearth-server@*' hearth-workers</code>:
        </p>
        <pre>{'STRIPE_SECRET_KEY=sk_live_…\nSTRIPE_WEBHOOK_SECRET=whsec_…'}</pre>
      </Section>
    )}
  </>
)

export const bookingView = (session: Session, facts: GuideFacts, manageLink: (bookingId: string) => string): VNode => (
  <>
    <PageHeading>Test booking</PageHeading>
    <p class="lead">Book as a customer does, before the first customer does it. You can, although it is not open.</p>
    {trial(facts, manageLink)}
    <Section title="How it goes">
      <ol>
        <li>Open the page of a pro, choose a service and a time, and book under {session.email}.</li>
        <li>Read the messages that you and the pro got.</li>
        <li>Cancel the booking: the pro is told, and the time is free again.</li>
      </ol>
    </Section>
    {firstPros(facts)}
  </>
)

const firstPros = ({ firstPros: pros }: GuideFacts): VNode =>
  pros.length === 0 ? (
    <EmptyState title="No pro yet">
      <a href={NEW_PRO_PATH}>Add the first</a>
    </EmptyState>
  ) : (
    <Table
      caption="The first pros"
      columns={['Pro', 'To be booked', 'Page']}
      rows={pros.map(({ id, slug, businessName, services, bookable }) => [
        <a href={`${VERIFICATION_PATH}/${id}`}>{businessName}</a>,
        services === 0
          ? 'None yet: the owner sets them, after choosing a password'
          : bookable === 0
            ? 'Only quotes: under “Booking settings” the owner lets customers book open times'
            : plural(bookable, 'service'),
        bookable > 0 && <a href={`/pros/${slug}`}>Book {businessName}</a>,
      ])}
    />
  )

function trial({ testBooking }: GuideFacts, manageLink: (bookingId: string) => string): VNode | false {
  if (testBooking === undefined) return false
  const { id, service, businessName, startsAt, timeZone, email, isComing } = testBooking
  return (
    <Section title="Your booking">
      <p>
        {service} with {businessName}, {localDateTime(startsAt, timeZone)}.{' '}
        {isComing ? <Badge tone="wait">To be cancelled</Badge> : <Badge tone="good">Over</Badge>}
      </p>
      <ButtonRow>
        <LinkButton href={`/console/mail?recipient=${encodeURIComponent(email)}`} look="quiet">
          Read its messages
        </LinkButton>
        {isComing && <LinkButton href={`${manageLink(id)}/cancel`}>Cancel it</LinkButton>}
      </ButtonRow>
    </Section>
  )
}

export function openView(session: Session, facts: GuideFacts): VNode {
  const { site, launch } = facts
  const steps = GUIDE.filter(({ path }) => path !== OPEN_STEP)
  return (
    <>
      <PageHeading>{site.isOpen ? `${site.name} is open` : `Open ${site.name}`}</PageHeading>
      {site.isOpen ? (
        <p class="lead">
          Visitors and search engines see it. <a href="/">See the first page</a>, or close it at{' '}
          <a href={MARKETPLACE_PATH}>Marketplace</a>.
        </p>
      ) : (
        <p class="lead">
          Visitors and search engines see it from then on. You can close it again at any time; bookings stay.
        </p>
      )}
      <Table
        caption="What there is"
        columns={['Step', 'State', '']}
        rows={[
          ...steps.map(({ label, path, stateOf }) => {
            const { isDone, text } = stateOf(facts)
            return [<a href={path}>{label}</a>, text, state(isDone)]
          }),
          [
            'Cities',
            launch.cities > 0 ? plural(launch.cities, 'city', 'cities') : 'No city yet.',
            state(launch.cities > 0),
          ],
          [
            'Backup',
            launch.isArchiving && !launch.isFailing
              ? 'Each change is also kept in the backup.'
              : 'No backup yet: a loss of the machine loses all data.',
            state(launch.isArchiving && !launch.isFailing),
          ],
        ]}
      />
      {!site.isOpen && (
        <>
          <p>TLS, the proxy and the connections are checked on the machine, by the list before opening.</p>
          <ActionButton
            session={session}
            action={OPENING_PATH}
            fields={{ state: 'open', version: String(site.version) }}
            label="Open"
            look="plain"
          />
        </>
      )}
    </>
  )
}

const state = (isDone: boolean): VNode => <Badge tone={isDone ? 'good' : 'wait'}>{isDone ? 'Done' : 'To do'}</Badge>
