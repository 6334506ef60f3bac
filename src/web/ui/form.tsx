/** @jsxImportSource preact */
// A form: its state over turns, its hidden fields, and what is wrong with it as a whole.
import { type ComponentChildren, type VNode, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { renderToString } from 'preact-render-to-string'

import { type Permitted, mayPost } from '../../auth/users/rules/permissions.ts'
import type { IdempotencyContext } from '../../ctx.ts'
import { CSRF_FIELD, type FieldErrors, type FormSchema } from '../../http/form.ts'
import type { Session } from '../../http/session.ts'
import { asSentence } from '../../platform/text/format.ts'
import { Button, Disclosure, type Look } from './buttons.tsx'
import { SiteContext } from './site.tsx'

/** The values and errors of a form that is shown again. */
export interface FormState {
  readonly values: URLSearchParams
  readonly errors: FieldErrors
  /** An error of the form as a whole. */
  readonly problem?: string
  /** Where it leads on from the problem. */
  readonly waysOut?: readonly { readonly href: string; readonly label: string }[]
  /** The status of the response that shows the form again; 400 by default. */
  readonly status?: number
}

/** A form before anything is entered. */
export const EMPTY_FORM: FormState = { values: new URLSearchParams(), errors: {} }

/** The form of one row of a list that was refused. Those of the other rows are as before. */
export interface RowForm {
  readonly id: string
  readonly formState: FormState
}

/** The form of the row with the id. Its page says what is wrong with it as a whole: the row may be gone. */
export const formOfRow = (refused: RowForm | undefined, id: string): FormState =>
  refused?.id === id ? refused.formState : EMPTY_FORM

/** A form with nothing to say but what is wrong with it as a whole, if anything is. */
export const withProblem = (problem: string | undefined, status?: number): FormState =>
  problem === undefined ? EMPTY_FORM : { ...EMPTY_FORM, problem, ...(status !== undefined && { status }) }

export const isFilledIn = (formState: FormState | undefined): formState is FormState =>
  formState !== undefined && formState.values.size > 0

/** The status of a page with this form. */
export const formStatus = (formState: FormState): { status: number } => ({
  status: formState === EMPTY_FORM ? 200 : (formState.status ?? 400),
})

export type WithCsrfToken = Pick<Session, 'csrfToken'>

/** The person of a button, which is shown only to those who may press it. */
type Presser = WithCsrfToken & Permitted

/** The CSRF token. Every form of a logged-in person's page carries it. */
export const CsrfField = ({ session: { csrfToken } }: { session: WithCsrfToken }): VNode => (
  <input type="hidden" name={CSRF_FIELD} value={csrfToken} />
)

/** The page's idempotency key: a form that is sent twice takes effect once. */
export const IdempotencyField = ({ value }: { value: string }): VNode => (
  <input type="hidden" name="idempotencyKey" value={value} />
)

/** The idempotency context of a form with an {@link IdempotencyField}; undefined when the key is malformed. */
export function idempotencyOfForm(fields: URLSearchParams): IdempotencyContext | undefined {
  const key = fields.get('idempotencyKey') ?? ''
  return /^[\w-]{1,100}$/.test(key) ? { key: `console-${key}` } : undefined
}

/** The error of the form as a whole. It has the focus: the form may stand far below the top of its page. */
export const ProblemBox = ({ formState: { problem, waysOut = [] } }: { formState: FormState }): VNode | null =>
  problem === undefined ? null : (
    <p class="notice bad" role="alert" tabindex={-1} autofocus>
      {problem}
      {waysOut.map(({ href, label }) => (
        <>
          {' '}
          <a href={href}>{label}</a>
        </>
      ))}
    </p>
  )

/** What the fields of a form read: its state, and where they say how people know them. */
export const FormContext = createContext<{ formState: FormState; labels: Map<string, FieldLabel> }>({
  formState: EMPTY_FORM,
  labels: new Map(),
})

interface FieldLabel {
  id: string
  label: string
}

/**
 * A form. People whose role does not allow it do not see it. It is sent by POST, with the hidden fields that its page has, unless it only looks for something. Its fields show
 * what was typed. After a refusal the names of the fields that are wrong stand first, as links to them, and have the focus.
 */
export const Form = ({
  of,
  method = 'post',
  id,
  look,
  action,
  session,
  idempotencyKey,
  formState = EMPTY_FORM,
  isNarrow = false,
  saysProblem = true,
  hasFiles = false,
  children,
}: {
  /** A declared form. Browsers do not check it: they name one error at a time, the server all. */
  of?: FormSchema
  method?: 'get' | 'post'
  /** Needed where controls of it stand elsewhere on the page. */
  id?: string
  look?: 'bulk'
  action: string
  /** Of the logged-in person. Forms for everyone have none. */
  session?: Presser
  idempotencyKey?: string
  formState?: FormState
  isNarrow?: boolean
  /** False where the page says what is wrong with the form as a whole. */
  saysProblem?: boolean
  /** It has fields for files. */
  hasFiles?: boolean
  children: ComponentChildren
}): VNode | null => {
  if (method === 'post' && session && !mayPost(session, action)) return null
  const labels = new Map<string, FieldLabel>()
  const fields = <FormContext.Provider value={{ formState, labels }}>{children}</FormContext.Provider>
  // The fields know their labels, and the summary stands before them: a refused form is rendered twice.
  const site = useContext(SiteContext)
  if (Object.keys(formState.errors).length > 0)
    renderToString(<SiteContext.Provider value={site}>{fields}</SiteContext.Provider>)
  return (
    <form
      method={method}
      id={id}
      action={action}
      enctype={hasFiles ? 'multipart/form-data' : undefined}
      class={isNarrow ? 'narrow-form' : look}
      novalidate={of !== undefined}
    >
      {session && <CsrfField session={session} />}
      {idempotencyKey !== undefined && <IdempotencyField value={idempotencyKey} />}
      {saysProblem && <ProblemBox formState={formState} />}
      <ErrorSummary errors={formState.errors} labels={labels} />
      {fields}
    </form>
  )
}

const ErrorSummary = ({
  errors,
  labels,
}: {
  errors: FieldErrors
  labels: ReadonlyMap<string, FieldLabel>
}): VNode | null => {
  const shown = [...labels].filter(([name]) => errors[name] !== undefined)
  // A field may have gone since the form was sent: its error is said here.
  const gone = Object.entries(errors).flatMap(([name, error]) =>
    error && !labels.has(name) ? [asSentence(error)] : [],
  )
  return shown.length + gone.length === 0 ? null : (
    <p class="notice bad" role="alert" tabindex={-1} autofocus>
      {gone.join(' ')} {shown.length > 0 && 'Please correct: '}
      {shown.map(([, { id, label }], index) => (
        <>
          {index > 0 && ', '}
          <a href={`#${id}`}>{label}</a>
        </>
      ))}
    </p>
  )
}

/** One of several actions on one path, as a folded form. After a refusal it is open, with what was typed. */
export function ActionForm({
  of,
  session,
  path,
  action,
  label,
  formState,
  children,
}: {
  of: FormSchema
  session: Presser
  /** Where it is sent, with the field `action`. */
  path: string
  action: string
  label: string
  /** Of the page: its last form may be that of another action. */
  formState: FormState
  children: ComponentChildren
}): VNode | null {
  if (!mayPost(session, path)) return null
  const isSent = formState.values.get('action') === action
  return (
    <Disclosure label={label} isOpen={isSent}>
      <Form of={of} action={path} session={session} formState={isSent ? formState : EMPTY_FORM} saysProblem={false}>
        <input type="hidden" name="action" value={action} />
        {children}
      </Form>
    </Disclosure>
  )
}

/** A button in a form of its own. */
export const ActionButton = ({
  session,
  action,
  label,
  fields = {},
  look = 'quiet',
}: {
  session: Presser
  action: string
  label: string
  /** Hidden fields. */
  fields?: Readonly<Record<string, string>>
  look?: Look
}): VNode | null =>
  mayPost(session, action) ? (
    <form method="post" action={action} class="inline">
      <CsrfField session={session} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button look={look} isSmall>
        {label}
      </Button>
    </form>
  ) : null
