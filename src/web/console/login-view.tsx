/** @jsxImportSource preact */
// The log-in page. It may carry a form that was sent after its session had ended.
import type { Deps } from '../../deps.ts'
import { JOIN_PATH } from '../../features/business/applications/verbs/move-application.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { newToken } from '../../auth/users/tokens.ts'
import { cookie, readCookie } from '../../auth/cookies.ts'
import { csrfTokenOf } from '../../http/form.ts'
import { KEPT_FIELD } from '../../http/kept-form.ts'
import { Email, Password } from '../../platform/schema/types.ts'
import { Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { type FormState, type WithCsrfToken, EMPTY_FORM, Form, formStatus } from '../ui/form.tsx'
import { isConsent, renderPersonalPage } from '../ui/responses.tsx'
import { SiteContext } from '../ui/site.tsx'

const email = { schema: Email(), label: 'E-mail address', autocomplete: 'username' }
export const LoginForm = defineForm({
  email,
  password: { schema: Password({ minLength: 1 }), label: 'Password', autocomplete: 'current-password' },
})
export const LinkForm = defineForm({ email })

export interface LoginPage {
  next: string
  /** The encrypted form that was not sent. */
  kept?: string | undefined
  /** The person has just chosen a password. */
  hasChosen?: boolean
  isLinkSent?: boolean
  retryAfterSeconds?: number | undefined
  formState?: FormState
}

export const KeptField = ({ kept }: Pick<LoginPage, 'kept'>) =>
  kept === undefined ? null : <input type="hidden" name={KEPT_FIELD} value={kept} />

/** Without a session, the CSRF token of the form is bound to a cookie of its own. */
export function renderLoginPage(deps: Deps, request: Request, it: LoginPage): Response {
  const { next, kept, retryAfterSeconds, formState = EMPTY_FORM } = it
  const existing = readCookie(deps.config, request, 'hearth-login')
  const token = existing && existing.length === 43 ? existing : newToken()
  const content = (
    <div class="narrow">
      <h1>Log in</h1>
      {notices(it)}
      <Form of={LoginForm} action="/console/login" session={{ csrfToken: csrfTokenOf(token) }} formState={formState}>
        <input type="hidden" name="next" value={next} />
        <KeptField kept={kept} />
        <Fields of={LoginForm} />
        <Button>Log in</Button>
        <p class="hint">
          Forgot your password, or too many attempts?{' '}
          <Button look="quiet" isSmall formaction="/console/login/link">
            E-mail me a link
          </Button>
        </p>
      </Form>
      <SiteContext.Consumer>
        {({ prosMayJoin }: Marketplace) => (
          <p class="hint">
            No account yet?{' '}
            {prosMayJoin ? (
              <a href={JOIN_PATH}>Apply to join as a pro</a>
            ) : (
              'Ask the people who run this site for an invitation.'
            )}
          </p>
        )}
      </SiteContext.Consumer>
    </div>
  )
  const response = renderPersonalPage(
    request,
    { title: 'Log in', description: 'The console.', content },
    {
      ...formStatus(formState),
      ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
    },
  )
  if (token !== existing) response.headers.append('set-cookie', cookie(deps.config, 'hearth-login', token))
  return response
}

/** What happened before, and what waits. */
const notices = ({ next, kept, hasChosen, isLinkSent }: LoginPage) => (
  <>
    {hasChosen === true && (
      <p class="notice good" role="status">
        Your password is set. You can log in now.
      </p>
    )}
    {isLinkSent === true && (
      <p class="notice good" role="status">
        If this address has an account, a link to choose a new password is on its way to it.
      </p>
    )}
    {kept !== undefined && (
      <p class="notice wait" role="status">
        Your session has ended. What you typed is kept: log in to go on with it.
      </p>
    )}
    {isConsent(next) && (
      <p>An app asks for access to your business. Log in to see which one, and to allow or deny it.</p>
    )}
  </>
)

/** After the log-in of a person whose form was kept: a button leads back to it. */
export const renderKeptForm = (
  request: Request,
  { session, kept, path, next }: { session: WithCsrfToken; kept: string; path: string; next: string },
): Response =>
  renderPersonalPage(request, {
    title: 'You are logged in again',
    description: 'The console.',
    content: (
      <div class="narrow">
        <h1>You are logged in again</h1>
        <p>Your form was not sent, because your session had ended. Go on with what you typed, and send it then.</p>
        <Form action={path} session={session}>
          <KeptField kept={kept} />
          <Button autofocus>Show what I typed</Button>
        </Form>
        <p>
          <a href={next}>Go on without it</a>
        </p>
      </div>
    ),
  })
