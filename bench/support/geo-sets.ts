// Redis geospatial sets for the GEOSEARCH peer: one per service and one of all pros.
import type { Redis } from 'ioredis'

import type { Sql } from '../../src/platform/postgres/database.ts'

const BATCH = 20_000
const FILLED_KEY = 'bench:geo:filled'

/** Fills the sets from the database unless they already hold its pros. */
export async function fillGeoSets(redis: Redis, sql: Sql, log: (line: string) => void): Promise<void> {
  const [{ name, pros } = { name: '', pros: 0 }] = await sql<{ name: string; pros: number }[]>`
    select current_database() as name, count(*)::integer as pros from professionals where active`
  const filled = `${name} ${pros}`
  if ((await redis.get(FILLED_KEY)) === filled) return
  log('filling the sets for GEOSEARCH')
  for await (const key of redis.scanStream({ match: 'bench:geo:*' }))
    if ((key as string[]).length > 0) await redis.unlink(...(key as string[]))
  const rows = sql<{ key: string; id: string; lat: number; lng: number }[]>`
    select 'bench:geo:every' as key, id, latitude as lat, longitude as lng from professionals where active
    union all
    select 'bench:geo:' || s.slug, p.id, p.latitude, p.longitude
    from professional_services ps join professionals p on p.id = ps.professional_id and p.active
    join services s on s.id = ps.service_id and s.active`
  for await (const batch of rows.cursor(BATCH)) {
    const sets = new Map<string, (string | number)[]>()
    for (const { key, id, lat, lng } of batch) {
      const members = sets.get(key) ?? []
      members.push(lng, lat, id)
      sets.set(key, members)
    }
    const pipeline = redis.pipeline()
    for (const [key, members] of sets) pipeline.call('GEOADD', key, ...members)
    await pipeline.exec()
  }
  await redis.set(FILLED_KEY, filled)
}
