// The files for the MCP registry and the directories of assistants follow from the servers, and keep the rules of those who read
// them.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { customerTools } from '../../src/mcp/customer/tools.ts'
import { directoryFiles } from '../write-directories.ts'

interface Tool {
  name: string
  description: string
  annotations: Record<string, boolean>
}
interface Submission {
  payments: string
  servers: { url: string; signIn: string; tools: Tool[] }[]
  reviewCases: { positive: { tools: string[] }[]; negative: object[] }
}
const parsed = (files: Record<string, string>, name: string): unknown => JSON.parse(files[name] ?? '')

test('the files that are checked in are those of the servers', () => {
  for (const [name, text] of Object.entries(directoryFiles()))
    expect([name, readFileSync(join(import.meta.dir, '../../ops/directories', name), 'utf8')]).toEqual([name, text])
})

test.each([
  ['server.json', '/api/mcp/customer'],
  ['server-public.json', '/api/mcp/public'],
])('an entry keeps the rules of the registry: %s', (file, path) => {
  const entry = parsed(directoryFiles(), file) as Record<string, string> & { remotes: { type: string; url: string }[] }
  expect(entry['name']).toMatch(/^example\.hearth\/hearth-[a-z]+$/)
  expect(entry['description']?.length).toBeLessThanOrEqual(100)
  expect(entry['title']?.length).toBeLessThanOrEqual(100)
  expect(entry['version']).toMatch(/^\d+\.\d+\.\d+$/)
  expect(entry.remotes).toMatchObject([{ type: 'streamable-http', url: `https://hearth.example${path}` }])
})

test('a submission has every tool with four hints, five cases that a tool answers and three that none does', () => {
  const { servers, reviewCases } = parsed(directoryFiles(), 'submission.json') as Submission
  for (const { name, annotations } of servers.flatMap(({ tools }) => tools))
    expect([name, Object.keys(annotations).length]).toEqual([name, 4])
  expect(servers.map(({ signIn }) => signIn === 'none')).toEqual([true, false])
  const names = customerTools.map(({ name }) => name)
  expect(servers[1]?.tools.map(({ name }) => name)).toEqual(names)
  expect([reviewCases.positive.length, reviewCases.negative.length]).toEqual([5, 3])
  for (const { tools } of reviewCases.positive) expect(names).toEqual(expect.arrayContaining(tools))
})

test('a host without payments says so, and names none', () => {
  const files = directoryFiles({ BASE_URL: 'https://hearth.example', AGENT_PAYMENTS: 'false' })
  const { payments, servers } = parsed(files, 'submission.json') as Submission
  expect(payments).toBe('None.')
  for (const { name, description } of servers.flatMap(({ tools }) => tools))
    expect([name, /payUrl|bookingFee/.test(description)]).toEqual([name, false])
})
