// A form is declared once: the fields follow from the schema, and what is wrong is found in one turn.
import { expect, test } from 'bun:test'

import { Type } from '@sinclair/typebox'
import { h } from 'preact'

import { readFields, validFields } from '../../../src/http/form.ts'
import { Decimal, Integer } from '../../../src/platform/schema/numbers.ts'
import { Email, FreeText, Name, OneOf, Password, Text } from '../../../src/platform/schema/types.ts'
import { renderMarkup } from '../../../src/platform/text/markup.tsx'
import { Fields, defineForm } from '../../../src/web/ui/define-form.tsx'
import { Form, type FormState } from '../../../src/web/ui/form.tsx'
import { runFormAction } from '../../../src/web/ui/submit.ts'
import { readSources } from '../../support/imports.ts'

const VisitForm = defineForm(
  {
    id: { schema: Text(36) },
    name: { schema: Name(), label: 'Your name', autocomplete: 'name' },
    email: { schema: Email(), label: 'E-mail address' },
    code: { schema: Password({ minLength: 4 }), label: 'Password' },
    hours: { schema: Integer({ minimum: 1, maximum: 8 }), label: 'Hours', hint: 'From 1 to 8.' },
    lowest: { schema: Type.Optional(Decimal({ minimum: 0, maximum: 9 })), label: 'Lowest price' },
    highest: { schema: Type.Optional(Decimal({ minimum: 0, maximum: 9 })), label: 'Highest price' },
    day: { schema: OneOf(['mon', 'tue']), label: 'Day' },
    isUrgent: { schema: Type.Boolean(), label: 'Urgent' },
    notes: { schema: Type.Optional(FreeText()), label: 'Notes', rows: 4 },
  },
  ({ lowest = 0, highest = 9 }) => (lowest > highest ? { highest: 'must not be less than the lowest price' } : {}),
)

const DAYS = ['mon', 'tue'].map((value) => ({ value, label: value }))

const formWith = (formState?: FormState): string =>
  renderMarkup(
    h(Form, {
      of: VisitForm,
      action: '/sent',
      ...(formState && { formState }),
      children: h(Fields<typeof VisitForm.fields>, {
        of: VisitForm,
        values: { name: 'Before', hours: 2, isUrgent: true },
        choices: { day: DAYS },
      }),
    }),
  )

const inputOf = (form: string, name: string): string =>
  new RegExp(`<(input|textarea|select)[^>]* name="${name}"[^>]*>`).exec(form)?.[0] ?? ''

test('the kind, the keyboard and the length of a field follow from its schema, and its values are shown', () => {
  const form = formWith()
  for (const [name, parts] of Object.entries({
    name: ['type="text"', 'required', 'value="Before"', 'autocomplete="name"', 'maxlength="200"'],
    email: ['type="email"', 'required', 'maxlength="320"'],
    code: ['type="password"', 'required'],
    hours: ['type="text"', 'inputmode="numeric"', 'value="2"', 'aria-describedby="hours-hint"'],
    lowest: ['type="text"', 'inputmode="decimal"'],
    day: ['<select'],
    isUrgent: ['type="checkbox"', 'checked'],
    notes: ['<textarea', 'rows="4"', 'maxlength="5000"'],
  }))
    for (const part of parts) expect([name, inputOf(form, name)]).toEqual([name, expect.stringContaining(part)])
  for (const name of ['lowest', 'notes']) expect(inputOf(form, name)).not.toContain('required')
  // A field without a label is hidden where the page has a text for it.
  expect(inputOf(form, 'id')).toBe('')
  const hidden = renderMarkup(
    h(Fields<typeof VisitForm.fields>, { of: VisitForm, names: ['id'], values: { id: 'a"b' } }),
  )
  expect(hidden).toBe('<input type="hidden" name="id" value="a&quot;b"/>')
  // The browser would name one error at a time.
  expect(form).toMatch(/^<form [^>]*novalidate/)
})

test('values that are wrong one by one and values that are wrong together are found in one turn', () => {
  const sent = { id: 'x', name: ' ', email: 'nope', code: 'abc', hours: 'two', lowest: '5', highest: '4', day: 'sun' }
  const read = readFields(VisitForm, new URLSearchParams(sent))
  expect(read.ok ? [] : Object.keys(read.errors).sort()).toEqual(
    ['code', 'day', 'email', 'highest', 'hours', 'name'].sort(),
  )
  const errors = read.ok ? {} : read.errors
  expect(errors['highest']).toBe('must not be less than the lowest price')
  const form = formWith({ values: new URLSearchParams(sent), errors })
  const summary = /<p class="notice bad" role="alert"[^>]* autofocus[^>]*>(.*?)<\/p>/.exec(form)?.[1] ?? ''
  expect([...summary.matchAll(/href="#(\w+)"/g)].map(([, name]) => name)).toEqual([
    'name',
    'email',
    'code',
    'hours',
    'highest',
    'day',
  ])
  for (const name of ['hours', 'highest']) expect(inputOf(form, name)).toContain(`value="${sent[name as 'hours']}"`)
})

test('the values that are right can be read of a form with errors', () => {
  const sent = { id: ' x ', email: 'nope', hours: '2', code: 'abc', isUrgent: 'on' }
  expect(validFields(VisitForm, new URLSearchParams(sent))).toEqual({ id: 'x', hours: 2, isUrgent: true })
})

test('a check of values together gets no value that is wrong by itself', () => {
  const seen: object[] = []
  const PairForm = defineForm(
    { one: { schema: Integer({ minimum: 1, maximum: 9 }) }, two: { schema: Text(9) } },
    (it) => {
      seen.push(it)
      return { one: 'is not shown' }
    },
  )
  const read = readFields(PairForm, new URLSearchParams({ one: 'x', two: 'y' }))
  expect(seen).toEqual([{ two: 'y' }])
  expect(read).toEqual({ ok: false, errors: { one: 'must be a whole number from 1 to 9' } })
})

test('the fields of rows keep their place, and a list of choices has no empty one', () => {
  const RowsForm = defineForm({
    question: { schema: Type.Array(Text(9)) },
    days: { schema: Type.Array(OneOf(['sat'])) },
  })
  const sent = new URLSearchParams([
    ['question', ''],
    ['question', ' b '],
    ['days', ''],
    ['days', 'sat'],
  ])
  expect(readFields(RowsForm, sent)).toEqual({ ok: true, value: { question: ['', 'b'], days: ['sat'] } })
})

test('a handler gets typed values, and a password as it was typed', () => {
  const sent = { id: 'x', name: ' Ann ', email: 'a@b.example', code: ' 1234 ', hours: '3', day: 'mon', highest: '4.5' }
  expect(readFields(VisitForm, new URLSearchParams(sent))).toEqual({
    ok: true,
    value: {
      id: 'x',
      name: 'Ann',
      email: 'a@b.example',
      code: ' 1234 ',
      hours: 3,
      highest: 4.5,
      day: 'mon',
      isUrgent: false,
    },
  })
})

test('a field, a value or an error that a form does not have is an error of the build', () => {
  // The compiler must refuse each line: `npm run check` fails if it accepts one.
  const hours = { schema: Integer({ minimum: 1, maximum: 8 }) }
  const never = undefined as never
  const wrong = [
    // @ts-expect-error The form has no such field.
    () => h(Fields<typeof VisitForm.fields>, { of: VisitForm, names: ['phone'] }),
    // @ts-expect-error A field has a schema.
    () => defineForm({ name: { label: 'Name' } }),
    // @ts-expect-error The hours are a number.
    () => defineForm({ hours }, (it) => ({ hours: it.hours?.trim() })),
    // @ts-expect-error The values have no such name.
    () => validFields(VisitForm, new URLSearchParams()).phone,
    // @ts-expect-error A declared form is shown again with what was typed.
    () => runFormAction(never, never, '/sent', VisitForm, () => Promise.resolve('')),
    // @ts-expect-error An error names a field of the form.
    () => defineForm({ hours }, () => ({ minutes: 'is required' })),
  ]
  expect(wrong.length).toBe(6)
})

/** Files that read a sent field by its name, and what for. */
const BY_HAND: Readonly<Record<string, string>> = {
  'src/web/console/catalog/lines-pages.ts': 'the lines as they were typed, with empty ones',
  'src/web/console/files.ts': 'the id that stands for the file',
  'src/web/console/imports/routes.ts': 'the last of the files, where one replaces the one that was kept',
  'src/web/console/leads/routes.ts': 'the button that was pressed',
  'src/web/console/login.ts': 'the page to open afterwards, and a form that was kept',
  'src/web/console/marketplace.tsx': 'the button that was pressed',
  'src/web/public/quote-request/routes.ts': 'the service that decides about the form',
  'src/web/public/zip-places.ts': 'the ZIP code that completes an address',
  'src/web/ui/uploads.ts': 'the ids of files, whose fields the form names',
}

test('handlers get the values of a form; only files of this list read a field by its name', () => {
  const reads = readSources(['src/web'])
    .filter(({ text }) => /\bform\.(get|getAll|has)\(/.test(text))
    .map(({ path }) => path)
  expect(reads.sort()).toEqual(Object.keys(BY_HAND).sort())
})
