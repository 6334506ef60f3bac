// Answers of pages for people who are logged in: a page, or the way to one with a word about what was done.
import type { Static, TObject } from '@sinclair/typebox'

import type { Deps } from '../../deps.ts'
import { AppError, type ErrorCode, invalidFields } from '../../errors/app-error.ts'
import { cookie, noCookie, readCookie } from '../../auth/cookies.ts'
import { type FieldFaults, readFields } from '../../http/form.ts'
import { type PageSources, pageHeaders } from '../../http/headers.ts'
import { isPreview } from '../../http/preview.ts'
import { pathOf } from '../../http/route-table.ts'
import type { Session, AuthenticatedRequest } from '../../http/session.ts'
import type { Entered } from './forms.ts'
import { type Html, html } from './html.ts'
import { PAGE_TYPE, type Page, pageFor } from './layout.ts'

/** What the next page says first. A secret in it is shown on that page and never again. */
export interface Flash {
  tone: 'good' | 'bad'
  text: string
  secret?: { label: string; value: string; note?: string }
}

/** What pages for people who are logged in may load and where their forms go: here alone. */
const SOURCES: PageSources = {
  'script-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
}

const FLASH_SECONDS = 120

/** A page, with what the last form came to. */
export function show(
  deps: Deps,
  { request, session }: AuthenticatedRequest,
  it: Page,
  { status = 200 }: { status?: number } = {},
): Response {
  const flash = flashOf(deps, request, session)
  const headers = new Headers({
    'content-type': PAGE_TYPE,
    // Browsers say `Origin: null` to ourselves under the usual `no-referrer`.
    'referrer-policy': 'same-origin',
    ...pageHeaders(SOURCES),
  })
  const wasShown = flash && !isPreview(request)
  if (wasShown) headers.append('set-cookie', noCookie(deps.config, 'hearth-flash'))
  const scripts = flash?.secret ? [...(it.scripts ?? []), 'console.js' as const] : (it.scripts ?? [])
  const content = html`${flash && flashBox(flash)} ${it.content}`
  return new Response(pageFor(session, pathOf(request.url), { ...it, content, scripts: [...new Set(scripts)] }), {
    status,
    headers,
  })
}

/** The way to another page of ours, after a form was sent; so that reloading does not send it again. */
export function go(
  { config, encryption, clock }: Deps,
  { token }: Pick<Session, 'token'>,
  path: string,
  flash?: Flash,
  cookies: readonly string[] = [],
): Response {
  const headers = new Headers({ location: path })
  for (const value of cookies) headers.append('set-cookie', value)
  if (flash) {
    const until = new Date(clock.now().getTime() + FLASH_SECONDS * 1000)
    headers.append(
      'set-cookie',
      cookie(config, 'hearth-flash', encryption.close(purpose(token), flash, until), FLASH_SECONDS),
    )
  }
  return new Response(null, { status: 303, headers })
}

/** Sealed for one session: in another it says nothing. */
const purpose = (token: string) => `flash of ${token}`

function flashOf({ config, encryption, clock }: Deps, request: Request, { token }: Session): Flash | undefined {
  const sealed = readCookie(config, request, 'hearth-flash')
  return sealed === undefined ? undefined : (encryption.open(purpose(token), sealed, clock.now()) as Flash | undefined)
}

const flashBox = ({ tone, text, secret }: Flash): Html =>
  html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
    <p>${text}</p>
    ${
      secret &&
      html`<p class="secret">
          <label for="secret">${secret.label}</label>
          <input id="secret" readonly value="${secret.value}" spellcheck="false" />
          <button type="button" class="quiet small" data-copy="secret" hidden>Copy</button>
        </p>
        <p>${secret.note ?? 'This is the only time it is shown. Keep it as you would a password.'}</p>`
    }
  </div>`

/** Does one thing to one thing, and goes back to say how that went. */
export async function act(
  deps: Deps,
  { session }: AuthenticatedRequest,
  path: string,
  work: () => Promise<string | Flash>,
): Promise<Response> {
  try {
    const said = await work()
    return go(deps, session, path, typeof said === 'string' ? { tone: 'good', text: said } : said)
  } catch (error) {
    if (!(error instanceof AppError) || !CAN_BE_MENDED.has(error.status)) throw error
    return go(deps, session, path, { tone: 'bad', text: sentence(error.detail) })
  }
}

/** The same for a small form: what is wrong with it is said on that page, too. */
export function actWith<S extends TObject>(
  deps: Deps,
  by: AuthenticatedRequest,
  path: string,
  schema: S,
  work: (wish: Static<S>) => Promise<string | Flash>,
): Promise<Response> {
  return act(deps, by, path, async () => {
    const read = readFields(schema, by.form)
    if (read.ok) return await work(read.value)
    throw invalidFields(Object.entries(read.faults).map(([path, message]) => ({ path, message })))
  })
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Wrong input, nothing left, the wrong state: told where the form is. Anything else is a page of its own. */
const CAN_BE_MENDED = new Set([400, 402, 409, 422])

/** Reads the form and does what it asks for; shows it `again` with what is wrong. */
export async function submit<S extends TObject>(
  schema: S,
  form: URLSearchParams,
  work: (wish: Static<S>) => Promise<Response>,
  again: (entered: Entered) => Promise<Response> | Response,
): Promise<Response> {
  const read = readFields(schema, form)
  if (!read.ok) return await again({ values: form, faults: read.faults })
  try {
    return await work(read.value)
  } catch (error) {
    if (!(error instanceof AppError) || !CAN_BE_MENDED.has(error.status)) throw error
    const faults = faultsIn(error, schema)
    const problem = Object.keys(faults).length > 0 ? {} : { problem: TO_PEOPLE[error.code] ?? error.detail }
    return await again({ values: form, faults, status: error.status, ...problem })
  }
}

/** Where what a service says is for programs. */
const TO_PEOPLE: Partial<Record<ErrorCode, string>> = {
  idempotency_mismatch:
    'This form was sent before, with something else in it. If that was meant too, send it once more.',
  slot_unavailable: 'The pro is not free at this time. Choose another one.',
  instant_booking_disabled: 'This pro does not take bookings of this service here. Ask for a quote.',
  service_unpriced: 'This pro has set no price for the service yet. Ask for a quote.',
}

/** What a service says of `body.url` or `origin` is said beside the field of that name. */
function faultsIn(error: AppError, { properties }: TObject): FieldFaults {
  const named = (error.errors ?? []).map(({ path, message }) => [path.split('.').at(-1) ?? '', message] as const)
  return Object.fromEntries(named.filter(([name]) => name in properties))
}
