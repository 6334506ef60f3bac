// Every error a caller can meet: one class, one table from code to HTTP status and title.

/**
 * What callers may be told. `status` is the HTTP status, `title` the problem's short name (RFC 9457), `rpc` the JSON-RPC
 * code of the agent servers. The codes are part of the interface: they never change their meaning.
 */
export const ERRORS = {
  validation_failed: { status: 400, title: 'The request is not valid', rpc: -32602 },
  malformed_body: { status: 400, title: 'The body is not valid JSON', rpc: -32700 },
  instant_booking_disabled: { status: 400, title: 'This pro does not take instant bookings', rpc: -32602 },
  missing_key: { status: 401, title: 'An API key is needed', rpc: -32001 },
  invalid_key: { status: 401, title: 'The API key is not valid', rpc: -32001 },
  insufficient_scope: { status: 403, title: 'The API key lacks a scope', rpc: -32003 },
  not_found: { status: 404, title: 'Not found', rpc: -32004 },
  professional_not_found: { status: 404, title: 'No such pro', rpc: -32004 },
  service_not_found: { status: 404, title: 'No such service', rpc: -32004 },
  booking_not_found: { status: 404, title: 'No such booking', rpc: -32004 },
  method_not_allowed: { status: 405, title: 'This path does not take that method', rpc: -32601 },
  slot_unavailable: { status: 409, title: 'This time is not available', rpc: -32009 },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used for another request', rpc: -32602 },
  body_too_large: { status: 413, title: 'The body is too large', rpc: -32600 },
  unsupported_media_type: { status: 415, title: 'The body must be JSON', rpc: -32600 },
  internal: { status: 500, title: 'Something went wrong on our side', rpc: -32603 },
  unavailable: { status: 503, title: 'The service cannot answer right now', rpc: -32000 },
} as const satisfies Record<string, { status: number; title: string; rpc: number }>

export type ErrorCode = keyof typeof ERRORS

/** One thing wrong with one field: `path` as in `customer.email` or `query.limit`. */
export interface FieldError {
  path: string
  message: string
}

interface ErrorDetails {
  /** Field by field, for validation. */
  errors?: FieldError[]
  /** Further members of the problem body, such as `nextAvailable`. */
  extensions?: Record<string, unknown>
  /** Seconds after which trying again makes sense. */
  retryAfterSeconds?: number
  /** The methods a path does take. */
  allow?: readonly string[]
  cause?: unknown
}

/** An answer other than success. Services throw it; HTTP and the agent servers translate it. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly errors: FieldError[] | undefined
  readonly extensions: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly allow: readonly string[] | undefined

  constructor(
    readonly code: ErrorCode,
    /** For people: what is wrong and what to do. Never holds internals or personal data. */
    readonly detail: string,
    details: ErrorDetails = {},
  ) {
    super(`${code}: ${detail}`, { cause: details.cause })
    this.errors = details.errors
    this.extensions = details.extensions
    this.retryAfterSeconds = details.retryAfterSeconds
    this.allow = details.allow
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** A validation error about one field. */
export const invalidField = (path: string, message: string): AppError =>
  new AppError('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] })
