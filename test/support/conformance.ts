// Runs the official MCP conformance suite against a URL, with a baseline of expected failures.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runWithPerson } from './connecting.ts'

const SUITE = join(import.meta.dir, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** The newest revision of each era of the protocol for which the suite has requirements. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof REVISIONS)[number]

export interface Verdict {
  /** 0 when exactly the scenarios of the baseline fail. */
  code: number
  /** The suite's summary: a line per scenario. */
  summary: string
  /** The scenarios that it ran and that passed. */
  passed: string[]
}

/** Runs all scenarios that `revision` requires of a server. `expected` lists the scenarios that fail. */
export async function runConformance(url: string, revision: Revision, expected: readonly string[]): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-conformance-'))
  const baseline = join(folder, 'expected.yaml')
  await Bun.write(baseline, `server:\n${expected.map((scenario) => `  - ${scenario}\n`).join('')}`)
  const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline, '-o', folder]
  const child = Bun.spawn([process.execPath, SUITE, ...args], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  rmSync(folder, { recursive: true, force: true })
  const summary = Bun.stripANSI(output.slice(output.indexOf('=== SUMMARY ===')) + errors)
  return { code, summary, passed: [...summary.matchAll(/^✓ ([\w-]+): [1-9]/gm)].map(([, name = '']) => name) }
}

interface AuthorizationTarget {
  issuer: string
  /** The resource for which the suite asks. */
  resource: string
  /** Where the suite listens for the answer. */
  port: number
  /** Lets a person agree to the suite's request. */
  agree: (asked: URL) => Promise<void>
}

/** Runs all scenarios for an authorization server, as an app that is registered there. */
export async function runAuthorizationConformance({ issuer, resource, port, agree }: AuthorizationTarget) {
  const metadata = { client_name: 'Conformance suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] }
  const registered = await fetch(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  const args = ['authorization', '--url', issuer, '--client-id', clientId, '--resource', resource, '-p', String(port)]
  const { code, output } = await runWithPerson([process.execPath, SUITE, ...args], { agree })
  return { code, summary: Bun.stripANSI(output.slice(output.indexOf('=== SUMMARY ==='))) }
}

export interface KeyProxy {
  readonly url: string
  stop(): Promise<void>
}

/** A proxy that adds the key, which the suite cannot send. It forwards everything else unchanged. */
export function openKeyProxy(target: string, key: string | undefined): KeyProxy {
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const headers = new Headers(request.headers)
      if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
      // The proxy's own host stands for the server's. Foreign hosts are part of the suite's checks and stay.
      if (headers.get('host')?.endsWith(`:${proxy.port}`)) headers.delete('host')
      if (headers.get('origin')?.endsWith(`:${proxy.port}`)) headers.delete('origin')
      const body = request.method === 'GET' ? null : await request.arrayBuffer()
      return await fetch(target, { method: request.method, headers, body, decompress: false })
    },
  })
  return { url: `http://localhost:${proxy.port}/mcp`, stop: () => proxy.stop(true) }
}
