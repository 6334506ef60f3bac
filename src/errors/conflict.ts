// Errors of an action that the current state does not allow.
import type { ErrorKind } from './kind.ts'

export const CONFLICT_ERRORS = {
  invalid_transition: {
    status: 409,
    title: 'Not possible in the current state',
    rpc: -32009,
    meaning: 'The current state does not allow the action. For example, a cancelled booking cannot be confirmed.',
    remedy: 'Read the resource again: `state` is its current state. Another caller may have changed it.',
    example: {
      detail: 'A booking that is cancelled does not allow the action confirm.',
      state: 'cancelled',
      action: 'confirm',
    },
  },
  slot_unavailable: {
    status: 409,
    title: 'Time not available',
    rpc: -32009,
    meaning:
      'The pro is closed at this time, the time has been booked or blocked, or it is within the pro’s notice period. Nothing was booked.',
    remedy: 'Offer `nextAvailable`, or list the open times again and let the customer choose.',
    example: {
      detail: 'The pro is not available at this time. Choose another time.',
      nextAvailable: {
        date: '2026-05-04',
        time: '09:00',
        bookingUrl: 'https://hearth.example/book/austin-plumbing',
      },
    },
  },
  outside_service_area: {
    status: 409,
    title: 'Outside the service area',
    rpc: -32009,
    meaning:
      'The ZIP code or city of the address is farther from the pro than the pro’s own `serviceRadius`. Pages, the widget and agent tools refuse such an address, and the API does with `onlyInServiceArea`. Nothing was booked or asked for.',
    remedy: 'Offer the pros of `nearest`, who come there, or search with `inServiceArea=true`.',
    example: {
      detail:
        'Austin Plumbing travels up to 10 miles and does not come to Georgetown, TX 78626. The nearest pros who come: Round Rock Pipes (4.1 miles).',
      nearest: [
        {
          id: '0193e071-1e97-7f09-baa9-4a1dcf2720d5',
          slug: 'round-rock-pipes',
          businessName: 'Round Rock Pipes',
          distance: 4.1,
          profileUrl: 'https://hearth.example/pros/round-rock-pipes',
        },
      ],
    },
  },
  cancellation_costs: {
    status: 409,
    title: 'Cancelling costs money',
    rpc: -32009,
    meaning:
      'An agent asked to cancel a booking whose free cancellation has ended, so that the payment would be kept. Nothing was cancelled: a person decides about money.',
    remedy: 'Tell the person the cost. If they accept it, call `cancel_booking` again with it as `acceptedCost`.',
    example: { detail: 'Cancelling now keeps $47.50 of the payment.', cancellationCost: 47.5 },
  },
  no_proposed_time: {
    status: 409,
    title: 'No proposed time',
    rpc: -32009,
    meaning:
      'The pro proposes no other time for this booking: there was no proposal, it was answered, or it ended because the booking changed.',
    remedy: 'Read the booking again: `proposedTime` shows a proposal. To choose a time yourself, move the booking.',
    example: { detail: 'The pro proposes no other time for this booking.' },
  },
  hold_expired: {
    status: 409,
    title: 'Hold expired',
    rpc: -32009,
    meaning: 'The booking was not paid before its hold ended. No money was taken.',
    remedy: 'Book again with a new `Idempotency-Key`.',
    example: { detail: 'The hold ended before the booking was paid. Book again.' },
  },
  member_exists: {
    status: 409,
    title: 'E-mail address already on the team',
    rpc: -32009,
    meaning:
      'An active team member has this e-mail address. Upper and lower case of ASCII letters are not distinguished.',
    remedy: 'Use another address, or remove the member first.',
    example: { detail: 'A member of your team already has this e-mail address.' },
  },
  proposal_conflict: {
    status: 409,
    title: 'Proposal outdated',
    rpc: -32009,
    meaning:
      'The target has changed since the proposal was made, or can no longer be edited; `conflict` says why. Nothing was changed, and the proposal is closed.',
    remedy: 'Read the current values and propose the change again if it is still wanted.',
    example: {
      detail: 'The target has changed since the proposal was made.',
      kind: 'service_pricing',
      conflict: { reason: 'The target has changed since the proposal was made.', fields: ['basePrice'] },
    },
  },
  too_many_proposals: {
    status: 409,
    title: 'Too many open proposals',
    rpc: -32009,
    meaning: 'A pro may have up to 100 open proposals.',
    remedy: 'Confirm or dismiss some. Open proposals expire after seven days.',
    example: { detail: 'You have 100 open proposals. Confirm or dismiss some first.' },
  },
  unknown_price: {
    status: 409,
    title: 'Price unknown',
    rpc: -32009,
    meaning:
      'A draft quote is priced from the pro’s list price, past work, or the market, and none of these exists. Nothing was created.',
    remedy: 'Set a price for the service first, or send a quote with your own amount.',
    example: { detail: 'Roof Repair has no list price, past work or market price. Set a price for it first.' },
  },
  too_many_drafts: {
    status: 409,
    title: 'Too many draft quotes',
    rpc: -32009,
    meaning: 'A request for a quote may have up to 10 unsent drafts.',
    remedy: 'Change an existing draft, or delete one with `DELETE /api/v1/pro/quotes/{id}`.',
    example: { detail: 'A request may have up to 10 draft quotes. Delete one first.' },
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many webhook endpoints',
    rpc: -32009,
    meaning: 'An account may have up to 100 webhook endpoints.',
    remedy: 'Delete an unused one. One endpoint can receive events of all types.',
    example: { detail: 'An account may have up to 100 webhook endpoints. Delete one first.' },
  },
  too_many_calendars: {
    status: 409,
    title: 'Too many imported calendars',
    rpc: -32009,
    meaning: 'A pro may import up to 20 calendars.',
    remedy: 'Remove one that is no longer needed with `DELETE /api/v1/pro/calendars/{id}`.',
    example: { detail: 'You may import up to 20 calendars. Remove one first.' },
  },
  calendar_exists: {
    status: 409,
    title: 'Calendar already imported',
    rpc: -32009,
    meaning: 'The pro imports the calendar of this address already.',
    remedy:
      'List the calendars with `GET /api/v1/pro/calendars`. To change a name, remove the calendar and add it again.',
    example: { detail: 'You import this calendar already.' },
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook endpoint disabled',
    rpc: -32009,
    meaning:
      'Nothing is sent to a disabled endpoint. Its owner disabled it, it answered 410, or all deliveries failed for five days.',
    remedy: 'Fix the cause, then send `{ "status": "enabled" }` with PATCH. Missed events can be replayed.',
    example: { detail: 'The endpoint is disabled. Enable it first: `{ "status": "enabled" }`.' },
  },
  too_many_keys: {
    status: 409,
    title: 'Too many API keys',
    rpc: -32009,
    meaning: 'The account has as many active keys as an account may have. No key was created.',
    remedy:
      'Revoke a key that is no longer used. A rotated key stays active until its overlap ends: rotate without an overlap, or wait.',
    example: {
      detail: 'The account has 100 active keys, which is the most. Revoke one first, or rotate one without an overlap.',
    },
  },
  user_exists: {
    status: 409,
    title: 'E-mail address already in use',
    rpc: -32009,
    meaning: 'A console user has this e-mail address. Upper and lower case of ASCII letters are not distinguished.',
    remedy: 'Use another address, or send the user a link to choose a new password from the console’s page “Users”.',
    example: { detail: 'A user already has this e-mail address.' },
  },
  last_operator: {
    status: 409,
    title: 'Last operator',
    rpc: -32009,
    meaning: 'The last operator who can log in to the console cannot be disabled.',
    remedy: 'Create or enable another operator first.',
    example: { detail: 'This is the last operator who can log in. Create or enable another one first.' },
  },
  not_yourself: {
    status: 409,
    title: 'Not possible for your own user',
    rpc: -32009,
    meaning: 'Operators cannot disable themselves or create links to reset their own password.',
    remedy: 'Ask another operator. Change your own password on the console’s page “You”.',
    example: { detail: 'You cannot disable yourself. Ask another operator.' },
  },
  upload_incomplete: {
    status: 409,
    title: 'Content missing',
    rpc: -32009,
    meaning:
      'The content of the file is not in the bucket, or has another size than was announced. The file waits, and is deleted a day after the upload was begun.',
    remedy:
      'Send the content to the address of the upload with its headers, and complete it then. After the address has ended, begin another upload.',
    example: { detail: 'The content is not there yet. Send it to the address of the upload first.' },
  },
} as const satisfies Record<string, ErrorKind>
