/** @jsxImportSource preact */
// The fields of forms, with labels, hints and error messages.
import { type ComponentChildren, type LooseInputHTMLAttributes, type VNode, h } from 'preact'
import { useContext } from 'preact/hooks'

import { asSentence } from '../../platform/text/format.ts'
import { localized } from '../../platform/text/region.ts'
import { Disclosure } from './buttons.tsx'
import { FormContext, isFilledIn } from './form.tsx'
import { useRegion } from './site.tsx'

export interface Field {
  name: string
  /** Needed where a page has several fields of this name. */
  id?: string
  label: string
  hint?: ComponentChildren
  isOptional?: boolean
  /** False where people expect that a field may stay empty, such as in a search. */
  saysOptional?: boolean
  /** Before anything was entered. */
  value?: string
}

export interface TextFieldProps extends Field {
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'time' | 'datetime-local'
  min?: number | string
  max?: number | string
  step?: number | string
  maxLength?: number
  placeholder?: string
  autocomplete?: string
  /** Shown, and not to be changed here: its hint says where. Browsers send nothing of it. */
  isLocked?: boolean
  /** The keyboard of a phone. */
  inputMode?: 'numeric' | 'decimal' | 'tel' | 'text'
  /** Suggested values: the field accepts others too. A script may replace them in the element `<name>-choices`. */
  choices?: readonly string[]
}

/** An input whose type is a value. `<input>` itself knows the attributes of each type that is written out. */
export const AnyInput = (attributes: LooseInputHTMLAttributes & { list?: string }): VNode => h('input', attributes)

/** An input for a line of text, a number, a date or a password. */
export const TextField = (it: TextFieldProps): VNode => (
  <Labelled field={it}>
    <AnyInput
      {...useAttributes(it)}
      type={it.type ?? 'text'}
      value={it.type === 'password' ? '' : useValue(it)}
      min={it.min}
      max={it.max}
      step={it.step}
      maxlength={it.maxLength}
      placeholder={it.placeholder && localized(useRegion(), it.placeholder)}
      inputmode={it.inputMode}
      disabled={it.isLocked}
      autocomplete={it.autocomplete ?? 'off'}
      list={it.choices ? `${it.name}-choices` : undefined}
    />
    {it.choices && (
      <datalist id={`${it.name}-choices`}>
        {it.choices.map((choice) => (
          <option value={choice}></option>
        ))}
      </datalist>
    )}
  </Labelled>
)

/** A field for lines of text. Browsers drop its first line break, so one stands before the value. */
export const TextArea = (it: Field & { rows?: number; maxLength?: number }): VNode => (
  <Labelled field={it}>
    <textarea {...useAttributes(it)} rows={it.rows ?? 3} maxlength={it.maxLength}>
      {`\n${useValue(it)}`}
    </textarea>
  </Labelled>
)

export interface Choice {
  value: string
  label: string
  /** The tooltip. */
  title?: string
  /** Of checkboxes: those of a group stand below its name, folded beside other groups until one of them is chosen. */
  group?: string
}

export const SelectField = (it: Field & { choices: readonly Choice[] }): VNode => {
  const chosen = useValue(it)
  return (
    <Labelled field={it}>
      <select {...useAttributes(it)}>
        {it.choices.map(({ value, label }) => (
          <option value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

export const Checkbox = ({ name, label, hint, value }: Omit<Field, 'isOptional'>): VNode => {
  const { formState } = useContext(FormContext)
  const isChecked = isFilledIn(formState) ? formState.values.has(name) : value !== undefined
  return (
    <div class="field">
      <label class="tick">
        <input type="checkbox" name={name} value="on" checked={isChecked} /> {label}
      </label>
      {hint && <p class="hint">{hint}</p>}
    </div>
  )
}

/** Controls that belong together, such as those of one name, with their error below. */
export const FieldGroup = ({
  name,
  label,
  isOptional,
  look = 'field',
  children,
}: Pick<Field, 'name' | 'label' | 'isOptional'> & {
  look?: 'field' | 'hours'
  children: ComponentChildren
}): VNode => {
  const { formState, labels } = useContext(FormContext)
  labels.set(name, { id: name, label })
  const error = formState.errors[name]
  return (
    <fieldset id={name} class={look} aria-describedby={error ? `${name}-error` : undefined}>
      <legend>
        {label}
        {isOptional === true && <OptionalMark />}
      </legend>
      {children}
      <Fault id={name} error={error} />
    </fieldset>
  )
}

/** A group of checkboxes with one name. */
export const Checkboxes = ({
  name,
  label,
  choices,
  checked,
}: {
  name: string
  label: string
  choices: readonly Choice[]
  checked: readonly string[]
}): VNode => {
  const { formState } = useContext(FormContext)
  const selected = isFilledIn(formState) ? formState.values.getAll(name) : checked
  const groups = [...Map.groupBy(choices, ({ group }) => group)]
  return (
    <FieldGroup name={name} label={label}>
      {groups.map(([group, some]) => {
        const ticks = ticksOf(name, some, selected)
        if (group === undefined) return ticks
        return (
          <Disclosure label={group} isOpen={groups.length === 1 || some.some(({ value }) => selected.includes(value))}>
            {ticks}
          </Disclosure>
        )
      })}
    </FieldGroup>
  )
}

const ticksOf = (name: string, choices: readonly Choice[], selected: readonly string[]): VNode => (
  <div class="ticks">
    {choices.map(({ value, label, title }) => (
      <label class="tick" title={title}>
        <input type="checkbox" name={name} value={value} checked={selected.includes(value)} /> {label}
      </label>
    ))}
  </div>
)

/** What was typed, or else the value that the field begins with. */
function useValue({ name, value = '' }: Field): string {
  const { formState } = useContext(FormContext)
  return (isFilledIn(formState) ? formState.values.get(name) : undefined) ?? value
}

/** What every control has: its name, and what describes it. */
export function useAttributes({ name, id = name, isOptional, hint }: Field) {
  const error = useContext(FormContext).formState.errors[name]
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return {
    id,
    name,
    required: isOptional !== true,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error ? ('true' as const) : undefined,
  }
}

/** A field for one file, which is sent with its form: a picture, unless `accept` names other types. */
export const FileInput = ({ field, accept = 'image/*' }: { field: Field; accept?: string }): VNode => (
  <input {...useAttributes(field)} type="file" accept={accept} />
)

/** A control with its label above it, and its hint and its error below. */
export const Labelled = ({
  field: { name, id = name, label, hint, isOptional, saysOptional },
  children,
}: {
  field: Field
  children: ComponentChildren
}): VNode => {
  const { formState, labels } = useContext(FormContext)
  labels.set(name, { id, label })
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional === true && saysOptional !== false && <OptionalMark />}
      </label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Fault id={id} error={formState.errors[name]} />
    </div>
  )
}

const OptionalMark = (): VNode => (
  <>
    {' '}
    <span class="quiet">optional</span>
  </>
)

const Fault = ({ id, error }: { id: string; error: string | undefined }): VNode | null =>
  error ? (
    <p class="fault" id={`${id}-error`}>
      {asSentence(error)}
    </p>
  ) : null
