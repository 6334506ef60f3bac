// Mutants of what keeps test mode and real pros apart.
import type { Mutant } from './mutant.ts'

const TEST = 'test/features/test-mode/test-mode.test.ts'

export const TEST_MODE: readonly Mutant[] = [
  {
    guarantee: 'A test key sees the test pros of its own account only.',
    file: 'sql/functions/test_mode.sql',
    from: '$2 is not distinct from $3',
    to: '$2 is not null',
    killedBy: TEST,
  },
  {
    guarantee: 'A test key neither sees nor books a real pro.',
    file: 'sql/functions/test_mode.sql',
    from: 'case when $3 is null then $1 else',
    to: 'case when $1 or $3 is null then $1 else',
    killedBy: TEST,
  },
  {
    guarantee: 'A search with a test key finds test pros only.',
    file: 'src/features/pros/queries/search.ts',
    from: 'if (testAccountId)',
    to: 'if (testAccountId && !query)',
    killedBy: TEST,
  },
  {
    guarantee: 'No e-mail about a test pro leaves.',
    file: 'src/features/messages/verbs/send-messages.ts',
    from: 'if (!this.#smtp || message.isTest)',
    to: 'if (!this.#smtp)',
    killedBy: TEST,
  },
  {
    guarantee: 'Events of test mode say so to their receivers.',
    file: 'sql/functions/plan_deliveries.sql',
    from: 'case when b.is_test then left',
    to: 'case when false then left',
    killedBy: TEST,
  },
  {
    guarantee: 'Shared caches keep no response to a test key.',
    file: 'src/http/guard.ts',
    from: "if (caller.mode === 'test') requestContext.caching",
    to: 'if (caller.mode === undefined) requestContext.caching',
    killedBy: TEST,
  },
  {
    guarantee: 'Wallets of the sandbox pay for no booking of a live key where a real provider is configured.',
    file: 'src/mcp/server/sdk-server.ts',
    from: "newPaymentProvider(config) === 'sandbox' || mode === 'test'",
    to: "newPaymentProvider(config) === 'sandbox' || mode !== undefined",
    killedBy: 'test/features/test-mode/test-mode.test.ts',
  },
  {
    guarantee: 'Reviews of real pros wait for a moderator.',
    file: 'src/features/reviews/verbs/reviews.ts',
    from: 'isTest ? await publish(deps, tx, submitted.id) : submitted',
    to: 'isTest !== undefined ? await publish(deps, tx, submitted.id) : submitted',
    killedBy: 'test/features/test-mode/test-mode.test.ts',
  },
  {
    guarantee: 'Work of test pros enters no statistics of prices.',
    file: 'sql/functions/refresh_pricing.sql',
    from: '    where (p.active or v.source <> 1) and p.test_account_id is null\n',
    to: '    where (p.active or v.source <> 1)\n',
    killedBy: 'test/features/test-mode/test-mode.test.ts',
  },
  {
    guarantee: 'Work of test pros enters no statistics of prices in the daily pass.',
    file: 'sql/functions/refresh_pricing.sql',
    from: '      and p.test_account_id is null\n    union all',
    to: '    union all',
    killedBy: 'test/features/test-mode/test-mode.test.ts',
  },
  {
    guarantee: 'Messages about test pros do not use up the hourly number of real ones.',
    file: 'sql/functions/claim_messages.sql',
    from: ' and not is_test_pro(s.professional_id)',
    to: '',
    killedBy: 'test/features/messages/messages-digest.test.ts',
  },
  {
    guarantee: 'Messages about test pros are not held back by an hourly number.',
    file: 'sql/functions/claim_messages.sql',
    from: ' and not is_test_pro(d.professional_id) and exists',
    to: ' and exists',
    killedBy: 'test/features/messages/messages-digest.test.ts',
  },
  {
    guarantee: 'Deleting test data deletes the customers that test pros blocked.',
    file: 'sql/functions/delete_test_data.sql',
    from: '  delete from customer_blocks b where b.professional_id = any (pros);\n',
    to: '',
    killedBy: 'test/features/test-mode/test-data.test.ts',
  },
  {
    guarantee: 'Deleting test data deletes the outcomes of requests.',
    file: 'sql/functions/delete_test_data.sql',
    from: '  delete from idempotency_records r where r.account_id = any (owners);\n',
    to: '',
    killedBy: 'test/features/test-mode/test-data.test.ts',
  },
  {
    guarantee: 'A test key votes on no review of a real pro.',
    file: 'src/features/reviews/queries/reviews.ts',
    from: ' and is_test_pro(r.professional_id) = (\n        select a.test_of is not null from accounts a where a.id = ${vote.accountId})',
    to: ' and is_test_pro(r.professional_id) is not null and ${vote.accountId}::uuid is not null',
    killedBy: 'test/features/test-mode/test-mode.test.ts',
  },
]
