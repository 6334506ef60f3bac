// Every error a caller can meet: one class, one table from code to HTTP status and title.

/** What callers may be told of one error. All of it is public: `/problems/{code}` shows it. */
interface ErrorKind {
  /** The HTTP status. */
  status: number
  /** The problem's short name (RFC 9457). */
  title: string
  /** The JSON-RPC code of the agent servers. */
  rpc: number
  /** When this is answered. */
  meaning: string
  /** What the caller does about it. Text in backquotes is code. */
  remedy: string
  /** The members of an answer that differ from case to case, as one case has them. */
  example: { detail: string; errors?: FieldError[]; [extension: string]: unknown }
}

/** The codes are part of the interface: they never change their meaning. */
export const ERRORS = {
  validation_failed: {
    status: 400,
    title: 'The request is not valid',
    rpc: -32602,
    meaning: 'A parameter, a header or a field of the body is missing, unknown, or not of the form that is documented.',
    remedy:
      'Read `errors`: each entry names one field and says what it must be. Mend them all and send the request again.',
    example: {
      detail: 'body.customer.email must be an e-mail address.',
      errors: [{ path: 'body.customer.email', message: 'must be an e-mail address' }],
    },
  },
  malformed_body: {
    status: 400,
    title: 'The body is not valid JSON',
    rpc: -32700,
    meaning: 'The body could not be read: it is not JSON, it ends too early, or it is not encoded as UTF-8.',
    remedy:
      'Send one JSON object in UTF-8, without compression. A JSON library makes it better than text put together by hand.',
    example: { detail: 'The body could not be read as JSON in UTF-8.' },
  },
  instant_booking_disabled: {
    status: 400,
    title: 'This pro does not take instant bookings',
    rpc: -32602,
    meaning: 'The pro wants to talk before a time is set, so nothing can be booked directly.',
    remedy: 'Ask this pro for a quote instead, or search with `instantBook=true` for pros who can be booked at once.',
    example: { detail: 'This pro does not take instant bookings.' },
  },
  duplicate_review: {
    status: 400,
    title: 'This was reviewed before',
    rpc: -32602,
    meaning:
      'The customer, known by e-mail address, has reviewed this booking or job of the pro before; or, when neither is named, the pro.',
    remedy:
      'Name the booking (`bookingId`) or job (`projectId`) that the review is of, if it is another one. A review is not changed once it is submitted.',
    example: { detail: 'This customer has reviewed this pro, or this booking or job, before.' },
  },
  service_unpriced: {
    status: 400,
    title: 'The deposit of this service cannot be told',
    rpc: -32602,
    meaning: 'The pro takes a deposit, a part of the price, but has set no price for this service.',
    remedy: 'Ask this pro for a quote instead, or choose a service with a price.',
    example: { detail: 'This pro takes a deposit, but has set no price for the service.' },
  },
  invalid_signature: {
    status: 400,
    title: 'The signature is not valid',
    rpc: -32602,
    meaning: 'The body was not signed with the secret of this endpoint, was changed on its way, or is too old.',
    remedy: 'Compare the secret on both sides, and see that nothing between them changes the body.',
    example: { detail: 'The body is not signed with the secret of this endpoint.' },
  },
  missing_key: {
    status: 401,
    title: 'An API key is needed',
    rpc: -32001,
    meaning: 'This path is for callers with a key, and the request carried none.',
    remedy: 'Send a key in the header `Authorization: Bearer <API_KEY>`.',
    example: { detail: 'Send a key as `Authorization: Bearer <API_KEY>`.' },
  },
  invalid_key: {
    status: 401,
    title: 'The API key is not valid',
    rpc: -32001,
    meaning:
      'The key is malformed, unknown, revoked or expired, or it does not belong to the kind of account that this path is for. An invalid key is refused on public paths too, so that a mistake in a deployment shows at once.',
    remedy:
      'Check that the whole key is sent, without quotes or line breaks. If it was revoked or has expired, use its successor.',
    example: { detail: 'The API key has expired.' },
  },
  agent_tasks_exhausted: {
    status: 402,
    title: 'No agent task is left',
    rpc: -32010,
    meaning:
      'Work by an agent costs a task, and neither the allowance of this month nor the prepaid balance has one left. Nothing was done. Reads and edits cost none.',
    remedy:
      'Buy tasks, change to a larger plan, or wait until `resetsAt`, when the next month begins on the pro’s calendar; a plan brings its allowance anew then.',
    example: {
      detail: 'The allowance of this month and the prepaid agent tasks are used up.',
      resetsAt: '2026-12-01T06:00:00.000Z',
    },
  },
  origin_not_allowed: {
    status: 403,
    title: 'The API key does not work from this origin',
    rpc: -32003,
    meaning:
      'The request came from a web page, and the key does not work there: a widget key works on the one origin it was made for, and a server key on none, because everyone who opens a page can read what is in it.',
    remedy:
      'In a page, use a widget key made for exactly its origin: scheme, host and port. Keep server keys on servers.',
    example: { detail: 'This key does not work from this origin.' },
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key lacks a scope',
    rpc: -32003,
    meaning: 'The key is valid, but none of the scopes it carries allows this operation.',
    remedy: 'Use a key that has one of the scopes in `requiredScopes`. The scopes of a key are set when it is made.',
    example: {
      detail: 'The key needs one of these scopes: bookings:write, widget:book.',
      requiredScopes: ['bookings:write', 'widget:book'],
    },
  },
  not_found: {
    status: 404,
    title: 'Not found',
    rpc: -32004,
    meaning: 'There is nothing at this path.',
    remedy: 'Compare the path with the API reference. Versions are part of it: `/api/v1/…`.',
    example: { detail: 'There is nothing at this path.' },
  },
  professional_not_found: {
    status: 404,
    title: 'No such pro',
    rpc: -32004,
    meaning: 'No active pro has this id or slug. A pro who leaves the marketplace is not shown any more.',
    remedy: 'Search for pros and take the `id` or `slug` from an answer; do not keep either for longer than you must.',
    example: { detail: 'No pro has this id or slug.' },
  },
  service_not_found: {
    status: 404,
    title: 'No such service',
    rpc: -32004,
    meaning: 'No service has this id, slug or name, or the pro does not offer it.',
    remedy: 'Take the service from `GET /services`, or from the services of the pro you are asking for.',
    example: { detail: 'This pro does not offer the service.' },
  },
  booking_not_found: {
    status: 404,
    title: 'No such booking',
    rpc: -32004,
    meaning:
      'No booking has this id or confirmation code, or it is not yours to see: whether a stranger’s booking exists is not told.',
    remedy:
      'Check the code letter by letter (`HTH-` and 12 characters), or use a key of the owner who made the booking.',
    example: { detail: 'No booking has this confirmation code.' },
  },
  review_not_found: {
    status: 404,
    title: 'No such review',
    rpc: -32004,
    meaning: 'No review has this id, it is not published, or it is not of the pro who asks.',
    remedy: 'Take the `id` from `GET /reviews`, or as a pro from `GET /pro/reviews`.',
    example: { detail: 'No published review has this id.' },
  },
  package_not_found: {
    status: 404,
    title: 'No such package',
    rpc: -32004,
    meaning: 'No package has this id or sku, or its pro no longer offers it.',
    remedy: 'List what is offered with `GET /api/v1/packages`.',
    example: { detail: 'No package has the id or sku "HC-1".' },
  },
  property_not_found: {
    status: 404,
    title: 'No such property',
    rpc: -32004,
    meaning: 'None of the properties of the key’s owner has this id.',
    remedy: 'List them with `GET /api/v1/properties`. Check that the key is of the account that owns the property.',
    example: { detail: 'No property of yours has this id.' },
  },
  rfq_not_found: {
    status: 404,
    title: 'No such request for a quote',
    rpc: -32004,
    meaning: 'No request for a quote has this id, or it was made to another pro: which of the two is not told.',
    remedy: 'Take the id from `GET /pro/leads`.',
    example: { detail: 'No request for a quote made to you has this id.' },
  },
  quote_not_found: {
    status: 404,
    title: 'No such quote',
    rpc: -32004,
    meaning:
      'No quote of yours has this id, or the customer’s link is incomplete, changed, or older than it is kept: 30 days past the time of its quote.',
    remedy: 'Take the id from `GET /pro/quotes`; open a link exactly as it was sent. The pro can send a new quote.',
    example: { detail: 'This link leads to no quote. It may be incomplete, or too old.' },
  },
  job_not_found: {
    status: 404,
    title: 'No such job',
    rpc: -32004,
    meaning: 'No job has this id, or it is another pro’s: which of the two is not told.',
    remedy: 'Take the id from `GET /pro/jobs`.',
    example: { detail: 'None of your jobs has this id.' },
  },
  payment_not_found: {
    status: 404,
    title: 'No such payment',
    rpc: -32004,
    meaning: 'No payment has this client secret.',
    remedy: 'Take `clientSecret` or `payUrl` from the answer that started the booking, whole and unchanged.',
    example: { detail: 'No payment has this client secret.' },
  },
  member_not_found: {
    status: 404,
    title: 'No such member of the team',
    rpc: -32004,
    meaning: 'No active member of this pro’s team has this id. One who was removed cannot be given bookings.',
    remedy: 'Take the id from `GET /api/v1/pro/team`.',
    example: { detail: 'No active member of your team has this id.' },
  },
  webhook_not_found: {
    status: 404,
    title: 'No such webhook endpoint',
    rpc: -32004,
    meaning: 'No webhook endpoint has this id, or it is another account’s: which of the two is not told.',
    remedy: 'Take the id from `GET /api/v1/webhooks`.',
    example: { detail: 'No webhook endpoint of yours has this id.' },
  },
  delivery_not_found: {
    status: 404,
    title: 'No such delivery',
    rpc: -32004,
    meaning: 'The endpoint is not yours, it was never to get an event of this id, or that is longer ago than is kept.',
    remedy: 'Take `eventId` from `GET /api/v1/webhooks/{id}/deliveries`.',
    example: { detail: 'This endpoint has no delivery of such an event.' },
  },
  method_not_allowed: {
    status: 405,
    title: 'This path does not take that method',
    rpc: -32601,
    meaning: 'The path exists, but not for the method of the request.',
    remedy: 'Use one of the methods that the header `Allow` lists.',
    example: { detail: 'This path takes GET, HEAD.' },
  },
  invalid_transition: {
    status: 409,
    title: 'This cannot be done in the present state',
    rpc: -32009,
    meaning:
      'The action does not fit the state the thing is in: a cancelled booking cannot be confirmed, for instance.',
    remedy: 'Read the thing again: `state` in this answer says what it is now. Someone may have changed it meanwhile.',
    example: {
      detail: 'A booking that is cancelled does not take the action confirm.',
      state: 'cancelled',
      action: 'confirm',
    },
  },
  slot_unavailable: {
    status: 409,
    title: 'This time is not available',
    rpc: -32009,
    meaning:
      'The pro is not open then, the time was booked or blocked meanwhile, or it is nearer than the notice the pro asks for. Nothing was booked.',
    remedy: 'Offer `nextAvailable`, or ask for the open times again and let the customer choose another one.',
    example: {
      detail: 'The pro is not free at this time.',
      nextAvailable: {
        date: '2026-05-04',
        time: '09:00',
        bookingUrl: 'https://hearth.example/book/austin-plumbing',
      },
    },
  },
  hold_expired: {
    status: 409,
    title: 'The time is not held any more',
    rpc: -32009,
    meaning: 'The booking was to be paid while its time was held, and that is over. Nothing was taken.',
    remedy: 'Book again, under a new `Idempotency-Key`.',
    example: { detail: 'The time was not paid for while it was held. Book again.' },
  },
  member_exists: {
    status: 409,
    title: 'Someone on the team has this e-mail address',
    rpc: -32009,
    meaning: 'An active member of the team has this e-mail address, whatever its case.',
    remedy: 'Use another address, or remove the member first.',
    example: { detail: 'A member of your team has this e-mail address.' },
  },
  too_many_webhooks: {
    status: 409,
    title: 'The account has as many webhook endpoints as it may',
    rpc: -32009,
    meaning: 'An account may have up to 100 webhook endpoints.',
    remedy: 'Delete one that is not used any more. One endpoint can take events of every kind.',
    example: { detail: 'An account may have up to 100 webhook endpoints.' },
  },
  webhook_disabled: {
    status: 409,
    title: 'The webhook endpoint is disabled',
    rpc: -32009,
    meaning:
      'Nothing is sent to a disabled endpoint: its owner disabled it, it answered 410, or nothing reached it for five days.',
    remedy: 'Mend what is wrong, then send `{ "status": "enabled" }` with PATCH. What it missed can be replayed.',
    example: { detail: 'The endpoint is disabled. Enable it first: `{ "status": "enabled" }`.' },
  },
  idempotency_mismatch: {
    status: 422,
    title: 'The idempotency key was used for another request',
    rpc: -32602,
    meaning: 'Within the last 24 hours the same `Idempotency-Key` came with a different body. Nothing was changed now.',
    remedy: 'Make a new key, such as a UUID, for each operation, and keep it for the retries of that operation alone.',
    example: { detail: 'This Idempotency-Key was used with another body.' },
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    rpc: -32600,
    meaning: 'The body is larger than 256 KiB.',
    remedy: 'Send less. Photos are sent as URLs, not as data.',
    example: { detail: 'A body may have up to 262144 bytes.' },
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be plain JSON',
    rpc: -32600,
    meaning: 'The body was announced as something other than JSON, as compressed, or not at all.',
    remedy: 'Send JSON with the header `Content-Type: application/json` and without `Content-Encoding`.',
    example: { detail: 'Send the body as JSON with `Content-Type: application/json`.' },
  },
  request_timeout: {
    status: 408,
    title: 'The body did not arrive in time',
    rpc: -32600,
    meaning: 'The request was begun, but its body was not whole within ten seconds. Nothing was changed.',
    remedy: 'Send the request again, on a new connection: this one is closed.',
    example: { detail: 'The body was not whole after 10 seconds.' },
  },
  uri_too_long: {
    status: 414,
    title: 'The address is too long',
    rpc: -32600,
    meaning: 'Path and query together have more than 8,192 characters.',
    remedy: 'Leave out what the endpoint does not know. No documented parameter is that long.',
    example: { detail: 'Path and query may have up to 8192 characters.' },
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    rpc: -32005,
    meaning:
      'A limit of the key, or without a key of the client’s address, is used up. `limit` names it; `RateLimit-Policy` says how large each limit is and `RateLimit` what is left of it.',
    remedy:
      'Wait as many seconds as the header `Retry-After` says. Limits slide: a client that spreads its requests and watches `RateLimit` never meets them.',
    example: {
      detail: 'The limit "public" is 100 requests in 60 seconds. Try again in 12 seconds.',
      limit: 'public',
    },
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    rpc: -32603,
    meaning: 'A fault of ours. It was recorded under the `requestId` of the answer.',
    remedy:
      'Try again later, with the same `Idempotency-Key` if something was to be created. If it stays, tell us the `requestId`.',
    example: { detail: 'The error was recorded under this request id.' },
  },
  overloaded: {
    status: 503,
    title: 'The service is busy',
    rpc: -32000,
    meaning:
      'This process has as much in hand as it can do well, and refuses more at once instead of letting everyone wait. Nothing was changed.',
    remedy:
      'Wait as many seconds as the header `Retry-After` says and try again, with the same `Idempotency-Key` if something was to be created.',
    example: { detail: 'Too many requests are being answered right now. Try again in a second.' },
  },
  unavailable: {
    status: 503,
    title: 'The service cannot answer right now',
    rpc: -32000,
    meaning: 'The service is being restarted, or waits for a database. It usually passes within seconds.',
    remedy:
      'Wait as many seconds as the header `Retry-After` says and try again, with the same `Idempotency-Key` if something was to be created.',
    example: {
      detail:
        'A store does not answer. Try again, with the same Idempotency-Key where you sent one: nothing is done twice.',
    },
  },
} as const satisfies Record<string, ErrorKind>

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
