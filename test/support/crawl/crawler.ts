// Follows every kind of link and form of one person, and notes where the person would be stuck.
import { UNNAMED } from '../../../src/features/upkeep/marketplace/schemas.ts'
import { COMMAND, MAY_SHOW_COMMANDS } from '../commands-on-pages.ts'
import { SITE } from '../site.ts'
import { type Field, type Form, type PageParts, pagePartsOf } from '../page-parts.ts'
import type { PageResponse, Visitor } from '../visitor.ts'
import { type Home, IN_TEXAS, filledIn } from './answers.ts'

/** Pages visited of one kind: a list leads to many of the same. */
const PER_KIND = 2
const MAX_REDIRECTS = 5
/** What is not a page of Hearth, and the way out, which would end the crawl. */
const IGNORED = /^(?!\/)|^\/\/|^\/(assets|ops\/queues\/)|\/log-?out$|\/sign-out$/
/** Files that people download or subscribe to, and documents for programs that developers open. */
const FILES = /^(text\/calendar|text\/csv|text\/plain|application\/xml|application\/pdf|image\/|message\/rfc822)/
const FOR_PROGRAMS = /^\/(openapi\.json|api\/|\.well-known\/)/
/** Programs of libraries, which scripts draw. */
const BY_SCRIPTS = /^\/(api-docs\/try|ops\/queues)/
/** Not a pro of the seed, such as "Hearthstone Roofing". */
const SAYS_HEARTH = new RegExp(`\\b${UNNAMED.name}\\b`)
const saysHearth = (text: string) => (SAYS_HEARTH.test(text) ? [UNNAMED.name] : [])
/** What ends or destroys something comes last, so that the pages are seen before. */
const ENDS =
  /cancel|delete|remove|revoke|reject|decline|archive|disable|erase|dismiss|block|log-out|consent|not-mine|settings\/status|marketplace\/second-factor|console\/customers/

export interface Finding {
  /** The person who found it. */
  role: string
  /** What the person did. */
  step: string
  problem: string
}

export class Crawler {
  readonly findings: Finding[] = []
  /** The kinds of pages that were seen. */
  readonly kinds = new Set<string>()
  /** A path of each kind of page that responded with 200. */
  readonly pages = new Map<string, string>()
  /** The paths of all pages that responded with 200. */
  readonly reached = new Set<string>()
  /** The kinds of forms that were sent. */
  readonly sent = new Set<string>()
  /** The elements and classes of each kind of page. */
  readonly elements = new Map<string, Set<string>>()
  /** The latest title of each kind of page. */
  readonly titles = new Map<string, string>()
  readonly #links: string[] = []
  /** Documents within pages, which have no heading of their own. */
  readonly #frames = new Set<string>()
  readonly #forms = new Map<string, { form: Form; from: string }>()
  readonly #seen = new Map<string, number>()

  readonly #home: Home
  readonly #wrongWordsIn: (text: string) => readonly string[]

  /** The person lives at `home`. What `wrongWordsIn` returns of a page, file or document is a finding. */
  constructor(
    readonly role: string,
    readonly visitor: Visitor,
    readonly baseUrl: string,
    {
      home = IN_TEXAS,
      wrongWordsIn = saysHearth,
    }: { home?: Home; wrongWordsIn?: (text: string) => readonly string[] } = {},
  ) {
    this.#home = home
    this.#wrongWordsIn = wrongWordsIn
  }

  /** Follows links from `start`, then sends the forms found, until nothing new appears. `ends` sends those that end something. */
  async crawl(start: readonly string[], { ends }: { ends: boolean }): Promise<void> {
    this.#links.push(...start)
    await this.#followLinks()
    for (let form = this.#nextForm(ends); form; form = this.#nextForm(ends)) {
      await this.#send(form)
      await this.#followLinks()
    }
  }

  async #followLinks(): Promise<void> {
    for (let path = this.#links.shift(); path !== undefined; path = this.#links.shift()) {
      const kind = kindOf(path)
      const seen = this.#seen.get(kind) ?? 0
      if (seen >= PER_KIND) continue
      this.#seen.set(kind, seen + 1)
      this.kinds.add(kind)
      await this.#check(`GET ${path}`, path, await this.visitor.get(path, { 'sec-fetch-site': 'same-origin' }))
    }
  }

  #nextForm(ends: boolean) {
    const waiting = [...this.#forms].filter(([kind]) => !this.sent.has(kind))
    const [kind, next] = waiting.find(([kind]) => !ENDS.test(kind)) ?? (ends ? waiting[0] : undefined) ?? []
    if (kind !== undefined) this.sent.add(kind)
    return next
  }

  /** Sends a form as a person would who fills in everything, and once as it is. */
  async #send({ form, from }: { form: Form; from: string }): Promise<void> {
    const isFree = !ENDS.test(form.action)
    for (const isFilledIn of isFree ? [false, true] : [true]) {
      const fields = filledIn(form, { isFilledIn, home: this.#home })
      // A browser does not send a form whose required fields are empty.
      if (fields === undefined) continue
      const step = `${form.method.toUpperCase()} ${form.action} ${isFilledIn ? 'filled in' : 'as it is'}, on ${from}`
      if (form.method === 'post') await this.#post(step, form.action, fields)
      else this.#links.push(`${form.action.split('?')[0]}?${new URLSearchParams(flat(fields)).toString()}`)
    }
  }

  async #post(step: string, action: string, fields: Record<string, string | string[]>): Promise<void> {
    const response = await this.visitor.postRaw(action, fields)
    await this.#check(step, action, response)
    // The form is shown again at this address, which people reload, keep and send.
    if (response.status >= 400) this.#queue(action)
  }

  async #check(step: string, path: string, response: PageResponse): Promise<void> {
    let [at, answer] = [path, response]
    const opened = step.startsWith('GET ') ? [path] : []
    for (let hops = 0; answer.location !== null && answer.status < 400; hops++) {
      if (hops >= MAX_REDIRECTS) return this.#note(step, 'redirects without end')
      const target = this.#own(answer.location)
      if (target === undefined || IGNORED.test(target)) return
      at = target
      answer = await this.visitor.get(target, { 'sec-fetch-site': 'same-origin' })
      this.kinds.add(kindOf(at))
      opened.push(at)
    }
    this.#judge(step, at, answer)
    if (answer.status !== 200) return
    for (const path of opened) this.reached.add(path.split('?')[0] ?? path)
    // A page that answers a form has no address of its own.
    if (opened.includes(at)) this.#keep(at, answer)
  }

  #judge(step: string, path: string, { status, headers, text }: PageResponse): void {
    const type = headers.get('content-type') ?? ''
    // Whose site it is, operators say: their marketplace is called otherwise here.
    if (/^(text|application\/(json|xml))/.test(type))
      for (const words of this.#wrongWordsIn(text)) this.#note(step, `${path} says ${words}`)
    if (!type.startsWith('text/html')) {
      const isFile = headers.has('content-disposition') || FILES.test(type) || FOR_PROGRAMS.test(path)
      if (!isFile || status >= 400) return this.#note(step, `${status} with ${type || 'no content'} instead of a page`)
      return this.#learnFromFile(type, text)
    }
    if (this.#frames.has(path)) return
    const parts = pagePartsOf(text, path)
    const [heading = '', ...more] = parts.headings
    if (status >= 500) this.#note(step, `${status}: ${heading}`)
    else if (status >= 400 && !(parts.forms.length > 0 && parts.hasProblem))
      this.#note(step, `${status}: ${heading || text.slice(0, 80)}`)
    if (BY_SCRIPTS.test(path)) return
    if (heading.trim() === '') this.#note(step, `${path} has no heading`)
    if (more.length > 0) this.#note(step, `${path} has more headings: ${more.join(', ')}`)
    if (!/^\S/.test(parts.title) || !parts.title.endsWith(` · ${Bun.escapeHTML(SITE.name)}`))
      this.#note(step, `${path} has the title ${parts.title}`)
    if (COMMAND.test(text) && !MAY_SHOW_COMMANDS.test(path)) this.#note(step, `${path} shows a command of a shell`)
    if (parts.waysOn === 0) this.#note(step, `${path} has no way on`)
    this.#learn(parts, path)
  }

  #keep(path: string, { headers, text }: PageResponse): void {
    const isPage = headers.get('content-type')?.startsWith('text/html') === true
    if (!isPage || this.#frames.has(path) || BY_SCRIPTS.test(path)) return
    const kind = kindOf(path)
    this.titles.set(kind, pagePartsOf(text, path).title)
    if (this.pages.has(kind)) return
    this.pages.set(kind, path)
    this.elements.set(kind, new Set(text.match(/<\w+|(class|type)="[^"]*"/g)))
  }

  /** What search engines find in robots.txt and the sitemaps. */
  #learnFromFile(type: string, text: string): void {
    if (!/^(text\/plain|application\/xml)/.test(type)) return
    for (const [, href = ''] of text.matchAll(/(?:<loc>|^Sitemap: )(\S+?)(?:<|$)/gm)) this.#queue(this.#own(href))
  }

  #learn({ links, forms, frames }: PageParts, path: string): void {
    for (const href of frames) this.#frames.add(href)
    for (const href of [...links, ...frames]) this.#queue(this.#own(href, path))
    for (const form of forms) {
      const action = this.#own(form.action, path)
      if (action === undefined || IGNORED.test(action)) continue
      const kind = `${form.method} ${kindOf(action)} ${form.fields.map(labelOf).join()}`
      if (!this.#forms.has(kind) || !this.sent.has(kind))
        this.#forms.set(kind, { form: { ...form, action }, from: path })
    }
  }

  #queue(own: string | undefined): void {
    if (own !== undefined && !IGNORED.test(own)) this.#links.push(own)
  }

  /** The path of a link to Hearth itself, without its fragment. */
  #own(href: string, from = '/'): string | undefined {
    if (/^(#|(mailto|tel|sms|webcal|geo|javascript|data):)/.test(href)) return undefined
    const url = new URL(href, new URL(from, this.baseUrl))
    return url.origin === new URL(this.baseUrl).origin ? url.pathname + url.search : undefined
  }

  #note(step: string, problem: string): void {
    this.findings.push({ role: this.role, step, problem })
  }
}

/** A form of several steps has the same fields in each, with another button or other hidden values. */
const labelOf = ({ name, type, value }: Field) =>
  type === 'button' || name === 'step' ? `${name}=${value}` : `${name} ${type}`

const flat = (fields: Record<string, string | string[]>) =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))

/** The pros of a service in a city: "/plumbers/austin-tx". */
const CITY_PAGE = /^\/(?!my\/|console\/|ops\/|oauth\/)[\w-]+\/[\w-]+-[a-z]{2}(?=$|\?)/

/** A path without what tells one page of its kind from another: ids, tokens, slugs, dates and values. */
const kindOf = (path: string): string =>
  path
    .replace(/=[^&]*/g, '')
    .replace(
      /^\/(pros|packages|problems|quotes|pay|requests|reviews|unsubscribe|calendars|sitemaps)\/[^/?]+/,
      '/$1/:id',
    )
    .replace(/^\/console\/mail\/(templates\/)?[\w-]+/, '/console/mail/$1:id')
    .replace(/^\/api-docs\/.+/, '/api-docs/:part')
    .replace(/^\/bookings\/(?!code)[^/?]+/, '/bookings/:id')
    // After what has tokens: one in some hundred tokens ends as the slug of a city does.
    .replace(CITY_PAGE, '/:service/:city')
    .replace(/[\da-f]{8}-[\da-f-]{27}|[\da-f]{32}|[\w-]{40,}|\d{4}-\d\d-\d\d|evt_\w+/g, ':id')
