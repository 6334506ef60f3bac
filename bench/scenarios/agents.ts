// tools/call search_pros compared with GET /pros: same searches, page size and caller, in both versions of MCP.
import type { Bench, Scenario } from '../support/bench.ts'
import { type LoadRequest, writeRequests } from '../support/http-load.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { type Sample, measureInTurns, rateOf, ratio } from '../support/rounds.ts'
import { searchRequests, searchesOfServices } from '../support/searches.ts'
import { estimate } from '../support/statistics.ts'

/** The tool's default page size. */
const LIMIT = 10
const VERSION = '2026-07-28'

export const agents: Scenario = {
  name: 'agents',
  async run(bench: Bench): Promise<Row[]> {
    const hearth = await bench.hearth()
    const key = await bench.createKey(['pros:read', 'mcp:read'])
    const authorization = `Bearer ${key}`
    const paths = searchRequests(await searchesOfServices(bench.data.sql)).map(({ path }) => `${path}&limit=${LIMIT}`)
    const rest: LoadRequest[] = paths.map((path) => ({ path, headers: { authorization } }))
    const calls = (headers: Record<string, string>, meta?: object): LoadRequest[] =>
      paths.map((path, id) => ({
        path: '/api/mcp/customer',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'search_pros', arguments: argumentsOf(path), ...(meta ? { _meta: meta } : {}) },
        }),
      }))
    const stateless = calls(
      { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'search_pros' },
      {
        'io.modelcontextprotocol/protocolVersion': VERSION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    )
    const contender = (name: string, file: string, requests: LoadRequest[]) =>
      bench.overHttp(name, hearth, writeRequests(file, requests))
    const samples = await measureInTurns(
      [
        contender('GET /pros', 'agents-rest', rest),
        contender('tools/call', 'agents-plain', calls({})),
        contender('tools/call, stateless', 'agents-stateless', stateless),
      ],
      bench.options.rounds,
    )
    const { 'GET /pros': read = [], 'tools/call': plain = [], 'tools/call, stateless': modern = [] } = samples
    const serverOf = ({ cpuUs }: Sample) => cpuUs.server
    return [
      {
        id: 'agents-search',
        title: `tools/call search_pros vs. GET /pros, a service within 25 miles, pages of ${LIMIT}`,
        metrics: metricsOfAll(samples),
        aims: [
          { name: '× the rate of GET /pros', value: ratio(plain, read, rateOf), target: 0.6 },
          { name: 'calls per second', value: estimate(plain.map(rateOf)), unit: '/s', isListed: true },
          { name: '× the rate of GET /pros, stateless MCP', value: ratio(modern, read, rateOf), target: 0.6 },
          { name: 'calls per second, stateless MCP', value: estimate(modern.map(rateOf)), unit: '/s', isListed: true },
          { name: '× responses per CPU second of the server', value: ratio(read, plain, serverOf) },
        ],
        remark: 'The tool returns the page twice, as text and as structured content, as MCP requires.',
      },
    ]
  },
}

/** Converts the query of a path into the tool's arguments. */
function argumentsOf(path: string): Record<string, string | number> {
  const query = new URLSearchParams(path.slice(path.indexOf('?')))
  return Object.fromEntries(
    Array.from(query, ([name, value]) => [
      name,
      ['lat', 'lng', 'radius', 'limit'].includes(name) ? Number(value) : value,
    ]),
  )
}
