// The search box of the console's lists. It works without scripts: the words are in the address of the page.
import { type Html, html } from '../../platform/text/html.ts'

interface Search {
  path: string
  label: string
  hint: string
  text: string
  /** Kept while searching, such as the chosen list. */
  fields?: Readonly<Record<string, string>>
}

export const searchForm = ({ path, label, hint, text, fields = {} }: Search): Html =>
  html`<form class="find" action="${path}" role="search" aria-label="${label}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <input type="search" name="q" aria-label="${label}" placeholder="${hint}" value="${text}" maxlength="200" />
    <button class="quiet">Search</button>
  </form>`
