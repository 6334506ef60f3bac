/** @jsxImportSource preact */
// The pages of one's own second factor: set it up, see the recovery codes once, remove it.
import { Type } from '@sinclair/typebox'
import type { ComponentChildren, VNode } from 'preact'

import { PASSWORD_LENGTH } from '../../../auth/users/schemas.ts'
import { totpUri } from '../../../auth/users/rules/totp.ts'
import type { SecondFactor } from '../../../auth/users/verbs/second-factors.ts'
import type { Session } from '../../../http/session.ts'
import { Line, OneOf, Password, Text } from '../../../platform/schema/types.ts'
import { plural } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonRow, Copyable, LinkButton } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { type FormState, ActionForm, Form, ProblemBox } from '../../ui/form.tsx'
import { BackLink, PageHeading } from '../../ui/headings.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { DetailList } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

const ACCOUNT_PATH = '/console/account'
export const FACTOR_PATH = `${ACCOUNT_PATH}/second-factor`

const CODE = { autocomplete: 'one-time-code', isOptional: false } as const

export const FactorForm = defineForm(
  {
    action: { schema: OneOf(['begin', 'prove', 'codes', 'remove']) },
    password: {
      schema: Type.Optional(Password({ maxLength: PASSWORD_LENGTH.max })),
      label: 'Your password',
      isOptional: false,
      autocomplete: 'current-password',
    },
    code: {
      ...CODE,
      schema: Type.Optional(Line(40)),
      label: 'Code',
      hint: 'Of your app, or a recovery code.',
    },
    setup: { schema: Type.Optional(Text(1000)) },
  },
  ({ action, password, code }) => ({
    password: action !== 'prove' && password === undefined ? 'is required' : undefined,
    code: action !== 'begin' && code === undefined ? 'is required' : undefined,
  }),
)

const Frame = ({ children }: { children: ComponentChildren }): VNode => (
  <>
    <BackLink href={ACCOUNT_PATH}>Your account</BackLink>
    {children}
  </>
)

/** Before it is set up: the password is asked for. */
export const beginView = (session: Session, formState: FormState): VNode => (
  <Frame>
    <PageHeading>Second factor</PageHeading>
    {session.mustSetUpFactor && (
      <p class="notice wait" role="status">
        Operators of this marketplace need a second factor. Set it up to go on: it takes two minutes.
      </p>
    )}
    <p class="lead">A password can be stolen. With a second factor, it opens nothing without your phone.</p>
    <ol>
      <li>You need an app for codes on your phone, such as the one that keeps your passwords.</li>
      <li>The app reads a QR code from the next page, and shows a code that changes every 30 seconds.</li>
      <li>
        From then on you type such a code when you log in. You also get recovery codes, in case the phone is lost.
      </li>
    </ol>
    <Form of={FactorForm} action={FACTOR_PATH} isNarrow session={session} formState={formState}>
      <input type="hidden" name="action" value="begin" />
      <Fields of={FactorForm} names={['password']} />
      <Button>Continue</Button>
    </Form>
  </Frame>
)

interface Setup {
  secret: string
  setup: string
  /** The name of the marketplace, as the app shows it. */
  issuer: string
  formState: FormState
}

/** The secret, for a camera, for a finger and for people who type. */
export function setupView(session: Session, { secret, setup, issuer, formState }: Setup): VNode {
  const uri = totpUri(secret, { issuer, email: session.email })
  return (
    <Frame>
      <PageHeading>Set up your second factor</PageHeading>
      <p>Read this code with the app on your phone:</p>
      <p>
        <QrCode text={uri} label="QR code for your app" />
      </p>
      <p>
        <a href={uri}>Open it in an app on this device</a>, if you read this page on your phone.
      </p>
      <Copyable id="secret" label="Or type this key into the app:" text={secret.replaceAll(/.{4}(?=.)/g, '$& ')} />
      <Form of={FactorForm} action={FACTOR_PATH} isNarrow session={session} formState={formState}>
        <p class="hint">
          Then type the code that the app shows. It proves that the app works, and logs you out on all other devices.
        </p>
        <input type="hidden" name="action" value="prove" />
        <input type="hidden" name="setup" value={setup} />
        <Fields of={FactorForm} names={['code']} more={{ code: { hint: 'Six digits' } }} />
        <Button>Set up</Button>
      </Form>
    </Frame>
  )
}

/** The only page that shows the recovery codes. */
export function codesView({ codes, site, isNew }: { codes: readonly string[]; site: string; isNew: boolean }): VNode {
  const file = [`Recovery codes of ${site}. Each works once.`, '', ...codes, ''].join('\r\n')
  return (
    <Frame>
      <PageHeading>Your recovery codes</PageHeading>
      <p class="notice good" role="status">
        {isNew
          ? 'Your second factor is set up, and you are logged out on all other devices.'
          : 'These are your new codes. The ones before no longer work.'}
      </p>
      <p>
        Without your phone you log in with one of them. Each works once. <strong>You will not see them again</strong>:
        print them, or keep them as safe as a password.
      </p>
      <Copyable id="codes" label="Recovery codes" text={codes.join('\n')} />
      <ButtonRow>
        <a
          class="button quiet small"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
        >
          Download as text
        </a>
        <LinkButton href="/console" isSmall>
          I have kept them
        </LinkButton>
      </ButtonRow>
    </Frame>
  )
}

/** What people have set up. */
export const factorView = (
  session: Session,
  { factor, formState }: { factor: SecondFactor; formState: FormState },
): VNode => (
  <Frame>
    <PageHeading>
      Second factor <Badge tone="good">Set up</Badge>
    </PageHeading>
    <ProblemBox formState={formState} />
    <DetailList
      pairs={[
        ['Set up', <Time instant={factor.createdAt} />],
        ['Recovery codes left', factor.codesLeft === 0 ? 'No code: make new ones' : plural(factor.codesLeft, 'code')],
      ]}
    />
    <ButtonRow>
      <ActionForm
        of={FactorForm}
        session={session}
        path={FACTOR_PATH}
        action="codes"
        label="Make new recovery codes"
        formState={formState}
      >
        <p>The codes that you have no longer work then.</p>
        <Fields of={FactorForm} names={['password', 'code']} row="codes" />
        <Button isSmall>Make new codes</Button>
      </ActionForm>
      <ActionForm
        of={FactorForm}
        session={session}
        path={FACTOR_PATH}
        action="remove"
        label="Remove the second factor"
        formState={formState}
      >
        <p>You log in with your password only then. For another phone, remove it, and set it up again with that one.</p>
        <Fields of={FactorForm} names={['password', 'code']} row="remove" />
        <Button isSmall look="danger">
          Remove
        </Button>
      </ActionForm>
    </ButtonRow>
  </Frame>
)
