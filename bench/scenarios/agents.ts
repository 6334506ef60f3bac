// tools/call search_pros beside GET /pros: the same searches, pages and caller, in both eras of the protocol.
import type { Bench, Scenario } from '../support/bench.ts'
import { type LoadRequest, keepRequests } from '../support/http-load.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { type Sample, race, rateOf, ratio } from '../support/rounds.ts'
import { searchRequests, searchesOfServices } from '../support/searches.ts'

/** The page that the tool gives unless asked for another. */
const LIMIT = 10
const VERSION = '2026-07-28'

export const agents: Scenario = {
  name: 'agents',
  async run(bench: Bench): Promise<Row[]> {
    const hearth = await bench.hearth()
    const key = await bench.key(['pros:read', 'mcp:read'])
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
      bench.overHttp(name, hearth, keepRequests(file, requests))
    const samples = await race(
      [
        contender('GET /pros', 'agents-rest', rest),
        contender('tools/call', 'agents-plain', calls({})),
        contender('tools/call, stateless era', 'agents-stateless', stateless),
      ],
      bench.options.rounds,
    )
    const { 'GET /pros': read = [], 'tools/call': plain = [], 'tools/call, stateless era': modern = [] } = samples
    const serverOf = ({ cpuUs }: Sample) => cpuUs.server
    return [
      {
        id: 'agents-search',
        title: `tools/call search_pros beside GET /pros, service + 25 miles, ${LIMIT} a page`,
        figures: figuresOfAll(samples),
        aims: [
          { name: '× the rate of GET /pros', value: ratio(plain, read, rateOf), target: 0.6 },
          { name: '× the rate of GET /pros, stateless era', value: ratio(modern, read, rateOf), target: 0.6 },
          { name: '× answers per CPU second of the server', value: ratio(read, plain, serverOf) },
        ],
        remark: 'The tool gives the page twice, as text and as data, as the protocol wants it.',
      },
    ]
  },
}

/** The query of a path as the tool takes it. */
function argumentsOf(path: string): Record<string, string | number> {
  const query = new URLSearchParams(path.slice(path.indexOf('?')))
  return Object.fromEntries(
    Array.from(query, ([name, value]) => [
      name,
      ['lat', 'lng', 'radius', 'limit'].includes(name) ? Number(value) : value,
    ]),
  )
}
