// Executes one run: the model decides, the tool executor acts, and every step is stored before and after it happens.
import { SpanKind, trace } from '@opentelemetry/api'

import type { AgentLimits } from '../../config.ts'
import { type Ctx, ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { RunRef } from '../../features/agents/threads/schemas.ts'
import {
  type ClaimedRun,
  type PlannedStep,
  type RunEnd,
  RunLost,
  type StepRow,
  type TokenUsage,
  claimRun,
  finishRun,
  finishStep,
  planSteps,
} from '../../features/agents/threads/verbs/run-execution.ts'
import { StoreUnavailable } from '../../platform/store-error.ts'
import { firstCharacters } from '../../platform/text/plain.ts'
import { inSpan } from '../../platform/telemetry/trace-context.ts'
import { type Conversation, type Model, ModelFailure, type Turn } from '../models/model.ts'
import { conversationOf } from './conversation.ts'
import type { ToolExecutor } from './tool-executor.ts'
import type { RunMetrics } from './metrics.ts'

export interface RunOptions {
  model: Model
  /** The tools of this run's pro. */
  executorFor: (run: ClaimedRun) => ToolExecutor
  limits: AgentLimits
  metrics: RunMetrics
  /** Aborted when the worker has to give up the run; another worker claims it then. */
  signal: AbortSignal
}

/** Attempts to get a usable turn from the model. */
const TRIES_PER_TURN = 3
/** Limits of a stored step, in characters, and of one answer, in tokens. */
const MAX_RESULT = 12_000
const MAX_INPUT = 20_000
const MAX_TEXT = 5000
const MAX_OUTPUT_TOKENS = 8000

const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0 }

const tracer = trace.getTracer('hearth.agents')

/**
 * Executes a run until it ends. Throws when the worker has to give it up or a store is unavailable: the next claim continues
 * after the last stored step.
 */
export async function executeRun(ctx: Ctx, ref: RunRef, options: RunOptions): Promise<void> {
  const run = await claimRun(ctx, { ref, model: options.model.name })
  if (!run) return
  const startedMs = performance.now()
  const timeLimit = AbortSignal.timeout(options.limits.seconds * 1000)
  const signal = AbortSignal.any([options.signal, timeLimit])
  const execution = new RunExecution(ctx, run, { ...options, signal })
  try {
    const { usage, ...end } = await execution.untilEnd().catch((error: unknown) => {
      // When the worker stops, the run has not ended.
      options.signal.throwIfAborted()
      return { ...execution.endAfter(error, timeLimit.aborted), usage: NO_USAGE }
    })
    const outcome = await finishRun(ctx, { claim: run, end, usage })
    const failure = 'failure' in end ? end.failure : 'none'
    options.metrics.ended(outcome, failure, (performance.now() - startedMs) / 1000)
  } catch (error) {
    if (!(error instanceof RunLost)) throw error
    ctx.log.info({ runId: run.runId }, 'another worker took over the run, or the run has ended')
  }
}

class RunExecution {
  readonly #executor: ToolExecutor
  readonly #steps: StepRow[]

  constructor(
    readonly deps: Deps,
    readonly run: ClaimedRun,
    readonly options: RunOptions,
  ) {
    this.#executor = options.executorFor(run)
    this.#steps = [...run.steps]
  }

  /** Takes turn after turn until the model answers or a limit is reached. */
  async untilEnd(): Promise<RunEnd & { usage: TokenUsage }> {
    const { deps, run } = this
    const { limits } = this.options
    let tokens = run.inputTokens + run.outputTokens
    for (;;) {
      // Includes steps that another worker planned before it died.
      for (const [index, step] of this.#steps.entries())
        if (step.status === 'planned') this.#steps[index] = await this.#execute(step)
      const stepsLeft = limits.steps - this.#steps.length
      const turn = await this.#nextTurn({
        ...conversationOf({ ...run, steps: this.#steps }),
        tools: stepsLeft > 0 ? this.#executor.tools : [],
        maxOutputTokens: Math.min(MAX_OUTPUT_TOKENS, Math.max(limits.tokens - tokens, 1)),
      })
      tokens += turn.inputTokens + turn.outputTokens
      if (turn.calls.length === 0) return { answer: firstCharacters(turn.text ?? '', MAX_TEXT), usage: turn }
      const isSpent = this.#hasEffect()
      if (stepsLeft <= 0) return { failure: 'step_limit', isSpent, usage: turn }
      if (tokens >= limits.tokens) return { failure: 'token_limit', isSpent, usage: turn }
      const planned = stepsOf(turn, this.#steps, stepsLeft)
      await planSteps(ctxOf(deps), { claim: run, steps: planned })
      this.#steps.push(...planned.map((step): StepRow => ({ ...step, status: 'planned', result: null })))
    }
  }

  /** The end of the run after an error. Throws an error that does not end the run: its loss, or an unavailable store. */
  endAfter(error: unknown, isTimeOver: boolean): RunEnd {
    if (error instanceof RunLost || error instanceof StoreUnavailable) throw error
    const isSpent = this.#hasEffect()
    if (isTimeOver) return { failure: 'time_limit', isSpent }
    if (error instanceof ModelFailure) return { failure: error.code, isSpent }
    this.deps.log.error({ err: error, runId: this.run.runId }, 'a run failed with an internal error')
    return { failure: 'internal_error', isSpent }
  }

  /** Asks the model for a turn, and again after an unusable one. */
  async #nextTurn(conversation: Conversation): Promise<Turn> {
    const { model, metrics, signal } = this.options
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
        const { code, reason } = error
        if (code === 'not_understood') throw error
        this.deps.log.warn({ runId: this.run.runId, code, reason, tries }, 'the model returned no usable turn')
        if (code !== 'model_unusable' || tries === TRIES_PER_TURN) throw error
      }
    }
  }

  /** Calls the tool of a step and stores its result. */
  async #execute(step: StepRow): Promise<StepRow> {
    const { deps, run } = this
    const { metrics, signal } = this.options
    signal.throwIfAborted()
    const startedMs = performance.now()
    const attributes = { 'gen_ai.tool.name': step.tool, 'hearth.step': step.number }
    const { text, isError, summary } = await inSpan(tracer, 'agent step', { kind: SpanKind.INTERNAL, attributes }, () =>
      this.#executor.call(step.tool, JSON.parse(step.input), `run-${run.runId}-${step.number}`),
    )
    const durationMs = Math.round(performance.now() - startedMs)
    const status = isError ? 'refused' : 'done'
    const result = text.length <= MAX_RESULT ? text : `${firstCharacters(text, MAX_RESULT)} … (cut)`
    const { number, tool } = step
    await finishStep(ctxOf(deps), { run, step: { number, tool, status, result, summary, durationMs } })
    metrics.step(this.#executor.tools.some(({ name }) => name === tool) ? tool : 'unknown', status)
    return { ...step, status, result }
  }

  /** Returns whether a step made a draft, a proposal or another change. Then a failed run costs its task too. */
  #hasEffect(): boolean {
    return this.#steps.some(({ status, tool }) => status === 'done' && this.#executor.writes(tool))
  }
}

/** The calls of a turn as steps, at most `limit`. */
function stepsOf(turn: Turn, before: readonly StepRow[], limit: number): PlannedStep[] {
  const number = before.length + 1
  return turn.calls.slice(0, limit).map((call, n) => ({
    number: number + n,
    turn: (before.at(-1)?.turn ?? 0) + 1,
    callId: call.id,
    remark: n === 0 ? turn.text && firstCharacters(turn.text, MAX_TEXT) : null,
    tool: call.tool,
    input: inputText(call.input),
    ...(n === 0 ? { inputTokens: turn.inputTokens, outputTokens: turn.outputTokens } : NO_USAGE),
  }))
}

function inputText(input: unknown): string {
  const text = JSON.stringify(input)
  return text.length <= MAX_INPUT ? text : JSON.stringify('The input was too long to be stored.')
}
