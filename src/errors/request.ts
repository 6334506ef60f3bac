// What is wrong with the request itself.
import type { ErrorKind } from './kind.ts'

export const REQUEST_ERRORS = {
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
  method_not_allowed: {
    status: 405,
    title: 'This path does not take that method',
    rpc: -32601,
    meaning: 'The path exists, but not for the method of the request.',
    remedy: 'Use one of the methods that the header `Allow` lists.',
    example: { detail: 'This path takes GET, HEAD.' },
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
} as const satisfies Record<string, ErrorKind>
