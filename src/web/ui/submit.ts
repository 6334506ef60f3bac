// Form submissions: read the form, run the action, redirect or show the form again with its errors.
import type { Static, TObject } from '@sinclair/typebox'

import type { Deps } from '../../deps.ts'
import { capitalized } from '../../platform/text/format.ts'
import { AppError, type ErrorCode } from '../../errors/app-error.ts'
import { type FieldErrors, checkedFields, readFields } from '../../http/form.ts'
import { isShownAgain } from '../../http/kept-form.ts'
import type { AuthenticatedRequest } from '../../http/session.ts'
import type { Flash } from './flash.tsx'
import type { FormState } from './form.tsx'
import { redirectWithFlash } from './responses.tsx'

/** Errors that the person can correct are shown beside the form. All others become error pages. */
const CORRECTABLE = new Set([400, 402, 409, 422])

const isCorrectable = (error: unknown): error is AppError =>
  // With another pro; what was typed is not lost.
  error instanceof AppError && (CORRECTABLE.has(error.status) || error.code === 'customer_blocked')

/** Runs an action and redirects to `path` with its result, or with the error when the person can correct it. */
export async function runAction(
  deps: Deps,
  { session }: { session: Pick<AuthenticatedRequest['session'], 'token'> },
  path: string,
  action: () => Promise<string | Flash>,
): Promise<Response> {
  try {
    const result = await action()
    const flash: Flash = typeof result === 'string' ? { tone: 'good', text: result } : result
    return redirectWithFlash(deps, session, path, flash)
  } catch (error) {
    if (!isCorrectable(error)) throw error
    return redirectWithFlash(deps, session, path, { tone: 'bad', text: capitalized(error.detail) })
  }
}

/**
 * Runs the action of a button with its hidden fields. Errors in them are shown on `path`, too. A declared form is shown again
 * with what was typed: see {@link submitForm}.
 */
export function runFormAction<S extends TObject>(
  deps: Deps,
  by: AuthenticatedRequest,
  path: string,
  schema: S & { fields?: never },
  action: (input: Static<S>) => Promise<string | Flash>,
): Promise<Response> {
  return runAction(deps, by, path, async () => await action(checkedFields(schema, by.form)))
}

/**
 * Reads a form and runs its action. When the person can correct an error, `render` shows the form again with it, and so it does
 * with a form that was sent after its session had ended.
 */
export async function submitForm<S extends TObject>(
  schema: S,
  form: URLSearchParams,
  action: (input: Static<S>) => Promise<Response>,
  render: (state: FormState) => Promise<Response> | Response,
  waysOutOf: (error: AppError) => FormState['waysOut'] = () => [],
): Promise<Response> {
  if (isShownAgain(form)) return await render({ values: form, errors: {}, problem: NOT_SENT, status: 200 })
  const read = readFields(schema, form)
  if (!read.ok) return await render({ values: form, errors: read.errors })
  try {
    return await action(read.value)
  } catch (error) {
    if (!isCorrectable(error)) throw error
    const errors = fieldErrorsIn(error, schema)
    const problem =
      Object.keys(errors).length > 0 ? {} : { problem: TEXTS[error.code] ?? error.detail, waysOut: waysOutOf(error) }
    return await render({ values: form, errors, status: error.status, ...problem })
  }
}

const NOT_SENT = 'Your session had ended, so this was not sent. Check what you typed, and send it again.'

/** Texts for people where the error's detail is written for programs. */
const TEXTS: Partial<Record<ErrorCode, string>> = {
  customer_blocked: 'This pro does not take online bookings from you. Ask them by phone, or choose another pro.',
  idempotency_mismatch: 'You already sent this form with other values. Send it again to submit the new ones.',
  slot_unavailable: 'This time is no longer available. Choose another one.',
  instant_booking_disabled: 'This pro does not take online bookings for this service. Ask for a quote.',
  service_too_long: 'This takes longer than the pro works in one stretch. Ask for a quote.',
  too_many_unpaid_bookings:
    'You already have several unpaid bookings with this pro. Cancel one that you do not need, or book again when one is over.',
  service_unpriced: 'This pro has not set a price for this service yet. Ask for a quote.',
}

/** The errors that name a field of the form, by field. A service may call it `body.url` or `body.photos.0`. */
function fieldErrorsIn(error: AppError, { properties }: TObject): FieldErrors {
  const fieldOf = (path: string) => path.split('.').findLast((name) => Object.hasOwn(properties, name)) ?? ''
  const named = (error.errors ?? []).map(({ path, message }) => [fieldOf(path), message] as const)
  return Object.fromEntries(named.filter(([name]) => name !== ''))
}
