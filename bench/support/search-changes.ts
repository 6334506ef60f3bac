// Changes of pros that search shows, which end as they began: every pro moves away and back, and gains a rating and loses it.
import type { Sql } from '../../src/platform/postgres/database.ts'

export type Change = 'move' | 'rating'

/** Pros that change in turn. */
const PROS = 10_000
/** How far a pro moves, in degrees: about two miles, mostly into another cell of the counters. */
const STEP = 0.03

/** Remembers random active pros as they are, in the table bench_changed. Returns their ids. */
export async function rememberPros(sql: Sql): Promise<string[]> {
  await sql`drop table if exists bench_changed`
  await sql`
    create table bench_changed as
    select id, latitude, longitude, review_count, rating_sum from professionals where active
    order by md5(id::text) limit ${PROS}`
  await sql`create unique index on bench_changed (id)`
  await sql`analyze bench_changed`
  return (await sql<{ id: string }[]>`select id from bench_changed order by id`).map(({ id }) => id)
}

/** Makes the `n`th change: those of even rounds through the pros change them, those of odd rounds undo it. */
export function change(sql: Sql, kind: Change, ids: readonly string[], n: number) {
  const id = ids[n % ids.length] ?? ''
  const step = Math.floor(n / ids.length) % 2 === 0 ? 1 : 0
  return kind === 'move'
    ? sql`
        update professionals p set latitude = c.latitude + ${STEP * step}::double precision
        from bench_changed c where c.id = ${id} and p.id = c.id`
    : sql`
        update professionals p set review_count = c.review_count + ${step}::integer, rating_sum = c.rating_sum + ${4 * step}::integer
        from bench_changed c where c.id = ${id} and p.id = c.id`
}

/** Restores all remembered pros. */
export async function restorePros(sql: Sql): Promise<void> {
  await sql`
    update professionals p set latitude = c.latitude, longitude = c.longitude, review_count = c.review_count,
      rating_sum = c.rating_sum
    from bench_changed c
    where p.id = c.id and (p.latitude, p.longitude, p.review_count, p.rating_sum)
      is distinct from (c.latitude, c.longitude, c.review_count, c.rating_sum)`
  await sql`drop table bench_changed`
}

export interface Size {
  name: string
  mb: number
  deadRows: number
  vacuums: number
}

/** The search tables and their indexes, with what autovacuum has done. */
export const searchSizes = (sql: Sql): Promise<Size[]> => sql<Size[]>`
  select c.relname as name, pg_relation_size(c.oid) / 1048576.0::double precision as mb,
    coalesce(s.n_dead_tup, 0)::integer as dead_rows, coalesce(s.autovacuum_count, 0)::integer as vacuums
  from pg_class c left join pg_stat_user_tables s on s.relname = c.relname and s.schemaname = 'public'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i') and c.relname like 'pro\\_search%'
  order by c.relname`
