// People who use the console: what they may do there, and whose things they see.
import { type Static, Type } from '@sinclair/typebox'

import { OneOf } from '../../platform/schema/types.ts'
import { pageParameters } from '../../platform/schema/paging.ts'

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

/** A user among others, with whose things they see. */
export interface ListedUser extends User {
  /** The account's e-mail address; null for operators. */
  account: string | null
  /** The pro the account is, for the role `pro`. */
  businessName: string | null
  /** Until when they can choose a password by a link. */
  linkExpiresAt: string | null
}

/** Which users are listed. `q` is a part of an e-mail address or a business name. Forms send an empty text for any. */
export const UsersQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200 })),
  role: Type.Optional(OneOf(['', ...ROLES])),
  state: Type.Optional(OneOf(['', 'enabled', 'disabled'])),
  ...pageParameters,
})
export type UsersQuery = Static<typeof UsersQuery>

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

/** Who changes a user: one who is logged in, by their id, or somebody at a terminal. */
export type ActorId = string | null

/** What is written down of users. */
export type UserAction = 'created' | 'disabled' | 'enabled' | 'logged_out' | 'link_made' | 'password_set'

export interface UserChange {
  action: UserAction
  at: string
  /** The e-mail address of who did it; null for a terminal. */
  by: string | null
}

/** A password that a person chooses has at least so many characters (NIST SP 800-63B-4 §3.1.1.2 says 15 or, with more, 8). */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const
