// Errors of the server or its stores.
import type { ErrorKind } from './kind.ts'

export const SERVER_ERRORS = {
  internal: {
    status: 500,
    title: 'Internal error',
    rpc: -32603,
    meaning: 'The server failed. The error was logged with the `requestId` of the response.',
    remedy:
      'Try again later, with the same `Idempotency-Key` for a write. If the error persists, report the `requestId`.',
    example: { detail: 'The request failed. The error was logged with this request id.' },
  },
  overloaded: {
    status: 503,
    title: 'Server busy',
    rpc: -32000,
    meaning:
      'This process is at its limit of concurrent requests and refuses more instead of queueing. Nothing was changed.',
    remedy:
      'Wait for the number of seconds in `Retry-After` and try again, with the same `Idempotency-Key` for a write.',
    example: { detail: 'The server is handling too many requests. Try again in a second.' },
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome unknown',
    rpc: -32000,
    meaning:
      'The change was sent to a database that did not confirm it in time, or a part of it was made before a database failed. It may have been made.',
    remedy:
      'Send the same request again with the same `Idempotency-Key` after the number of seconds in `Retry-After`: it answers what happened, and nothing is done twice. Without a key, read whether the change was made before you send it again.',
    example: {
      detail:
        'A database did not confirm the change, so it may or may not have been made. Send the same request with the same Idempotency-Key to find out, or read the resource.',
    },
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    rpc: -32000,
    meaning:
      'The service is restarting, or one of its databases cannot serve the request at the moment: it does not respond, accepts no writes or connections, or rolled the request back twice. Nothing was changed. This usually lasts seconds.',
    remedy:
      'Wait for the number of seconds in `Retry-After` and try again, with the same `Idempotency-Key` for a write.',
    example: { detail: 'A database is unavailable. Try again; with the same Idempotency-Key nothing is done twice.' },
  },
} as const satisfies Record<string, ErrorKind>
