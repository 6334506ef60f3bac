// What one call has: the dependencies, who calls, and, where they exist, the transaction and the idempotency context.
import { type Deps, type Pools, rootOf } from './deps.ts'
import type { Transaction } from './platform/postgres/database.ts'

/** A caller's idempotency key. */
export interface IdempotencyContext {
  readonly key: string
  /** Runs before the work, but not before a replay. Throws to refuse the request. */
  readonly beforeFirst?: () => Promise<void>
  /** Set when the outcome is that of an earlier call with the same key. */
  isReplay?: boolean
}

/** The first parameter of every verb and query. */
export interface Ctx<Actor = unknown> extends Deps {
  /** Who calls, and in which role. Undefined when Hearth itself does. */
  readonly actor: Actor
  readonly idempotency: IdempotencyContext | undefined
  /** The same call, made by `actor`. */
  as<Other>(actor: Other, idempotency?: IdempotencyContext): Ctx<Other>
  /** The same call with all reads on the primary, also those that may run on a replica. */
  fresh(): Ctx<Actor>
  /**
   * Runs `work` in one transaction, as `begin` of the write pool says. In its ctx, `read`, `replicas` and `write` are the
   * transaction, and there is no idempotency context, because the transaction is one for all of it.
   */
  transaction<T>(name: string, work: (ctx: TxCtx<Actor>) => Promise<T>): Promise<T>
}

/** A ctx in a transaction. */
export interface TxCtx<Actor = unknown> extends Ctx<Actor> {
  readonly tx: Transaction
  as<Other>(actor: Other, idempotency?: IdempotencyContext): TxCtx<Other>
  /** Runs `work` and undoes only its changes when it throws. */
  savepoint<T>(work: (ctx: TxCtx<Actor>) => Promise<T>): Promise<T>
}

/** The ctx of a call by `actor`. */
export function ctxOf(deps: Deps): Ctx<undefined>
export function ctxOf<Actor>(deps: Deps, actor: Actor, idempotency?: IdempotencyContext): Ctx<Actor>
export function ctxOf(deps: Deps, actor?: unknown, idempotency?: IdempotencyContext): Ctx {
  return new Call(deps, actor, idempotency)
}

class Call<Actor> implements Ctx<Actor> {
  readonly deps: Deps
  readonly config
  readonly log
  readonly clock
  readonly ids
  readonly read
  readonly replicas
  readonly write
  readonly restoredCopy
  readonly redis
  readonly queues
  readonly encryption
  readonly storage
  readonly notifications
  readonly session

  constructor(
    deps: Deps,
    readonly actor: Actor,
    readonly idempotency: IdempotencyContext | undefined,
    { read, replicas, write }: Pools = deps,
  ) {
    this.deps = rootOf(deps)
    this.config = deps.config
    this.log = deps.log
    this.clock = deps.clock
    this.ids = deps.ids
    this.read = read
    this.replicas = replicas
    this.write = write
    this.restoredCopy = deps.restoredCopy
    this.redis = deps.redis
    this.queues = deps.queues
    this.encryption = deps.encryption
    this.storage = deps.storage
    this.notifications = deps.notifications
    this.session = deps.session
  }

  as<Other>(actor: Other, idempotency = this.idempotency): Ctx<Other> {
    return new Call(this, actor, idempotency)
  }

  fresh(): Ctx<Actor> {
    const { read, write } = this
    return new Call(this, this.actor, this.idempotency, { read, replicas: { ...this.replicas, ...read }, write })
  }

  transaction<T>(name: string, work: (ctx: TxCtx<Actor>) => Promise<T>): Promise<T> {
    return this.write.begin(name, (tx) => work(new TransactionCall(this, this.actor, tx, poolsOn(tx, this))))
  }

  warmUp(): Promise<void> {
    return this.deps.warmUp()
  }

  close(): Promise<void> {
    return this.deps.close()
  }
}

class TransactionCall<Actor> extends Call<Actor> implements TxCtx<Actor> {
  constructor(
    outer: Deps,
    actor: Actor,
    readonly tx: Transaction,
    pools?: Pools,
  ) {
    super(outer, actor, undefined, pools)
  }

  override as<Other>(actor: Other): TxCtx<Other> {
    return new TransactionCall(this, actor, this.tx)
  }

  override fresh(): TxCtx<Actor> {
    return this
  }

  /** The work joins this transaction. */
  override transaction<T>(_name: string, work: (ctx: TxCtx<Actor>) => Promise<T>): Promise<T> {
    return work(this)
  }

  savepoint<T>(work: (ctx: TxCtx<Actor>) => Promise<T>): Promise<T> {
    return this.tx.savepoint((tx) => work(new TransactionCall(this, this.actor, tx, poolsOn(tx, this))))
  }
}

/** The pools, with the transaction in the place of their statements. */
const poolsOn = (tx: Transaction, { read, replicas, write }: Pools): Pools => ({
  read: { ...read, ...tx },
  replicas: { ...replicas, ...tx },
  write: { ...write, ...tx, begin: (_name, work) => work(tx) },
})
