// The official conformance suite of the protocol, run against an address with a baseline of what is not to pass.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SUITE = join(import.meta.dir, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** The two eras of the protocol, each by the newest revision that the suite has requirements for. */
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

/** Runs all scenarios that `revision` requires of a server. `expected` are those that are to fail. */
export async function runConformance(url: string, revision: Revision, expected: readonly string[]): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-conformance-'))
  const baseline = join(folder, 'expected.yaml')
  await Bun.write(baseline, `server:\n${expected.map((scenario) => `  - ${scenario}\n`).join('')}`)
  const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline, '-o', folder]
  const child = Bun.spawn([process.execPath, SUITE, ...args], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [said, complained] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  rmSync(folder, { recursive: true, force: true })
  const summary = Bun.stripANSI(said.slice(said.indexOf('=== SUMMARY ===')) + complained)
  return { code, summary, passed: [...summary.matchAll(/^✓ ([\w-]+): [1-9]/gm)].map(([, name = '']) => name) }
}

export interface KeyProxy {
  readonly url: string
  stop(): Promise<void>
}

/** A server before another one that puts in the key, which the suite knows nothing of; all else passes as it is. */
export function openKeyProxy(target: string, key: string): KeyProxy {
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${key}`)
      // The proxy's own name stands for the server's; foreign ones are what the suite tries.
      if (headers.get('host')?.endsWith(`:${proxy.port}`)) headers.delete('host')
      if (headers.get('origin')?.endsWith(`:${proxy.port}`)) headers.delete('origin')
      const body = request.method === 'GET' ? null : await request.arrayBuffer()
      return await fetch(target, { method: request.method, headers, body, decompress: false })
    },
  })
  return { url: `http://localhost:${proxy.port}/mcp`, stop: () => proxy.stop(true) }
}
