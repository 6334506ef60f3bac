// Who may not, or not now.
import type { ErrorKind } from './kind.ts'

export const ACCESS_ERRORS = {
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
  login_required: {
    status: 401,
    title: 'You are not logged in',
    rpc: -32001,
    meaning: 'This page of the console is for people who are logged in. The session has ended, or there was none.',
    remedy: 'Log in at `/console/login`. Programs do not use the console: they call the API with a key.',
    example: { detail: 'Log in to the console first.' },
  },
  role_not_allowed: {
    status: 403,
    title: 'This page is not for your role',
    rpc: -32003,
    meaning: 'You are logged in, but this page of the console is for other roles than yours.',
    remedy: 'Use what the console’s menu offers you. `hearth users create` makes a user of another role.',
    example: { detail: 'This page is for operators.' },
  },
  form_refused: {
    status: 403,
    title: 'The form was not sent from our page',
    rpc: -32003,
    meaning:
      'A form of the console came without the mark of your present session: it was sent by another site, or the page was open while you logged out and in again. Nothing was done.',
    remedy: 'Open the page again and send the form from there.',
    example: { detail: 'The form is not of your present session. Open the page again.' },
  },
  agent_tasks_exhausted: {
    status: 402,
    title: 'No agent task is left',
    rpc: -32010,
    meaning:
      'Work by an agent costs a task, and neither the allowance of this month nor the prepaid balance has one left. Nothing was done. Reads and edits cost none, but the pro agent server is usable only as long as a task is left.',
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
  too_many_runs: {
    status: 429,
    title: 'Too many runs are under way',
    rpc: -32005,
    meaning: 'The runs of a pro’s agent take turns, and as many are queued as may be. Nothing was begun, no task used.',
    remedy: 'Wait for one to end. `get_proposal_status` with its `runId` says when.',
    example: { detail: '20 runs of your agent are queued or running. Wait until one ends.' },
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
} as const satisfies Record<string, ErrorKind>
