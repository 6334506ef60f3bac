/** @jsxImportSource preact */
// The searches of the console's lists. They work without scripts: what is searched for is in the address of the page.
import { Button } from '../ui/buttons.tsx'
import type { ComponentChildren, VNode } from 'preact'
import type { Choice } from '../ui/fields.tsx'

interface Search {
  path: string
  label: string
  hint: string
  text: string
  /** Kept while searching, such as the chosen list. */
  fields?: Readonly<Record<string, string>>
}

export const searchForm = ({ path, label, hint, text, fields = {} }: Search): VNode => (
  <form class="find" action={path} role="search" aria-label={label}>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}{' '}
    <input type="search" name="q" aria-label={label} placeholder={hint} value={text} maxlength={200} />{' '}
    <Button look="quiet">Search</Button>
  </form>
)

/** A line with a labelled search field, and what else narrows the list. */
export const SearchLine = ({
  path,
  name = 'q',
  label,
  text,
  button = 'Search',
  children,
}: Pick<Search, 'path' | 'label' | 'text'> & {
  name?: string
  button?: string
  children?: ComponentChildren
}): VNode => (
  <form method="get" action={path} class="line" role="search">
    <p class="field">
      <label for={name}>{label}</label>{' '}
      <input id={name} name={name} type="search" value={text} maxlength={320} autocomplete="off" spellcheck={false} />
    </p>
    {children}
    <Button>{button}</Button>
  </form>
)

/** A choice of a {@link SearchLine}. */
export const SearchChoice = ({
  name,
  label,
  chosen,
  choices,
}: {
  name: string
  label: string
  chosen: string
  choices: readonly Choice[]
}): VNode => (
  <p class="field short">
    <label for={`by-${name}`}>{label}</label>{' '}
    <select id={`by-${name}`} name={name}>
      <option value="">Any</option>
      {choices.map(({ value, label }) => (
        <option value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </select>
  </p>
)
