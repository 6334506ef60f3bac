// Prometheus for tests: its linter, and a server that scrapes the test's processes.
import { mkdirSync, mkdtempSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parser } from '@prometheus-io/lezer-promql'
import type { SyntaxNode } from '@lezer/common'

import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { INSTALL_MS, ensurePrograms } from './apt-programs.ts'
import { ROOT } from './imports.ts'

export const CONFIGURATION = join(ROOT, 'ops/prometheus')

/** The time limit of a hook that needs Prometheus, which may have to install it first. */
export const PROMETHEUS_START_MS = INSTALL_MS

/** Ensures that `prometheus` and `promtool` are installed. On Debian, root installs missing ones. */
export const ensurePrometheus = () => ensurePrograms('prometheus', ['prometheus', 'promtool'])

/** The output of promtool, and whether it succeeded. */
export async function promtool(args: string[], input = ''): Promise<{ ok: boolean; output: string }> {
  const child = Bun.spawn(['promtool', ...args], { stdin: Buffer.from(input), stdout: 'pipe', stderr: 'pipe' })
  const [output, failure, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { ok: code === 0, output: (output + failure).trim() }
}

/** A response of Prometheus' API. */
type ApiAnswer<T> = { status: 'success'; data: T } | { status: 'error'; error: string }

export interface RunningPrometheus {
  /** Sends GET /api/v1/`path`. Throws on an error response. */
  request<T>(path: string, parameters?: Record<string, string>): Promise<T>
  stop(): Promise<void>
}

/**
 * Starts a Prometheus with Hearth's configuration and rules that scrapes `targets` (host:port by job) every second
 * instead of the configured hosts.
 */
export async function startPrometheus(targets: Record<string, string[]>): Promise<RunningPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-prometheus-'))
  cpSync(CONFIGURATION, folder, { recursive: true })
  const configuration = await Bun.file(join(CONFIGURATION, 'prometheus.yml')).text()
  const { scrape_configs: jobs, ...rest } = Bun.YAML.parse(configuration) as {
    global: Record<string, string>
    scrape_configs: { job_name: string }[]
  }
  const scrape = jobs.map(({ job_name: job }) => ({
    job_name: job,
    static_configs: [{ targets: targets[job] ?? [] }],
  }))
  const global = { scrape_interval: '1s', evaluation_interval: '1s' }
  writeFileSync(join(folder, 'prometheus.yml'), Bun.YAML.stringify({ ...rest, global, scrape_configs: scrape }))
  mkdirSync(join(folder, 'data'))
  const port = await findFreePort()
  const child = Bun.spawn(
    [
      'prometheus',
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  const errors = child.stderr.text()
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/-/ready`)
      .then(({ ok }) => ok)
      .catch(() => false)
  if (!(await waitUntil(isReady, 30_000, 100))) {
    child.kill('SIGKILL')
    throw new Error(`Prometheus did not become ready. It printed:\n${await errors}`)
  }
  return {
    request: async <T>(path: string, parameters: Record<string, string> = {}) => {
      const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`)
      const answer = (await response.json()) as ApiAnswer<T>
      if (answer.status === 'error') throw new Error(`${path}: ${answer.error}`)
      return answer.data
    },
    stop: async () => {
      child.kill('SIGTERM')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A metric that an expression reads, with the labels it selects by. */
export interface Selector {
  metric: string
  labels: string[]
}

/** The selectors of a PromQL expression, by Prometheus' own grammar. Throws on invalid PromQL. */
export function selectorsOf(expression: string): Selector[] {
  const text = (node: SyntaxNode) => expression.slice(node.from, node.to)
  const found: Selector[] = []
  parser.parse(expression).iterate({
    enter: ({ type, node }) => {
      if (type.isError) throw new Error(`Not PromQL at ${node.from}: ${expression}`)
      if (type.name !== 'VectorSelector') return
      const name = node.getChild('Identifier')
      const labels: string[] = []
      node.cursor().iterate((inner) => void (inner.name === 'LabelName' && labels.push(text(inner.node))))
      if (name) found.push({ metric: text(name), labels })
    },
  })
  return found
}
