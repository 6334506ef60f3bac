// HTML forms: read, known for our own, and turned into what a schema describes.
import { createHmac, timingSafeEqual } from 'node:crypto'

import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { AppError, invalidFields } from '../errors/app-error.ts'
import { readText, refuseUnstorable } from './body.ts'
import { namedErrors } from './field-errors.ts'

/** The hidden field that carries the CSRF token. */
export const CSRF_FIELD = 'csrf'

/** The CSRF token of a session: an HMAC, so that only a holder of the session's cookie can compute it. */
export const csrfTokenOf = (token: string): string => createHmac('sha256', token).update('form').digest('base64url')

/** The fields of a submitted form. Throws 415, 413, 408 or 400. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new AppError('unsupported_media_type', 'Send the form as a browser does.')
  const fields = new URLSearchParams(await readText(request))
  for (const [name, value] of fields) refuseUnstorable([name, value], 'form')
  return fields
}

/**
 * Throws form_refused unless a page of ours, opened by the holder of `token`, sent the form. The CSRF token decides (OWASP's
 * synchronizer token); before it, browsers say themselves where a form comes from, and are believed when it is elsewhere.
 */
export function refuseForgery(request: Request, fields: URLSearchParams, token: string, ownOrigin: string): void {
  refuseForeign(request, ownOrigin)
  const [sent, due] = [Buffer.from(fields.get(CSRF_FIELD) ?? ''), Buffer.from(csrfTokenOf(token))]
  if (sent.length !== due.length || !timingSafeEqual(sent, due))
    throw new AppError('form_refused', 'The form is not of your present session. Open the page again.')
}

/** Throws form_refused when the browser says that a page of another site sent the form. Enough where nobody is logged in. */
export function refuseForeign({ headers }: Request, ownOrigin: string): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOwnOrigin = origin === ownOrigin || hostOf(origin) === headers.get('host')
  const isFromElsewhere = site === null ? origin !== null && !isOwnOrigin : site !== 'same-origin'
  if (isFromElsewhere) throw new AppError('form_refused', 'The form was sent from another site.')
}

const hostOf = (origin: string | null) => (origin !== null && URL.canParse(origin) ? new URL(origin).host : undefined)

/** What is wrong, by the field's name. */
export type FieldErrors = Readonly<Record<string, string>>

export type FormReading<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors }

/**
 * The form as the schema describes it: numbers and lists are read from the fields' text, a box that is not ticked is
 * false, and a field left empty is left out.
 */
export function readFields<S extends TObject>(schema: S, fields: URLSearchParams): FormReading<Static<S>> {
  const value = Object.fromEntries(
    Object.entries<TSchema>(schema.properties).flatMap(([name, property]) => {
      const read = fieldValue(property, fields.getAll(name))
      return read === undefined ? [] : [[name, read]]
    }),
  )
  const errors: Record<string, string> = {}
  for (const { path, message } of namedErrors(Value.Errors(schema, value))) errors[path.split('.')[0] ?? ''] ??= message
  return Object.keys(errors).length === 0 ? { ok: true, value } : { ok: false, errors }
}

/** The value, if it is as the schema describes. Throws validation_failed that names what is not. */
export function checked<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (Value.Check(schema, value)) return value
  throw invalidFields(namedErrors(Value.Errors(schema, value)))
}

function fieldValue(schema: TSchema, texts: readonly string[]): unknown {
  if (schema.type === 'array') return texts.filter((text) => text !== '')
  // Browsers send line ends as CR LF.
  const text = texts[0]?.replaceAll('\r\n', '\n').trim()
  if (schema.type === 'boolean') return text !== undefined && text !== ''
  if (text === undefined || text === '') return undefined
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  return isNumber && /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
}
