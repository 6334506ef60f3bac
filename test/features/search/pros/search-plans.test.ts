// Each kind of search uses its own index, with statements prepared like in the server.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  type NarrowedSearch,
  narrowedParameters,
} from '../../../../src/features/search/pros/queries/narrowed-search.ts'
import { statementFile } from '../../../../src/platform/postgres/statement-files.ts'
import { type SearchQuery, toStatement } from '../../../../src/features/search/pros/queries/search.ts'
import { cloneDatabase, testSql } from '../../../support/database.ts'
import { ROOT, filesUnder } from '../../../support/imports.ts'
import { type ExecutedNode, executedNodes, runnerOn } from '../../../support/plans/executed-plan.ts'
import type { PlanNode } from '../../../support/plans/read-plans.ts'
import { CITIES, insertMarketplace } from '../../../support/search.ts'
import { opened } from '../../../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url, 1), 'end')
await insertMarketplace(sql, 6000)
// As the server's connections for statement files.
await sql`set enable_seqscan = off`

const crowded = CITIES.find(({ name }) => name === 'New York')
const sparse = CITIES.find(({ name }) => name === 'Equator')
const near = (city: { lat: number; lng: number } | undefined) => ({ lat: city?.lat ?? 0, lng: city?.lng ?? 0 })

const families: { name: string; filters: Partial<SearchQuery>; reads: string[] }[] = [
  {
    name: 'around a point, few',
    filters: { point: near(sparse), verified: false, instantBook: true },
    reads: ['pro_search_entry_position', 'pro_search_slot'],
  },
  {
    name: 'around a point, many',
    filters: { point: near(crowded), facet: 0 },
    reads: ['pro_search_cell_rows', 'pro_search_entry_place', 'pro_search_entry_position', 'pro_search_slot'],
  },
  {
    name: 'around a point, many, filtered',
    filters: { point: near(crowded), facet: 0, verified: true, instantBook: false },
    reads: ['pro_search_cell_rows', 'pro_search_entry_place', 'pro_search_entry_position', 'pro_search_slot'],
  },
  {
    name: 'around a point, many who come there',
    filters: { point: near(crowded), facet: 0, onlyInServiceArea: true },
    reads: ['pro_search_entry_place', 'pro_search_entry_position', 'pro_search_slot'],
  },
  {
    name: 'around a point in a city',
    filters: { point: near(crowded), cityIds: [1] },
    reads: ['pro_search_entry_position', 'pro_search_slot'],
  },
  {
    name: 'around a point in two trades',
    filters: { point: near(crowded), secondFacet: 2 },
    reads: ['pro_search_entry_position', 'pro_search_slot'],
  },
  {
    name: 'in cities',
    filters: { cityIds: [4, 5] },
    reads: ['pro_search_area_rows', 'pro_search_entry_city', 'pro_search_pkey'],
  },
  {
    name: 'in cities, whose center they come to',
    filters: { cityIds: [4, 5], onlyInServiceArea: true },
    reads: ['pro_search_entry_city', 'pro_search_pkey'],
  },
  {
    name: 'in a state',
    filters: { state: 2 },
    reads: ['pro_search_area_rows', 'pro_search_entry_state', 'pro_search_pkey'],
  },
  {
    name: 'everywhere',
    filters: {},
    reads: ['pro_search_area_rows', 'pro_search_entry_everywhere', 'pro_search_pkey'],
  },
  {
    name: 'everywhere, filtered',
    filters: { verified: false },
    reads: ['pro_search_area_rows', 'pro_search_entry_everywhere', 'pro_search_pkey'],
  },
]

describe('the plan of a search', () => {
  for (const { name, filters, reads } of families)
    test(`${name} reads the service's names and only ${reads.join(', ')}`, async () => {
      const nodes = await searchedNodes(filters)
      const tables = nodes.filter((node) => node['Index Name'] !== undefined || node['Node Type'] === 'Seq Scan')
      expect(
        [...new Set(tables.map((node) => node['Index Name'] ?? `all of ${node['Relation Name']}`))].toSorted(),
      ).toEqual([...reads, 'services_ordinal_key'])
      // Entries and counters come from index-only scans, except for cities and states, which only the table has.
      for (const node of tables)
        if (/_(place|everywhere|state|city|cell_rows)$/.test(node['Index Name'] ?? '') && !name.includes('point in'))
          expect(node['Node Type']).toBe('Index Only Scan')
    })
})

test('a change of a pro is planned once for all pros, and reads only that pro', async () => {
  const [refresh] = await sql<{ definition: string }[]>`
    select pg_get_functiondef('refresh_search(uuid[])'::regprocedure) as definition`
  expect(refresh?.definition).toContain(`SET plan_cache_mode TO 'force_generic_plan'`)
  await sql`set plan_cache_mode = force_generic_plan`
  await sql`prepare changed (uuid[]) as select * from search_pro_rows($1)`
  try {
    const [row] = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>`explain (format json) execute changed ('{}')`
    const plan = Object.values(row ?? {})[0]
    if (!plan) throw new Error('explain gave no plan')
    const pros = flatten(plan[0].Plan).filter((node) => node['Relation Name'] === 'professionals')
    expect(pros).not.toBeEmpty()
    for (const node of pros) expect(node['Index Cond']).toContain('id = ANY ($1)')
  } finally {
    await sql`deallocate changed`
    await sql`reset plan_cache_mode`
  }
})

const withLimits: { name: string; filters: Partial<NarrowedSearch>; reads: string }[] = [
  { name: 'around a point', filters: { point: near(crowded) }, reads: 'pro_search_entry_position' },
  { name: 'in cities', filters: { cityIds: [4, 5] }, reads: 'pro_search_entry_city' },
  { name: 'in a state', filters: { state: 2 }, reads: 'pro_search_entry_state' },
  { name: 'everywhere', filters: {}, reads: 'pro_search_entry_everywhere' },
]

describe('the plan of a search with limits', () => {
  test.each(withLimits)('$name reads candidates from $reads, and no more than it may', async ({ filters, reads }) => {
    const query = {
      ...USUAL,
      minRating: 2,
      maxPriceCents: 8000,
      order: 'time',
      now: new Date('2026-06-03'),
      ...filters,
    }
    const parameters = narrowedParameters(query as NarrowedSearch, { candidates: 50, timed: 10 })
    const nodes = await nodesOf(statementFile('search-narrowed', 'mayLag'), parameters)
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    const entries = nodes.filter((node) => node['Index Name']?.startsWith('pro_search_entry'))
    expect(entries.map((node) => node['Index Name'])).toEqual([reads])
    for (const node of nodes)
      if (node['Relation Name'] === 'professionals' || node['Relation Name'] === 'pro_search_entry')
        expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(102)
  })
})

test('the functions that build the text of a result are part of each plan, not calls of it', async () => {
  const searches = filesUnder('sql/queries').filter((path) =>
    readFileSync(join(ROOT, path), 'utf8').includes('search_result('),
  )
  expect(searches.length).toBe(4)
  for (const path of searches) {
    await sql.unsafe(`prepare searched as ${readFileSync(join(ROOT, path), 'utf8')}`)
    const [row] = await sql<{ count: number }[]>`
      select cardinality(parameter_types) as count from pg_prepared_statements where name = 'searched'`
    const nulls = Array(row?.count ?? 0).fill('null')
    const plan = await sql.unsafe(`explain (verbose) execute searched (${nulls.join(', ')})`)
    await sql.unsafe('deallocate searched')
    expect(JSON.stringify(plan)).not.toMatch(/search_(result|service_head|booking_path)\(/)
  }
})

const USUAL = { facet: 101, radiusMiles: 25, limit: 20, offset: 0, baseUrl: 'https://hearth.example' }

const searchedNodes = (filters: Partial<SearchQuery>): Promise<ExecutedNode[]> => {
  const { statement, parameters } = toStatement({ ...USUAL, ...filters })
  return nodesOf(statement, parameters)
}

/** As on the server's connections for statement files. */
const nodesOf = (statement: Run, parameters: Parameters<Run['run']>[1]) =>
  executedNodes(clone.url, async (sql) => {
    await sql`set enable_seqscan = off`
    await statement.run(runnerOn(sql), parameters)
  })

type Run = ReturnType<typeof toStatement>['statement'] | ReturnType<typeof statementFile>

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
