// A minimal browser for tests: keeps cookies and sends forms with their CSRF token.
import type { OperatorRole } from '../../src/auth/users/rules/operator-roles.ts'
import type { Role } from '../../src/auth/users/schemas.ts'
import { createUser } from '../../src/auth/users/verbs/users.ts'
import { CSRF_FIELD } from '../../src/http/form.ts'
import { requestContextOf } from '../../src/auth/request-context.ts'
import type { TestApp } from './app.ts'
import { libraryTextsIn } from './library-texts.ts'
import { ctxOf } from '../../src/ctx.ts'

export const PASSWORD = 'a good long password'

/** A response with its text. */
export interface PageResponse {
  status: number
  headers: Headers
  text: string
  location: string | null
}

/** What a visitor needs of {@link TestApp}; `handle` may as well send the request to a server. */
interface VisitedApp {
  app: { handle: (request: Request) => Promise<Response> | Response }
  deps: { config: { baseUrl: string } }
}

export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly #send: (request: Request) => Promise<Response> | Response
  readonly #baseUrl: string
  #csrfCache = { session: '', csrfToken: '' }

  constructor({ app, deps }: VisitedApp, send = (request: Request) => app.handle(request)) {
    this.#send = send
    this.#baseUrl = deps.config.baseUrl
  }

  /** Opens a page. */
  get(path: string, headers: Record<string, string> = {}): Promise<PageResponse> {
    return this.#request(path, { headers })
  }

  /** Sends a form as a page of Hearth does: `fields` and the visitor's CSRF token. */
  async post(path: string, fields: Record<string, string | string[]> = {}): Promise<PageResponse> {
    const area = /^\/(my|for-pros)\//.test(path) ? '/my' : '/console'
    return await this.postRaw(path, { [CSRF_FIELD]: await this.csrfToken(area), ...fields })
  }

  /** Sends a form without adding the CSRF token. */
  postRaw(
    path: string,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<PageResponse> {
    const body = new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]): [string, string][] => [value].flat().map((one) => [name, one])),
    )
    return this.#request(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin', ...headers } })
  }

  /** The CSRF token in the forms of this visitor's pages; it stays the same for the whole session. */
  async csrfToken(area: '/console' | '/my' = '/console'): Promise<string> {
    const cookie = area === '/my' ? 'hearth-customer' : 'hearth-session'
    const session = [...this.cookies].find(([name]) => name.endsWith(cookie))?.[1]
    if (session !== undefined && this.#csrfCache.session === session) return this.#csrfCache.csrfToken
    const csrfToken = await this.#readCsrfToken(area)
    if (session !== undefined) this.#csrfCache = { session, csrfToken }
    return csrfToken
  }

  async #readCsrfToken(area: string): Promise<string> {
    const { text, location } = await this.get(area)
    const page = location === null ? text : (await this.get(location)).text
    return new RegExp(`name="${CSRF_FIELD}" value="([^"]+)"`).exec(page)?.[1] ?? ''
  }

  /** Logs in and returns the response. */
  logIn(email: string, password = PASSWORD, fields: Record<string, string> = {}): Promise<PageResponse> {
    return this.post('/console/login', { email, password, ...fields })
  }

  async #request(path: string, init: { method?: string; body?: URLSearchParams; headers: Record<string, string> }) {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...init.headers, ...(cookie ? { cookie } : {}) }
    const request = new Request(`${this.#baseUrl}${path}`, { ...init, headers, redirect: 'manual' })
    const answer = await this.#send(request)
    for (const set of answer.headers.getSetCookie()) {
      const { name, value, maxAge } = Bun.Cookie.parse(set)
      if (maxAge === 0) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const response: PageResponse = {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location'),
    }
    const said = answer.status < 400 ? [] : libraryTextsIn(response.text)
    if (said.length > 0) throw new Error(`A library speaks on the page of ${path}: ${said.join('; ')}`)
    return response
  }
}

/** A visitor with a unique IP address and therefore separate rate limits and free bookings. */
export const visitorFromNewAddress = (app: Pick<TestApp, 'app' | 'deps'>): Visitor =>
  visitorAt(app, ['10', ...crypto.getRandomValues(new Uint8Array(3))].join('.'))

/** A visitor whose requests come from the address. */
export const visitorAt = ({ app, deps }: Pick<TestApp, 'app' | 'deps'>, address: string): Visitor =>
  new Visitor({ app, deps }, (request) => {
    requestContextOf(request).peer = () => address
    return app.handle(request)
  })

/** Creates a user and returns the e-mail address. `pro` is an id or slug, for the role `pro`. */
export async function createTestUser(
  { deps }: Pick<TestApp, 'deps'>,
  role: Role,
  options: { pro?: string; account?: string; operatorRole?: OperatorRole } = {},
): Promise<string> {
  const email = `${role}-${crypto.randomUUID()}@users.test.example`
  await createUser(ctxOf(deps), { email, role, password: PASSWORD, ...options })
  return email
}

/** Creates a user of the role and logs in, from an IP address of their own. */
export async function loggedInVisitor(app: TestApp, role: Role, options: { pro?: string; account?: string } = {}) {
  const visitor = visitorFromNewAddress(app)
  const { status, location } = await visitor.logIn(await createTestUser(app, role, options))
  if (status !== 303 || location !== '/console') throw new Error(`Logging in answered ${status}.`)
  return visitor
}
