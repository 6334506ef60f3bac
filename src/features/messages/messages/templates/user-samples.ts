// A sample of each message to people who log in to the console.
import type { UserMessageData } from '../user-kinds.ts'

const ORIGIN = 'https://hearth.example'

export const USER_SAMPLES: UserMessageData = {
  invitation: {
    business: 'Lone Star Plumbing',
    url: `${ORIGIN}/console/password/i2Gd8`,
    expiresAt: '2026-06-04T16:00:00Z',
  },
  'endpoint-disabled': {
    name: 'shop.example',
    reason: 'failing',
    consoleUrl: `${ORIGIN}/console/webhooks/0198a5b2-7c40-7000-8000-2b7e5a1c9d05`,
  },
  'second-factor': {
    kind: 'recovery_code_used',
    isByOther: false,
    codesLeft: 2,
    consoleUrl: `${ORIGIN}/console/account/second-factor`,
  },
  'login-changed': {
    pro: 'Lone Star Plumbing',
    change: 'role',
    member: 'Crew 1',
    email: 'crew@example.com',
    proRole: 'dispatcher',
    isOwn: false,
    consoleUrl: `${ORIGIN}/console/team`,
  },
  'address-link': { url: `${ORIGIN}/console/email/e7Kc2`, expiresAt: '2026-05-28T17:00:00Z' },
  'address-changed': {
    newEmail: 'owner@example.com',
    isDone: false,
    isByOperator: false,
    consoleUrl: `${ORIGIN}/console/account`,
  },
  'password-link': { url: `${ORIGIN}/console/password/w9Kc5`, expiresAt: '2026-05-28T17:00:00Z' },
}
