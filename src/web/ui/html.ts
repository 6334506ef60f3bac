// HTML from tagged templates. Whatever is put in is escaped, unless it is HTML itself.

/** Text that is HTML already: only `html` makes it. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What a template takes. Nothing is written for `undefined`, `null` and `false`; lists are written one after the other. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | undefined | null | false

/** The template's text as it stands, with the values between it escaped for content and for attributes in quotes. */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(String.raw({ raw: strings }, ...values.map(write)))

function write(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(write).join('')
  return Bun.escapeHTML(String(value))
}

/** Data for a script of the page: browsers do not run it, and nothing in it ends it (HTML §4.12.1.3). */
export const dataBlock = (id: string, value: unknown): Html =>
  new Html(
    `<script id="${Bun.escapeHTML(id)}" type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`,
  )
