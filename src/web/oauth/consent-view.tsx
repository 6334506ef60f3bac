/** @jsxImportSource preact */
// The view of consent: which app asks, for which access, as which person, and where the response goes.
import { SiteName } from '../ui/site.tsx'
import type { AppIdentity, AuthorizationRequest, Person } from '../../auth/oauth/schemas.ts'
import { CONSENT_PATH } from '../../auth/oauth/verbs/authorization.ts'
import type { Static } from '@sinclair/typebox'
import type { VNode } from 'preact'
import { OneOf, Text } from '../../platform/schema/types.ts'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { Form } from '../ui/form.tsx'
import type { Page } from '../ui/layout.tsx'
import { Badge } from '../ui/badge.tsx'
import { ButtonRow } from '../ui/buttons.tsx'
import { DetailList } from '../ui/table.tsx'
import { APPS_PATHS } from './connected-apps.tsx'

export const ConsentForm = defineForm({
  requestId: { schema: Text(100) },
  decision: { schema: OneOf(['allow', 'deny', 'switch']) },
})
export type Decision = Static<typeof ConsentForm>['decision']

/** The person whose session the browser has. */
export interface SignedInPerson {
  /** The token of the session. */
  readonly token: string
  readonly csrfToken: string
  readonly email: string
  /** The business of a pro; the address of others. */
  readonly name: string
  /** Undefined for a user of the console who is no pro. */
  readonly person: Person | undefined
}

export const consentPage = (asked: AuthorizationRequest, by: SignedInPerson): Page => ({
  title: `Connect ${asked.client.name}`,
  content: (
    <div class="narrow">
      <h1>Connect {asked.client.name}?</h1>
      <p>
        {asked.client.name} asks for access to {asked.side === 'pro' ? 'your business' : 'your account'} on <SiteName />
        .
      </p>
      {asked.client.verified ? false : unverified(asked)}
      <DetailList
        pairs={[
          ['App', appName(asked.client)],
          [asked.side === 'pro' ? 'Business' : 'Account', by.name],
          ['Logged in as', by.name === by.email ? undefined : by.email],
          ['You return to', destination(asked)],
        ]}
      />
      <h2>It will be able to</h2>
      <ul>
        {asked.scopes.map(({ words }) => (
          <li>{words}</li>
        ))}
      </ul>
      {decisionForm(asked, by, ['allow', 'deny', 'switch'])}
      <p class="hint">
        You can remove the app at any time under <a href={APPS_PATHS[asked.side]}>Connected apps</a>: its access ends at
        once. See also the <a href="/terms">terms</a> and the <a href="/privacy">privacy page</a> of <SiteName />.
      </p>
    </div>
  ),
})

/** For a user of the console who is no pro. */
export const wrongAccountPage = (asked: AuthorizationRequest, by: SignedInPerson): Page => ({
  title: 'Log in as a pro',
  content: (
    <div class="narrow">
      <h1>Log in as a pro</h1>
      <p>
        {asked.client.name} asks for access to the account of a pro, which only its owner can give. {by.email} is not
        the login of an owner.
      </p>
      {decisionForm(asked, by, ['switch', 'deny'])}
    </div>
  ),
})

/** The app, with the host that vouches for it. */
export const appName = ({ name, host, verified }: AppIdentity): VNode => (
  <>
    {name}{' '}
    {verified ? (
      <>
        <Badge tone="good">Verified</Badge>
        <br />
        by {host}
      </>
    ) : (
      <Badge tone="wait">Not verified</Badge>
    )}
  </>
)

const destination = ({ returnsTo: { host, isThisDevice } }: AuthorizationRequest): VNode =>
  isThisDevice ? <>a program on this device ({host})</> : <>{host}</>

const unverified = ({ returnsTo: { isThisDevice } }: AuthorizationRequest): VNode => (
  <p class="notice wait" role="status">
    We could not check who makes this app. Allow it only if you have just started to connect it yourself
    {isThisDevice ? ' in a program on this device' : ''}.
  </p>
)

const DECISIONS: Record<Decision, [label: string, look: string]> = {
  allow: ['Allow', ''],
  deny: ['Deny', 'quiet'],
  switch: ['Use another account', 'quiet'],
}

const decisionForm = ({ id }: AuthorizationRequest, by: SignedInPerson, choices: readonly Decision[]): VNode => (
  <Form of={ConsentForm} action={CONSENT_PATH} session={by}>
    <Fields of={ConsentForm} values={{ requestId: id }} />
    <ButtonRow>
      {choices.map((choice) => {
        const [label, look] = DECISIONS[choice]
        return (
          <>
            <button name="decision" value={choice} class={look}>
              {label}
            </button>{' '}
          </>
        )
      })}
    </ButtonRow>
  </Form>
)
