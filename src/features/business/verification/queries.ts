// SQL of the verification of pros.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { CheckedPro, Marks, VerificationRequest, VerificationState } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { boolean, composed, json, nullable } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'

export interface ProFilter {
  id?: string
  q: string
  verified: boolean | null
  /** Only those whose request waits. */
  asked: boolean
  /** Only those who are paused. */
  paused: boolean
  /** Only those who closed the account, or only others; null: both. */
  closed: boolean | null
  limit: number
  offset: number
}

/**
 * Pros, also those who are paused: first those whose request waits, oldest first, then those with the most reviews, and the number of all that
 * match. Only the pros of the page are read whole.
 */
export async function selectProsToCheck(ctx: Ctx, filter: ProFilter): Promise<(CheckedPro & { total: number })[]> {
  const { id = null, q, verified, asked, paused, closed, limit, offset } = filter
  return await ctx.write.run(
    'selectProsToCheck',
    (sql) => sql`
      with page as (
        select p.id, v.asked_at, count(*) over ()::integer as total
        from professionals p left join verification_requests v on v.professional_id = p.id and v.refused_at is null
        where p.test_account_id is null and (${id}::uuid is null or p.id = ${id})
          and (${verified}::boolean is null or p.verified = ${verified})
          and (not ${asked}::boolean or v.asked_at is not null)
          and (not ${paused}::boolean or p.status = 'paused')
          and (${closed}::boolean is null or (p.status = 'closed') = ${closed})
          and (${q} = '' or p.id::text = lower(${q}) or strpos(p.slug, lower(${q})) > 0
            or strpos(lower(p.business_name), lower(${q})) > 0
            or p.account_id = (select a.id from accounts a where a.email = lower(${q})))
        order by v.asked_at, p.review_count desc, p.id limit ${limit} offset ${offset}
      )
      select p.id, p.slug, p.business_name, a.email, c.name as city, c.state, p.phone, p.website, p.review_count,
        p.created_at, p.status, p.paused_by_operator, p.verified, p.background_check, p.insurance, p.credentials, page.total,
        e.legal_name, e.license_number, e.license_state, e.insurance_carrier,
        case when page.asked_at is not null then ${requestObject(sql)} end as request
      from page join professionals p on p.id = page.id
      join accounts a on a.id = p.account_id join cities c on c.id = p.city_id
      left join pro_business_entities e on e.professional_id = p.id
      left join verification_requests v on v.professional_id = p.id
      order by page.asked_at, p.review_count desc, p.id`,
  )
}

/** A trigger updates what search shows of the pro. */
export async function saveMarks(
  ctx: TxCtx,
  { id, marks, now }: { id: string; marks: Marks; now: Date },
): Promise<void> {
  await statements.saveMarks(ctx, {
    verified: marks.verified,
    backgroundCheck: marks.backgroundCheck,
    insurance: marks.insurance,
    credentials: marks.credentials,
    now,
    id,
  })
}

type Sql = Parameters<Parameters<Runner['run']>[1]>[0]

const requestObject = (sql: Sql) => sql`
  json_build_object('licenseNumber', v.license_number, 'licenseState', v.license_state, 'note', v.note,
    'askedAt', iso_instant(v.asked_at), 'refusal', v.refusal, 'withdrawn', v.withdrawn)`

export async function findVerification(
  ctx: Ctx,
  { professionalId }: { professionalId: string },
): Promise<VerificationState | undefined> {
  const [row] = await composed<VerificationState>(
    ctx.write,
    'findVerification',
    {
      verified: boolean,
      backgroundCheck: boolean,
      insurance: boolean,
      credentials: boolean,
      request: nullable(json<VerificationRequest>()),
    },
    (sql) => sql`
      select p.verified, p.background_check, p.insurance, p.credentials,
        case when v.asked_at is not null then ${requestObject(sql)} end as request
      from professionals p left join verification_requests v on v.professional_id = p.id
      where p.id = ${professionalId} and p.test_account_id is null`,
  )
  return row
}

/** Returns whether a request waited. */
export async function refuseRequest(
  ctx: TxCtx,
  { professionalId, reason, now }: { professionalId: string; reason: string; now: Date },
): Promise<boolean> {
  const rows = await statements.refuseRequest(ctx, { reason, now, professionalId })
  return rows.length > 0
}

export async function countRequests(ctx: Ctx): Promise<number> {
  const row = await statements.countRequests(ctx)
  return row?.count ?? 0
}
