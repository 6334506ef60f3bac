// The form for who books and where the pro is to come.
import { make } from './widget-text.ts'

/** The rule of the country, which the server puts around the script. */
declare const POSTAL: { label: string; keyboard: string; pattern: string; form: string }

/** What was typed, which survives the choice of another time. */
const typed: Record<string, string> = {}

/** The fields' texts by their names. */
export type FormTexts = Record<string, string>

export function bookingForm({
  label,
  atCustomer,
  send,
}: {
  label: string
  atCustomer: boolean
  send: (texts: FormTexts) => Promise<void>
}): HTMLElement {
  const needed: Record<string, string> = atCustomer ? { required: '' } : {}
  const button = make('button', { class: 'main' }, label)
  const form = make(
    'form',
    {},
    field('Your name', 'name', { autocomplete: 'name', required: '' }),
    field('E-mail address', 'email', { type: 'email', autocomplete: 'email', required: '', maxlength: '320' }),
    field('Phone', 'phone', { type: 'tel', autocomplete: 'tel', maxlength: '50', ...needed }),
    field('Street', 'street', { autocomplete: 'street-address', ...needed }),
    field(POSTAL.label, 'zipCode', {
      autocomplete: 'postal-code',
      inputmode: POSTAL.keyboard,
      pattern: POSTAL.pattern,
      title: POSTAL.form,
      ...needed,
    }),
    field('Notes for the pro', 'description', { maxlength: '5000' }),
    button,
  )
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) typed[target.name] = target.value
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    button.disabled = true
    // All of its fields are texts.
    void send(Object.fromEntries(new FormData(form)) as FormTexts).finally(() => (button.disabled = false))
  })
  return form
}

const field = (label: string, name: string, attributes: Readonly<Record<string, string>>): HTMLElement =>
  make(
    'label',
    {},
    label,
    attributes['required'] === undefined && make('span', {}, ' optional'),
    make('input', { maxlength: '200', name, ...attributes, value: typed[name] ?? '' }),
  )
