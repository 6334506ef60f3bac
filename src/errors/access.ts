// Errors of authentication, permissions, limits and plans.
import type { ErrorKind } from './kind.ts'

export const ACCESS_ERRORS = {
  missing_key: {
    status: 401,
    title: 'API key required',
    rpc: -32001,
    meaning: 'This path requires an API key, and the request has none.',
    remedy: 'Send a key in the header `Authorization: Bearer <API_KEY>`.',
    example: { detail: 'Send a key as `Authorization: Bearer <API_KEY>`.' },
  },
  invalid_key: {
    status: 401,
    title: 'Invalid API key',
    rpc: -32001,
    meaning:
      'The key is malformed, unknown, revoked or expired, or belongs to another kind of account than this path requires. Public paths refuse an invalid key too, so that a deployment mistake shows at once.',
    remedy: 'Send the whole key, without quotes or line breaks. If it was revoked or has expired, use its replacement.',
    example: { detail: 'The API key has expired.' },
  },
  expired_token: {
    status: 401,
    title: 'Access token expired',
    rpc: -32001,
    meaning: 'The access token of an app has expired: it is valid for an hour.',
    remedy:
      'Ask `/oauth/token` for a new one with the refresh token. If that is refused, ask the person for access again.',
    example: { detail: 'The access token has expired.' },
  },
  login_required: {
    status: 401,
    title: 'Not logged in',
    rpc: -32001,
    meaning: 'This console page requires a login. There is no session, or it has ended.',
    remedy: 'Log in at `/console/login`. Programs call the API with a key instead.',
    example: { detail: 'Log in to the console first.' },
  },
  sign_in_required: {
    status: 401,
    title: 'Not signed in',
    rpc: -32001,
    meaning: 'This page is for a signed-in customer. There is no session, or it has ended.',
    remedy: 'Sign in at `/my/sign-in` with your e-mail address. Programs call the API with a key instead.',
    example: { detail: 'Sign in first.' },
  },
  authorization_refused: {
    status: 400,
    title: 'This app cannot be connected',
    rpc: -32602,
    meaning:
      'An app asked for access in a way that cannot be answered: it is unknown, its metadata document cannot be used, or it did not register the address to which the answer should go. Nothing was sent to the app.',
    remedy: 'Remove the connection in the app and connect it again. If that does not help, tell the makers of the app.',
    example: { detail: 'The app is unknown here. Remove the connection in the app, and connect it again.' },
  },
  customer_blocked: {
    status: 403,
    title: 'No bookings from this customer',
    rpc: -32003,
    meaning:
      'The pro takes no more bookings from this customer, identified by e-mail address, or the marketplace takes nothing new from them: no bookings, requests, reviews and accepted quotes. Nothing was booked, asked, sent or accepted.',
    remedy: 'Choose another pro, or ask this one by phone.',
    example: { detail: 'This pro does not take bookings from this customer. Choose another pro.' },
  },
  address_unproven: {
    status: 403,
    title: 'E-mail address not proven',
    rpc: -32003,
    meaning:
      'Any person can type an e-mail address. Before this booking, its owner has to prove it with a code: the pro accepts no other customers online, or a customer booked for free from the same network (IPv4 address or IPv6 /64) in the last 24 hours, or holds several times from it that are not paid yet. Nothing was booked. Keys with `bookings:write` and signed-in customers never get this.',
    remedy: 'Open `bookingUrl` for the customer. The page sends the code and books.',
    example: {
      detail: 'The customer’s e-mail address must be proven first. Open `bookingUrl`, where a code is sent to it.',
      bookingUrl: 'https://hearth.example/pros/austin-plumbing/book?service=0192a6a0-0000-7000-8000-000000000000',
    },
  },
  role_not_allowed: {
    status: 403,
    title: 'Not available to your role',
    rpc: -32003,
    meaning:
      'You are logged in, but this console page is for other roles; or the key is that of an operator whose role does not include this.',
    remedy:
      'Use the pages in the console’s menu, log in as a user with another role, or send the key of an operator with another role.',
    example: { detail: 'This page is for operators.' },
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor required',
    rpc: -32003,
    meaning: 'The marketplace requires a second factor of its operators, and you have not set it up.',
    remedy: 'Set it up at `/console/account/second-factor`.',
    example: { detail: 'Set up a second factor for your log-in first.' },
  },
  form_refused: {
    status: 403,
    title: 'Form rejected',
    rpc: -32003,
    meaning:
      'The form has no CSRF token of your current session: another site sent it, or you logged out and in again while the page was open. Nothing was done.',
    remedy: 'Open the page again and send the form from there.',
    example: { detail: 'The form does not belong to your current session. Open the page again.' },
  },
  agent_tasks_exhausted: {
    status: 402,
    title: 'No agent tasks left',
    rpc: -32010,
    meaning:
      'Agent work costs a task, and both the monthly allowance and the prepaid balance are used up. Nothing was done. Reads and edits cost no task, but the pro agent server is available only while a task is left.',
    remedy:
      'Buy tasks, change to a larger plan, or wait until `resetsAt`, when the next month starts in the pro’s time zone and a plan’s allowance is renewed.',
    example: {
      detail: 'The monthly allowance and the prepaid agent tasks are used up.',
      resetsAt: '2026-12-01T06:00:00.000Z',
    },
  },
  plan_required: {
    status: 403,
    title: 'Plan required',
    rpc: -32003,
    meaning:
      'The pro agent server requires an active plan that includes it, such as Verified or Business. This pro has no such plan, or its last day is over.',
    remedy: 'Subscribe to one of the plans in `requiredPlans`. The same key then works.',
    example: {
      detail: 'The pro agent server needs an active Verified or Business plan.',
      requiredPlans: ['verified', 'business'],
    },
  },
  payment_refused: {
    status: 402,
    title: 'Payment refused',
    rpc: -32043,
    meaning:
      'The payment credential of the call cannot be read, is for another payment, was changed or declined, or came without an `idempotencyKey`; or the payment provider refuses to start the payment, and the time is free again. No money was taken.',
    remedy:
      'Pay one of the `challenges` and send the same call with the same `idempotencyKey` and the new credential; or let a person pay on `payUrl`.',
    example: {
      detail: 'The payment was declined. Use another payment method.',
      httpStatus: 402,
      challenges: [],
    },
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    rpc: -32003,
    meaning:
      'The request came from a web page that this key may not be used on. A widget key works on its one origin; a server key works on none, because everyone who opens a page can read its keys.',
    remedy: 'In a page, use a widget key for exactly its origin: scheme, host and port. Keep server keys on servers.',
    example: { detail: 'This key does not work from this origin.' },
  },
  own_business: {
    status: 403,
    title: 'Own business',
    rpc: -32003,
    meaning:
      'A business acts as its own customer: the key or the login belongs to the business, or to an account with the e-mail address of one of its console users. A review is also refused when the customer’s address is that of the owner or a console user.',
    remedy:
      'Only the customer does this. A pro cancels, moves and answers with the routes under `/api/v1/pro` or in the console.',
    example: { detail: 'A business cannot review itself: not by its owner, its console users or a key of its own.' },
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    rpc: -32003,
    meaning: 'The key is valid, but its scopes do not allow this operation.',
    remedy:
      'Use a key that has one of the scopes in `requiredScopes`. A key’s scopes are set when it is created. An app that a person connected asks them for the `scope` in `WWW-Authenticate`.',
    example: {
      detail: 'The key needs one of these scopes: bookings:write, widget:book.',
      requiredScopes: ['bookings:write', 'widget:book'],
    },
  },
  too_many_runs: {
    status: 429,
    title: 'Too many agent runs',
    rpc: -32005,
    meaning: 'The queue of this pro’s agent runs is full. Nothing was started and no task was used.',
    remedy: 'Wait for a run to end. `get_proposal_status` with its `runId` shows its state.',
    example: { detail: '20 runs of your agent are queued or running. Wait until one ends.' },
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    rpc: -32005,
    meaning:
      'A limit of the key or of its account, or without a key of the client’s address, is used up. `limit` names it. `RateLimit-Policy` shows the size of each limit and `RateLimit` what is left.',
    remedy:
      'Wait for the number of seconds in `Retry-After`. The limits use sliding windows: spread requests over time and watch `RateLimit`.',
    example: {
      detail: 'The limit "public" is 100 requests in 60 seconds. Try again in 12 seconds.',
      limit: 'public',
    },
  },
} as const satisfies Record<string, ErrorKind>
