/** @jsxImportSource preact */
// Forms, each declared once: the schema of its values, and what people see of its fields.
import { OptionalKind, type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { ComponentChildren, VNode } from 'preact'

import { type Region, localized } from '../../platform/text/region.ts'
import type { FormSchema } from '../../http/form.ts'
import { useRegion } from './site.tsx'
import { type Choice, Checkbox, Checkboxes, SelectField, TextArea, TextField, type TextFieldProps } from './fields.tsx'

/** A field of a form. Its kind, its keyboard and whether it may stay empty follow from the schema. */
export interface FieldDeclaration extends Pick<
  TextFieldProps,
  'autocomplete' | 'id' | 'inputMode' | 'isLocked' | 'isOptional' | 'min' | 'placeholder' | 'saysOptional' | 'type'
> {
  schema: TSchema
  /** Fields without a label are hidden where the page has a text for them, or are buttons. */
  label?: string
  hint?: ComponentChildren
  /** Of a list to choose from. Those that the page knows only are given to `<Fields>`. */
  choices?: readonly Choice[]
  /** Of a text of several lines. */
  rows?: number
}

type Declarations = Readonly<Record<string, FieldDeclaration>>

/** A declared form: the schema that a route names and a handler reads by, with the fields that `<Fields>` renders. */
export type DeclaredForm<F extends Declarations = Declarations> = TObject<{
  -readonly [K in keyof F]: F[K]['schema']
}> &
  Pick<FormSchema, 'check'> & { readonly fields: F }

type NameOf<F extends Declarations> = keyof F & string
type ValuesOf<F extends Declarations> = Static<TObject<{ -readonly [K in keyof F]: F[K]['schema'] }>>

/** Declares a form. `check` says what is wrong with values that are right one by one. */
export function defineForm<const F extends Declarations>(
  fields: F,
  check?: (values: Partial<ValuesOf<F>>, region?: Region) => { readonly [K in NameOf<F>]?: string | undefined },
): DeclaredForm<F> {
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
  return Object.assign(Type.Object(schemas), { fields, ...(check && { check }) }) as unknown as DeclaredForm<F>
}

interface FieldsProps<F extends Declarations> {
  of: DeclaredForm<F>
  /** Those of one part of the form; by default all, in the order of the declaration. */
  names?: readonly NameOf<F>[]
  /** What the fields show before anything is entered. */
  values?: { readonly [K in NameOf<F>]?: unknown } | undefined
  choices?: { readonly [K in NameOf<F>]?: readonly Choice[] }
  /** What only the page knows of a field, such as the most that may be refunded. */
  more?: {
    readonly [K in NameOf<F>]?: Partial<Pick<FieldDeclaration, 'hint' | 'isLocked' | 'isOptional' | 'label' | 'min'>>
  }
  /** Where a page has several forms of the kind: what tells the ids of their fields apart, such as the id of a row. */
  row?: string | undefined
}

/** The fields of a declared form. */
export const Fields = <F extends Declarations>({ of, names, values, choices, more, row }: FieldsProps<F>): VNode => {
  const region = useRegion()
  return (
    <>
      {(names ?? (Object.keys(of.fields) as NameOf<F>[])).map((name) => (
        <DeclaredField
          name={name}
          declared={saidIn(region, {
            ...(of.fields[name] as FieldDeclaration),
            ...more?.[name],
            ...(row !== undefined && { id: `${name}-${row}` }),
          })}
          value={values?.[name]}
          {...(choices?.[name] && { choices: inWords(region, choices[name]) })}
        />
      ))}
    </>
  )
}

const inWords = (region: Region, choices: readonly Choice[]): readonly Choice[] =>
  choices.map((choice) => ({ ...choice, label: localized(region, choice.label) }))

/** In the words of the region, with the keyboard of its postal codes. */
function saidIn(region: Region, field: FieldDeclaration): FieldDeclaration {
  const { label, hint, autocomplete, choices } = field
  return {
    ...field,
    ...(label !== undefined && { label: localized(region, label) }),
    ...(typeof hint === 'string' && { hint: localized(region, hint) }),
    ...(choices && { choices: inWords(region, choices) }),
    ...(autocomplete === 'postal-code' && { inputMode: region.postal.keyboard }),
  }
}

const DeclaredField = ({
  name,
  declared: { schema, label, rows, choices: known, isOptional = OptionalKind in schema, ...shown },
  value,
  choices = known,
}: {
  name: string
  declared: FieldDeclaration
  value: unknown
  choices?: readonly Choice[] | undefined
}): VNode | null => {
  if (label === undefined) return typeof value === 'string' ? <input type="hidden" name={name} value={value} /> : null
  const maxLength = schema['maxLength'] as number | undefined
  const field = { ...shown, name, label, isOptional, value: textOf(value), ...(maxLength && { maxLength }) }
  if (schema.type === 'boolean')
    return <Checkbox name={name} label={label} hint={shown.hint} {...(value === true && { value: 'on' })} />
  if (schema.type === 'array')
    return <Checkboxes name={name} label={label} choices={choices ?? []} checked={(value ?? []) as string[]} />
  if (choices) return <SelectField {...field} choices={choices} />
  if (rows !== undefined) return <TextArea {...field} rows={rows} />
  return <TextField {...kindOf(schema)} {...field} />
}

/** Lists are entered as lines. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join('\n') : typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const TYPES: Record<string, 'email' | 'url' | 'date'> = { email: 'email', uri: 'url', date: 'date' }

/**
 * The type and keyboard. A number is a line of text: of what browsers cannot read as a number they send nothing, and the page
 * could not show it again.
 */
function kindOf({ type, format, writeOnly }: TSchema): Pick<TextFieldProps, 'type' | 'inputMode'> {
  if (writeOnly === true) return { type: 'password' }
  if (type === 'integer') return { inputMode: 'numeric' }
  if (type === 'number') return { inputMode: 'decimal' }
  return { type: TYPES[String(format)] ?? 'text' }
}
