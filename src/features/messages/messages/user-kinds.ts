// The messages that people who log in to the console get about their log-in and their endpoints, with their data.
import type { ProRole } from '../../../auth/users/rules/pro-roles.ts'

export interface UserMessageData {
  /** `business` is null for an operator or developer. */
  invitation: { readonly business: string | null; readonly url: string; readonly expiresAt: string }
  'password-link': { readonly url: string; readonly expiresAt: string }
  /** What changed in the second factor of the user's log-in. */
  'second-factor': {
    readonly kind: 'factor_set_up' | 'factor_removed' | 'recovery_codes_made' | 'recovery_code_used'
    /** Whether an administrator did it. */
    readonly isByOther: boolean
    /** The recovery codes that were not used. */
    readonly codesLeft: number
    readonly consoleUrl: string
  }
  /** A member of a pro's team got a log-in, another role, or has it no more. Told to the business, and to the member. */
  'login-changed': {
    readonly pro: string
    readonly change: 'invited' | 'role' | 'ended'
    /** The name of the member; null where the log-in ended. */
    readonly member: string | null
    readonly email: string
    /** Null where the log-in ended. */
    readonly proRole: ProRole | null
    /** The reader is the member. */
    readonly isOwn: boolean
    readonly consoleUrl: string
  }
  /** To the new address of a log-in. `url` is null when the address has a log-in already. */
  'address-link': { readonly url: string | null; readonly expiresAt: string }
  /** To the present or former address of a log-in. */
  'address-changed': {
    readonly newEmail: string
    readonly isDone: boolean
    readonly isByOperator: boolean
    readonly consoleUrl: string
  }
  'endpoint-disabled': { readonly name: string; readonly reason: 'gone' | 'failing'; readonly consoleUrl: string }
}
