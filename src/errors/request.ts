// Errors of the request itself.
import type { ErrorKind } from './kind.ts'

export const REQUEST_ERRORS = {
  validation_failed: {
    status: 400,
    title: 'Invalid request',
    rpc: -32602,
    meaning: 'A parameter, header or field of the body is missing, unknown or not in the documented form.',
    remedy: 'Read `errors`: each entry names one field and says what it must be. Correct all of them and send again.',
    example: {
      detail: 'body.customer.email must be an e-mail address.',
      errors: [{ path: 'body.customer.email', message: 'must be an e-mail address' }],
    },
  },
  malformed_body: {
    status: 400,
    title: 'Body is not valid JSON',
    rpc: -32700,
    meaning: 'The body is not JSON, is truncated, or is not encoded in UTF-8.',
    remedy: 'Send one JSON object in UTF-8, uncompressed. Use a JSON library to create it.',
    example: { detail: 'The body could not be read as JSON in UTF-8.' },
  },
  invalid_message: {
    status: 400,
    title: 'Not a JSON-RPC request',
    rpc: -32600,
    meaning:
      'The body is JSON, but not a JSON-RPC 2.0 request, notification or response, or it is an empty batch or one of more than 20 messages.',
    remedy:
      'Send a message such as `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`: `id` is a string or number, `method` a string, `params` an object.',
    example: { detail: 'A batch may have up to 20 messages; this one has 1000.' },
  },
  instant_booking_disabled: {
    status: 400,
    title: 'No instant booking',
    rpc: -32602,
    meaning: 'This pro does not accept instant bookings for this service.',
    remedy: 'Ask this pro for a quote, or search with `instantBook=true` for pros who accept instant bookings.',
    example: { detail: 'This pro does not take instant bookings.' },
  },
  duplicate_review: {
    status: 400,
    title: 'Already reviewed',
    rpc: -32602,
    meaning:
      'The customer, identified by e-mail address, has already reviewed this booking or job; or this pro, if neither is named. A rejected review does not count.',
    remedy:
      'To review another booking or job, name it in `bookingId` or `projectId`. A submitted review cannot be changed.',
    example: { detail: 'This customer has already reviewed this pro, booking or job.' },
  },
  review_too_early: {
    status: 400,
    title: 'Too early to review',
    rpc: -32602,
    meaning: 'The visit of this booking is not over, or the job is not completed.',
    remedy:
      'Send the review after `reviewableAt`, when the visit is over. It is null for a job: a job can be reviewed once the pro has completed it.',
    example: {
      detail: 'The visit ends at 2026-12-01T16:00:00.000Z. Send the review after that.',
      reviewableAt: '2026-12-01T16:00:00.000Z',
    },
  },
  no_visit_to_review: {
    status: 400,
    title: 'No visit to review',
    rpc: -32602,
    meaning:
      'The booking or job was cancelled or rejected, the booking was never confirmed, or the pro recorded that the customer was not there.',
    remedy: 'To review the pro in general, leave out `bookingId` and `projectId`. Such a review is not verified.',
    example: {
      detail: 'The booking was cancelled. To review the pro in general, leave out `bookingId` and `projectId`.',
    },
  },
  service_unpriced: {
    status: 400,
    title: 'Deposit unknown',
    rpc: -32602,
    meaning: 'The pro takes a deposit, which is a share of the price, but has set no price for this service.',
    remedy: 'Ask this pro for a quote, or choose a service with a price.',
    example: { detail: 'This pro takes a deposit but has set no price for the service.' },
  },
  service_too_long: {
    status: 400,
    title: 'Longer than the business hours',
    rpc: -32602,
    meaning: 'The service or package takes longer than every interval of the pro’s business hours.',
    remedy: 'Ask this pro for a quote. `POST /bookings` takes a shorter `duration`.',
    example: { detail: 'This takes longer than the pro works in one stretch.' },
  },
  too_many_unpaid_bookings: {
    status: 400,
    title: 'Too many unpaid bookings',
    rpc: -32602,
    meaning:
      'A customer, identified by e-mail address, may have a few future bookings with a pro that are neither paid nor approved by the pro: 20 when a server key books, 3 on pages, in widgets and by agents, unless configured otherwise. Nothing was booked.',
    remedy: 'Pay or cancel one of them, or ask the pro to approve one. Waiting does not help: it is no rate limit.',
    example: {
      detail:
        'This customer has too many unpaid bookings with this pro. Pay for one of them or cancel one, then book again.',
    },
  },
  file_quota_exceeded: {
    status: 400,
    title: 'Too many files',
    rpc: -32602,
    meaning: 'The account has uploaded 200 files within 24 hours, or keeps 2,000. Nothing was stored.',
    remedy: 'Upload fewer, or remove files that are not needed any more.',
    example: { detail: 'An account may upload 200 files in 24 hours.' },
  },
  direct_uploads_not_configured: {
    status: 400,
    title: 'No direct uploads here',
    rpc: -32602,
    meaning: 'The site keeps its files without a bucket, so there is no address to upload one to. Nothing was stored.',
    remedy:
      'Send the file itself, as a part of a `multipart/form-data` body. The operator of the site sets `FILES_S3_BUCKET`.',
    example: {
      detail: 'This site has no bucket to upload to. Send the file as a part of a `multipart/form-data` body.',
    },
  },
  payments_not_configured: {
    status: 400,
    title: 'Cannot be paid online here',
    rpc: -32602,
    meaning:
      'The booking or quote takes a fee or deposit, and this site has no payment provider, or the agent server takes no payments. Nothing was booked, held or charged.',
    remedy:
      'Ask the pro for a quote without a deposit, or call them. The operator of the site sets `STRIPE_SECRET_KEY` and `STRIPE_WEBHOOK_SECRET`.',
    example: { detail: 'This takes a payment, and no payments are taken here. Ask the pro for a quote instead.' },
  },
  invalid_signature: {
    status: 400,
    title: 'Invalid signature',
    rpc: -32602,
    meaning: 'The body was not signed with the secret of this endpoint, was changed in transit, or is too old.',
    remedy: 'Compare the secrets on both sides, and make sure that no proxy changes the body.',
    example: { detail: 'The signature does not match the body. Check STRIPE_WEBHOOK_SECRET.' },
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    rpc: -32601,
    meaning: 'The path exists, but not for this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
    example: { detail: 'This path takes GET, HEAD.' },
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Idempotency key reused',
    rpc: -32602,
    meaning: 'The same `Idempotency-Key` came with a different request within the last 24 hours. Nothing was changed.',
    remedy: 'Create a new key, such as a UUID, for each operation, and reuse it only to retry that operation.',
    example: { detail: 'This Idempotency-Key was used before with a different request. Send a new key.' },
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    rpc: -32600,
    meaning: 'The body is larger than 256 KiB, or an uploaded file larger than 15 MiB.',
    remedy: 'Send less. Upload photos as files of their own, and send their URLs.',
    example: { detail: 'A body may have up to 262144 bytes.' },
  },
  unsupported_media_type: {
    status: 415,
    title: 'Body must be plain JSON',
    rpc: -32600,
    meaning:
      'The `Content-Type` is missing or not JSON, or the body is compressed. A file is sent as `multipart/form-data`.',
    remedy: 'Send JSON with the header `Content-Type: application/json` and without `Content-Encoding`.',
    example: { detail: 'Send the body as JSON with `Content-Type: application/json`.' },
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    rpc: -32600,
    meaning:
      'The body did not arrive completely within ten seconds, arrived too slowly, or was one of too many slow ones of the same address. Nothing was changed.',
    remedy: 'Send the request again on a new connection; this one is closed.',
    example: { detail: 'The body was incomplete after 10 seconds.' },
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    rpc: -32600,
    meaning: 'Path and query together have more than 8,192 characters.',
    remedy: 'Leave out unknown parameters. No documented parameter is that long.',
    example: { detail: 'Path and query may have up to 8192 characters.' },
  },
} as const satisfies Record<string, ErrorKind>
