// The users of the console, their roles and sessions.
import { type Static, Type } from '@sinclair/typebox'

import { OneOf, Text } from '../../platform/schema/types.ts'
import { pageParameters } from '../../platform/schema/paging.ts'
import type { OperatorRole } from './rules/operator-roles.ts'
import type { ProRole } from './rules/pro-roles.ts'

/** An `operator` runs the marketplace; a `developer` and a `pro` manage their own account. */
export const ROLES = ['operator', 'developer', 'pro'] as const
export type Role = (typeof ROLES)[number]

export interface User {
  id: string
  email: string
  role: Role
  /** What an operator may do; null for the other roles. */
  operatorRole: OperatorRole | null
  /** What a person may do for a pro's business; null for the other roles, and once the log-in has ended. */
  proRole: ProRole | null
  createdAt: string
  lastLoginAt: string | null
  /** Since when they cannot log in. */
  disabledAt: string | null
}

/** A user in a list. */
export interface ListedUser extends User {
  /** The account's e-mail address; null for operators. */
  account: string | null
  /** The account's business, for the role `pro`. */
  businessName: string | null
  /** The expiry of their link for choosing a password. */
  linkExpiresAt: string | null
  hasSecondFactor: boolean
}

/** What a user has open: sessions, and apps that act for them. */
export interface UserAccess {
  sessions: number
  apps: number
}

/** A filter. `q` is a part of an e-mail address or a business name. Forms send an empty text for "any". */
export const UsersQuery = Type.Object({
  q: Type.Optional(Text(200)),
  role: Type.Optional(OneOf(['', ...ROLES])),
  state: Type.Optional(OneOf(['', 'enabled', 'disabled'])),
  ...pageParameters,
})
export type UsersQuery = Static<typeof UsersQuery>

/** A user who is logged in. */
export interface SessionUser {
  userId: string
  email: string
  role: Role
  /** What an operator may do; null for the other roles. */
  operatorRole: OperatorRole | null
  /** What a person may do for a pro's business; null for the other roles. */
  proRole: ProRole | null
  /** The member of the team who it is; null for others. */
  memberId: string | null
  /** The account whose keys and webhooks they see; null for operators. */
  accountId: string | null
  accountEmail: string | null
  /** The test account whose webhooks and usage they see; null outside of test mode. */
  testAccountId: string | null
  /** The account's professional profile, for the role `pro`. */
  professionalId: string | null
  businessName: string | null
  /** Why customers do not find the business; null while they do. */
  pausedBy: 'operator' | 'pro' | null
  /** The marketplace requires a second factor of operators, and they have not set it up: they do nothing else before. */
  mustSetUpFactor: boolean
}

/** The user who makes a change; null for a command at a terminal. */
export type ActorId = string | null

/** The actions of the audit log. */
export type UserAction =
  | 'created'
  | 'disabled'
  | 'enabled'
  | 'logged_out'
  | 'link_made'
  | 'password_set'
  | 'role_given'
  | 'factor_set_up'
  | 'factor_removed'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'email_changed'

export interface UserChange {
  action: UserAction
  /** The role that an operator was given, where they were given one. */
  operatorRole: OperatorRole | null
  at: string
  /** The actor's e-mail address; null for a command at a terminal. */
  by: string | null
}

/** In characters. NIST SP 800-63B-4 §3.1.1.2 requires 15, or 8 with a second factor. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const
