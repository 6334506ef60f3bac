// Usage of earlier days, for the chart of a developer’s usage.
import type { Deps } from '../../src/deps.ts'

/** Inserts usage of four weeks of the key for shop.example. */
export async function pretendUsage({ write }: Deps): Promise<void> {
  await write.run(
    'pretendUsage',
    (sql) => sql`
      insert into key_usage (key_id, day, requests, refused, limited)
      select k.id, date '2026-06-01' - n, 40 + (n * 37) % 90, n % 7, n % 3 from generate_series(1, 28) n,
        (select id from api_keys where origin = 'https://shop.example') k`,
  )
}
