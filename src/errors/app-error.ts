// The errors that callers see: one class, and one table from code to HTTP status, JSON-RPC code and title.
import { ACCESS_ERRORS } from './access.ts'
import { CONFLICT_ERRORS } from './conflict.ts'
import type { FieldError } from './kind.ts'
import { NOT_FOUND_ERRORS } from './not-found.ts'
import { REQUEST_ERRORS } from './request.ts'
import { SERVER_ERRORS } from './server.ts'

/** The error table. Codes are part of the API: they never change their meaning. */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCESS_ERRORS,
  ...NOT_FOUND_ERRORS,
  ...CONFLICT_ERRORS,
  ...SERVER_ERRORS,
}

export type ErrorCode = keyof typeof ERRORS

interface ErrorDetails {
  /** Invalid fields. */
  errors?: FieldError[]
  /** Additional members of the problem document, such as `nextAvailable`. */
  extensions?: Record<string, unknown>
  /** For the header Retry-After. */
  retryAfterSeconds?: number
  /** The methods that the path supports. */
  allow?: readonly string[]
  /** The scopes that an app should ask for, in WWW-Authenticate. */
  challengeScopes?: readonly string[]
  /** Stored by an earlier request with the same idempotency key. */
  replayed?: boolean
  cause?: unknown
}

/** An error for the caller. Verbs throw it; HTTP and the agent servers translate it. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly errors: FieldError[] | undefined
  readonly extensions: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly allow: readonly string[] | undefined
  readonly challengeScopes: readonly string[] | undefined
  readonly replayed: boolean

  constructor(
    readonly code: ErrorCode,
    /** For people: what happened, then what to do. Holds no internals and no personal data. */
    readonly detail: string,
    details: ErrorDetails = {},
  ) {
    super(`${code}: ${detail}`, { cause: details.cause })
    this.errors = details.errors
    this.extensions = details.extensions
    this.retryAfterSeconds = details.retryAfterSeconds
    this.allow = details.allow
    this.challengeScopes = details.challengeScopes
    this.replayed = details.replayed ?? false
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** validation_failed about one field. */
export const invalidField = (path: string, message: string): AppError =>
  new AppError('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] })

/** validation_failed about several fields. */
export const invalidFields = (errors: FieldError[]): AppError =>
  new AppError('validation_failed', `${errors.map(({ path, message }) => `${path} ${message}`).join('; ')}.`, {
    errors,
  })
