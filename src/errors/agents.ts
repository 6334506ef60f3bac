// What only the agent servers answer.
import type { ErrorKind } from './kind.ts'

export const AGENT_ERRORS = {
  invalid_message: {
    status: 400,
    title: 'This is no JSON-RPC request',
    rpc: -32600,
    meaning:
      'The body is JSON, but not a JSON-RPC 2.0 request, notification or response, or it is a batch of none or of more than 20.',
    remedy:
      'Send `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` or the like: `id` is text or a number, `method` text, `params` an object.',
    example: { detail: 'A batch may have up to 20 messages; this one has 1000.' },
  },
  unknown_method: {
    status: 404,
    title: 'There is no such method',
    rpc: -32601,
    meaning: 'The agent servers do not have this JSON-RPC method.',
    remedy:
      'Use `tools/list` and `tools/call`; before them `initialize` or `server/discover`, if your client wants one.',
    example: { detail: 'There is nothing to subscribe to: the tools of a key change with the key alone.' },
  },
  unknown_tool: {
    status: 404,
    title: 'There is no such tool',
    rpc: -32602,
    meaning: 'The agent server has no tool of this name, or the flag that it is behind is off.',
    remedy: 'Call `tools/list` and use a name from there, letter by letter.',
    example: { detail: 'There is no tool "search_plumbers". See tools/list.' },
  },
  feature_disabled: {
    status: 404,
    title: 'This is switched off',
    rpc: -32004,
    meaning: 'The server that answered was started without the feature.',
    remedy: 'Whoever runs it can switch it on: the environment variable is in `feature`.',
    example: { detail: 'The pro agent server is switched off here.', feature: 'FEATURE_PRO_MCP' },
  },
  plan_required: {
    status: 403,
    title: 'A plan is needed',
    rpc: -32003,
    meaning: 'The pro agent server is for pros with an active Verified or Business plan, and this pro has neither.',
    remedy: 'Subscribe to one of the plans in `requiredPlans`; the same key works from then on.',
    example: {
      detail: 'The pro agent server needs an active Verified or Business plan.',
      requiredPlans: ['verified', 'business'],
    },
  },
  payment_refused: {
    status: 402,
    title: 'The credential does not pay',
    rpc: -32043,
    meaning:
      'A call came with a payment credential that cannot be read, is not for what this call leaves to be paid, was changed or declined, or has no `idempotencyKey` beside it. Nothing was taken.',
    remedy:
      'Pay a challenge of `challenges` and send the same call, with the same `idempotencyKey`, and the new credential; or let a person pay on `payUrl`.',
    example: { detail: 'The payment was declined.', httpStatus: 402, challenges: [] },
  },
} as const satisfies Record<string, ErrorKind>
