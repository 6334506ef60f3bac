// The form that all pages share: what was typed stays, and after a refusal all that is wrong is said at once.
import { expect, test } from 'bun:test'

import { type ComponentChild, h } from 'preact'

import { renderMarkup } from '../../../src/platform/text/markup.tsx'
import { Badge } from '../../../src/web/ui/badge.tsx'
import { Checkbox, SelectField, TextArea, TextField } from '../../../src/web/ui/fields.tsx'
import { Form, type FormState } from '../../../src/web/ui/form.tsx'

const HOSTILE = `"><script>alert(1)</script>`

const fields = (): ComponentChild[] => [
  h(TextField, { name: 'name', label: 'Your name', value: 'before' }),
  h(TextArea, { name: 'notes', label: 'Notes', isOptional: true, value: '\nbefore' }),
  h(SelectField, {
    name: 'day',
    label: 'Day',
    value: 'mon',
    choices: ['mon', 'tue'].map((value) => ({ value, label: value })),
  }),
  h(Checkbox, { name: 'agreed', label: 'Agreed', value: 'on' }),
  h(TextField, { name: 'password', label: 'Password', type: 'password', value: 'before' }),
]

const formWith = (formState?: FormState): string =>
  renderMarkup(h(Form, { action: '/sent', ...(formState && { formState }), children: fields() }))

test('a form begins with the values that its page knows, and says nothing of errors', () => {
  const form = formWith()
  for (const part of ['value="before"', '>\n\nbefore</textarea>', '<option value="mon" selected', 'checked'])
    expect(form).toContain(part)
  expect(form).not.toMatch(/role="alert"|aria-invalid|class="fault"/)
})

test('a refused form keeps what was typed in every field but passwords, and escapes it', () => {
  const values = new URLSearchParams({ name: HOSTILE, notes: '\ntyped', day: 'tue', password: 'secret' })
  const form = formWith({ values, errors: { name: 'is too long' } })
  expect(form).toContain('value="&quot;>&lt;script>alert(1)&lt;/script>"')
  for (const part of ['>\n\ntyped</textarea>', '<option value="tue" selected']) expect(form).toContain(part)
  for (const part of ['<script', 'secret', 'before', 'checked']) expect(form).not.toContain(part)
})

test('a refused form names all fields that are wrong first, in their order, and has the focus there', () => {
  const values = new URLSearchParams({ name: '', day: 'x' })
  const form = formWith({ values, errors: { day: 'is no day', name: 'is missing', unknown: 'is not shown' } })
  const summary = /<p class="notice bad" role="alert"[^>]* autofocus[^>]*>(.*?)<\/p>/.exec(form)?.[1]
  // A field may have gone since the form was sent.
  expect(summary).toBe('Is not shown. Please correct: <a href="#name">Your name</a>, <a href="#day">Day</a>')
  expect(form.indexOf('role="alert"')).toBeLessThan(form.indexOf('<input id="name"'))
  for (const [id, error] of [
    ['name', 'Is missing.'],
    ['day', 'Is no day.'],
  ] as const) {
    expect(form).toContain(`<p class="fault" id="${id}-error">${error}</p>`)
    expect(form).toMatch(new RegExp(`id="${id}"[^>]*aria-describedby="${id}-error" aria-invalid="true"`))
  }
})

test('a prop or attribute that does not exist is an error of the build', () => {
  // Each line is an error of types: `npm run check` fails where it is none.
  const wrong = [
    // @ts-expect-error A badge has four tones.
    h(Badge, { tone: 'angry', children: 'Open' }),
    // @ts-expect-error A field has a label.
    h(TextField, { name: 'name' }),
    // @ts-expect-error A form has an address.
    h(Form, { children: [] }),
  ]
  expect(wrong.length).toBe(3)
})
