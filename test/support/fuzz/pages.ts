// Pages as browsers use them: links and forms are learned from each page received, with and without a session.
import type { Random } from '../../../src/local/seed/random.ts'
import { type Field, type Form, pagePartsOf } from '../page-parts.ts'
import { Visitor } from '../visitor.ts'
import { type Draft, randomAddress } from './draft.ts'
import type { GoodValues } from './values.ts'

/** Links and forms kept of each session. */
const MAX_KEPT = 150
/** Links that lead to no page, end the session, or lead all operators to one page. */
const IGNORED = /^(?!\/)|^\/(\/|assets|openapi|api-docs)|logout|marketplace\/second-factor|#/

/** A browser that walks through the pages. */
export class Walker {
  readonly #visitor: Visitor
  /** By their form without ids, so that many pages of one kind count as one. */
  readonly #links = new Map<string, string>()
  readonly #forms = new Map<string, Form>()
  /** Undefined while there is no session. */
  #login: Promise<void> | undefined
  /** How often it logged in; more than once when the session ended. */
  logins = 0

  constructor(
    readonly url: string,
    /** The user whose session it is; undefined for one without. */
    readonly email: string | undefined,
    /** Ids that no form may name: changing those would end the sessions and keys of the run. */
    readonly spared: readonly string[],
  ) {
    this.#visitor = new Visitor({ app: { handle: (request) => fetch(request) }, deps: { config: { baseUrl: url } } })
    this.#keepLink(email === undefined ? '/' : '/console')
  }

  /** Opens a known link or submits a known form with valid values. */
  async draft(random: Random, values: GoodValues): Promise<Draft> {
    if (this.email !== undefined) await (this.#login ??= this.#logIn(this.email))
    const forms = [...this.#forms.values()]
    const form = forms.length > 0 && random.chance(0.6) ? random.pick(forms) : undefined
    const link = new URL(form?.action ?? random.pick([...this.#links.values()]), this.url)
    const fields = form ? form.fields.flatMap((field) => filledIn(random, field, values)) : []
    const isPost = form?.method === 'post'
    const cookie = this.#cookie()
    return {
      method: isPost ? 'POST' : 'GET',
      path: link.pathname,
      query: [...link.searchParams, ...(isPost ? [] : fields)],
      rawQuery: undefined,
      headers: [
        ['X-Forwarded-For', randomAddress(random)],
        ['Accept', 'text/html'],
        ...(cookie ? [['Cookie', cookie] as [string, string]] : []),
        ...(isPost ? [['Sec-Fetch-Site', 'same-origin'] as [string, string]] : []),
      ],
      json: undefined,
      form: isPost ? fields : undefined,
      bytes: undefined,
      isOperation: false,
    }
  }

  /** The kinds of links and forms found so far. */
  get found(): number {
    return this.#links.size + this.#forms.size
  }

  /** Takes the links and forms of a page, and notices when the session has ended. */
  learn(request: Request, { headers }: Response, html: string): void {
    const { pathname, search } = new URL(request.url)
    const location = headers.get('location')
    // A mutated request may lack the cookie.
    const isMine = request.headers.get('cookie') === this.#cookie()
    if (this.email && isMine && location?.startsWith('/console/login')) this.#login = undefined
    else if (location) this.#keepLink(location)
    if (!headers.get('content-type')?.startsWith('text/html')) return
    const { links, forms } = pagePartsOf(html, pathname + search)
    for (const link of links) this.#keepLink(link)
    for (const form of forms) this.#keepForm(form)
  }

  #cookie(): string {
    return Array.from(this.#visitor.cookies, ([name, value]) => `${name}=${value}`).join('; ')
  }

  #keepLink(href: string): void {
    if (href.startsWith(this.url)) return this.#keepLink(href.slice(this.url.length))
    if (!IGNORED.test(href)) this.#keep(this.#links, href, href)
  }

  #keepForm(form: Form): void {
    if (!IGNORED.test(form.action) && !this.spared.some((id) => form.action.includes(id)))
      this.#keep(this.#forms, `${form.method} ${form.action}`, form)
  }

  #keep<T>(kept: Map<string, T>, href: string, value: T): void {
    const kind = href.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|=[^&]*|\d+/g, '')
    if (kept.size < MAX_KEPT || kept.has(kind)) kept.set(kind, value)
  }

  async #logIn(email: string): Promise<void> {
    this.#visitor.cookies.clear()
    const { status } = await this.#visitor.logIn(email)
    if (status !== 303) throw new Error(`Logging in as ${email} answers ${status}.`)
    this.logins++
  }
}

/** A field as a person may fill it in. */
function filledIn(random: Random, { name, type, value, options }: Field, values: GoodValues): [string, string][] {
  const make = (schema: Record<string, unknown>) => String(values.make(random, schema, name))
  switch (type) {
    case 'hidden':
      return [[name, value]]
    case 'checkbox':
    case 'radio':
    case 'button':
      return random.chance(0.5) ? [[name, value || 'on']] : []
    case 'select':
      return options.length > 0 ? [[name, random.pick(options)]] : []
    case 'number':
      return [[name, make({ type: 'integer', maximum: 500 })]]
    default:
      return [[name, value && random.chance(0.5) ? value : make({ type: 'string', format: type })]]
  }
}
