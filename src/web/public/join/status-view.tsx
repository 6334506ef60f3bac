/** @jsxImportSource preact */
// Where an application stands, and what happens next.
import type { VNode } from 'preact'

import type { Application } from '../../../features/business/applications/schemas.ts'
import { JOIN_PATH } from '../../../features/business/applications/verbs/move-application.ts'
import { type ApplicationState, MAY_BE_WITHDRAWN } from '../../../features/business/applications/states.ts'
import type { CustomerSession } from '../../../http/customer-session.ts'
import { longDay } from '../../../platform/text/format.ts'
import { Button, Disclosure, LinkButton } from '../../ui/buttons.tsx'
import { Form } from '../../ui/form.tsx'
import type { Page } from '../../ui/layout.tsx'
import { Contact, SiteName } from '../../ui/site.tsx'

interface Said {
  readonly heading: string
  readonly next: VNode
}

const SAID: Readonly<Record<Exclude<ApplicationState, 'draft'>, Said>> = {
  sent: {
    heading: 'We have your application',
    next: (
      <>
        <p>What happens next:</p>
        <ol>
          <li>A person reads your application.</li>
          <li>You get an e-mail when it is approved, or when we need to know more.</li>
          <li>Once it is approved, you choose a password with the link that we mail you, and customers find you.</li>
        </ol>
        <p>Come back to this page at any time to see where it stands.</p>
      </>
    ),
  },
  asked: {
    heading: 'We need to know more',
    next: (
      <p>
        <LinkButton href={`${JOIN_PATH}/business`}>Change the application</LinkButton>{' '}
        <LinkButton href={`${JOIN_PATH}/preview`} look="quiet">
          Look it through and send it
        </LinkButton>
      </p>
    ),
  },
  approved: {
    heading: 'You are on',
    next: (
      <>
        <p>
          Customers find you. We have mailed you a link to choose a password: with it you log in, and change your
          services, prices and hours whenever you like.
        </p>
        <p>
          <LinkButton href="/console/login">Log in to your console</LinkButton>
        </p>
      </>
    ),
  },
  refused: { heading: 'Your application is refused', next: <p>If that is a mistake, write to us.</p> },
}

export function statusPage(
  { status, businessName, sentAt, operatorWords }: Application,
  session: CustomerSession,
): Page {
  const { heading, next } = SAID[status === 'draft' ? 'asked' : status]
  return {
    title: 'Your application to join',
    content: (
      <div class="narrow">
        <h1>{heading}</h1>
        <p>
          <strong>{businessName}</strong>, {session.customerEmail}
          {sentAt !== null && <>, sent on {longDay(sentAt)}</>}
        </p>
        {operatorWords !== null && (
          <div class={status === 'refused' ? 'notice bad' : 'notice wait'}>
            <p class="prose">{operatorWords}</p>
          </div>
        )}
        {next}
        {withdrawal(session, status)}
        <Contact />
      </div>
    ),
  }
}

export const WITHDRAW_PATH = `${JOIN_PATH}/withdraw`

/** Says what is lost before it is sent. Empty once the application is decided. */
export const withdrawal = (session: CustomerSession, status: ApplicationState | undefined): VNode | false =>
  status !== undefined &&
  MAY_BE_WITHDRAWN.has(status) && (
    <Disclosure label="Withdraw the application">
      <p>
        What you gave us is erased: your business, your place, services and prices, license and insurance. We confirm it
        by e-mail. You cannot undo this, but you may apply again.
      </p>
      <Form action={WITHDRAW_PATH} session={session}>
        <Button look="danger" isSmall>
          Withdraw and erase
        </Button>
      </Form>
    </Disclosure>
  )

/** For an address that cannot begin one. */
export const noApplicationPage = (
  { customerEmail }: CustomerSession,
  obstacle: 'account' | 'invitation' | undefined,
): Page => ({
  title: 'You cannot apply here',
  content: (
    <div class="narrow">
      {obstacle === 'account' ? (
        <>
          <h1>You have an account already</h1>
          <p>
            <strong>{customerEmail}</strong> logs in to <SiteName />. To apply with another address, sign out first.
          </p>
          <p>
            <LinkButton href="/console/login">Log in to your console</LinkButton>
          </p>
        </>
      ) : (
        <>
          <h1>Pros join by invitation</h1>
          <p>At present we invite pros ourselves. Write to us if you want to join.</p>
        </>
      )}
      <Contact />
    </div>
  ),
})
