// A form of the console that was sent after its session had ended: encrypted for its user, carried by the log-in page, and shown
// again once they have logged in. Nothing is stored, and nothing that was typed acts before the person sends it again.
import type { TObject, TSchema } from '@sinclair/typebox'

import { cookie, readCookie } from '../auth/cookies.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { CSRF_FIELD, isFormOf, readForm } from './form.ts'
import { pathWithQuery } from './request-target.ts'

/** The hidden field that carries the encrypted form. */
export const KEPT_FIELD = 'kept'

/** Many times what a page's texts may have together; encrypted, it still fits in a form. */
const MAX_CHARACTERS = 64 * 1024
/** A working day: the page of the log-in may stay open over lunch. */
const KEPT_HOURS = 8
const HOUR_MS = 3_600_000

interface KeptForm {
  /** Where the form was sent. */
  readonly path: string
  /** Its fields, in the coding of forms. */
  readonly fields: string
}

const ownerPurpose = (token: string) => `owner of session ${token}`
const formPurpose = (userId: string) => `form of user ${userId}`

/** The `Set-Cookie` value that says whose session the browser has, also when it has ended. It grants no access. */
export const ownerCookie = (
  { config, encryption }: Deps,
  { token, userId }: { token: string; userId: string },
): string => cookie(config, 'hearth-owner', encryption.encrypt(ownerPurpose(token), userId))

/** The user of the session with the token, which may have ended. */
function findOwner({ config, encryption, clock }: Deps, request: Request, token: string): string | undefined {
  const text = readCookie(config, request, 'hearth-owner')
  const id = text === undefined ? undefined : encryption.decrypt(ownerPurpose(token), text, clock.now())
  return typeof id === 'string' ? id : undefined
}

/**
 * Encrypts the form of a request whose session has ended, without its secrets. Only a declared form is kept, because its page
 * shows what was typed; undefined for all others, for a form of another session, and for one that is too long. Throws what
 * {@link readForm} throws.
 */
export async function keepForm(deps: Deps, request: Request, schema: TObject | undefined): Promise<string | undefined> {
  const token = readCookie(deps.config, request, 'hearth-session')
  if (token === undefined || schema === undefined || !('fields' in schema)) return undefined
  const userId = findOwner(deps, request, token)
  if (userId === undefined) return undefined
  const form = await readForm(deps, request)
  if (!isFormOf(token, form)) return undefined
  // The session ended again before the kept form was shown.
  const kept = form.get(KEPT_FIELD)
  if (kept !== null) return kept
  const typed = [...form].filter(([name]) => name !== CSRF_FIELD && !isSecret(schema.properties[name]))
  const fields = new URLSearchParams(typed).toString()
  if (fields.length > MAX_CHARACTERS) return undefined
  const until = new Date(deps.clock.now().getTime() + KEPT_HOURS * HOUR_MS)
  const value: KeptForm = { path: pathWithQuery(request.url), fields }
  return deps.encryption.encrypt(formPurpose(userId), value, until)
}

const isSecret = (schema: TSchema | undefined): boolean => schema?.['writeOnly'] === true

/** The kept form, if it is one of this user’s. */
export const openKeptForm = (
  { encryption, clock }: Deps,
  { kept, userId }: { kept: string; userId: string },
): KeptForm | undefined => encryption.decrypt(formPurpose(userId), kept, clock.now()) as KeptForm | undefined

const shownAgain = new WeakSet<URLSearchParams>()

/** Whether the form is to be shown again with what was typed, instead of being acted upon. */
export const isShownAgain = (form: URLSearchParams): boolean => shownAgain.has(form)

/**
 * The form, or the kept form that it carries, which is only shown. Throws form_refused for a kept form of another user or page,
 * and after some hours.
 */
export function unwrapForm(
  deps: Deps,
  request: Request,
  { form, userId }: { form: URLSearchParams; userId: string },
): URLSearchParams {
  const kept = form.get(KEPT_FIELD)
  if (kept === null) return form
  const opened = openKeptForm(deps, { kept, userId })
  if (opened?.path !== pathWithQuery(request.url))
    throw new AppError('form_refused', 'What you typed is no longer kept. Open the page again.')
  const fields = new URLSearchParams(opened.fields)
  shownAgain.add(fields)
  return fields
}
