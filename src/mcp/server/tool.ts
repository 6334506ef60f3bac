// What a tool of an agent server is. Tools are adapters: they call the services that REST calls, and hold no rule.
import type { ContentBlock } from '@modelcontextprotocol/server'
import { type Static, type TObject, Type } from '@sinclair/typebox'

import type { Feature } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Caller } from '../../auth/caller.ts'
import type { ProCaller } from '../../auth/pro-caller.ts'
import type { IdempotencyContext, IdempotentResult } from '../../idempotency/context.ts'

/** What a call carries besides its input. */
export interface CallContext {
  /** With an `idempotencyKey`, on tools that take one: goes to the same verb that REST gives its Idempotency-Key. */
  readonly idempotency: IdempotencyContext | undefined
  /** Where the pro's own agent calls, in a run: what it makes says so. The run's task pays for all that it does. */
  readonly run: RunOfAgent | undefined
}

/** A run of a pro's agent, and the thread it belongs to. */
export interface RunOfAgent {
  readonly runId: string
  readonly threadId: string | null
}

/** Where a tool or a field of its input exists: see {@link ToolTraits}. */
export interface FieldCondition {
  readonly flags?: readonly Feature[]
  readonly anyFlag?: readonly Feature[]
  readonly noFlag?: readonly Feature[]
  readonly scopes?: readonly Scope[]
}

interface ToolTraits {
  /** `verb_noun`, as models see it. */
  readonly name: string
  readonly title: string
  /** For a model that knows nothing else: when to use it, what comes back, what to call next. */
  readonly description: string
  /** Reads need a read scope, writes a write scope. */
  readonly does: 'read' | 'write'
  /** What a client may tell its user of a write; a read is neither. `openWorld`: people outside of Hearth hear of it. */
  readonly hints?: { readonly destructive?: boolean; readonly idempotent?: boolean; readonly openWorld?: boolean }
  /** All of these must be on; otherwise the tool does not exist. */
  readonly flags?: readonly Feature[]
  /** Besides `flags`, one of these must be on. */
  readonly anyFlag?: readonly Feature[]
  /** None of these may be on: another tool of the same name takes its place then. */
  readonly noFlag?: readonly Feature[]
  /** Any of these instead of the usual ones of its server. */
  readonly scopes?: readonly Scope[]
  /** The key must be a client's. */
  readonly owner?: 'client'
  /** Takes an `idempotencyKey`; the verb it calls does it once. */
  readonly idempotent?: boolean
  /** Fields of the input that are there only where these flags are on and the key has one of these scopes. */
  readonly fields?: Readonly<Record<string, FieldCondition>>
  /** Agent tasks that a call costs: reserved before, settled after, released when it came to nothing. */
  readonly cost?: 1
  /** How deep tools/list shows the output schema. */
  readonly outlineDepth?: number
}

interface ToolParts<C, I extends TObject, O extends TObject, R> extends Omit<ToolTraits, 'idempotent'> {
  /** Strict: `additionalProperties: false`, with descriptions and examples. */
  readonly input: I
  /** Checked outside production: an answer that breaks it is a fault of ours. */
  readonly output: O
  /** Throws AppError, which becomes a result that says how to mend the call. */
  readonly call: (deps: Deps, caller: C, input: Static<I>, context: CallContext) => Promise<R>
  /** One line after the result: what to do next. */
  readonly next?: (result: Static<O>) => string | undefined
  /** Shown instead of the result's JSON, where that is not text alone. */
  readonly content?: (result: Static<O>) => ContentBlock[]
  /** Where machines may pay, a call may be followed by a payment. */
  readonly charge?: Charge<Static<O>>
}

type ToolDefinition<C, I extends TObject, O extends TObject> =
  | (ToolParts<C, I, O, Static<O>> & { readonly idempotent?: false })
  | (ToolParts<C, I, O, IdempotentResult<Static<O>>> & { readonly idempotent: true })

/** What a call's result leaves to be paid. */
export interface Charge<R> {
  /** The secret that pays it; null where nothing is due. */
  secretOf(result: R): string | null
  /** The result once it is paid, by what became of the booking. */
  paid(result: R, booking: { readonly status: string }): R
}

/** A tool whose input and output are known by their schemas alone. `C` is who may call it. */
export interface Tool<C = Caller> extends ToolTraits {
  readonly input: TObject
  readonly output: TObject
  // Methods, so that a tool for pros passes where a tool for anyone is held.
  call(deps: Deps, caller: C, input: unknown, context: CallContext): Promise<IdempotentResult<object>>
  next?(result: object): string | undefined
  content?(result: object): ContentBlock[]
  readonly charge?: Charge<object>
}

export const IdempotencyKey = Type.String({
  pattern: '^[!-~]{1,255}$',
  description: 'A UUID for this one operation; the same with every retry',
})

/** A tool of the customer server. */
export const defineCustomerTool = <I extends TObject, O extends TObject>(
  definition: ToolDefinition<Caller, I, O>,
): Tool => define(definition)

/**
 * A tool of the pro server. Its caller is a pro for whom the server is usable. There are many, and whoever lists them reads
 * them all: of an output schema only the first level is shown.
 */
export const defineProTool = <I extends TObject, O extends TObject>(
  definition: ToolDefinition<ProCaller, I, O>,
): Tool<ProCaller> => define({ outlineDepth: 1, ...definition })

/** What a call is given has been checked against `input`, and `next` gets what `call` gave: so the types hold. */
function define<C, I extends TObject, O extends TObject>(definition: ToolDefinition<C, I, O>): Tool<C> {
  const { input, idempotent } = definition
  const properties = idempotent
    ? { ...input.properties, idempotencyKey: Type.Optional(IdempotencyKey) }
    : input.properties
  return {
    ...(definition as unknown as Tool<C>),
    input: Type.Object(properties, { additionalProperties: false }),
    call: async (deps, caller, checked, context) => {
      const given = checked as Static<I>
      if (definition.idempotent) return await definition.call(deps, caller, given, context)
      return { value: await definition.call(deps, caller, given, context), replayed: false }
    },
  }
}
