// HTML from tagged templates. Values are escaped unless they are HTML themselves.

/** A piece of HTML, created by `html`. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** A value in a template. `undefined`, `null` and `false` are omitted; the items of a list are joined. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | undefined | null | false

/** The template with its values escaped for content and for quoted attributes. */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(String.raw({ raw: strings }, ...values.map(write)))

function write(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(write).join('')
  return Bun.escapeHTML(String(value))
}

/** JSON for a script of the page. Escaping `<` keeps the value from closing the element (HTML §4.12.1.3). */
export const dataBlock = (id: string, value: unknown): Html =>
  new Html(
    `<script id="${Bun.escapeHTML(id)}" type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`,
  )
