// A scripted model: it plays a story with the tools of a server, and may send only what the person told it, what its texts
// (tools/list and results) say, and what the schemas list. What it lacks is a dead end.
import { countTokens } from 'gpt-tokenizer'

import type { ToolReply } from './agents.ts'
import type { ListedTool } from './following-agent.ts'

export interface StoryStep {
  /** Calls a tool. Values that begin with `$` are places in the latest results: `$search_pros.professionals.0.id`. */
  readonly call?: string
  readonly with?: Readonly<Record<string, unknown>>
  /** The call must be refused, with a text that names the way out: this must match it. */
  readonly refused?: string
  /** Something happens in the world, such as `the person pays`. */
  readonly happens?: string
}

export interface Story {
  readonly title: string
  /** As a person would tell it. */
  readonly told: string
  readonly server: 'customer' | 'pro'
  /** Facts that the person gives when asked. */
  readonly person?: Readonly<Record<string, unknown>>
  readonly before?: readonly string[]
  readonly steps: readonly StoryStep[]
  /** What the model answers; `{search_pros.professionals.0.businessName}` is a place in a result. */
  readonly answer: string
  /** Patterns that the transcript must have, and must not have. */
  readonly says?: readonly string[]
  readonly neverSays?: readonly string[]
  /** Checks against the database. */
  readonly truths?: readonly string[]
}

export interface Played {
  readonly transcript: string[]
  readonly results: Readonly<Record<string, ToolReply>>
  readonly deadEnds: string[]
  readonly answer: string
  /** Of arguments and texts; with `structured`, of the structured results. */
  readonly tokens: { texts: number; structured: number }
}

export interface World {
  readonly call: (tool: string, args: object) => Promise<ToolReply>
  readonly happens: (what: string, results: Readonly<Record<string, ToolReply>>) => Promise<void>
  /** What the person has at hand, such as the link of a booking: `$given.manageUrl`. */
  readonly given: Record<string, unknown>
}

class DeadEnd extends Error {
  override readonly name = 'DeadEnd'
}

/** Plays the story to its end, or to its first dead end. */
export async function playStory(
  story: Story,
  tools: readonly ListedTool[],
  { call, happens, given }: World,
): Promise<Played> {
  const results: Record<string, ToolReply> = {
    given: { isError: false, structured: given, texts: [], problem: undefined },
  }
  const [transcript, deadEnds]: [string[], string[]] = [[`PERSON: ${story.told}`], []]
  const tokens = { texts: 0, structured: 0 }
  const known = [story.told, JSON.stringify(story.person ?? {}), JSON.stringify(given), JSON.stringify(tools)]
  let answer = ''
  try {
    for (const step of story.steps) {
      if (step.happens !== undefined) {
        transcript.push(`(${step.happens})`)
        await happens(step.happens, results)
      }
      if (step.call === undefined) continue
      const args = argumentsOf(step, tools, known, results)
      const reply = await call(step.call, args)
      const texts = reply.texts.join('\n')
      transcript.push(`MODEL: ${step.call} ${JSON.stringify(args)}`, `TOOL: ${texts}`)
      known.push(texts)
      tokens.texts += countTokens(JSON.stringify(args)) + countTokens(texts)
      tokens.structured += countTokens(JSON.stringify(reply.structured))
      results[step.call] = reply
      checkReply(step, reply)
    }
    answer = filled(story.answer, results)
    transcript.push(`MODEL to the person: ${answer}`)
  } catch (error) {
    if (!(error instanceof DeadEnd)) throw error
    deadEnds.push(error.message)
    transcript.push(`DEAD END: ${error.message}`)
  }
  return { transcript, results, deadEnds, answer, tokens }
}

function argumentsOf(
  { call = '', with: given = {} }: StoryStep,
  tools: readonly ListedTool[],
  known: readonly string[],
  results: Readonly<Record<string, ToolReply>>,
): Record<string, unknown> {
  const tool = tools.find(({ name }) => name === call)
  if (!tool) throw new DeadEnd(`tools/list has no ${call}`)
  const { properties = {}, required = [] } = tool.inputSchema
  const args = resolved(given, results) as Record<string, unknown>
  for (const [name, value] of Object.entries(args)) {
    if (!(name in properties)) throw new DeadEnd(`${call} takes no ${name}`)
    for (const leaf of leavesOf(value)) checkSource(`${call}.${name}`, leaf, known)
  }
  const missing = required.filter((name) => !(name in args))
  if (missing.length > 0) throw new DeadEnd(`${call} needs ${missing.join(', ')}, which the story does not have`)
  return args
}

/** A value must stand in what the model was told. Small numbers and yes or no are its own decision. */
function checkSource(where: string, value: unknown, known: readonly string[]): void {
  if (typeof value === 'boolean' || (typeof value === 'number' && value <= 50)) return
  const text = String(value)
  if (!known.some((source) => source.includes(text)))
    throw new DeadEnd(`no text says ${JSON.stringify(text)} for ${where}`)
}

const leavesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]

function resolved(value: unknown, results: Readonly<Record<string, ToolReply>>): unknown {
  if (typeof value === 'string' && value.startsWith('$')) return placeIn(value.slice(1), results)
  if (Array.isArray(value)) return value.map((each) => resolved(each, results))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each, results)]))
}

function placeIn(path: string, results: Readonly<Record<string, ToolReply>>): unknown {
  const [tool = '', ...steps] = path.split('.')
  let value: unknown = results[tool]?.structured
  for (const step of steps) value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
  if (value === undefined || value === null) throw new DeadEnd(`no result says ${path}`)
  return value
}

const filled = (template: string, results: Readonly<Record<string, ToolReply>>): string =>
  template.replaceAll(/\{([\w.]+)\}/g, (_, path: string) => {
    const value = placeIn(path, results)
    return typeof value === 'string' ? value : JSON.stringify(value)
  })

function checkReply({ call, refused }: StoryStep, { isError, texts }: ToolReply): void {
  const [first = ''] = texts
  if (!isError && refused !== undefined) throw new DeadEnd(`${call} was not refused: ${first.slice(0, 200)}`)
  if (isError && refused === undefined) throw new DeadEnd(`${call}: ${first}`)
  if (refused !== undefined && !new RegExp(refused).test(first)) throw new DeadEnd(`${call}: ${first}`)
}
