// Written by `npm run schema` from connected-apps.sql. Do not edit.
import { type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectOAuthGrants = statement('selectOAuthGrants', { nullable: ['scopes', 'lastUsedAt', 'uri'] }) as Many<'write',
  { accountId: string; now: string | Date },
  { keyId: string; clientId: string; resource: 'pro-agent' | 'customer-agent' | 'rest'; scopes: unknown; createdAt: string; lastUsedAt: string | null; name: string; redirectUris: string[]; uri: string | null },
  'scopes'>
