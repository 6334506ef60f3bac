// The official conformance suite in both protocol eras, against the real endpoints and against the suite's own tools.
import { describe, expect, test } from 'bun:test'

import { handlePost } from '../../src/mcp/server/handle-post.ts'
import { openContext } from '../../src/mcp/server/context.ts'
import { FEATURES } from '../../src/config.ts'
import type { Caller } from '../../src/auth/caller.ts'
import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, agentKey, agentPro } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { conformanceServer } from '../support/conformance-server.ts'
import { REVISIONS, type Revision, openKeyProxy, runConformance } from '../support/conformance.ts'
import { startServer } from '../support/server.ts'
import { opened } from '../support/fixture.ts'

/** Features that the servers do not offer, by reason, with the scenarios that require them. */
const NOT_OFFERED: Record<string, readonly string[]> = {
  'The servers have prompts and resources of their own, not those of the suite, and no subscriptions or completions.': [
    'completion-complete',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'Calls log nothing, report no progress and ask for no sampling or roots; people are asked as test/mcp/elicitation.test.ts shows.':
    [
      'logging-set-level',
      'tools-call-with-logging',
      'tools-call-with-progress',
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-missing-input-response',
      'input-required-result-ignore-extra-params',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
    ],
}

/** A warning of the older revision only: the servers have no sessions. */
const SESSIONS: Record<Revision, readonly string[]> = {
  '2025-11-25': ['server-sse-multiple-streams'],
  '2026-07-28': [],
}

/** Scenarios and checks that call the suite's own tools. */
const NEED_FIXTURES = [
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'json-schema-2020-12',
]

/** Scenarios that must pass on the real endpoints, so that a list of expected failures cannot hide everything. */
const REAL: Record<Revision, readonly string[]> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection', 'http-header-validation'],
}

const LONG_MS = 120_000
const notOffered = (revision: Revision) => [...Object.values(NOT_OFFERED).flat(), ...SESSIONS[revision]]
const app = await opened(openTestApp())
const server = await opened(
  startServer({ ...app, env: Object.fromEntries(FEATURES.map((name) => [name, 'true'])) }),
  'stop',
)
const targets: Record<'customer' | 'public' | 'pro', { path: string; key?: string }> = {
  public: { path: PUBLIC_SERVER },
  customer: { path: CUSTOMER_SERVER, key: await agentKey(app) },
  pro: { path: PRO_SERVER, key: (await agentPro(app)).key },
}

describe.each(REVISIONS)('revision %s', (revision) => {
  test.each(['customer', 'public', 'pro'] as const)(
    'the %s server passes every scenario without fixtures',
    async (name) => {
      const { path, key } = targets[name]
      const proxy = openKeyProxy(server.url + path, key)
      const { code, summary, passed } = await runConformance(proxy.url, revision, [
        ...notOffered(revision),
        ...NEED_FIXTURES,
      ])
      await proxy.stop()
      expect(code === 0 ? '' : summary).toBe('')
      expect(passed).toEqual(expect.arrayContaining([...REAL[revision]]))
    },
    LONG_MS,
  )

  test(
    'the server code with the suite’s tools passes the scenarios that need them',
    async () => {
      const caller: Caller = {
        keyId: crypto.randomUUID(),
        accountId: crypto.randomUUID(),
        mode: 'live',
        ownerKind: 'developer',
        professionalId: null,
        operator: null,
        scopes: new Set(['mcp:read', 'mcp:write']),
        origin: null,
        rateMultiplier: 10_000,
        accountMultiplier: 10_000,
        audience: null,
        customer: null,
      }
      const fixtures = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: async (request) => {
          if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
          // The guard does this for the real endpoints.
          const host = new URL(`http://${request.headers.get('host')}`).hostname
          if (!['localhost', '127.0.0.1'].includes(host)) return new Response(null, { status: 403 })
          return await handlePost(openContext(app.deps, conformanceServer, { request, caller }), await request.json())
        },
      })
      const { code, summary, passed } = await runConformance(
        `http://localhost:${fixtures.port}/mcp`,
        revision,
        notOffered(revision),
      )
      await fixtures.stop(true)
      expect(code === 0 ? '' : summary).toBe('')
      const scenarios = NEED_FIXTURES.map((name) => name.replace(/:.*/, ''))
      const needed = scenarios.filter((name) => revision === '2026-07-28' || name !== 'server-stateless')
      expect(passed).toEqual(expect.arrayContaining(needed))
    },
    LONG_MS,
  )
})
