// Carrying out one call of a tool: its input checked, its cost reserved, its answer made readable.
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

import type { Deps } from '../../deps.ts'
import { type AppError, ERRORS, invalidFields } from '../../errors/app-error.ts'
import type { TaskKind } from '../../features/metering/schemas.ts'
import { releaseTask, reserveTask, settleTask } from '../../features/metering/verbs.ts'
import { namedErrors } from '../../http/field-errors.ts'
import type { Caller } from '../../auth/caller.ts'
import { problemOf, toAppError } from '../../http/problem.ts'
import type { Till } from '../payment/payment-session.ts'
import type { Side } from './definition.ts'
import type { RunOfAgent, Tool } from './tool.ts'

/** Result members of ours (they need a prefix of their own). */
const REPLAYED = 'hearth/idempotentReplayed'

/** On whose behalf tools are called: a request's, or a run's of the pro's own agent. */
export interface Calling<C extends Caller> {
  readonly deps: Deps
  readonly side: Side<C>
  /** The caller as tools get it, once the server is known to be usable for them. */
  readonly entered: () => Promise<C>
  /** Within a run nothing is spent: one task pays for all that it does. */
  readonly run?: RunOfAgent
}

interface Checks {
  readonly input: TypeCheck<Tool['input']>
  readonly output: TypeCheck<Tool['output']>
}

const compiled = new WeakMap<object, Checks>()

function checksOf<C>(tool: Tool<C>): Checks {
  const known = compiled.get(tool)
  if (known) return known
  const checks = { input: TypeCompiler.Compile(tool.input), output: TypeCompiler.Compile(tool.output) }
  compiled.set(tool, checks)
  return checks
}

/**
 * Calls the tool. What the caller can mend (a bad argument, a taken slot) is a result that says so; what they cannot
 * (a store that is away, a fault of ours) is thrown, and so is a credential that does not pay: that is the protocol's own
 * error. With a `till`, what is due can be paid with the call.
 */
export async function callTool<C extends Caller>(
  { deps, side, entered, run }: Calling<C>,
  tool: Tool<C>,
  args: Record<string, unknown>,
  till?: Till,
): Promise<CallToolResult> {
  try {
    const caller = await entered()
    const { input, key } = readInput(tool, args)
    till?.admit(tool, key)
    const task = tool.cost && !run ? new PaidTask(deps, caller, tool.name) : undefined
    let isAdmitted = false
    const admit = async () => {
      if (!run) await side.beforeCall?.(deps, caller)
      await task?.reserve()
      isAdmitted = true
    }
    // A replay is returned even when nothing is left to pay for a new call.
    const idempotency = key === undefined ? undefined : { key, beforeFirst: admit }
    if (!idempotency) await admit()
    const work = () => tool.call(deps, caller, input, { idempotency, run })
    const { value, replayed } = task ? await task.whileDoing(work) : await work()
    if (side.beforeCall && !isAdmitted && !replayed)
      throw new Error(`The verb of ${tool.name} takes a key, and does not ask what must hold before it works.`)
    // Without a key, the call could not be made again for the same thing.
    const settled = tool.charge && key !== undefined ? await till?.settle(tool.charge, value) : undefined
    const result = settled?.result ?? value
    if (deps.config.environment !== 'production') checkOutput(tool, result)
    return success(tool, result, { ...replayMeta(replayed), ...settled?.meta })
  } catch (thrown) {
    if (ProtocolError.isInstance(thrown)) throw thrown
    const error = toAppError(thrown)
    if (error.status >= 500 || error.code === 'payment_refused') throw error
    return refusal(deps, error)
  }
}

function readInput<C>(tool: Tool<C>, args: Record<string, unknown>): { input: unknown; key: string | undefined } {
  const { input: check } = checksOf(tool)
  if (!check.Check(args)) throw invalidFields(namedErrors(check.Errors(args)))
  if (!tool.idempotent) return { input: args, key: undefined }
  const { idempotencyKey, ...input } = args
  return { input, key: typeof idempotencyKey === 'string' ? idempotencyKey : undefined }
}

/** One agent task for the work: none where it fails, or was done before under the same key. */
class PaidTask {
  readonly #professionalId: string
  readonly #taskId: string
  #isReserved = false

  constructor(
    readonly deps: Deps,
    { professionalId }: Caller,
    readonly tool: string,
  ) {
    if (professionalId === null) throw new Error('Only tools of pros cost tasks.')
    this.#professionalId = professionalId
    this.#taskId = deps.ids.uuid()
  }

  async reserve(): Promise<void> {
    const task = { taskId: this.#taskId, kind: this.tool as TaskKind }
    await reserveTask(this.deps, this.deps.write, this.#professionalId, task)
    this.#isReserved = true
  }

  async whileDoing<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      await this.#end(settleTask)
      return result
    } catch (error) {
      await this.#end(releaseTask)
      throw error
    }
  }

  async #end(end: typeof settleTask): Promise<void> {
    if (this.#isReserved) await end(this.deps, this.deps.write, this.#professionalId, this.#taskId)
  }
}

function checkOutput<C>(tool: Tool<C>, result: object): void {
  const { output: check } = checksOf(tool)
  if (check.Check(result)) return
  const faults = namedErrors(check.Errors(result)).map(({ path, message }) => `${path || 'it'} ${message}`)
  throw new Error(`The answer of ${tool.name} is not as its output schema says: ${faults.join('; ')}.`)
}

function success<C>(tool: Tool<C>, result: object, meta: Record<string, unknown>): CallToolResult {
  const hint = tool.next?.(result)
  return {
    content: [...(tool.content?.(result) ?? [text(JSON.stringify(result))]), ...(hint ? [text(hint)] : [])],
    structuredContent: { ...result },
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  }
}

/** For the model: what is wrong and what to do. Then the whole of it, for programs. */
function refusal(deps: Deps, error: AppError): CallToolResult {
  const errors = error.errors?.map(({ path, message }) => ({ path: path.replace(/^(body|query|path)\./, ''), message }))
  const problem = { ...problemOf(deps, error), ...(errors ? { errors } : {}) }
  const detail = error.detail.replaceAll(/\b(body|query|path)\.(?=\w)/g, '')
  return {
    isError: true,
    content: [
      text(`${error.code}: ${detail}\nWhat to do: ${ERRORS[error.code].remedy}`),
      text(JSON.stringify(problem)),
    ],
    ...(error.replayed ? { _meta: replayMeta(true) } : {}),
  }
}

/** Whether the result is that of an earlier call with the same key. */
export const isReplayed = ({ _meta: meta }: CallToolResult): boolean => meta?.[REPLAYED] === true

const replayMeta = (replayed: boolean) => (replayed ? { [REPLAYED]: true } : {})

const text = (value: string) => ({ type: 'text' as const, text: value })
