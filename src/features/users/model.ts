// People who use the console: what they may do there, and whose things they see.

/** `operator`: runs the marketplace. `developer` and `pro`: look after what is their account's. */
export const ROLES = ['operator', 'developer', 'pro'] as const
export type Role = (typeof ROLES)[number]

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)

/** Somebody who can log in. */
export interface User {
  id: string
  email: string
  role: Role
  createdAt: string
  lastLoginAt: string | null
  /** Since when they cannot log in any more. */
  disabledAt: string | null
}

/** A user who is logged in, with what pages need to know of them. */
export interface SessionUser {
  userId: string
  email: string
  role: Role
  /** Whose keys and webhooks they see; null for operators. */
  accountId: string | null
  accountEmail: string | null
  /** The pro the account is, for the role `pro`. */
  professionalId: string | null
  businessName: string | null
}

/** A password that a person chooses has at least so many characters (NIST SP 800-63B-4 §3.1.1.2 says 15 or, with more, 8). */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const
