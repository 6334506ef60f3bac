// Runs as workers work on them: what a dead worker leaves, the bounds of a run, the law of its states.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { executeRun } from '../../src/mcp/runs/execute.ts'
import { ModelFailure } from '../../src/mcp/models/model.ts'
import type { Deps } from '../../src/deps.ts'
import { getBalance, releaseStuckTasks } from '../../src/features/metering/verbs.ts'
import type { ThreadOwner } from '../../src/features/threads/schemas.ts'
import { getRun } from '../../src/features/threads/verbs/runs.ts'
import { createThread, getThread } from '../../src/features/threads/verbs/threads.ts'
import { RUN, RUN_STATES, type RunState } from '../../src/features/threads/states.ts'
import { cancelOverdueRuns } from '../../src/features/threads/verbs/run-end.ts'
import { claimRun, finishRun } from '../../src/features/threads/verbs/run-execution.ts'
import { runMessages } from '../../src/features/threads/verbs/run-queue.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { call, scriptedModel, recordingToolExecutor, runOptions } from '../support/agent-runs.ts'
import { useRunFixture } from '../support/agent-run-fixture.ts'

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
    const dying = recordingToolExecutor((tool) => {
      if (tool === 'write') throw new Error('the process died here')
      return { text: '{}', isError: false, summary: 'looked' }
    })
    const play = scriptedModel((_, turn) =>
      turn === 0 ? { calls: [call('look')] } : turn === 1 ? { calls: [call('write')] } : { text: 'Done.' },
    )
    const gone = new AbortController()
    const dead = executeRun(
      deps,
      ref,
      runOptions(
        play,
        {
          ...dying,
          call: async (...args) => {
            if (args[0] === 'write') gone.abort(new Error('gone'))
            return await dying.call(...args)
          },
        },
        { signal: gone.signal },
      ),
    )
    expect(await dead.catch((error: unknown) => (error as Error).message)).toBe('gone')
    expect(await getRun(deps, ref)).toMatchObject({
      status: 'running',
      steps: [{ status: 'done' }, { status: 'planned' }],
    })
    // The run is not announced while it is claimed; after that it is.
    const told = async () => (await runMessages(deps, 1000)).some(({ id }) => id === ref.runId)
    expect(await told()).toBe(false)
    world.now = new Date(Date.now() + 61_000)
    expect(await told()).toBe(true)
    const executor = recordingToolExecutor()
    await executeRun(deps, ref, runOptions(play, executor))
    expect(executor.done).toEqual(['write {} 2'])
    expect(await getRun(deps, ref)).toMatchObject({ status: 'succeeded', steps: [{ number: 1 }, { number: 2 }] })
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
    const slowly = executeRun(deps, ref, runOptions(slow, slowExecutor))
    await arrived.promise
    await executeRun(deps, ref, runOptions(answering('Quick.')))
    late.resolve()
    await slowly
    expect(slowExecutor.done).toEqual([])
    expect(await getRun(deps, ref)).toMatchObject({ status: 'succeeded', answer: 'Quick.', steps: [] })
    expect((await getBalance(deps, owner.professionalId)).spent).toBe(1)
  })

  test('fails and releases its task when every worker dies', async () => {
    const ref = await queueRun()
    for (let death = 0; death < 4; death++) expect(await claimRun(deps, ref, 'a-model')).toBeDefined()
    expect(await claimRun(deps, ref, 'a-model')).toBeUndefined()
    expect(await getRun(deps, ref)).toMatchObject({ status: 'failed', failure: { code: 'interrupted' } })
    expect(await taskOf(ref.runId)).toBe('released')
  })

  test.each(['its own', 'the task’s'])('is cancelled after its deadline, with %s sweeper first', async (sweeper) => {
    const { id: threadId } = (await createThread(deps, owner, { title: 'Late' })).value
    const ref = await queueRun('Later', threadId)
    const held = await claimRun(deps, ref, 'a-model')
    const waiting = await queueRun('Even later', threadId)
    world.now = new Date(Date.now() + 31 * 60_000)
    if (sweeper !== 'its own') while ((await releaseStuckTasks(deps, world.now, 100)) > 0);
    if (sweeper !== 'its own' && held) expect(await finishRun(deps, held, { answer: 'At last.' })).toBe('cancelled')
    while ((await cancelOverdueRuns(deps, 100)) > 0);
    for (const each of [ref, waiting]) {
      expect(await getRun(deps, each)).toMatchObject({ status: 'cancelled', failure: { code: 'deadline' } })
      expect(await taskOf(each.runId)).toBe('released')
    }
    const { messages } = await getThread(deps, owner, threadId)
    expect(messages.map(({ role }) => role)).toEqual(['person', 'person', 'system', 'system'])
    expect((await getBalance(deps, owner.professionalId)).available).toBe(100)
  })
})

describe('a run ends within its limits:', () => {
  const endOf = async (options: Parameters<typeof runOptions>, goal?: string) => {
    const ref = await queueRun(goal)
    await executeRun(deps, ref, runOptions(...options))
    const { status, failure, steps, answer } = await getRun(deps, ref)
    return { status, failure: failure?.code, steps: steps.length, answer, task: await taskOf(ref.runId) }
  }
  const limits = { steps: 3, seconds: 60, tokens: 1000 }

  test('after the last step the model must answer, without tools', async () => {
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
  ])('a model that continues with %s fails the run, and its task is %s', async (tool, task) => {
    const model = scriptedModel(() => ({ calls: [call(tool), call(tool)] }))
    expect(await endOf([model, recordingToolExecutor(), { limits }])).toMatchObject({
      status: 'failed',
      failure: 'step_limit',
      steps: 3,
      task,
    })
  })

  test('the limit of tokens fails the run', async () => {
    const model = scriptedModel(() => ({ calls: [call('look')], inputTokens: 400, outputTokens: 100 }))
    expect(await endOf([model, recordingToolExecutor(), { limits: { ...limits, steps: 12 } }])).toMatchObject({
      failure: 'token_limit',
      steps: 1,
      task: 'released',
    })
  })

  test('the time limit fails the run', async () => {
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
  ] as const)('a model that is %s is asked %i times', async (code, times) => {
    const model = scriptedModel(() => Promise.reject(new ModelFailure(code, 'as it was told')))
    expect(await endOf([model])).toMatchObject({ status: 'failed', failure: code, task: 'released' })
    expect(model.conversations).toHaveLength(times)
  })

  test('an internal error fails the run and costs nothing', async () => {
    const broken = recordingToolExecutor(() => Promise.reject(new TypeError('a fault')))
    expect(await endOf([scriptedModel(() => ({ calls: [call('look')] })), broken])).toMatchObject({
      failure: 'internal_error',
      task: 'released',
    })
  })

  test('texts of models and tools are stored with any characters, and long ones are cut', async () => {
    const odd = { name: '\0\ud800 \\u0000', '\0': '\udfff' }
    const executor = recordingToolExecutor(() => ({ text: 'x'.repeat(50_000), isError: true, summary: 'no such tool' }))
    const model = scriptedModel((_, turn) =>
      turn === 0
        ? { calls: [call('nobody’s', odd), call('look', 'no JSON'), call('look', { text: 'x'.repeat(30_000) })] }
        : { text: 'y'.repeat(9000) },
    )
    const ref = await queueRun('Odd')
    await executeRun(deps, ref, runOptions(model, executor))
    const { steps, answer } = await getRun(deps, ref)
    expect(steps.map(({ tool, status }) => [tool, status])).toEqual([
      ['nobody’s', 'refused'],
      ['look', 'refused'],
      ['look', 'refused'],
    ])
    expect(steps[0]?.input).toEqual(odd)
    expect(steps[1]?.input).toBe('no JSON')
    expect(answer).toHaveLength(5000)
    const results = model.conversations.at(-1)?.messages.filter(({ role }) => role === 'result') ?? []
    expect(results.every((said) => said.role === 'result' && said.text.length < 13_000 && said.isError)).toBe(true)
  })
})

describe('states', () => {
  const cases = RUN_STATES.flatMap((from) => RUN_STATES.map((to): [RunState, RunState] => [from, to]))
  test.each(cases)('from %s to %s: the database agrees with the table', async (from, to) => {
    const [found] = await sql`
      select from state_transitions where aggregate = 'agent run' and from_state = ${from} and to_state = ${to}`
    const allowed = Object.values(RUN[from]).includes(to) && from !== to
    expect(found !== undefined).toBe(allowed)
  })

  test('the database never accepts two running runs of one pro', async () => {
    const [first, second] = [await queueRun(), await queueRun()]
    await claimRun(deps, first, 'a-model')
    const force = sql`
      update agent_runs set status = 'running', attempt = 1, model = 'm', started_at = queued_at, held_until = deadline_at
      where id = ${second.runId}`
    expect(await force.catch((error: unknown) => (error as { constraint_name?: string }).constraint_name)).toBe(
      'agent_runs_one_at_a_time',
    )
  })
})
