// One run from start to end: the model decides, the hands act, every step is stored before it is taken and after.
import { SpanKind, trace } from '@opentelemetry/api'

import type { AgentLimits } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import type { RunRef } from '../../features/threads/schemas.ts'
import {
  type PlannedStep,
  type RunEnd,
  RunLost,
  type StepRow,
  type TakenRun,
  finishRun,
  finishStep,
  planSteps,
  takeRun,
} from '../../features/threads/verbs/run-execution.ts'
import { StoreUnavailable } from '../../platform/postgres/store-error.ts'
import { inSpan } from '../../platform/telemetry/trace-context.ts'
import { type Conversation, type Model, ModelFailure, type Turn } from '../models/model.ts'
import { conversationOf } from './conversation.ts'
import type { Answered, Hands } from './tool-executor.ts'
import type { RunMetrics } from './metrics.ts'

export interface RunOptions {
  model: Model
  /** The tools of this run's pro. */
  handsFor: (run: TakenRun) => Hands
  limits: AgentLimits
  metrics: RunMetrics
  /** Aborted when the worker has to let go of the run: then somebody takes it up again. */
  signal: AbortSignal
}

/** How often a model is asked for one turn that makes sense. */
const TRIES_PER_TURN = 3
/** What fits into a stored step, and into a model's head. */
const MAX_RESULT = 12_000
const MAX_INPUT = 20_000
const MAX_TEXT = 5000
const MAX_OUTPUT_TOKENS = 8000

const tracer = trace.getTracer('hearth.agents')

/** What a turn took. */
type Took = Pick<Turn, 'inputTokens' | 'outputTokens'>
const NOTHING: Took = { inputTokens: 0, outputTokens: 0 }

/** The run in hand, and everything it is worked on with. */
interface Work extends RunOptions {
  deps: Deps
  run: TakenRun
  hands: Hands
}

/**
 * Works on a run until it is over. Throws when the worker has to let go of it, or a store is away: then it is taken up
 * again, and goes on after the last step that is stored.
 */
export async function workOnRun(deps: Deps, ref: RunRef, options: RunOptions): Promise<void> {
  const run = await takeRun(deps, ref, options.model.name)
  if (!run) return
  const startedMs = performance.now()
  const time = AbortSignal.timeout(options.limits.seconds * 1000)
  const signal = AbortSignal.any([options.signal, time])
  const work: Work = { ...options, deps, run, signal, hands: options.handsFor(run) }
  try {
    const { took, ...how } = await pursue(work).catch((error: unknown) => {
      // The worker's own end comes first: its run is not over.
      options.signal.throwIfAborted()
      return { ...failureOf(work, error, time.aborted), took: NOTHING }
    })
    const outcome = await finishRun(deps, run, how, took)
    const code = 'failure' in how ? how.failure : 'none'
    options.metrics.ended(outcome, code, (performance.now() - startedMs) / 1000)
  } catch (error) {
    if (!(error instanceof RunLost)) throw error
    deps.log.info({ runId: run.runId }, 'a run went into other hands')
  }
}

/** Turn after turn until the model answers, or a bound is reached. */
async function pursue(work: Work): Promise<RunEnd & { took: Took }> {
  const { deps, run, limits, hands } = work
  let tokens = run.inputTokens + run.outputTokens
  for (;;) {
    // Those that a dead worker left, too.
    for (const step of run.steps) if (step.status === 'planned') await take(work, step)
    const left = limits.steps - run.steps.length
    const turn = await nextTurn(work, {
      ...conversationOf(run),
      offers: left > 0 ? hands.offers : [],
      maxOutputTokens: Math.min(MAX_OUTPUT_TOKENS, Math.max(limits.tokens - tokens, 1)),
    })
    tokens += turn.inputTokens + turn.outputTokens
    if (turn.calls.length === 0) return { answer: turn.text?.slice(0, MAX_TEXT) ?? '', took: turn }
    const isSpent = leftSomething(work)
    if (left <= 0) return { failure: 'step_limit', isSpent, took: turn }
    if (tokens >= limits.tokens) return { failure: 'token_limit', isSpent, took: turn }
    const planned = stepsOf(turn, run.steps, left)
    await planSteps(deps, run, planned)
    run.steps.push(...planned.map((step): StepRow => ({ ...step, status: 'planned', result: null })))
  }
}

/** Asks for a turn, again when it makes no sense. */
async function nextTurn({ deps, run, model, metrics, signal }: Work, conversation: Conversation): Promise<Turn> {
  for (let tries = 1; ; tries++) {
    try {
      signal.throwIfAborted()
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model.name }
      const turn = await inSpan(tracer, 'agent turn', { kind: SpanKind.CLIENT, attributes }, () =>
        model.next(conversation, signal),
      )
      metrics.turn(turn)
      return turn
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      deps.log.warn({ runId: run.runId, code: error.code, reason: error.reason, tries }, 'a model gave no turn')
      if (error.code !== 'model_unusable' || tries === TRIES_PER_TURN) throw error
    }
  }
}

/** The calls of a turn as steps, as many as are left. */
function stepsOf(turn: Turn, before: readonly StepRow[], left: number): PlannedStep[] {
  const number = before.length + 1
  return turn.calls.slice(0, left).map((call, n) => ({
    number: number + n,
    turn: (before.at(-1)?.turn ?? 0) + 1,
    callId: call.id,
    remark: n === 0 ? (turn.text?.slice(0, MAX_TEXT) ?? null) : null,
    tool: call.tool,
    input: inputText(call.input),
    ...(n === 0 ? { inputTokens: turn.inputTokens, outputTokens: turn.outputTokens } : NOTHING),
  }))
}

function inputText(input: unknown): string {
  const text = JSON.stringify(input)
  return text.length <= MAX_INPUT ? text : JSON.stringify('An input that was too long to be kept.')
}

/** Calls the tool of a step and stores what came of it. */
async function take({ deps, run, hands, metrics, signal }: Work, step: StepRow): Promise<void> {
  signal.throwIfAborted()
  const startedMs = performance.now()
  const attributes = { 'gen_ai.tool.name': step.tool, 'hearth.step': step.number }
  const answered: Answered = await inSpan(tracer, `agent step`, { kind: SpanKind.INTERNAL, attributes }, () =>
    hands.call(step.tool, JSON.parse(step.input), `run-${run.runId}-${step.number}`),
  )
  const durationMs = Math.round(performance.now() - startedMs)
  const status = answered.isError ? 'refused' : 'done'
  const result = answered.text.length <= MAX_RESULT ? answered.text : `${answered.text.slice(0, MAX_RESULT)} … (cut)`
  const { number, tool } = step
  await finishStep(deps, run, { number, tool, status, result, summary: answered.summary, durationMs })
  metrics.step(hands.offers.some(({ name }) => name === tool) ? tool : 'unknown', status)
  Object.assign(step, { status, result })
}

/** Whether a step made a draft or a proposal, or changed something: then the task is spent although the run failed. */
const leftSomething = ({ run, hands }: Work): boolean =>
  run.steps.some(({ status, tool }) => status === 'done' && hands.writes(tool))

/** Throws what is no end of the run: its loss, and a store that is away. */
function failureOf(work: Work, error: unknown, isLate: boolean): RunEnd {
  if (error instanceof RunLost || error instanceof StoreUnavailable) throw error
  const isSpent = leftSomething(work)
  if (isLate) return { failure: 'time_limit', isSpent }
  if (error instanceof ModelFailure) return { failure: error.code, isSpent }
  work.deps.log.error({ err: error, runId: work.run.runId }, 'a run broke')
  return { failure: 'internal_error', isSpent }
}
