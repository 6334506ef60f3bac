// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertEntry = statement('insertEntry') as Exec<'tx',
  { id: string; action: string; subjectId?: string | null; professionalId?: string | null; planId?: string | null; by?: string | null; reason?: string | null; details: string; at: string | Date }>

export const selectEntries = statement('selectEntries', { nullable: ['reason', 'details', 'by'] }) as Many<'write',
  { subjectId: string; limit: number },
  { action: 'review.approved' | 'review.rejected' | 'payment.refunded' | 'pro.created' | 'pro.verification' | 'pro.marks_withdrawn' | 'pro.paused' | 'pro.resumed' | 'refund.resent' | 'refund.returned' | 'booking.disowned' | 'request.disowned' | 'review.disowned' | 'category.added' | 'category.changed' | 'category.merged' | 'service.added' | 'service.changed' | 'service.merged' | 'pro.plan_given' | 'plan.added' | 'plan.changed' | 'plan.retired' | 'plan.offered' | 'booking.moved' | 'booking.cancelled' | 'booking.noted' | 'message.resent' | 'delivery.resent' | 'application.sent' | 'application.asked' | 'application.approved' | 'application.refused' | 'application.reopened' | 'pro.imported' | 'pro.closed' | 'pro.reopened' | 'pro.erased'; reason: string | null; details: unknown; at: string; by: string | null },
  'details'>

export const selectPlanEntries = statement('selectPlanEntries', { nullable: ['reason', 'details', 'by'] }) as Many<'write',
  { planId: string; limit: number },
  { action: 'review.approved' | 'review.rejected' | 'payment.refunded' | 'pro.created' | 'pro.verification' | 'pro.marks_withdrawn' | 'pro.paused' | 'pro.resumed' | 'refund.resent' | 'refund.returned' | 'booking.disowned' | 'request.disowned' | 'review.disowned' | 'category.added' | 'category.changed' | 'category.merged' | 'service.added' | 'service.changed' | 'service.merged' | 'pro.plan_given' | 'plan.added' | 'plan.changed' | 'plan.retired' | 'plan.offered' | 'booking.moved' | 'booking.cancelled' | 'booking.noted' | 'message.resent' | 'delivery.resent' | 'application.sent' | 'application.asked' | 'application.approved' | 'application.refused' | 'application.reopened' | 'pro.imported' | 'pro.closed' | 'pro.reopened' | 'pro.erased'; reason: string | null; details: unknown; at: string; by: string | null },
  'details'>
