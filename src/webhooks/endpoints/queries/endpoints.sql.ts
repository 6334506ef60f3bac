// Written by `npm run schema` from endpoints.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertEndpoint = statement('insertEndpoint', { nullable: ['events', 'disabledReason', 'disabledAt', 'failingSince', 'previousSecretSealed', 'previousSecretUntil'] }) as One<'tx',
  { id: string; accountId: string; name: string; url: string; events: readonly string[]; ordered: boolean; maxRetries: number; secretSealed: string; now: string | Date },
  { id: string; name: string; url: string; events: unknown; ordered: boolean; maxRetries: number; status: 'enabled' | 'disabled'; disabledReason: 'by_owner' | 'gone' | 'failing' | null; disabledAt: string | null; failingSince: string | null; secretSealed: string; previousSecretSealed: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string },
  'events'>

export const findEndpoint = statement('findEndpoint', { nullable: ['events', 'disabledReason', 'disabledAt', 'failingSince', 'previousSecretSealed', 'previousSecretUntil'] }) as One<'read',
  { id: string; accountId: string },
  { id: string; name: string; url: string; events: unknown; ordered: boolean; maxRetries: number; status: 'enabled' | 'disabled'; disabledReason: 'by_owner' | 'gone' | 'failing' | null; disabledAt: string | null; failingSince: string | null; secretSealed: string; previousSecretSealed: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string },
  'events'>

export const findOwnerOfEndpoint = statement('findOwnerOfEndpoint') as One<'write',
  { id: string; accountId: string },
  { accountId: string }>

export const lockEndpoint = statement('lockEndpoint', { nullable: ['events', 'disabledReason', 'disabledAt', 'failingSince', 'previousSecretSealed', 'previousSecretUntil'] }) as One<'tx',
  { id: string; accountId: string },
  { id: string; name: string; url: string; events: unknown; ordered: boolean; maxRetries: number; status: 'enabled' | 'disabled'; disabledReason: 'by_owner' | 'gone' | 'failing' | null; disabledAt: string | null; failingSince: string | null; secretSealed: string; previousSecretSealed: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string },
  'events'>

export const selectEndpoints = statement('selectEndpoints', { nullable: ['events', 'disabledReason', 'disabledAt', 'failingSince', 'previousSecretSealed', 'previousSecretUntil'] }) as Many<'read',
  { accountId: string; limit: number; offset: number },
  { id: string; name: string; url: string; events: unknown; ordered: boolean; maxRetries: number; status: 'enabled' | 'disabled'; disabledReason: 'by_owner' | 'gone' | 'failing' | null; disabledAt: string | null; failingSince: string | null; secretSealed: string; previousSecretSealed: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string },
  'events'>

export const countEndpoints = statement('countEndpoints') as One<'read',
  { accountId: string },
  { total: number }>

export const updateEndpoint = statement('updateEndpoint', { nullable: ['events', 'disabledReason', 'disabledAt', 'failingSince', 'previousSecretSealed', 'previousSecretUntil'] }) as One<'tx',
  { name: string; url: string; events: readonly string[]; ordered: boolean; maxRetries: number; now: string | Date; id: string },
  { id: string; name: string; url: string; events: unknown; ordered: boolean; maxRetries: number; status: 'enabled' | 'disabled'; disabledReason: 'by_owner' | 'gone' | 'failing' | null; disabledAt: string | null; failingSince: string | null; secretSealed: string; previousSecretSealed: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string },
  'events'>

/** Clears `failing_since`: the owner is assumed to have repaired the endpoint. */
export const enableEndpoint = statement('enableEndpoint') as Exec<'tx',
  { now: string | Date; id: string }>

export const replaceSecret = statement('replaceSecret', { nullable: ['events', 'disabledReason', 'disabledAt', 'failingSince', 'previousSecretSealed', 'previousSecretUntil'] }) as One<'tx',
  { overlapUntil: string | Date; secretSealed: string; now: string | Date; id: string },
  { id: string; name: string; url: string; events: unknown; ordered: boolean; maxRetries: number; status: 'enabled' | 'disabled'; disabledReason: 'by_owner' | 'gone' | 'failing' | null; disabledAt: string | null; failingSince: string | null; secretSealed: string; previousSecretSealed: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string },
  'events'>

export const deleteEndpoint = statement('deleteEndpoint') as Many<'write',
  { id: string; accountId: string },
  { id: string }>

/** Endpoints of all accounts whose deliveries fail, the latest first, without those that their owners turned off. `waiting` counts to 1,000, `missed` among the latest 1,000 deliveries. */
export const selectFailingEndpoints = statement('selectFailingEndpoints', { nullable: ['disabledReason', 'userId', 'lastStatus', 'lastError'] }) as Many<'read',
  { limit: number; offset: number },
  { id: string; name: string; url: string; disabledReason: 'by_owner' | 'gone' | 'failing' | null; failingSince: string; owner: string; userId: string | null; lastStatus: number | null; lastError: string | null; waiting: number; missed: number }>

export const lockFailingEndpoint = statement('lockFailingEndpoint', { nullable: ['disabledReason', 'failingSince', 'professionalId'] }) as One<'tx',
  { id: string },
  { name: string; disabledReason: 'by_owner' | 'gone' | 'failing' | null; failingSince: string | null; professionalId: string | null }>

/** Sends again what failed since then, and now what waits for its next attempt: up to :limit of each. */
export const replayMissed = statement('replayMissed') as One<'tx',
  { endpointId: string; since: string | Date; limit: number; now: string | Date },
  { again: number }>
