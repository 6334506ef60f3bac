// SQL of the operators' search over payments.
import type { Runner } from '../../../platform/postgres/database.ts'
import { PAYMENT } from '../../../payments/states.ts'
import type { FoundPayment, PaymentDetail } from './schemas.ts'
import type { Ctx } from '../../../ctx.ts'
import { boolean, type Columns, composed, keyOf, nullable, number, text } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'

/** What a search names. Null values match nothing; with all of them null, every payment that was made matches. */
export interface PaymentSearch {
  code: string | null
  email: string | null
  /** The id of a payment, refund, booking or quote. */
  id: string | null
  /** The payment provider's id of an intent or refund. */
  providerId: string | null
}

const FOUND: Columns<FoundPayment> = {
  id: text,
  status: keyOf(PAYMENT),
  amountCents: number,
  refundedCents: number,
  refundingCents: number,
  refundableCents: number,
  createdAt: text,
  paidAt: nullable(text),
  bookingId: nullable(text),
  confirmationCode: nullable(text),
  title: text,
  customerName: text,
  customerEmail: text,
  professionalId: text,
  businessName: text,
}

const DETAIL: Columns<Omit<PaymentDetail, 'refunds' | 'disputes'>> = {
  ...FOUND,
  feeCents: number,
  depositCents: number,
  capturedCents: nullable(number),
  provider: text,
  intentId: nullable(text),
  retained: boolean,
  bookingStatus: nullable(text),
  startsAt: nullable(text),
  timeZone: text,
}

/** Newest first. Each kind of name is looked up by its index: with all of them in one condition, every payment is read. */
export async function selectPayments(
  ctx: Ctx,
  { search, limit }: { search: PaymentSearch; limit: number },
): Promise<FoundPayment[]> {
  const { code, email, id, providerId } = search
  const isAny = code === null && email === null && id === null && providerId === null
  return await composed(ctx.write, isAny ? 'selectLatestPayments' : 'selectPayments', FOUND, (sql) =>
    isAny
      ? sql`
          select ${found(sql)} ${joined(sql)} where p.captured_at is not null and not is_test_pro(p.professional_id)
          order by p.created_at desc, p.id desc limit ${limit}`
      : sql`
          with named as (
            select id from payments
            where id = ${id} or booking_id = ${id} or quote_id = ${id} or intent_id = ${providerId}
            union
            select payment_id from payment_refunds where id = ${id} or provider_refund_id = ${providerId}
            union
            select paid.id from bookings named join payments paid on paid.booking_id = named.id
            where named.confirmation_code = ${code} or named.customer_email = ${email}
            union
            select paid.id from rfqs named join quotes on quotes.rfq_id = named.id join payments paid on paid.quote_id = quotes.id
            where named.customer_email = ${email}
          )
          select ${found(sql)} ${joined(sql)} where p.id in (select id from named)
            and (${email}::text is null or not is_test_pro(p.professional_id))
          order by p.created_at desc, p.id desc limit ${limit}`,
  )
}

export async function findPaymentDetail(ctx: Ctx, { id }: { id: string }): Promise<PaymentDetail | undefined> {
  const [row] = await composed<Omit<PaymentDetail, 'refunds' | 'disputes'>>(
    ctx.write,
    'findPaymentDetail',
    DETAIL,
    (sql) => sql`
      select ${found(sql)}, p.fee_cents, p.deposit_cents, p.captured_cents, p.provider, p.intent_id, p.retained,
        b.status as booking_status, b.starts_at, o.time_zone
      ${joined(sql)} where p.id = ${id}`,
  )
  if (!row) return undefined
  const refunds = await statements.selectRefunds(ctx, { id })
  const disputes = await statements.selectDisputes(ctx, { id })
  return { ...row, refunds, disputes }
}

/** Payments with a refund that failed, longest first. */
export const selectFailed = (ctx: Ctx, { limit }: { limit: number }): Promise<FoundPayment[]> =>
  composed(
    ctx.write,
    'selectFailedRefunds',
    FOUND,
    (sql) => sql`
      select ${found(sql)} ${joined(sql)}
      where p.id in (select payment_id from payment_refunds where status = 'failed')
      order by p.created_at, p.id limit ${limit}`,
  )

type Sql = Parameters<Parameters<Runner['run']>[1]>[0]

const found = (sql: Sql) => sql`
  p.id, p.status, p.amount_cents, p.created_at, p.captured_at as paid_at, p.booking_id, b.confirmation_code,
  p.professional_id, o.business_name,
  coalesce(b.package_name, b.service_name, s.name, 'Quote') as title,
  coalesce(b.customer_name, r.customer_name) as customer_name, coalesce(b.customer_email, r.customer_email) as customer_email,
  sums.refunded_cents, sums.refunding_cents, sums.refundable_cents`

const joined = (sql: Sql) => sql`
  from payments p join professionals o on o.id = p.professional_id
  cross join lateral payment_sums(p) sums
  left join bookings b on b.id = p.booking_id
  left join quotes q on q.id = p.quote_id
  left join rfqs r on r.id = q.rfq_id
  left join services s on s.id = r.service_id`
