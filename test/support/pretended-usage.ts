// Usage of earlier days, for the chart of a developer’s usage.
import type { Deps } from '../../src/deps.ts'

/** Inserts usage of four weeks of the key for shop.example, and some failed requests. */
export async function pretendUsage({ write }: Deps): Promise<void> {
  await write.run(
    'pretendUsage',
    (sql) => sql`
      insert into key_usage (key_id, day, requests, refused, limited)
      select k.id, date '2026-06-01' - n, 40 + (n * 37) % 90, n % 7, n % 3 from generate_series(1, 28) n,
        (select id from api_keys where origin = 'https://shop.example') k`,
  )
  await write.run(
    'pretendFailures',
    (sql) => sql`
      insert into failed_requests (key_id, failed_at, method, path, status, code, detail, errors, request_id)
      select k.id, timestamptz '2026-06-01 11:00Z' - n * interval '7 hours', 'POST', '/api/v1/bookings', 400, 'validation_failed',
        'body.date is required', '[{"path":"body.date","message":"is required"}]', repeat('7', 32)
      from generate_series(1, 12) n, (select id from api_keys where origin = 'https://shop.example') k`,
  )
}
