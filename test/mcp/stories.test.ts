// The stories of stories.json, played by a model that may use only what texts say: none ends untrue or in a dead end. With
// HEARTH_TEST_TRANSCRIPTS=<folder>, the transcripts are written there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, PRO_SERVER, agentKey, callTool, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { manualClock } from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'
import type { ListedTool } from '../support/following-agent.ts'
import { openProAgentFixture } from '../support/pro-agent-fixture.ts'
import { type Played, type Story, playStory } from '../support/story-model.ts'
import { BEFORE, HAPPENS, TRUTHS } from '../support/story-world.ts'

/** A Monday morning in Austin. */
const MORNING = '2026-06-01T12:00:00.000Z'

const stories = JSON.parse(readFileSync(join(import.meta.dir, 'stories.json'), 'utf8')) as Story[]
const clock = manualClock(MORNING)
const app = await opened(openTestApp('seeded', { clock, env: { INSTANT_BOOKING_FEE_CENTS: '500' } }))
const pro = await openProAgentFixture(app)
await app.sql`
  update professionals set instant_booking_enabled = true, requires_approval = false, business_hours = (
    select jsonb_object_agg(day, '[{"start":"08:00","end":"19:00"}]'::jsonb)
    from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as day)
  where id = ${pro.professionalId}`
await app.sql`update professional_services set instant_book_enabled = true where professional_id = ${pro.professionalId}`
const place = { app, clock, pro }
const keys = {
  customer: await agentKey(app, ['mcp:read', 'mcp:write', 'packages:read', 'packages:book']),
  pro: pro.agentKey,
}
const played = new Map<string, Played>()

async function play(story: Story): Promise<Played> {
  clock.set(MORNING)
  const given: Record<string, unknown> = {}
  for (const name of story.before ?? []) Object.assign(given, await found(BEFORE[name], name)(place))
  const server = story.server === 'pro' ? PRO_SERVER : CUSTOMER_SERVER
  const key = typeof given['key'] === 'string' ? given['key'] : keys[story.server]
  const { reply } = await rpc(app, server, keys[story.server], 'tools/list')
  return await playStory(story, (reply.result?.['tools'] ?? []) as ListedTool[], {
    call: (tool, args) => callTool(app, server, key, tool, args),
    happens: (what, results) => found(HAPPENS[what], what)(place, results),
    given,
  })
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The stories do not know: ${name}`)
  return value
}

test.each(stories)('$title', async (story) => {
  const result = await play(story)
  played.set(story.title, result)
  const whole = result.transcript.slice(1).join('\n')
  expect(result.deadEnds).toEqual([])
  for (const pattern of story.says ?? []) expect(whole).toMatch(new RegExp(pattern))
  for (const pattern of story.neverSays ?? []) expect(whole).not.toMatch(new RegExp(pattern))
  for (const words of story.truths ?? []) {
    const truth = TRUTHS.find(([pattern]) => pattern.test(words))
    const [pattern, check] = found(truth, words)
    await check(place, result.results, pattern.exec(words) as RegExpExecArray)
  }
})

test('there are thirty stories or more', () => {
  expect(stories.length).toBeGreaterThanOrEqual(30)
})

afterAll(() => {
  const sum = { texts: 0, structured: 0 }
  for (const [title, { tokens }] of played) {
    sum.texts += tokens.texts
    sum.structured += tokens.structured
    process.stdout.write(`${title}: ${tokens.texts} tokens of text, ${tokens.structured} structured\n`)
  }
  process.stdout.write(`${played.size} stories: ${sum.texts} tokens of text, ${sum.structured} structured\n`)
  const { HEARTH_TEST_TRANSCRIPTS: folder } = process.env
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  for (const [title, { transcript, deadEnds, tokens }] of played) {
    const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const end = deadEnds.length > 0 ? 'ends in a dead end' : 'reaches its end'
    writeFileSync(join(folder, `${name}.txt`), `${transcript.join('\n')}\n\n${end}; ${JSON.stringify(tokens)}\n`)
  }
})
