// What is our fault, or our stores’.
import type { ErrorKind } from './kind.ts'

export const SERVER_ERRORS = {
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
