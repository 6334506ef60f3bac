// The tables that the seed fills per pro, parents before children.

/** The columns of each table, in the order of its rows. */
const columnNames = {
  accounts: 'id kind email name created_at',
  professionals: `
    id account_id slug business_name description verified background_check insurance credentials plan website
    phone city_id latitude longitude time_zone service_radius_miles years_of_experience accepts_emergency
    review_count rating_sum instant_booking_enabled requires_approval deposit_required
    deposit_percentage lead_time_hours buffer_minutes
    default_slot_minutes business_hours created_at updated_at`,
  professional_services: `
    professional_id service_id description price_type unit base_price_cents min_price_cents max_price_cents
    duration_minutes instant_book_enabled`,
  packages: `
    id professional_id service_id sku kind name price_cents includes cadence duration_minutes bedrooms bathrooms
    created_at updated_at`,
  availability_blocks: 'id professional_id starts_at ends_at reason created_at',
  bookings: `
    id professional_id service_id confirmation_code status starts_at duration_minutes buffer_minutes ends_at
    holds customer_name customer_email description source created_at confirmed_at cancelled_at completed_at
    cancellation_reason cancelled_by approved_at service_name price_type price_unit base_price_cents min_price_cents
    max_price_cents`,
  rfqs: `
    id professional_id service_id status description budget timeline customer_name customer_email source
    created_at`,
  quotes: `
    id rfq_id professional_id status amount_cents units created_at sent_at valid_until viewed_at accepted_at
    declined_at expired_at`,
  jobs: `
    id professional_id service_id quote_id status amount_cents units created_at started_at completed_at
    cancelled_at`,
  reviews: `
    id professional_id booking_id job_id status rating title content punctuality communication quality value
    customer_name customer_email verified created_at approved_at response responded_at`,
}

export type Table = keyof typeof columnNames
export const tables = Object.keys(columnNames) as Table[]
export const columns = Object.fromEntries(
  tables.map((table) => [table, columnNames[table].trim().split(/\s+/)]),
) as unknown as Record<Table, string[]>

type Value = string | number | boolean | null

/** Rows of one batch as COPY text (PostgreSQL manual, COPY, "Text Format"). */
export class Rows {
  private readonly text = new Map<Table, string>()
  private readonly counts = new Map<Table, number>()

  /** Adds a row with one value per column, in column order. */
  add(table: Table, values: readonly Value[]): void {
    if (values.length !== columns[table].length) throw new RangeError(`${table}: ${values.length} values`)
    this.text.set(table, `${this.text.get(table) ?? ''}${values.map(field).join('\t')}\n`)
    this.counts.set(table, this.count(table) + 1)
  }

  count(table: Table): number {
    return this.counts.get(table) ?? 0
  }

  /** Removes and returns the rows of a table as text. */
  take(table: Table): string {
    const text = this.text.get(table) ?? ''
    this.text.delete(table)
    this.counts.delete(table)
    return text
  }
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const special = /[\\\t\n\r]/

const field = (value: Value): string => {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return special.test(value)
    ? value.replaceAll(new RegExp(special, 'g'), (character) => escapes[character] ?? '')
    : value
}
