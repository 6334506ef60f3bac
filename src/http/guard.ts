// The gate before every route: who calls, may they, is the body readable. Routes declare; nothing here is per route.
import type { TObject } from '@sinclair/typebox'
import { type DocumentDecoration, Elysia, type TSchema } from 'elysia'

import type { Deps } from '../deps.ts'
import { AppError, invalidField } from '../errors/app-error.ts'
import type { Scope } from '../auth/scopes.ts'
import type { IdempotencyContext } from '../idempotency/context.ts'
import type { Access } from '../auth/access.ts'
import { readJsonBody, refuseUnstorable } from './body.ts'
import { allowedOrigin } from './cors.ts'
import { type Caller, identityOf } from '../auth/caller.ts'
import { limitsOf } from '../rate-limit/rate-limits.ts'
import { type QueryValues, queryValuesOf } from './query-values.ts'
import { CACHING_KEY, type Caching } from './headers.ts'
import { requestContextOf } from '../auth/request-context.ts'
import { type AuthenticatedRequest, admitVisit } from './session.ts'

/** What a route answers with each status, for OpenAPI and the contract tests. */
export type RouteResponses = Record<number, { description: string; schema?: TSchema; type?: string }>

/** OpenAPI extension members in which a route's declarations travel to the document and the tests. */
export const ACCESS_KEY = 'x-access'
export const ANSWERS_KEY = 'x-answers'
export const IDEMPOTENT_KEY = 'x-idempotent'
export const FORM_KEY = 'x-form'

/** What the gate adds to a route's context. */
type GateContext = {
  /** Who calls; undefined without a key. */
  caller: Caller | undefined
  /** The caller's Idempotency-Key, on routes that are `idempotent`. */
  idempotency: IdempotencyContext | undefined
  /** Who is logged in, and what they sent, on routes whose access is a session. */
  visit: AuthenticatedRequest | undefined
}

/** What a context has before the gate knows better. */
const NOBODY: GateContext = { caller: undefined, idempotency: undefined, visit: undefined }

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/**
 * The plugin every feature's routes use. `access` is checked before the body is read and before validation, so that an
 * anonymous caller learns nothing from either.
 */
export function guard(deps: Deps) {
  const ownOrigin = new URL(deps.config.baseUrl).origin
  const limits = limitsOf(deps)
  const queryValues = queryValuesOf(deps)
  return new Elysia({ name: 'gate' }).decorate(NOBODY).macro({
    access: (access: Access) => ({
      // The gate reads bodies itself, after it knows the caller: this keeps Elysia's parsers from it.
      parse: () => null,
      async transform(context) {
        const { request } = context
        if (access.rpc) requestContextOf(request).isRpc = true
        if (access.page) requestContextOf(request).isPage = true
        if (access.session) context.visit = await admitVisit(deps, request, access)
        // No promise where nothing waits, which is nearly always: each costs 0.3 µs.
        const identified = access.key === 'none' ? undefined : identify(deps, request)
        const caller = identified instanceof Promise ? await identified : identified
        const admitted = access.rpc || access.session ? undefined : limits.admit(request, access, caller)
        if (admitted) await admitted
        try {
          if (access.key !== 'none') {
            requestContextOf(request).allowOrigin = allowedOrigin(caller, request.headers, ownOrigin)
            checkRequiredQuery(access, context.query)
            checkAccess(access, caller)
            context.caller = caller
          }
          // By name: Elysia reads in this text what to put into the context.
          const { route, query, params } = context
          if (takesBody(queryValues, request, route)) {
            context.body = await readJsonBody(request)
            // Calls are judged one by one.
            if (!access.rpc) refuseUnstorable(context.body, 'body')
          }
          refuseUnstorable(query, 'query')
          queryValues.read(request.method, route, query)
          refuseUnstorable(params, 'path')
        } catch (error) {
          // No call of it was counted, nor will be.
          if (access.rpc) await limits.admit(request, access, caller)
          throw error
        }
      },
      // Pages are no part of the API's description.
      detail: { [ACCESS_KEY]: access, ...(access.page ? { hide: true } : {}) } as DocumentDecoration,
    }),
    /** The route creates something and takes an `Idempotency-Key`. */
    idempotent: (idempotent: boolean) => ({
      transform(context) {
        if (idempotent) context.idempotency = idempotencyOf(context.request)
      },
      detail: { [IDEMPOTENT_KEY]: idempotent } as DocumentDecoration,
    }),
    /** Whether others may keep the answer; what follows from `access` unless a route says otherwise. */
    caching: (caching: Caching) => ({ detail: { [CACHING_KEY]: caching } as DocumentDecoration }),
    /** What the route takes from a page's form; the handler reads it with `readFields`. */
    form: (schema: TObject) => ({ detail: { [FORM_KEY]: schema } as DocumentDecoration }),
    answers: (answers: RouteResponses) => ({ detail: { [ANSWERS_KEY]: answers } as DocumentDecoration }),
  })
}

const takesBody = (routes: QueryValues, { method }: Request, route: string) =>
  METHODS_WITH_BODY.has(method) && routes.takesBody(method, route)

/** A refused key is charged to whoever sent it, by address: keys cannot be guessed at leisure. */
function identify(deps: Deps, request: Request): Caller | undefined | Promise<Caller> {
  const limits = limitsOf(deps)
  const refuse = async (error: unknown): Promise<never> => {
    if (error instanceof AppError && error.code === 'invalid_key') await limits.admitRefusedKey(request)
    throw error
  }
  try {
    const caller = identityOf(deps).identify(request, () => limits.refuseGuessing(request))
    if (caller instanceof Promise) {
      requestContextOf(request).hasWaited = true
      return caller.then((found) => note(request, found), refuse)
    }
    return caller && note(request, caller)
  } catch (error) {
    return refuse(error)
  }
}

function note(request: Request, caller: Caller): Caller {
  requestContextOf(request).keyId = caller.keyId
  return caller
}

function checkRequiredQuery({ requiredQuery = [] }: Access, query: Record<string, unknown>): void {
  for (const name of requiredQuery) if (!query[name]) throw invalidField(`query.${name}`, 'is required')
}

function checkAccess(access: Access, caller: Caller | undefined): void {
  if (access.key === 'optional') return
  if (!caller) throw new AppError('missing_key', 'Send a key as `Authorization: Bearer <API_KEY>`.')
  if (access.owner === 'client' && caller.ownerKind !== 'client')
    throw new AppError('invalid_key', 'This path needs a key that was issued to a client account.')
  if (access.owner === 'pro' && caller.professionalId === null)
    throw new AppError('invalid_key', 'This path needs a key that was issued to a pro.')
  checkScopes(caller, access)
}

/** Throws insufficient_scope unless the caller has any of the scopes, or all of them where `all` says so. */
export function checkScopes(caller: Caller, { scopes, all }: Pick<Access, 'scopes' | 'all'>): void {
  const has = (scope: Scope) => caller.scopes.has(scope)
  if (all ? scopes.every(has) : scopes.some(has)) return
  const which = all && scopes.length > 1 ? 'all' : 'one'
  throw new AppError('insufficient_scope', `The key needs ${which} of these scopes: ${scopes.join(', ')}.`, {
    extensions: { requiredScopes: scopes },
  })
}

/** Visible ASCII, as the IETF draft's examples are; a UUID is best. */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/

function idempotencyOf({ headers }: Request): IdempotencyContext | undefined {
  const key = headers.get('idempotency-key')
  if (key === null) return undefined
  if (!IDEMPOTENCY_KEY.test(key))
    throw invalidField('header.Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  return { key }
}

/** The caller of a route with a required key. */
export function callerOf(caller: Caller | undefined): Caller {
  if (!caller) throw new Error('callerOf is for routes whose access requires a key.')
  return caller
}
