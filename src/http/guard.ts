// The plugin of all routes: who calls, may they, how often, and is their input readable.
import type { TObject, TSchema } from '@sinclair/typebox'
import { type DocumentDecoration, Elysia } from 'elysia'

import type { Access } from '../auth/access.ts'
import type { Caller, OperatorCaller, ProCaller } from '../auth/caller.ts'
import { type RequestContext, noteMessage, requestContextOf } from '../auth/request-context.ts'
import type { Scope } from '../auth/scopes.ts'
import type { Role } from '../auth/users/schemas.ts'
import { type Ctx, ctxOf } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import { requestLimitsOf } from '../rate-limit/request-limits.ts'
import { readJsonBody, refuseFields, refuseManyValues, refuseUnstorable } from './body.ts'
import { normaliserOf } from '../platform/schema/normaliser.ts'
import { allowedOrigin, refuseOtherPages } from './cors.ts'
import { refuseForeign } from './form.ts'
import { type CustomerRequest, type CustomerSession, authenticateCustomer } from './customer-session.ts'
import { checkAccess, checkRequiredQuery } from './permissions.ts'
import { CACHING_KEY, type Caching, cachingOf } from './headers.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { identify } from './identify.ts'
import { dropCampaignParameters, queryReader, refuseRepeated } from './query-values.ts'
import { type AuthenticatedRequest, type Session, authenticate } from './session.ts'
import { parseMessages } from '../platform/net/message-id.ts'
import { trafficOf } from './traffic.ts'

/** Members of a route's `detail` that carry its declarations to the OpenAPI document and the tests. */
export const ACCESS_KEY = 'x-access'
export const IDEMPOTENT_KEY = 'x-idempotent'
export const FORM_KEY = 'x-form'
export const UPLOAD_KEY = 'x-upload'

/** What the guard adds to a route's context. */
type GuardContext = {
  /** What the verbs get: the dependencies and who calls, with the Idempotency-Key on routes that are `idempotent`. */
  ctx: Ctx<Caller | undefined>
  /** The owner of the request's key. */
  caller: Caller | undefined
  /** The session and its form, on routes with a `session`. */
  authenticated: AuthenticatedRequest | undefined
  /** The customer and the form they sent, on routes for a `customer`. */
  signedIn: CustomerRequest | undefined
}

const UNIDENTIFIED = {
  ctx: undefined,
  caller: undefined,
  authenticated: undefined,
  signedIn: undefined,
} as unknown as GuardContext

/**
 * Routes declare their access by one of `access`, `withKey`, `proKey`, `clientKey`, `session` and `customer`. It is checked before
 * the body is read and before validation, so that an anonymous caller learns nothing from either.
 */
export const guard = (deps: Deps) =>
  new Elysia({ name: 'guard' })
    .decorate(UNIDENTIFIED)
    .macro({
      /** The route takes any caller whom `access` describes. */
      access: accessMacro(deps),
      /** The route creates something and takes an `Idempotency-Key`. */
      idempotent: (idempotent: boolean) => ({
        detail: { [IDEMPOTENT_KEY]: idempotent } as DocumentDecoration,
      }),
      /** Which caches may keep the response, where that does not follow from the access. */
      caching: (caching: Caching) => ({ detail: { [CACHING_KEY]: caching } as DocumentDecoration }),
      /** The parts of a multipart body with files; the handler reads them with `receiveUpload`, or a page's with `receivePageForm`. */
      upload: (schema: TObject) => ({ detail: { [UPLOAD_KEY]: schema } as DocumentDecoration }),
      /** The fields of the page's form; the handler reads them with `readFields`. */
      form: (schema: TObject) => ({ detail: { [FORM_KEY]: schema } as DocumentDecoration }),
    })
    .macro({
      /** The route needs a key with any of the scopes; `caller` is its owner. */
      withKey: (needs: readonly Scope[] | Omit<Access, 'key'>) => ({
        access: { key: 'required', ...('scopes' in needs ? needs : { scopes: needs }) } satisfies Access,
        resolve: ({ caller, ctx }) => ({ caller: present(caller), ctx: ctx as Ctx<Caller> }),
      }),
      /** The route needs a pro's own key with the scope; `caller` is that pro. */
      proKey: (scope: 'pro:read' | 'pro:write') => ({
        access: { key: 'required', scopes: [scope], owner: 'pro' } satisfies Access,
        resolve: ({ caller, ctx }) => ({ caller: present(caller) as ProCaller, ctx: ctx as Ctx<ProCaller> }),
      }),
      /** The route needs a client's own key with the scope; `caller` is that client. */
      clientKey: (scope: 'mcp:read' | 'mcp:write') => ({
        access: { key: 'required', scopes: [scope], owner: 'client' } satisfies Access,
        resolve: ({ caller, ctx }) => ({ caller: present(caller), ctx: ctx as Ctx<Caller> }),
      }),
      /** The route needs an operator's own key with the scope, and a role that `OPERATOR_ROUTES` allows; `caller` is that operator. */
      operatorKey: (scope: 'platform:read' | 'platform:write') => ({
        access: { key: 'required', scopes: [scope], owner: 'operator' } satisfies Access,
        resolve: ({ caller, ctx }) => ({ caller: present(caller) as OperatorCaller, ctx: ctx as Ctx<OperatorCaller> }),
      }),
      /** The page needs a session with one of the roles; `authenticated` is the session, with the form it sent. */
      session: (roles: readonly Role[]) => ({
        access: { key: 'none', scopes: [], page: true, session: roles } satisfies Access,
        resolve: ({ authenticated, ctx }) => ({
          authenticated: present(authenticated),
          ctx: ctx as Ctx as Ctx<Session>,
        }),
      }),
      /** The page needs a signed-in customer; `signedIn` is the customer, with the form they sent. */
      customer: (customer: true) => ({
        access: { key: 'none', scopes: [], page: true, customer } satisfies Access,
        resolve: ({ signedIn, ctx }) => ({ signedIn: present(signedIn), ctx: ctx as Ctx as Ctx<CustomerSession> }),
      }),
    })

/** What the guard reads from a route's other declarations when the route is added. */
interface RouteHooks {
  query?: TSchema
  body?: TSchema
  caching?: Caching
  idempotent?: boolean
  upload?: TObject
  form?: TObject
  detail?: { [CACHING_KEY]?: Caching; [IDEMPOTENT_KEY]?: boolean; [UPLOAD_KEY]?: TObject; [FORM_KEY]?: TObject }
}

/** As much of Elysia's context as the guard reads and sets. */
type GuardedContext = GuardContext & {
  readonly request: Request
  readonly route: string
  readonly query: Record<string, unknown>
  readonly params: Record<string, unknown>
  body: unknown
}

/** Operators can log in to look at a restored copy, although it refuses changes. */
const SIGN_IN = new Set(['/console/login', '/console/login/code', '/console/logout'])
const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

function accessMacro(deps: Deps) {
  const ownOrigin = new URL(deps.config.baseUrl).origin
  const limits = requestLimitsOf(deps)
  const traffic = trafficOf(deps)
  return (access: Access) => {
    const { key, rpc = false, page = false, session, customer, limit } = access
    let [takesBody, upload, isIdempotent] = [false, false, false]
    let readQuery = queryReader(undefined)
    let normaliseBody: ReturnType<typeof normaliserOf>
    let form: TObject | undefined
    let caching: { get: Caching; other: Caching } = { get: 'personal', other: 'personal' }
    return {
      introspect({ query, body, ...hooks }: RouteHooks) {
        takesBody = body !== undefined
        isIdempotent = hooks.idempotent ?? hooks.detail?.[IDEMPOTENT_KEY] ?? false
        upload = (hooks.upload ?? hooks.detail?.[UPLOAD_KEY]) !== undefined
        form = hooks.form ?? hooks.detail?.[FORM_KEY]
        normaliseBody = body && normaliserOf(body)
        readQuery = queryReader(query)
        caching = cachingByMethod(access, hooks)
      },
      // Keeps Elysia's parsers from the body, which is read here once the caller is known.
      parse: () => null,
      async transform(context: GuardedContext) {
        // Elysia parses the source of this function to find which properties of the context it uses.
        const { request, route, query, params } = context
        const requestContext = noteRoute(request, route, { caching, rpc, page })
        traffic.startWaiting(requestContext)
        if (limit !== 'none') traffic.checkLoad()
        if (!READING.has(request.method)) await checkChange(deps, request, { route, access, ownOrigin })
        await authenticatePerson(deps, context, { access, form, readsForm: !upload })
        // A cached key is found without a promise: each costs 0.3 µs.
        const identified = key === 'none' ? undefined : identify(deps, request)
        const caller = identified instanceof Promise ? await identified : identified
        const admitted = session || customer ? undefined : limits[rpc ? 'admitRpc' : 'admit'](request, access, caller)
        if (admitted) await admitted
        try {
          if (key !== 'none') {
            requestContext.allowOrigin = allowedOrigin(caller, request.headers, ownOrigin)
            checkRequiredQuery(access, query)
            checkAccess(deps, request, { route, access, caller })
            context.caller = caller
          }
          if (takesBody && METHODS_WITH_BODY.has(request.method)) {
            context.body = await readCheckedBody(deps, request, rpc)
            if (normaliseBody) context.body = normaliseBody(context.body)
          } else if (!upload && isApiPost(request, route)) await refuseFields(deps, request)
          checkNames(page, query, request.url)
          readParameters({ query, params }, readQuery)
        } catch (error) {
          // Calls are counted when their message is read. A body that cannot be read counts as one request.
          if (rpc) await limits.admit(request, access, caller)
          throw error
        }
        if (isIdempotent) requestContext.idempotency = idempotencyKeyOf(request)
        context.ctx = ctxOf(deps, actorOf(context), requestContext.idempotency)
        // Checks the load again: other requests may have finished reading their bodies meanwhile.
        if (limit === 'none') traffic.stopWaiting(requestContext)
        else traffic.beginWork(requestContext, limits.addressOf(request))
      },
      // Pages are no part of the API's description.
      detail: { [ACCESS_KEY]: access, ...(page ? { hide: true } : {}) } as DocumentDecoration,
    }
  }
}

const isApiPost = ({ method }: Request, route: string) => method === 'POST' && route.startsWith('/api/')
function noteRoute(
  request: Request,
  route: string,
  { caching, rpc, page }: { caching: { get: Caching; other: Caching }; rpc: boolean; page: boolean },
): RequestContext {
  const requestContext = requestContextOf(request)
  requestContext.route = route
  requestContext.caching = request.method === 'GET' ? caching.get : caching.other
  requestContext.isRpc = rpc
  if (rpc) noteMessage(request)
  requestContext.isPage = page
  return requestContext
}

/** The caller of an authenticated request: the owner of the key, the user of the console, or the signed-in customer. */
const actorOf = ({ caller, authenticated, signedIn }: GuardContext) =>
  (caller ?? authenticated?.session ?? signedIn?.customer) as Caller | undefined

/** Sets the session that a page needs. */
async function authenticatePerson(
  deps: Deps,
  context: GuardedContext,
  { access: { session, customer }, ...form }: { access: Access; readsForm: boolean; form: TObject | undefined },
): Promise<void> {
  if (session) context.authenticated = await authenticate(deps, context.request, { roles: session, ...form })
  if (customer) context.signedIn = await authenticateCustomer(deps, context.request, form)
}

/**
 * Refuses forms that another site sent, and every change while the database is a restored copy. JSON-RPC calls are checked
 * one by one.
 */
async function checkChange(
  { restoredCopy }: Deps,
  request: Request,
  { route, access, ownOrigin }: { route: string; access: Access; ownOrigin: string },
): Promise<void> {
  if (access.page && METHODS_WITH_BODY.has(request.method)) refuseForeign(request, ownOrigin)
  if (access.rpc && access.key === 'none') refuseOtherPages(request.headers, ownOrigin)
  if (!access.rpc && !SIGN_IN.has(route)) await restoredCopy.refuseChanges()
}

async function readCheckedBody(deps: Deps, request: Request, rpc: boolean): Promise<unknown> {
  const body = await readJsonBody(deps, request, rpc ? parseMessages : JSON.parse)
  if (rpc) noteMessage(request, body)
  refuseManyValues(body)
  if (!rpc) refuseUnstorable(body, 'body')
  return body
}

/** Pages ignore what campaigns append to their links; elsewhere each parameter has one value. */
function checkNames(isPage: boolean | undefined, query: GuardedContext['query'], url: string): void {
  if (isPage) dropCampaignParameters(query)
  else refuseRepeated(url)
}

function readParameters(
  { query, params }: Pick<GuardedContext, 'query' | 'params'>,
  readQuery: ReturnType<typeof queryReader>,
): void {
  refuseUnstorable(query, 'query')
  readQuery(query)
  refuseUnstorable(params, 'path')
}

function cachingByMethod(access: Access, { caching, detail: given }: RouteHooks): { get: Caching; other: Caching } {
  const detail = { [ACCESS_KEY]: access, [CACHING_KEY]: caching ?? given?.[CACHING_KEY] }
  return {
    get: cachingOf({ method: 'GET', hooks: { detail } }),
    other: cachingOf({ method: 'POST', hooks: { detail } }),
  }
}

/** The value that the guard sets before the route runs. Throws if the guard did not run. */
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The guard did not run before the route.')
  return value
}
