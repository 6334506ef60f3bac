/** @jsxImportSource preact */
// The search box of the console's lists. It works without scripts: the words are in the address of the page.
import { Button } from '../ui/buttons.tsx'
import type { VNode } from 'preact'

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
