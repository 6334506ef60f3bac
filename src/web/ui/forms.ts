// Parts of forms: fields with their labels, hints and faults, and buttons that do one thing.
import { type FieldFaults, CSRF_FIELD } from '../../http/form.ts'
import type { Session } from '../../http/session.ts'
import type { IdempotencyContext } from '../../idempotency/context.ts'
import { type Html, type HtmlValue, html } from './html.ts'

/** What was entered into a form that is shown again, and what is wrong with it. */
export interface Entered {
  readonly values: URLSearchParams
  readonly faults: FieldFaults
  /** What is wrong with the whole. */
  readonly problem?: string
  /** Of the answer that shows it again; 400 unless given. */
  readonly status?: number
}

/** A form that nobody has filled in yet. */
export const NOTHING_ENTERED: Entered = { values: new URLSearchParams(), faults: {} }

type WithCsrfToken = Pick<Session, 'csrfToken'>

/** The CSRF token. Every form of a logged-in person's page carries it. */
export const csrfField = ({ csrfToken }: WithCsrfToken): Html =>
  html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}" />`

/** The page's idempotency key: a form that is sent twice takes effect once. */
export const idempotencyField = (key: string): Html =>
  html`<input type="hidden" name="idempotencyKey" value="${key}" />`

/** The idempotency context of a form with {@link idempotencyField}; undefined when the key is malformed. */
export function idempotencyOf(fields: URLSearchParams): IdempotencyContext | undefined {
  const key = fields.get('idempotencyKey') ?? ''
  return /^[\w-]{1,100}$/.test(key) ? { key: `console-${key}`, replayed: false } : undefined
}

/** The status of a page that may show a form again. */
export const wasRefused = (entered: Entered): { status: number } => ({
  status: entered === NOTHING_ENTERED ? 200 : (entered.status ?? 400),
})

interface Field {
  name: string
  /** Where a page has several fields of the name. */
  id?: string
  label: string
  hint?: HtmlValue
  isOptional?: boolean
  /** Before anything was entered. */
  value?: string
  entered?: Entered
}

interface TextField extends Field {
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'datetime-local'
  min?: number | string
  max?: number | string
  step?: number | string
  maxLength?: number
  placeholder?: string
  autocomplete?: string
}

/** One line of text, or a number, a date, a password. */
export const textField = (it: TextField): Html =>
  labelled(
    it,
    html`<input
      ${common(it)}
      type="${it.type ?? 'text'}"
      value="${it.type === 'password' ? '' : valueOf(it)}"
      ${attribute('min', it.min)}
      ${attribute('max', it.max)}
      ${attribute('step', it.step)}
      ${attribute('maxlength', it.maxLength)}
      ${attribute('placeholder', it.placeholder)}
      autocomplete="${it.autocomplete ?? 'off'}"
    />`,
  )

/** Several lines of text. */
export const textArea = (it: Field & { rows?: number; maxLength?: number }): Html =>
  labelled(
    it,
    html`<textarea ${common(it)} rows="${it.rows ?? 3}" ${attribute('maxlength', it.maxLength)}>
${valueOf(it)}</textarea>`,
  )

export interface Choice {
  value: string
  label: string
  /** Told of it when one points at it. */
  title?: string
}

/** One of a few. */
export const selectField = (it: Field & { choices: readonly Choice[] }): Html =>
  labelled(
    it,
    html`<select ${common(it)}>
      ${it.choices.map(
        ({ value, label }) =>
          html`<option value="${value}" ${value === valueOf(it) && html`selected`}>${label}</option>`,
      )}
    </select>`,
  )

/** A box to tick. */
export const checkbox = ({ name, label, hint, value, entered }: Omit<Field, 'isOptional'>): Html => {
  const isTicked = wasEntered(entered) ? entered.values.has(name) : value !== undefined
  return html`<div class="field">
    <label class="tick"
      ><input type="checkbox" name="${name}" value="on" ${isTicked && html`checked`} /> ${label}</label
    >
    ${hint && html`<p class="hint">${hint}</p>`}
  </div>`
}

/** Boxes to tick, any number of a few. */
export const checkboxes = ({
  name,
  label,
  choices,
  ticked,
  entered,
}: {
  name: string
  label: string
  choices: readonly Choice[]
  ticked: readonly string[]
  entered?: Entered
}): Html => {
  const chosen = wasEntered(entered) ? entered.values.getAll(name) : ticked
  const fault = entered?.faults[name]
  return html`<fieldset class="field" ${fault && html`aria-describedby="${name}-fault"`}>
    <legend>${label}</legend>
    <div class="ticks">
      ${choices.map(
        ({ value, label, title }) =>
          html`<label class="tick" ${attribute('title', title)}
            ><input type="checkbox" name="${name}" value="${value}" ${chosen.includes(value) && html`checked`} />
            ${label}</label
          >`,
      )}
    </div>
    ${faultOf(name, fault)}
  </fieldset>`
}

/** What is wrong with the whole form. */
export const problemOf = ({ problem }: Entered): Html | false =>
  problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`

interface Action {
  action: string
  label: string
  /** Sent along. */
  fields?: Readonly<Record<string, string>>
  tone?: 'plain' | 'quiet' | 'danger'
}

/** A button that sends a form of its own. */
export const actionButton = (session: WithCsrfToken, { action, label, fields = {}, tone = 'quiet' }: Action): Html =>
  html`<form method="post" action="${action}" class="inline">
    ${csrfField(session)}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="small ${tone}">${label}</button>
  </form>`

/** What is opened first and then done: for what cannot be undone, and for what needs a word more. */
export const disclosure = (label: string, content: Html, { isOpen = false } = {}): Html =>
  html`<details class="disclosure" ${isOpen && html`open`}>
    <summary>${label}</summary>
    <div class="disclosed">${content}</div>
  </details>`

const wasEntered = (entered: Entered | undefined): entered is Entered =>
  entered !== undefined && entered.values.size > 0

const valueOf = ({ name, value, entered }: Field): string =>
  (wasEntered(entered) ? entered.values.get(name) : undefined) ?? value ?? ''

const attribute = (name: string, value: string | number | undefined): Html | false =>
  value !== undefined && html`${name}="${value}"`

const common = ({ name, id = name, isOptional, hint, entered }: Field): Html => {
  const fault = entered?.faults[name]
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return html`id="${id}" name="${name}" ${isOptional !== true && html`required`}
  ${described !== '' && html`aria-describedby="${described}"`} ${fault && html`aria-invalid="true"`}`
}

const labelled = ({ name, id = name, label, hint, isOptional, entered }: Field, control: Html): Html =>
  html`<div class="field">
    <label for="${id}">${label}${isOptional === true && html` <span class="quiet">optional</span>`}</label>
    ${control} ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`} ${faultOf(id, entered?.faults[name])}
  </div>`

const faultOf = (id: string, fault: string | undefined): Html | undefined | '' =>
  fault && html`<p class="fault" id="${id}-fault">${fault.charAt(0).toUpperCase() + fault.slice(1)}.</p>`
