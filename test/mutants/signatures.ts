// Mutants of signatures of webhooks.
import type { Mutant } from './mutant.ts'

export const SIGNATURES: readonly Mutant[] = [
  {
    guarantee: 'A signature covers the time of the attempt.',
    file: 'src/webhooks/delivery/signature.ts',
    from: '.update(`${seconds}.`).update(body)',
    to: '.update(body)',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
  {
    guarantee: 'A signature is valid for 300 seconds.',
    file: 'src/webhooks/delivery/signature.ts',
    from: 'TOLERANCE_SECONDS = 300',
    to: 'TOLERANCE_SECONDS = 600',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
  {
    guarantee: 'A signature from the future is refused.',
    file: 'src/webhooks/delivery/signature.ts',
    from: 'Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS',
    to: 'now.getTime() / 1000 - seconds > TOLERANCE_SECONDS',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
  {
    guarantee: 'A signature is compared whole.',
    file: 'src/webhooks/delivery/signature.ts',
    from: 'timingSafeEqual(signature, expected)',
    to: 'signature.subarray(0, 31).equals(expected.subarray(0, 31))',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
  {
    guarantee: 'A digest has exactly 64 hexadecimal digits.',
    file: 'src/webhooks/delivery/signature.ts',
    from: '/^v1=([0-9a-f]{64})$/',
    to: '/v1=([0-9a-f]{64})/',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
  {
    guarantee: 'The time of a signature is a whole part of its header.',
    file: 'src/webhooks/delivery/signature.ts',
    from: '/^t=(\\d+)$/',
    to: '/t=(\\d+)/',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
  {
    guarantee: 'A previous secret verifies for a day only.',
    file: 'src/webhooks/endpoints/verbs/deliveries.ts',
    from: "Date.parse(endpoint.previousSecretUntil ?? '') > now.getTime()",
    to: 'endpoint.previousSecretUntil !== null',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
  {
    guarantee: 'A signature is verified with the secrets of the caller’s account.',
    file: 'src/webhooks/endpoints/queries/endpoints.sql',
    from: 'from webhook_endpoints where account_id = :account_id\norder by',
    to: 'from webhook_endpoints where :account_id::uuid is not null\norder by',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
  {
    guarantee: 'A previous secret signs for a day only.',
    file: 'sql/functions/claim_deliveries.sql',
    from: 'case when e.previous_secret_until > as_of then',
    to: 'case when e.previous_secret_until is not null then',
    killedBy: 'test/webhooks/delivery/signature.test.ts',
  },
]
