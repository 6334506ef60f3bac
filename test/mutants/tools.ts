// Mutants of what agents' tools find, say and mark, and of what the API's description offers.
import type { Mutant } from './mutant.ts'

const MARKS = 'test/mcp/written-by-others.test.ts'
const EXAMPLES = 'test/http/examples.test.ts'
const TEST_SEARCH = 'test/features/upkeep/test-mode/test-search.test.ts'
const FREE = 'test/mcp/without-payments.test.ts'

export const TOOLS: readonly Mutant[] = [
  {
    guarantee: 'The words of a review are marked as data in the result of a tool.',
    file: 'src/mcp/customer/get-reviews.ts',
    from: "  quotes: 'reviews',\n",
    to: '',
    killedBy: MARKS,
  },
  {
    guarantee: 'A page without results does not speak of what others wrote.',
    file: 'src/mcp/server/call-tool.ts',
    from: 'hasText(result) ? warningOf(tool) : undefined',
    to: 'hasText(result) || true ? warningOf(tool) : undefined',
    killedBy: MARKS,
    tests: 'without results',
  },
  {
    guarantee: 'A test key finds test pros in the hours that were asked for.',
    file: 'src/features/search/pros/verbs/narrowed-test-pros.ts',
    from: 'start >= opensFrom && start < opensUntil',
    to: 'start >= opensFrom',
    killedBy: TEST_SEARCH,
  },
  {
    guarantee: 'A test key sorts by price.',
    file: 'src/features/search/pros/verbs/narrowed-test-pros.ts',
    from: "order === 'price'",
    to: "order === 'usual'",
    killedBy: TEST_SEARCH,
  },
  {
    guarantee: 'A rate limit of a tool is a result that the model reads.',
    file: 'src/mcp/server/handle-post.ts',
    from: "if (tool && error instanceof AppError && error.code === 'rate_limited') return error\n",
    to: '',
    killedBy: 'test/mcp/limits.test.ts',
  },
  {
    guarantee: 'Pages of other sites cannot call the public server.',
    file: 'src/http/cors.ts',
    from: 'if (origin !== null && origin !== ownOrigin)\n    throw',
    to: 'if (origin !== null && origin === ownOrigin)\n    throw',
    killedBy: 'test/mcp/public.test.ts',
  },
  {
    guarantee: 'Where agents take no payments, a held booking does not ask for one.',
    file: 'src/mcp/customer/get-booking.ts',
    from: 'const payment = ctx.config.sellsNothing\n',
    to: 'const payment = ctx.config.agentPayments && ctx.config.sellsNothing\n',
    killedBy: FREE,
  },
  {
    guarantee: 'In production no example names a pro.',
    file: 'src/features/search/pros/verbs/example-facts.ts',
    from: "ctx.config.environment === 'production'",
    to: "ctx.config.environment === ('test' as string)",
    killedBy: EXAMPLES,
    tests: 'in production',
  },
  {
    guarantee: 'The times of the examples are those of today.',
    file: 'src/http/openapi/current-document.ts',
    from: 'if (current && now.getTime() < renewAt) return',
    to: 'if (current) return',
    killedBy: EXAMPLES,
    tests: 'the same for an hour',
  },
  {
    guarantee: 'The document leaves out the fields of a feature that is off.',
    file: 'src/http/flagged-fields.ts',
    from: 'features.has(feature) ? [] : [name]',
    to: 'features.has(feature) ? [] : []',
    killedBy: 'test/http/flagged-fields.test.ts',
  },
]
