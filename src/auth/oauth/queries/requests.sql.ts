// Written by `npm run schema` from requests.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Records the request, and that the app is in use. */
export const insertRequest = statement('insertRequest') as Exec<'write',
  { now: string | Date; clientId: string; id: string; redirectUri: string; state?: string | null; resource: string; side: string; scopes: readonly string[]; codeChallenge: string; expiresAt: string | Date }>

export const findOAuthRequest = statement('findOAuthRequest', { nullable: ['state', 'scopes', 'uri'] }) as One<'write',
  { id: string; now: string | Date },
  { id: string; clientId: string; redirectUri: string; state: string | null; resource: 'pro-agent' | 'customer-agent' | 'rest'; side: 'pro' | 'customer'; scopes: unknown; codeChallenge: string; expiresAt: string; name: string; redirectUris: string[]; uri: string | null },
  'scopes'>

export const approveOAuthRequest = statement('approveOAuthRequest', { nullable: ['state', 'scopes'] }) as One<'tx',
  { codeHash: Buffer; accountId: string; userId?: string | null; emailDigest?: string | null; expiresAt: string | Date; id: string; now: string | Date },
  { id: string; clientId: string; redirectUri: string; state: string | null; resource: 'pro-agent' | 'customer-agent' | 'rest'; side: 'pro' | 'customer'; scopes: unknown; codeChallenge: string },
  'scopes'>

export const deleteOAuthRequest = statement('deleteOAuthRequest', { nullable: ['state', 'scopes'] }) as One<'write',
  { id: string; now: string | Date },
  { id: string; clientId: string; redirectUri: string; state: string | null; resource: 'pro-agent' | 'customer-agent' | 'rest'; side: 'pro' | 'customer'; scopes: unknown; codeChallenge: string },
  'scopes'>

export const lockOAuthCode = statement('lockOAuthCode', { nullable: ['state', 'scopes', 'userId', 'emailDigest', 'keyId'] }) as One<'tx',
  { codeHash: Buffer },
  { id: string; clientId: string; clientName: string; redirectUri: string; state: string | null; resource: 'pro-agent' | 'customer-agent' | 'rest'; side: 'pro' | 'customer'; scopes: unknown; codeChallenge: string; accountId: string; userId: string | null; emailDigest: string | null; expiresAt: string; keyId: string | null },
  'scopes'>

/** Records what the code was exchanged for. */
export const exchangeRequest = statement('exchangeRequest') as Exec<'tx',
  { keyId: string; keptUntil: string | Date; id: string }>

export const findAccountOfUser = statement('findAccountOfUser') as One<'write',
  { userId: string; professionalId: string },
  { accountId: string }>

export const lockUser = statement('lockUser') as Exec<'tx',
  { userId: string }>

export const lockCustomer = statement('lockCustomer') as Exec<'tx',
  { accountId: string }>

export const findSessionOfUser = statement('findSessionOfUser') as Many<'tx',
  { tokenHash: Buffer; userId: string; now: string | Date },
  {}>

export const findSessionOfCustomer = statement('findSessionOfCustomer') as Many<'tx',
  { tokenHash: Buffer; accountId: string; now: string | Date },
  {}>
