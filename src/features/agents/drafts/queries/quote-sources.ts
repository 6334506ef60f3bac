// SQL of the sources of a draft quote: the service, past work, and the pro's usual terms.
import type { Ctx } from '../../../../ctx.ts'

export async function findService(
  ctx: Ctx,
  { id }: { id: string },
): Promise<{ id: string; name: string; unit: string | null } | undefined> {
  const rows = await ctx.read.run<{ id: string; name: string; unit: string | null }>(
    'findPricedService',
    (sql) => sql`select id, name, unit from services where id = ${id} and active`,
  )
  return rows[0]
}

/** An accepted quote, with its completed job if there is one. */
export interface PastWork {
  amountCents: number
  quotedCents: number
  /** In the service's unit; null when unknown. */
  units: number | null
  /** The price per unit. */
  unitCents: number | null
  isCompleted: boolean
  /** Days from start to completion, at least 1. */
  days: number | null
}

/** The pro's latest 50 accepted quotes for a service. */
export async function selectPastWork(
  ctx: Ctx,
  { professionalId, serviceId, since }: { professionalId: string; serviceId: string; since: Date },
): Promise<PastWork[]> {
  return await ctx.read.run<PastWork>(
    'selectPastWork',
    (sql) => sql`
      select case when j.status = 'completed' then j.amount_cents else q.amount_cents end as amount_cents,
        q.amount_cents as quoted_cents, q.units::float8 as units,
        coalesce(q.units_cents, q.amount_cents)::float8 / q.units::float8
          * case when j.status = 'completed' then j.amount_cents::float8 / q.amount_cents else 1 end as unit_cents,
        coalesce(j.status = 'completed', false) as is_completed,
        greatest(ceil(extract(epoch from j.completed_at - j.started_at) / 86400), 1)::integer as days
      from quotes q
      join rfqs r on r.id = q.rfq_id and r.service_id = ${serviceId}
      left join jobs j on j.quote_id = q.id
      where q.professional_id = ${professionalId} and q.status = 'accepted'
        and q.accepted_at >= ${since.toISOString()} and j.status is distinct from 'cancelled'
      order by q.accepted_at desc, q.id desc limit 50`,
  )
}

export interface QuoteTerms {
  businessName: string
  state: string
  depositRequired: boolean
  depositPercentage: number | null
  /** From the last sent quote that had terms. */
  paymentTerms: string | null
}

/** The pro's usual deposit and payment terms. */
export async function findUsualTerms(
  ctx: Ctx,
  { professionalId }: { professionalId: string },
): Promise<QuoteTerms | undefined> {
  const rows = await ctx.read.run<QuoteTerms>(
    'findUsualTerms',
    (sql) => sql`
      select p.business_name, c.state, p.deposit_required, p.deposit_percentage::float8 as deposit_percentage, (
          select q.payment_terms from quotes q
          where q.professional_id = p.id and q.payment_terms is not null and q.sent_at is not null
          order by q.created_at desc, q.id desc limit 1) as payment_terms
      from professionals p join cities c on c.id = p.city_id where p.id = ${professionalId}`,
  )
  return rows[0]
}
