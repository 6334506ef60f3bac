// An external model over real HTTP: requests, responses and unusable responses.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'

import type { Conversation } from '../../src/mcp/models/model.ts'
import { openModel } from '../../src/mcp/models/open-model.ts'
import { readConfig } from '../../src/config.ts'
import { FakeModel, MODEL_KEY, type ModelReply } from '../support/fake-model.ts'

const fake = new FakeModel()
afterAll(() => fake.close())
beforeEach(() => fake.clear())

const STORES = { DATABASE_URL: 'postgres://localhost/none', REDIS_URL: 'redis://localhost' }
const open = (env: Record<string, string> = fake.env) => openModel(readConfig({ ...STORES, ...env }))

const conversation: Conversation = {
  instructions: 'Be brief.',
  messages: [
    { role: 'person', text: 'Who waits for a quote?' },
    { role: 'agent', text: 'I look.', calls: [{ id: 'c1', tool: 'list_leads', input: { status: 'new' } }] },
    { role: 'result', callId: 'c1', text: '{"leads":[]}', isError: false },
  ],
  tools: [{ name: 'list_leads', description: 'Leads', parameters: { type: 'object', properties: {} } }],
  maxOutputTokens: 500,
}
const signal = () => AbortSignal.timeout(60_000)
const ask = async (env?: Record<string, string>) => await (await open(env)).next(conversation, signal())
const failure = (env?: Record<string, string>) =>
  ask(env).then(
    () => undefined,
    (error: unknown) => error,
  )
const replyWith = (...replies: ModelReply[]) => {
  fake.respond = (_, { n }) => replies[Math.min(n, replies.length - 1)] ?? { say: 'Done.' }
}

test('without AGENT_MODEL the built-in planner decides', async () => {
  expect((await open({})).name).toBe('planner')
})

test('the provider gets the whole conversation in its own format', async () => {
  replyWith({ say: 'No pro.' })
  expect(await ask()).toEqual({ text: 'No pro.', calls: [], inputTokens: 100, outputTokens: 20 })
  expect(fake.requests).toEqual([
    {
      model: 'fake-1',
      max_completion_tokens: 500,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Who waits for a quote?' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'list_leads', arguments: '{"status":"new"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"leads":[]}' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'list_leads', description: 'Leads', parameters: { type: 'object', properties: {} } },
        },
      ],
    },
  ])
})

test('tool calls are returned in order, with or without text', async () => {
  replyWith({
    say: 'Two.',
    calls: [
      ['get_lead', { leadId: 'a' }],
      ['get_lead', { leadId: 'b' }],
    ],
  })
  expect(await ask()).toMatchObject({
    text: 'Two.',
    calls: [
      { id: 'call_0_0', tool: 'get_lead', input: { leadId: 'a' } },
      { id: 'call_0_1', tool: 'get_lead', input: { leadId: 'b' } },
    ],
  })
})

test('arguments that are not JSON are passed on as text', async () => {
  replyWith({
    calls: [
      ['get_lead', '{"leadId": '],
      ['get_lead', ''],
    ],
  })
  expect((await ask()).calls.map(({ input }) => input)).toEqual(['{"leadId": ', {}])
})

test('tokens are estimated when the provider reports none', async () => {
  replyWith({ body: { choices: [{ message: { content: 'Four score and seven.' } }], usage: null } })
  const turn = await ask()
  expect(turn.inputTokens).toBeGreaterThan(50)
  expect(turn.outputTokens).toBeGreaterThan(4)
})

describe('an unusable response', () => {
  const bodies: [string, string | object][] = [
    ['no JSON', '<html>Bad gateway</html>'],
    ['cut off', '{"choices": [{"mess'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', '[]'],
    ['no choices', {}],
    ['choices that are none', { choices: 'none' }],
    ['an empty list of choices', { choices: [] }],
    ['no message', { choices: [{}] }],
    ['an empty message', { choices: [{ message: { role: 'assistant', content: '' } }] }],
    ['content that is no text', { choices: [{ message: { content: { text: 'x' } } }] }],
    ['calls that are no list', { choices: [{ message: { tool_calls: 'x' } }] }],
    ['a call of nothing', { choices: [{ message: { tool_calls: [null] } }] }],
    ['a call without a name', { choices: [{ message: { tool_calls: [{ id: 'a', function: {} }] } }] }],
    ['a name that is no text', { choices: [{ message: { tool_calls: [{ function: { name: 7 } }] } }] }],
  ]
  test.each(bodies)('is reported as model_unusable: %s', async (_, body) => {
    replyWith({ body })
    expect(await failure()).toMatchObject({ name: 'ModelFailure', code: 'model_unusable' })
    expect(fake.requests).toHaveLength(1)
  })
})

describe('a response is told as what it is', () => {
  const choice = (message: object, finish_reason = 'stop') => ({ choices: [{ message, finish_reason }] })
  const toolCalls = [{ id: 'c', type: 'function', function: { name: 'get_lead', arguments: '{"leadId":' } }]

  test.each([
    ['a refusal', choice({ content: null, refusal: 'I cannot help with that.' }), 'model_refused'],
    ['a refusal among parts', choice({ content: [{ type: 'refusal', refusal: 'No.' }] }), 'model_refused'],
    ['a filtered response', choice({ content: '' }, 'content_filter'), 'model_refused'],
    ['nothing before the limit of length', choice({ content: '' }, 'length'), 'model_cut_off'],
    ['a call cut off', choice({ content: 'I look.', tool_calls: toolCalls }, 'length'), 'model_cut_off'],
  ])('%s is a failure of its own', async (_, body, code) => {
    replyWith({ body })
    expect(await failure()).toMatchObject({ name: 'ModelFailure', code })
    expect(fake.requests).toHaveLength(1)
  })

  test('an answer cut off says so', async () => {
    replyWith({ body: choice({ content: 'Three leads wait, the first' }, 'length') })
    expect((await ask()).text).toBe('Three leads wait, the first … (The answer was cut off at its limit of length.)')
  })

  test('a list of parts is read as their texts', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Two ' },
      { type: 'text', text: 'leads.' },
    ]
    replyWith({ body: choice({ content }) })
    expect((await ask()).text).toBe('Two leads.')
  })
})

describe('a provider that does not answer', () => {
  const limited = () => new Response('{}', { status: 429, headers: { 'retry-after-ms': '10' } })
  test.each([429, 500, 502, 503])('is called again after %i, and its response is used', async (status) => {
    const unavailable = () => new Response('{}', { status, headers: { 'retry-after-ms': '10' } })
    replyWith(unavailable(), unavailable(), { say: 'Here.' })
    fake.respond = (_, { n }) => (n < 2 ? unavailable() : { say: 'Here.' })
    expect((await ask()).text).toBe('Here.')
    expect(fake.requests).toHaveLength(3)
  })

  test('fails after the third attempt', async () => {
    fake.respond = limited
    expect(await failure()).toMatchObject({ code: 'model_unavailable', reason: 'status 429' })
    expect(fake.requests).toHaveLength(3)
  })

  test('fails at once when the request is invalid', async () => {
    fake.respond = () => Response.json({ error: { message: 'no such model' } }, { status: 404 })
    expect(await failure()).toMatchObject({ code: 'model_unavailable', reason: 'status 404' })
    expect(fake.requests).toHaveLength(1)
  })

  test('fails with a wrong key, without quoting it', async () => {
    const error = await failure({ ...fake.env, AGENT_MODEL_KEY: 'sk-wrong' })
    expect(error).toMatchObject({ code: 'model_unavailable', reason: 'status 401' })
    expect(Bun.inspect(error)).not.toContain('sk-')
  })

  test('fails when the connection is refused or cut', async () => {
    const env = { ...fake.env, AGENT_MODEL_URL: 'http://127.0.0.1:9/v1' }
    expect(await failure(env)).toMatchObject({ code: 'model_unavailable' })
  })

  test('is abandoned as soon as the signal aborts', async () => {
    const requested = Promise.withResolvers<void>()
    fake.respond = () => {
      requested.resolve()
      return new Promise(() => undefined)
    }
    const stop = new AbortController()
    const pending = (await open()).next(conversation, stop.signal)
    await requested.promise
    stop.abort(new Error('time is up'))
    expect(await pending.catch((error: unknown) => (error as Error).message)).toBe('time is up')
  })
})

describe('the configuration', () => {
  const fault = (env: Record<string, string>) => {
    try {
      readConfig({ ...STORES, ...env })
      return 'none'
    } catch (error) {
      return (error as Error).message
    }
  }
  test.each([
    [{ AGENT_MODEL_KEY: MODEL_KEY }, 'AGENT_MODEL must be set when AGENT_MODEL_KEY is.'],
    [{ AGENT_MODEL_URL: 'http://localhost:11434/v1' }, 'AGENT_MODEL must be set when AGENT_MODEL_URL is.'],
    [{ AGENT_MODEL: 'gpt' }, 'AGENT_MODEL_KEY must be set when AGENT_MODEL is, unless AGENT_MODEL_URL is set too.'],
    [{ AGENT_MODEL: 'a b', AGENT_MODEL_KEY: 'k' }, 'AGENT_MODEL must be the name of a model without spaces.'],
    [{ AGENT_MODEL: 'a', AGENT_MODEL_KEY: 'k\n' }, 'AGENT_MODEL_KEY must be a key without spaces.'],
    [
      { AGENT_MODEL: 'a', AGENT_MODEL_URL: 'localhost:1' },
      'AGENT_MODEL_URL must be a URL that begins with http:// or https://.',
    ],
    [{ AGENT_RUN_STEPS: '0' }, 'AGENT_RUN_STEPS must be a whole number from 1 to 100, not "0".'],
    [{ AGENT_RUN_SECONDS: '121' }, 'AGENT_RUN_SECONDS must be a whole number from 1 to 120, not "121".'],
    [{ AGENT_RUN_TOKENS: 'many' }, 'AGENT_RUN_TOKENS must be a whole number from 1000 to 10000000, not "many".'],
  ])('refuses %j in one line', (env, message) => {
    expect(fault(env)).toBe(message)
  })

  test('accepts a local server without a key', () => {
    expect(fault({ AGENT_MODEL: 'llama', AGENT_MODEL_URL: 'http://localhost:11434/v1/' })).toBe('none')
    expect(fault({ AGENT_MODEL: 'gpt-5-mini', AGENT_MODEL_KEY: MODEL_KEY })).toBe('none')
  })
})
