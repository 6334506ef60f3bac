// Forms: fields with labels, hints and error messages, and buttons that send a form of their own.
import { type FieldErrors, CSRF_FIELD } from '../../http/form.ts'
import type { Session } from '../../http/session.ts'
import type { IdempotencyContext } from '../../ctx.ts'
import { type Html, type HtmlValue, html } from '../../platform/text/html.ts'

/** The values and errors of a form that is shown again. */
export interface FormState {
  readonly values: URLSearchParams
  readonly errors: FieldErrors
  /** An error of the form as a whole. */
  readonly problem?: string
  /** The status of the response that shows the form again; 400 by default. */
  readonly status?: number
}

/** A form before anything is entered. */
export const EMPTY_FORM: FormState = { values: new URLSearchParams(), errors: {} }

type WithCsrfToken = Pick<Session, 'csrfToken'>

/** The CSRF token. Every form of a logged-in person's page carries it. */
export const csrfField = ({ csrfToken }: WithCsrfToken): Html =>
  html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}" />`

/** The page's idempotency key: a form that is sent twice takes effect once. */
export const idempotencyField = (key: string): Html =>
  html`<input type="hidden" name="idempotencyKey" value="${key}" />`

/** The idempotency context of a form with {@link idempotencyField}; undefined when the key is malformed. */
export function idempotencyOfForm(fields: URLSearchParams): IdempotencyContext | undefined {
  const key = fields.get('idempotencyKey') ?? ''
  return /^[\w-]{1,100}$/.test(key) ? { key: `console-${key}` } : undefined
}

/** The status of a page with this form. */
export const formStatus = (formState: FormState): { status: number } => ({
  status: formState === EMPTY_FORM ? 200 : (formState.status ?? 400),
})

interface Field {
  name: string
  /** Needed where a page has several fields of this name. */
  id?: string
  label: string
  hint?: HtmlValue
  isOptional?: boolean
  /** False where people expect that a field may stay empty, such as in a search. */
  saysOptional?: boolean
  /** Before anything was entered. */
  value?: string
  formState?: FormState
}

interface TextField extends Field {
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'time' | 'datetime-local'
  min?: number | string
  max?: number | string
  step?: number | string
  maxLength?: number
  placeholder?: string
  autocomplete?: string
  /** The keyboard of a phone. */
  inputMode?: 'numeric'
  /** Suggested values: the field accepts others too. A script may replace them in the element `<name>-choices`. */
  choices?: readonly string[]
}

/** An input for a line of text, a number, a date or a password. */
export const textField = (it: TextField): Html =>
  withLabel(
    it,
    html`<input
        ${inputAttributes(it)}
        type="${it.type ?? 'text'}"
        value="${it.type === 'password' ? '' : valueOf(it)}"
        ${attribute('min', it.min)}
        ${attribute('max', it.max)}
        ${attribute('step', it.step)}
        ${attribute('maxlength', it.maxLength)}
        ${attribute('placeholder', it.placeholder)}
        ${attribute('inputmode', it.inputMode)}
        autocomplete="${it.autocomplete ?? 'off'}"
        ${it.choices && html`list="${it.name}-choices"`}
      />${
        it.choices &&
        html`<datalist id="${it.name}-choices">
          ${it.choices.map((choice) => html`<option value="${choice}"></option>`)}
        </datalist>`
      }`,
  )

export const textArea = (it: Field & { rows?: number; maxLength?: number }): Html =>
  withLabel(
    it,
    html`<textarea ${inputAttributes(it)} rows="${it.rows ?? 3}" ${attribute('maxlength', it.maxLength)}>
${valueOf(it)}</textarea>`,
  )

export interface Choice {
  value: string
  label: string
  /** The tooltip. */
  title?: string
}

export const selectField = (it: Field & { choices: readonly Choice[] }): Html =>
  withLabel(
    it,
    html`<select ${inputAttributes(it)}>
      ${it.choices.map(
        ({ value, label }) =>
          html`<option value="${value}" ${value === valueOf(it) && html`selected`}>${label}</option>`,
      )}
    </select>`,
  )

export const checkbox = ({ name, label, hint, value, formState }: Omit<Field, 'isOptional'>): Html => {
  const isChecked = isFilledIn(formState) ? formState.values.has(name) : value !== undefined
  return html`<div class="field">
    <label class="tick"
      ><input type="checkbox" name="${name}" value="on" ${isChecked && html`checked`} /> ${label}</label
    >
    ${hint && html`<p class="hint">${hint}</p>`}
  </div>`
}

/** A group of checkboxes with one name. */
export const checkboxes = ({
  name,
  label,
  choices,
  checked,
  formState,
}: {
  name: string
  label: string
  choices: readonly Choice[]
  checked: readonly string[]
  formState?: FormState
}): Html => {
  const selected = isFilledIn(formState) ? formState.values.getAll(name) : checked
  const error = formState?.errors[name]
  return html`<fieldset class="field" ${error && html`aria-describedby="${name}-error"`}>
    <legend>${label}</legend>
    <div class="ticks">
      ${choices.map(
        ({ value, label, title }) =>
          html`<label class="tick" ${attribute('title', title)}
            ><input type="checkbox" name="${name}" value="${value}" ${selected.includes(value) && html`checked`} />
            ${label}</label
          >`,
      )}
    </div>
    ${errorText(name, error)}
  </fieldset>`
}

/** The error of the form as a whole. */
export const problemBox = ({ problem }: FormState): Html | false =>
  problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`

interface Action {
  action: string
  label: string
  /** Hidden fields. */
  fields?: Readonly<Record<string, string>>
  tone?: 'plain' | 'quiet' | 'danger'
}

/** A button in a form of its own. */
export const actionButton = (session: WithCsrfToken, { action, label, fields = {}, tone = 'quiet' }: Action): Html =>
  html`<form method="post" action="${action}" class="inline">
    ${csrfField(session)}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="small ${tone}">${label}</button>
  </form>`

/** A panel that opens on demand: for actions that cannot be undone or that need more input. */
export const disclosure = (label: string, content: Html, { isOpen = false } = {}): Html =>
  html`<details class="disclosure" ${isOpen && html`open`}>
    <summary>${label}</summary>
    <div class="disclosed">${content}</div>
  </details>`

interface ActionForm {
  /** Where it is sent, with the field `action`. */
  path: string
  action: string
  label: string
  fields: (formState: FormState) => Html
  /** Of the page: its last form may be that of another action. */
  formState: FormState
}

/** One of several actions on one path, as a folded form. After a refusal it is open, with what was typed. */
export function actionForm(session: WithCsrfToken, { path, action, label, fields, formState }: ActionForm): Html {
  const isSent = formState.values.get('action') === action
  const form = html`<form method="post" action="${path}">
    ${csrfField(session)}
    <input type="hidden" name="action" value="${action}" />
    ${fields(isSent ? formState : EMPTY_FORM)}
  </form>`
  return disclosure(label, form, { isOpen: isSent })
}

const isFilledIn = (formState: FormState | undefined): formState is FormState =>
  formState !== undefined && formState.values.size > 0

const valueOf = ({ name, value, formState }: Field): string =>
  (isFilledIn(formState) ? formState.values.get(name) : undefined) ?? value ?? ''

const attribute = (name: string, value: string | number | undefined): Html | false =>
  value !== undefined && html`${name}="${value}"`

const inputAttributes = ({ name, id = name, isOptional, hint, formState }: Field): Html => {
  const error = formState?.errors[name]
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return html`id="${id}" name="${name}" ${isOptional !== true && html`required`}
  ${described !== '' && html`aria-describedby="${described}"`} ${error && html`aria-invalid="true"`}`
}

const withLabel = ({ name, id = name, label, hint, isOptional, saysOptional, formState }: Field, control: Html): Html =>
  html`<div class="field">
    <label for="${id}"
      >${label}${isOptional === true && saysOptional !== false && html` <span class="quiet">optional</span>`}</label
    >
    ${control} ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`} ${errorText(id, formState?.errors[name])}
  </div>`

const errorText = (id: string, error: string | undefined): Html | undefined | '' =>
  error && html`<p class="fault" id="${id}-error">${error.charAt(0).toUpperCase() + error.slice(1)}.</p>`
