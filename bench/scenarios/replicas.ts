// GET /pros by two servers with two replicas, compared with the primary alone: the work that leaves the primary, and its price.
// All nodes share the cores of one machine, so the rate says little; CPU time per response does.
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { type Replicated, openReplicated } from '../support/replicas.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { type Contender, type Sample, cpuOf, measureInTurns, ratio } from '../support/rounds.ts'
import { searchRequests, searchesOfServices } from '../support/searches.ts'

const NODES = { full: 2, quick: 2, smoke: 1 }
/** The cost of a search hardly depends on it (`growth`), and each replica is a copy. */
const PROS = { full: 20_000, quick: 20_000, smoke: 500 }

/** CPU time per response in µs, of the primary alone. */
type ReplicatedSample = Sample & { primaryUs: number }

export const replicas: Scenario = {
  name: 'replicas',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const store = await openReplicated(bench.amount(NODES), bench.amount(PROS), (line) => bench.log(line))
    try {
      return await compare(bench, store)
    } finally {
      await store.stop()
    }
  },
}

async function compare(bench: Bench, store: Replicated): Promise<Row[]> {
  const { data, replicaUrls } = store
  const nodes = replicaUrls.length
  const requests = writeRequests('replicas', fromManyAddresses(searchRequests(await searchesOfServices(data.sql))))
  const alone = await bench.hearth({ name: 'primary alone', data, processes: nodes })
  const shared = await bench.hearth({
    name: 'replicas',
    data,
    processes: nodes,
    env: { DATABASE_READ_URL: replicaUrls.join(',') },
  })
  const contender = (name: string, server: typeof alone) =>
    withNodes(bench.overHttp(name, server, requests, { connections: 64 }), store)
  const samples = await measureInTurns(
    [contender('replicas', shared), contender('primary alone', alone)],
    bench.options.rounds,
  )
  const { replicas: ours = [], 'primary alone': theirs = [] } = samples
  const primaryOf = (sample: Sample) => (sample as ReplicatedSample).primaryUs
  return [
    {
      id: 'replicas',
      title: `GET /pros, a service within 25 miles, ${nodes} servers with ${nodes} replicas vs. the primary alone`,
      metrics: metricsOfAll(samples),
      aims: [
        { name: '× CPU of all processes', value: ratio(ours, theirs, cpuOf), lessIsBetter: true, isListed: true },
        { name: '× CPU of the primary', value: ratio(ours, theirs, primaryOf), lessIsBetter: true, isListed: true },
      ],
      remark: 'All nodes, servers and clients share the cores.',
    },
  ]
}

/** Counts the CPU time of all nodes instead of the PostgreSQL of the other scenarios, which is idle. */
const withNodes = (contender: Contender, store: Replicated): Contender => ({
  name: contender.name,
  measure: async (seconds): Promise<ReplicatedSample> => {
    const before = [store.primaryMs(), store.replicasMs()] as const
    const sample = await contender.measure(seconds)
    const responses = sample.perSecond * seconds
    const [primaryUs, replicasUs] = [store.primaryMs() - before[0], store.replicasMs() - before[1]].map(
      (ms) => (ms * 1000) / responses,
    ) as [number, number]
    return { ...sample, primaryUs, cpuUs: { ...sample.cpuUs, postgres: primaryUs + replicasUs } }
  },
})
