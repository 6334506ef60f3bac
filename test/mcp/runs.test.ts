// Run execution: recovery after a worker's death, the limits of a run, and its state transitions.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { executeRun } from '../../src/mcp/runs/execute.ts'
import { ModelFailure } from '../../src/mcp/models/model.ts'
import { planner } from '../../src/mcp/models/planner/planner.ts'
import type { Deps } from '../../src/deps.ts'
import { getBalance, releaseStuckTasks } from '../../src/features/agents/metering/verbs.ts'
import type { ThreadOwner } from '../../src/features/agents/threads/schemas.ts'
import { getRun } from '../../src/features/agents/threads/verbs/runs.ts'
import { createThread, getThread } from '../../src/features/agents/threads/verbs/threads.ts'
import { RUN, RUN_STATES, type RunState } from '../../src/features/agents/threads/states.ts'
import { cancelOverdueRuns } from '../../src/features/agents/threads/verbs/run-end.ts'
import { claimRun, finishRun } from '../../src/features/agents/threads/verbs/run-execution.ts'
import { runMessages } from '../../src/features/agents/threads/verbs/run-queue.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { call, scriptedModel, recordingToolExecutor, runOptions } from '../support/agent-runs.ts'
import { useRunFixture } from '../support/agent-run-fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const world = useRunFixture()
const { queueRun, taskOf } = world
let deps: Deps
let sql: Sql
let owner: ThreadOwner

beforeAll(() => void ({ deps, sql } = world))
beforeEach(() => void ({ owner } = world))

const answering = (text = 'All is well.') => scriptedModel(() => ({ text }))

describe('a run whose worker died', () => {
  test('continues after the last stored step, and repeats an unfinished step under its key', async () => {
    const ref = await queueRun()
    const crashingExecutor = recordingToolExecutor((tool) => {
      if (tool === 'write') throw new Error('the process died here')
      return { text: '{}', isError: false, summary: 'looked' }
    })
    const model = scriptedModel((_, turn) =>
      turn === 0 ? { calls: [call('look')] } : turn === 1 ? { calls: [call('write')] } : { text: 'Done.' },
    )
    const crash = new AbortController()
    const crashedRun = executeRun(
      ctxOf(deps),
      ref,
      runOptions(
        model,
        {
          ...crashingExecutor,
          call: async (...args) => {
            if (args[0] === 'write') crash.abort(new Error('gone'))
            return await crashingExecutor.call(...args)
          },
        },
        { signal: crash.signal },
      ),
    )
    expect(await crashedRun.catch((error: unknown) => (error as Error).message)).toBe('gone')
    expect(await getRun(ctxOf(deps), ref)).toMatchObject({
      status: 'running',
      steps: [{ status: 'done' }, { status: 'planned' }],
    })
    // The run is announced only after its claim has ended.
    const isAnnounced = async () => (await runMessages(ctxOf(deps), { limit: 1000 })).some(({ id }) => id === ref.runId)
    expect(await isAnnounced()).toBe(false)
    world.now = new Date(Date.now() + 61_000)
    expect(await isAnnounced()).toBe(true)
    const executor = recordingToolExecutor()
    await executeRun(ctxOf(deps), ref, runOptions(model, executor))
    expect(executor.done).toEqual(['write {} 2'])
    expect(await getRun(ctxOf(deps), ref)).toMatchObject({ status: 'succeeded', steps: [{ number: 1 }, { number: 2 }] })
    expect(await taskOf(ref.runId)).toBe('settled')
  })

  test('cannot be changed by a worker that comes back late', async () => {
    const ref = await queueRun()
    const late = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const slow = scriptedModel(async (_, turn) => {
      arrived.resolve()
      await late.promise
      return turn === 0 ? { calls: [call('write')] } : { text: 'Late.' }
    })
    const slowExecutor = recordingToolExecutor()
    const lateRun = executeRun(ctxOf(deps), ref, runOptions(slow, slowExecutor))
    await arrived.promise
    await executeRun(ctxOf(deps), ref, runOptions(answering('Quick.')))
    late.resolve()
    await lateRun
    expect(slowExecutor.done).toEqual([])
    expect(await getRun(ctxOf(deps), ref)).toMatchObject({ status: 'succeeded', answer: 'Quick.', steps: [] })
    expect((await getBalance(ctxOf(deps), { professionalId: owner.professionalId })).spent).toBe(1)
  })

  test('fails and releases its task when every worker dies', async () => {
    const ref = await queueRun()
    for (let death = 0; death < 4; death++) expect(await claimRun(ctxOf(deps), { ref, model: 'a-model' })).toBeDefined()
    expect(await claimRun(ctxOf(deps), { ref, model: 'a-model' })).toBeUndefined()
    expect(await getRun(ctxOf(deps), ref)).toMatchObject({ status: 'failed', failure: { code: 'interrupted' } })
    expect(await taskOf(ref.runId)).toBe('released')
  })

  test.each(['its own', 'the task’s'])('is cancelled after its deadline, with %s sweeper first', async (sweeper) => {
    const { id: threadId } = await createThread(ctxOf(deps, owner), { title: 'Late' })
    const ref = await queueRun('Later', threadId)
    const claimed = await claimRun(ctxOf(deps), { ref, model: 'a-model' })
    const queued = await queueRun('Even later', threadId)
    world.now = new Date(Date.now() + 31 * 60_000)
    if (sweeper !== 'its own') while ((await releaseStuckTasks(ctxOf(deps), { now: world.now, limit: 100 })) > 0);
    if (sweeper !== 'its own' && claimed)
      expect(await finishRun(ctxOf(deps), { claim: claimed, end: { answer: 'At last.' } })).toBe('cancelled')
    while ((await cancelOverdueRuns(ctxOf(deps), { limit: 100 })) > 0);
    for (const each of [ref, queued]) {
      expect(await getRun(ctxOf(deps), each)).toMatchObject({ status: 'cancelled', failure: { code: 'deadline' } })
      expect(await taskOf(each.runId)).toBe('released')
    }
    const { messages } = await getThread(ctxOf(deps, owner), { threadId })
    expect(messages.map(({ role }) => role)).toEqual(['person', 'person', 'system', 'system'])
    expect((await getBalance(ctxOf(deps), { professionalId: owner.professionalId })).available).toBe(100)
  })
})

describe('a run', () => {
  const endOf = async (options: Parameters<typeof runOptions>, goal?: string) => {
    const ref = await queueRun(goal)
    await executeRun(ctxOf(deps), ref, runOptions(...options))
    const { status, failure, steps, answer } = await getRun(ctxOf(deps), ref)
    return { status, failure: failure?.code, steps: steps.length, answer, task: await taskOf(ref.runId) }
  }
  const limits = { steps: 3, seconds: 60, tokens: 1000 }

  test('gives the model no tools after the last step, so that it must answer', async () => {
    const model = scriptedModel(({ tools }) =>
      tools.length > 0 ? { calls: [call('look')] } : { text: 'That is all.' },
    )
    expect(await endOf([model, recordingToolExecutor(), { limits }])).toEqual({
      status: 'succeeded',
      failure: undefined,
      steps: 3,
      answer: 'That is all.',
      task: 'settled',
    })
  })

  test.each([
    ['look', 'released'],
    ['write', 'settled'],
  ])('fails when the model continues with %s after the last step, and its task is %s', async (tool, task) => {
    const model = scriptedModel(() => ({ calls: [call(tool), call(tool)] }))
    expect(await endOf([model, recordingToolExecutor(), { limits }])).toMatchObject({
      status: 'failed',
      failure: 'step_limit',
      steps: 3,
      task,
    })
  })

  test('fails at its token limit', async () => {
    const model = scriptedModel(() => ({ calls: [call('look')], inputTokens: 400, outputTokens: 100 }))
    expect(await endOf([model, recordingToolExecutor(), { limits: { ...limits, steps: 12 } }])).toMatchObject({
      failure: 'token_limit',
      steps: 1,
      task: 'released',
    })
  })

  test('fails at its time limit', async () => {
    const model = scriptedModel(
      (_conversation, _turn, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    )
    expect(await endOf([model, recordingToolExecutor(), { limits: { ...limits, seconds: 1 } }])).toMatchObject({
      failure: 'time_limit',
      task: 'released',
    })
  })

  test.each([
    ['model_unavailable', 1],
    ['model_unusable', 3],
    ['model_refused', 1],
    ['model_cut_off', 1],
  ] as const)('calls a model that is %s %i times', async (code, times) => {
    const model = scriptedModel(() => Promise.reject(new ModelFailure(code, 'as it was told')))
    expect(await endOf([model])).toMatchObject({ status: 'failed', failure: code, task: 'released' })
    expect(model.conversations).toHaveLength(times)
  })

  test('fails without cost, with examples, when the planner does not understand the goal', async () => {
    const ref = await queueRun('Sing a song')
    await executeRun(ctxOf(deps), ref, runOptions(planner))
    const run = await getRun(ctxOf(deps), ref)
    expect(run).toMatchObject({ status: 'failed', failure: { code: 'not_understood' }, steps: [], proposals: [] })
    expect(run.failure?.meaning).toContain('"plan my day"')
    expect(await taskOf(ref.runId)).toBe('released')
  })

  test('fails without cost on an internal error', async () => {
    const broken = recordingToolExecutor(() => Promise.reject(new TypeError('a fault')))
    expect(await endOf([scriptedModel(() => ({ calls: [call('look')] })), broken])).toMatchObject({
      failure: 'internal_error',
      task: 'released',
    })
  })

  test('stores texts of models and tools with any characters, and cuts long ones', async () => {
    const unusualInput = { name: '\0\ud800 \\u0000', '\0': '\udfff' }
    const executor = recordingToolExecutor(() => ({ text: 'x'.repeat(50_000), isError: true, summary: 'no such tool' }))
    const model = scriptedModel((_, turn) =>
      turn === 0
        ? {
            calls: [
              call('unknown_tool', unusualInput),
              call('look', 'no JSON'),
              call('look', { text: 'x'.repeat(30_000) }),
            ],
          }
        : { text: 'y'.repeat(9000) },
    )
    const ref = await queueRun('Odd')
    await executeRun(ctxOf(deps), ref, runOptions(model, executor))
    const { steps, answer } = await getRun(ctxOf(deps), ref)
    expect(steps.map(({ tool, status }) => [tool, status])).toEqual([
      ['unknown_tool', 'refused'],
      ['look', 'refused'],
      ['look', 'refused'],
    ])
    expect(steps[0]?.input).toEqual(unusualInput)
    expect(steps[1]?.input).toBe('no JSON')
    expect(answer).toHaveLength(5000)
    const results = model.conversations.at(-1)?.messages.filter(({ role }) => role === 'result') ?? []
    expect(
      results.every((message) => message.role === 'result' && message.text.length < 13_000 && message.isError),
    ).toBe(true)
  })
})

describe('run states', () => {
  const cases = RUN_STATES.flatMap((from) => RUN_STATES.map((to): [RunState, RunState] => [from, to]))
  test.each(cases)('follow the transition table in the database from %s to %s', async (from, to) => {
    const [row] = await sql`
      select from state_transitions where aggregate = 'agent run' and from_state = ${from} and to_state = ${to}`
    const allowed = Object.values(RUN[from]).includes(to) && from !== to
    expect(row !== undefined).toBe(allowed)
  })

  test('never include two running runs of one pro', async () => {
    const [first, second] = [await queueRun(), await queueRun()]
    await claimRun(ctxOf(deps), { ref: first, model: 'a-model' })
    const force = sql`
      update agent_runs set status = 'running', attempt = 1, model = 'm', started_at = queued_at, held_until = deadline_at
      where id = ${second.runId}`
    expect(await force.catch((error: unknown) => (error as { constraint_name?: string }).constraint_name)).toBe(
      'agent_runs_one_at_a_time',
    )
  })
})
