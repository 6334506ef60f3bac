// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Serializes changes of the pro's proposals until the transaction ends. */
export const lockProposals = statement('lock_proposals') as Exec<'tx',
  { professionalId: string }>

export const countOpenProposals = statement('countOpenProposals') as One<'tx',
  { professionalId: string; now: string | Date },
  { open: number }>

export const findTargetName = statement('findTargetName') as One<'tx',
  { kind: string; targetId: string },
  { name: string }>

export const insertProposal = statement('insertProposal') as Exec<'tx',
  { id: string; professionalId: string; kind: string; targetId: string; change: string; differences: string; summary: string; keyId?: string | null; runId?: string | null; threadId?: string | null; createdAt: string | Date; expiresAt: string | Date }>

export const findProposal = statement('findProposal', { nullable: ['proposal'] }) as One<'read',
  { now: string | Date; id: string; professionalId: string },
  { proposal: unknown },
  'proposal'>

export const selectProposals = statement('selectProposals', { nullable: ['items'] }) as One<'read',
  { professionalId: string; kind?: string | null; runId?: string | null; status?: string | null; at: string | Date; limit: number; offset: number },
  { total: number; items: unknown },
  'items'>

export const lockProposal = statement('lockProposal', { nullable: ['change', 'differences'], texts: { status: ['open', 'confirmed', 'dismissed', 'expired', 'conflict'] } }) as One<'tx',
  { now: string | Date; id: string; professionalId: string },
  { id: string; kind: 'quote_content' | 'service_pricing' | 'service_content' | 'business_profile' | 'public_profile' | 'business_entity' | 'site_config' | 'availability'; targetId: string; status: 'open' | 'confirmed' | 'dismissed' | 'expired' | 'conflict'; change: unknown; differences: unknown },
  'change' | 'differences'>

export const saveProposalState = statement('saveProposalState') as Exec<'tx',
  { status: string; at: string | Date; conflict?: string | null; id: string }>

export const expireProposals = statement('expire_proposals') as One<'write',
  { now: string | Date; limit: number },
  { expired: number }>
