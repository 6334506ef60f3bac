// HTML forms: reads them, checks their CSRF token, and converts them to the types of a schema.
import { createHmac, timingSafeEqual } from 'node:crypto'

import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import type { Deps } from '../deps.ts'
import { AppError, invalidField, invalidFields } from '../errors/app-error.ts'
import { textNormaliser } from '../platform/schema/normaliser.ts'
import type { Region } from '../platform/text/region.ts'
import { firstCharacters, plainName } from '../platform/text/plain.ts'
import { readText, refuseUnstorable } from './body.ts'
import { namedErrors } from './field-errors.ts'

/** The hidden field that carries the CSRF token. */
export const CSRF_FIELD = 'csrf'

/** Several times what any page sends; reading 131,000 fields took 0.1 s. Forms are flat lists of fields. */
const MAX_FIELDS = 500

/** The CSRF token of a session: an HMAC, so that only a holder of the session's cookie can compute it. */
export const csrfTokenOf = (token: string): string => createHmac('sha256', token).update('form').digest('base64url')

/** The fields of a submitted form. Throws 415, 413, 408 or 400. */
export async function readForm(deps: Deps, request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new AppError('unsupported_media_type', 'Send the form as a browser does.')
  const text = await readText(deps, request)
  refuseManyFields(text)
  const fields = new URLSearchParams(text)
  for (const [name, value] of fields) refuseUnstorable([name, value], 'form')
  return fields
}

function refuseManyFields(text: string): void {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1))
    if (++fields > MAX_FIELDS) throw invalidField('form', `must have at most ${MAX_FIELDS} fields`)
}

/**
 * Throws form_refused unless a page of ours, opened by the holder of `token`, sent the form (OWASP's synchronizer token). The
 * guard has already refused forms from other sites.
 */
export function refuseForgery(fields: URLSearchParams, token: string | undefined): void {
  if (!isFormOf(token, fields))
    throw new AppError('form_refused', 'The form does not belong to your current session. Open the page again.')
}

/** Whether a page of ours, opened by the holder of `token`, sent the form. */
export function isFormOf(token: string | undefined, fields: URLSearchParams): boolean {
  // A request without a cookie has no token, because the token of an empty cookie would be the same for everyone.
  const [sent, due] = [Buffer.from(fields.get(CSRF_FIELD) ?? ''), Buffer.from(token ? csrfTokenOf(token) : '')]
  return token !== undefined && token !== '' && sent.length === due.length && timingSafeEqual(sent, due)
}

/**
 * Throws form_refused when the browser reports that another site sent the form. The guard calls it for every page, because
 * a link's secret or a cookie does not prove that a person pressed the button. Without the browser's report, the host of the
 * Origin must be the configured one: the sender writes the Host.
 */
export function refuseForeign({ headers }: Request, ownOrigin: string): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOwnOrigin = hostOf(origin) === hostOf(ownOrigin)
  const isFromElsewhere = site === null ? origin !== null && !isOwnOrigin : site !== 'same-origin'
  if (isFromElsewhere)
    throw new AppError(
      'form_refused',
      'The form was sent from another site. Open the page on this site and send it from there.',
    )
}

const hostOf = (origin: string | null) => (origin !== null && URL.canParse(origin) ? new URL(origin).host : undefined)

/** Error messages by field name. */
export type FieldErrors = Readonly<Record<string, string>>

export type FormReading<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors }

/** The schema of a form's values. */
export interface FormSchema extends TObject {
  /** What is wrong with values that are right one by one. It gets those that are. */
  check?(values: object, region?: Region): Readonly<Record<string, string | undefined>>
}

/**
 * The form's values by the schema: text becomes numbers, lists, normal e-mail addresses and names, an unchecked box false, and an empty
 * field is omitted. The errors are all that are wrong: people correct them in one turn.
 */
export function readFields<S extends FormSchema>(schema: S, fields: URLSearchParams): FormReading<Static<S>> {
  const { value, valid, errors } = parseFields(schema, fields)
  for (const [name, message] of Object.entries(schema.check?.(valid) ?? {})) if (message) errors[name] ??= message
  return Object.keys(errors).length === 0 ? { ok: true, value } : { ok: false, errors }
}

/** The values that are right one by one: what else a form with errors says, such as the button that was pressed. */
export const validFields = <S extends FormSchema>(schema: S, fields: URLSearchParams): Partial<Static<S>> =>
  parseFields(schema, fields).valid as Partial<Static<S>>

/** The values of a form in which people cannot be wrong, such as one of buttons. Throws validation_failed. */
export function checkedFields<S extends FormSchema>(schema: S, fields: URLSearchParams): Static<S> {
  const read = readFields(schema, fields)
  if (read.ok) return read.value
  throw invalidFields(Object.entries(read.errors).map(([path, message]) => ({ path, message })))
}

function parseFields(schema: FormSchema, fields: URLSearchParams) {
  const value = Object.fromEntries(
    Object.entries<TSchema>(schema.properties).flatMap(([name, property]) => {
      const read = fieldValue(property, fields.getAll(name))
      return read === undefined ? [] : [[name, read]]
    }),
  )
  const errors: Record<string, string> = {}
  for (const { path, message } of namedErrors(Value.Errors(schema, value))) errors[path.split('.')[0] ?? ''] ??= message
  const valid = Object.fromEntries(Object.entries(value).filter(([name]) => errors[name] === undefined))
  return { value, valid, errors }
}

/** The lines of a text that are not empty, as names: at most `most`, each of at most 200 characters. */
export const linesOf = (text: string, most: number): string[] =>
  text
    .split('\n')
    .map((line) => firstCharacters(plainName(line).trim(), 200))
    .filter(Boolean)
    .slice(0, most)

/** Browsers send line breaks as CR LF. */
const cleaned = (text: string): string => text.replaceAll('\r\n', '\n').trim()

function fieldValue(schema: TSchema, texts: readonly string[]): unknown {
  if (schema.type === 'array') {
    const values = texts.map(cleaned)
    // Fields of one row belong together by their place, so those that may be empty keep it.
    return Value.Check(schema['items'] as TSchema, '') ? values : values.filter(Boolean)
  }
  if (schema['writeOnly'] === true) return texts[0] || undefined
  const text = texts[0] === undefined ? undefined : cleaned(texts[0])
  const normalise = textNormaliser(schema)
  if (text !== undefined && normalise) return normalise(text) || undefined
  if (schema.type === 'boolean') return text !== undefined && text !== ''
  if (text === undefined || text === '') return undefined
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  return isNumber && /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
}
