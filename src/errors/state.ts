// What does not fit the state that things are in.
import type { ErrorKind } from './kind.ts'

export const STATE_ERRORS = {
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
  proposal_conflict: {
    status: 409,
    title: 'The proposal does not fit any more',
    rpc: -32009,
    meaning:
      'What the proposal edits has changed since it was made, or cannot be edited any more: `conflict` says why. Nothing was changed, and the proposal is closed.',
    remedy: 'Read what is there now and propose the change again, if it is still wanted.',
    example: {
      detail: 'What it edits has been changed since.',
      conflict: { reason: 'What it edits has been changed since.', fields: ['basePrice'] },
    },
  },
  too_many_proposals: {
    status: 409,
    title: 'Too many proposals wait for an answer',
    rpc: -32009,
    meaning: 'A pro may have up to 100 open proposals.',
    remedy: 'Confirm or dismiss some. What nobody answers expires after seven days.',
    example: { detail: '100 proposals wait for an answer. Confirm or dismiss some first.' },
  },
  unknown_price: {
    status: 409,
    title: 'Nothing says what this costs',
    rpc: -32009,
    meaning:
      'A draft quote is made from the pro’s listed price, work that was agreed to before, or what others charge, and there is none of it. Nothing was made.',
    remedy: 'Set a price for the service first, or send a quote with an amount of your own.',
    example: { detail: 'Nothing says what Roof Repair costs: no listed price, no work, no market.' },
  },
  too_many_drafts: {
    status: 409,
    title: 'The request has as many drafts of quotes as it may',
    rpc: -32009,
    meaning: 'A request for a quote may have up to 10 drafts that were not sent.',
    remedy: 'Change one that is there, or delete what is not needed: `DELETE /api/v1/pro/quotes/{id}`.',
    example: { detail: 'A request may have up to 10 drafts of quotes.' },
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
  user_exists: {
    status: 409,
    title: 'Somebody logs in with this e-mail address',
    rpc: -32009,
    meaning: 'A user of the console has this e-mail address, whatever its case.',
    remedy:
      'Use another address, or give the user another password: by a link from the console’s page “Users”, or with `hearth users set-password`.',
    example: { detail: 'Somebody logs in with this e-mail address already.' },
  },
  last_operator: {
    status: 409,
    title: 'Nobody would be left to let others in',
    rpc: -32009,
    meaning: 'The last operator who can log in to the console is not disabled.',
    remedy: 'Make or enable another operator first.',
    example: { detail: 'No other operator could log in: make or enable one first.' },
  },
  not_yourself: {
    status: 409,
    title: 'Not to yourself',
    rpc: -32009,
    meaning: 'Operators neither disable themselves nor make links to reset their own password.',
    remedy: 'Ask another operator. Your own password is changed on the console’s page “You”.',
    example: { detail: 'Another operator can disable you.' },
  },
} as const satisfies Record<string, ErrorKind>
