// The shape of a tool. Tools are adapters: they call the verbs that REST calls, and contain no rule.
import type { ContentBlock } from '@modelcontextprotocol/server'
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'

import type { Feature } from '../../config.ts'
import type { Ctx } from '../../ctx.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Caller, ProCaller, Viewer } from '../../auth/caller.ts'

/** What a call carries besides its ctx and its input. */
export interface CallContext {
  /** The run, when the pro's own agent calls. Drafts and proposals record it, and the run's task pays for the call. */
  readonly run: AgentRunRef | undefined
  /** Aborted when the client no longer waits for the result: a tool that waits for something stops waiting. */
  readonly signal?: AbortSignal | undefined
}

/** A run of a pro's agent, and the thread that it belongs to. */
export interface AgentRunRef {
  readonly runId: string
  readonly threadId: string | null
}

/** The conditions under which a tool or an input field is available: see {@link ToolTraits}. */
export interface FieldCondition {
  readonly flags?: readonly Feature[]
  readonly anyFlag?: readonly Feature[]
  readonly noFlag?: readonly Feature[]
  readonly scopes?: readonly Scope[]
}

/** What a write does, each said explicitly: directories of agent tools refuse a tool that leaves one out. */
export interface WriteHints {
  /** Overwrites or ends something. */
  readonly destructive: boolean
  /** A second call with the same arguments has no effect. */
  readonly idempotent: boolean
  /** People outside of Hearth are notified. */
  readonly openWorld: boolean
}

/** The hints of a write that adds a draft, a proposal or a run. */
export const CREATES: WriteHints = { destructive: false, idempotent: false, openWorld: false }

interface ToolTraits {
  /** `verb_noun`, as models see it. */
  readonly name: string
  readonly title: string
  /** For a model without other knowledge: when to use the tool, what it returns, what to call next. */
  readonly description: string
  /** Instead of `description` where agents take no payments (AGENT_PAYMENTS=false). */
  readonly freeDescription?: string
  /** Decides whether a read scope or a write scope is needed. */
  readonly access: 'read' | 'write'
  /** The annotations of a write. */
  readonly hints?: WriteHints
  /** The tool is available when all of these are on. */
  readonly flags?: readonly Feature[]
  /** Besides `flags`, one of these must be on. */
  readonly anyFlag?: readonly Feature[]
  /** All of these must be off; when one is on, another tool of the same name replaces this one. */
  readonly noFlag?: readonly Feature[]
  /** Any of these, instead of the server's scopes. */
  readonly scopes?: readonly Scope[]
  /** Needs no identity: the public server has it too. */
  readonly isOpen?: true
  /** The key must belong to a client. */
  readonly owner?: 'client'
  /** Accepts an `idempotencyKey` and passes it to its verb. */
  readonly idempotent?: boolean
  /** The input field with a secret that could be guessed: calls with it count as look-ups of codes. */
  readonly guessable?: string
  /** Input fields that need feature flags or scopes of their own. */
  readonly fields?: Readonly<Record<string, FieldCondition>>
  /**
   * The parts of a result that other people wrote, such as `names` or `reviews`: each result and refusal says that they are
   * data and no instructions.
   */
  readonly quotes?: string
  /** Agent tasks per call: reserved before, settled after success, released after failure. */
  readonly cost?: 1
}

/** A page that only a person can use, such as one to pay on. */
export interface PersonPage {
  readonly url: string
  readonly message: string
}

interface ToolParts<C, I extends TObject, O extends TObject> extends Omit<
  ToolTraits,
  'idempotent' | 'access' | 'hints'
> {
  /** Strict: `additionalProperties: false`, with descriptions and examples. */
  readonly input: I
  /** Checked outside production; a result that does not match is a fault of ours. */
  readonly output: O
  /**
   * Throws AppError, which becomes a result that tells the model how to correct the call. The idempotency context is that of
   * `idempotencyKey`, on tools that accept one.
   */
  readonly call: (ctx: Ctx<C>, input: Static<I>, context: CallContext) => Promise<Static<O>>
  /** For clients that can ask their person: the question to agree to, or the page to open, before the call. */
  readonly askBefore?: (ctx: Ctx<C>, input: Static<I>) => Promise<string | PersonPage | undefined>
  /** For clients that can open a page: the page to open before they read the result. */
  readonly openAfter?: (result: Static<O>) => PersonPage | undefined
  /** One line after the result: the next step. */
  readonly next?: (result: Static<O>) => string | undefined
  /** Replaces the result's JSON, for results that are more than text. */
  readonly content?: (result: Static<O>) => ContentBlock[]
  /** With machine payments on, a call can be paid. */
  readonly charge?: Charge<Static<O>>
}

type ToolDefinition<C, I extends TObject, O extends TObject> = ToolParts<C, I, O> & {
  readonly idempotent?: boolean
} & ({ readonly access: 'read' } | { readonly access: 'write'; readonly hints: WriteHints })

/** How the result of a call is paid. */
export interface Charge<R> {
  /** The client secret of the payment; null when nothing is due. */
  clientSecretOf(result: R): string | null
  /** The result after the payment, given the booking's status then. */
  afterPayment(result: R, booking: { readonly status: string }): R
}

/** A tool whose input and output types are erased. `C` is the type of its caller. */
export interface Tool<C = Caller> extends ToolTraits {
  readonly input: TObject
  readonly output: TObject
  // Methods, so that a tool for pros is assignable where a tool for any caller is expected.
  call(ctx: Ctx<C>, input: unknown, context: CallContext): Promise<object>
  askBefore?(ctx: Ctx<C>, input: unknown): Promise<string | PersonPage | undefined>
  openAfter?(result: object): PersonPage | undefined
  next?(result: object): string | undefined
  content?(result: object): ContentBlock[]
  readonly charge?: Charge<object>
}

export const IdempotencyKey = Type.String({
  pattern: '^[!-~]{1,255}$',
  description: 'A UUID; the same with every retry',
})

/** A field of REST with a description for models, which pay for every word. */
export const described = <T extends TSchema>(schema: T, description?: string): T => ({ ...schema, description })

/** A tool of the customer server. */
export const defineCustomerTool = <I extends TObject, O extends TObject>(
  definition: ToolDefinition<Caller, I, O>,
): Tool => define(definition)

/** A tool of the customer server that needs no identity, and is on the public server too. */
export const defineOpenTool = <I extends TObject, O extends TObject>(
  definition: ToolDefinition<Viewer, I, O>,
): Tool<Viewer> => define({ ...definition, isOpen: true })

/** A tool of the pro server. */
export const defineProTool = <I extends TObject, O extends TObject>(
  definition: ToolDefinition<ProCaller, I, O>,
): Tool<ProCaller> => define(definition)

/** The types hold: the input of a call is checked against `input`, and `next` gets the result of `call`. */
function define<C, I extends TObject, O extends TObject>(definition: ToolDefinition<C, I, O>): Tool<C> {
  const { input, idempotent } = definition
  const properties = idempotent
    ? { ...input.properties, idempotencyKey: Type.Optional(IdempotencyKey) }
    : input.properties
  return {
    ...(definition as unknown as Tool<C>),
    input: Type.Object(properties, { additionalProperties: false }),
  }
}
