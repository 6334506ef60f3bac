// The only reader of the environment, which is parsed once, validated and frozen.
import {
  ConfigError,
  type Environment,
  flag,
  oneOf,
  optionalNumber,
  optionalUrl,
  timeOfDay,
  url,
  wholeNumber,
} from './platform/environment.ts'
import { MINIMUM_PAYMENT_CENTS } from './platform/schema/money.ts'
import { type MailConfig, mailOf } from './platform/mail/mail-config.ts'
import { type AddressRange, addressRanges } from './platform/net/client-address.ts'
import { defaultConnections } from './platform/postgres/client.ts'
import { type FilesConfig, filesOf } from './platform/storage/files-config.ts'
import { redisUrlOf } from './platform/redis/address.ts'
import { type TracingConfig, tracingOf } from './platform/telemetry/tracing-config.ts'
import { type Routes, primaryUrlOf, replicaUrlsOf } from './platform/postgres/configured-urls.ts'

/** Optional capabilities; a route or tool behind an off flag does not exist. */
export const FEATURES = [
  'FEATURE_PRO_MCP',
  'FEATURE_OFFER_PACKAGES',
  'FEATURE_CUSTOMER_MCP_PACKAGES',
  'FEATURE_CLIENT_PROPERTIES',
  'FEATURE_PRO_MCP_THREADS',
  'FEATURE_PRO_AGENT_THREADS',
  'FEATURE_PRO_AGENT_PROFILE_DRAFTS',
] as const
export type Feature = (typeof FEATURES)[number]

export interface Config extends Routes {
  readonly environment: 'development' | 'production'
  readonly host: string
  readonly port: number
  /** Server processes that share the port. */
  readonly httpProcesses: number
  /** How long a stopping server goes on serving while it is not ready, so that load balancers stop sending to it. */
  readonly drainDelayMs: number
  readonly opsHost: string
  /** The port of metrics and health checks. 0 picks a free port; each further process takes the next free one. */
  readonly opsPort: number
  /** The same for the workers. */
  readonly workerOpsPort: number
  /** Processes by the actor's name, where WORKERS_<NAME> sets another number than one. */
  readonly workerProcesses: ReadonlyMap<string, number>
  /** When all price statistics are recomputed, as `HH:MM` in UTC. */
  readonly pricingPassAt: string
  /** The base of links to this server, without a trailing slash. */
  readonly baseUrl: string
  /** Where the supervisor of this process lends its session with PostgreSQL; set by it. */
  readonly sessionSocket: string | undefined
  /** A replica that is further behind the primary is not used. */
  readonly replicaMaxLagMs: number
  readonly databaseConnections: number
  /** The longest wait of a request for PostgreSQL before 503: below the time that a server which stops leaves its requests. */
  readonly databaseLimitMs: number
  readonly redisUrl: string
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly AddressRange[]
  /** Senders whose `traceparent` is continued, by socket: `X-Forwarded-For` does not prove who wrote it. */
  readonly trustedTraceSources: readonly AddressRange[]
  /** Requests that a process works on at once; further ones get 503. */
  readonly maxInFlight: number
  /** Request bodies of one client address that may take longer than half a second at the same time. */
  readonly maxSlowBodiesPerAddress: number
  /** The minimum rate of a request body after its first second. */
  readonly minBodyBytesPerSecond: number
  readonly compressSearch: boolean
  /** Requests of one client address without a key. */
  readonly publicRatePerMinute: number
  /** Look-ups of bookings by confirmation code from one client address. */
  readonly codeLookupsPerMinute: number
  /** Requests of one logged-in user of the console. */
  readonly consoleRatePerMinute: number
  /** Login attempts of one client address in five minutes. */
  readonly loginsPerAddress: number
  /** Encrypts the tokens in customers' links and stored secrets; the same for all processes. */
  readonly secret: string
  /** Where the environment sets it: the fee of POST /bookings/create, may be 0; how long an unpaid booking holds its slot. */
  readonly instantBookingFeeCents: number | undefined
  readonly bookingHoldSeconds: number | undefined
  /**
   * Future bookings without payment or the pro’s approval that one customer may have with a pro: made by a server key, which
   * answers for its customers, and by others.
   */
  readonly maxUnpaidBookings: { readonly ofServers: number; readonly ofOthers: number }
  /** The payment provider; the built-in sandbox when absent. */
  readonly stripe: StripeConfig | undefined
  /** Whether agents may pay for bookings by the Machine Payments Protocol. */
  readonly machinePayments: boolean
  /** Whether agents are offered what a payment is due for. Without it, `sellsNothing` is set in the ctx of their tools. */
  readonly agentPayments: boolean
  readonly sellsNothing?: true
  /** The token by which OpenAI's directory of apps verifies this host; it is public. */
  readonly openaiAppsChallenge: string | undefined
  readonly files: FilesConfig
  readonly mail: MailConfig
  /** Messages that one recipient gets in an hour. Those that are not essential are delayed from half of this number on. */
  readonly mailPerRecipientPerHour: number
  /** Whether webhooks may be sent to private addresses. For development only. */
  readonly webhookAllowPrivate: boolean
  /** Whether calendars may be imported from private addresses. For development only. */
  readonly calendarAllowPrivate: boolean
  /** Whether metadata documents of apps may be read from private addresses. For development only. */
  readonly clientMetadataAllowPrivate: boolean
  /** The model that runs agents; the built-in planner when absent. */
  readonly agentModel: AgentModelConfig | undefined
  /** Limits of one agent run. */
  readonly agentLimits: AgentLimits
  /** How many days rows are kept that are deleted by age; features/upkeep/retention says which. */
  readonly historyDays: Readonly<Record<'agent' | 'key' | 'message' | 'record' | 'webhook', number>>
  readonly features: ReadonlySet<Feature>
  readonly tracing: TracingConfig
  readonly logLevel: LogLevel
}

export interface StripeConfig {
  readonly secretKey: string
  /** Verifies requests to /webhooks/stripe. */
  readonly webhookSecret: string
  /** If set, the page /pay takes payments; otherwise the app that booked does. */
  readonly publishableKey: string | undefined
  readonly apiBase: string
}

export interface AgentModelConfig {
  /** The provider's name of the model. */
  readonly name: string
  /** The base URL of the chat completions API, without `/chat/completions`. */
  readonly url: string
  readonly key: string | undefined
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Reads the configuration of a server or worker. Throws {@link ConfigError} naming the variable. */
export function readConfig(env: Environment = process.env): Config {
  const host = env['HOST'] || '127.0.0.1'
  const port = wholeNumber(env, 'PORT', 3000, 0, 65_535)
  const databaseUrl = primaryUrlOf(env, 'DATABASE_URL')
  const environment = oneOf(env, 'HEARTH_ENV', ['development', 'production'], 'development')
  return Object.freeze({
    environment,
    host,
    port,
    httpProcesses: wholeNumber(env, 'HTTP_PROCESSES', 1, 1, 256),
    drainDelayMs: wholeNumber(env, 'DRAIN_DELAY_MS', 250, 0, 600_000),
    opsHost: env['OPS_HOST'] || '127.0.0.1',
    opsPort: wholeNumber(env, 'OPS_PORT', 0, 0, 65_535),
    workerOpsPort: wholeNumber(env, 'WORKER_OPS_PORT', 0, 0, 65_535),
    workerProcesses: workerProcesses(env),
    pricingPassAt: timeOfDay(env, 'PRICING_PASS_AT', '08:30'),
    baseUrl: url(env, 'BASE_URL', ['http:', 'https:'], `http://${host.includes(':') ? `[${host}]` : host}:${port}`),
    databaseUrl,
    databaseReadUrls: replicaUrlsOf(env, 'DATABASE_READ_URL'),
    replicaMaxLagMs: wholeNumber(env, 'REPLICA_MAX_LAG_MS', 1000, 1, 86_400_000),
    databaseDirectUrl: env['DATABASE_DIRECT_URL'] ? primaryUrlOf(env, 'DATABASE_DIRECT_URL') : undefined,
    poolerPrepares: flag(env, 'DATABASE_POOLER_PREPARES'),
    sessionSocket: env['HEARTH_SESSION_SOCKET'] || undefined,
    databaseConnections: wholeNumber(env, 'DATABASE_CONNECTIONS', defaultConnections(databaseUrl), 1, 200),
    databaseLimitMs: wholeNumber(env, 'DATABASE_LIMIT_MS', 1500, 200, 6000),
    redisUrl: redisUrlOf(env, 'REDIS_URL'),
    trustedProxies: addressRanges(env, 'TRUSTED_PROXIES'),
    trustedTraceSources: addressRanges(env, 'TRUSTED_TRACE_SOURCES'),
    maxInFlight: wholeNumber(env, 'MAX_IN_FLIGHT', 1000, 1, 1_000_000),
    maxSlowBodiesPerAddress: wholeNumber(env, 'MAX_SLOW_BODIES_PER_ADDRESS', 32, 1, 1_000_000),
    minBodyBytesPerSecond: wholeNumber(env, 'MIN_BODY_BYTES_PER_SECOND', 4000, 1, 1_000_000),
    compressSearch: flag(env, 'COMPRESS_SEARCH'),
    publicRatePerMinute: wholeNumber(env, 'PUBLIC_RATE_PER_MINUTE', 100, 1, 100_000_000),
    codeLookupsPerMinute: wholeNumber(env, 'CODE_LOOKUPS_PER_MINUTE', 20, 1, 100_000_000),
    consoleRatePerMinute: wholeNumber(env, 'CONSOLE_RATE_PER_MINUTE', 300, 1, 100_000_000),
    loginsPerAddress: wholeNumber(env, 'LOGINS_PER_ADDRESS', 20, 1, 100_000_000),
    secret: secret(env, environment),
    instantBookingFeeCents: instantBookingFee(env),
    bookingHoldSeconds: optionalNumber(env, 'BOOKING_HOLD_SECONDS', 1, 86_400),
    maxUnpaidBookings: maxUnpaidBookings(env),
    stripe: stripe(env),
    machinePayments: flag(env, 'MACHINE_PAYMENTS'),
    agentPayments: flag(env, 'AGENT_PAYMENTS', true),
    openaiAppsChallenge: env['OPENAI_APPS_CHALLENGE'] || undefined,
    files: filesOf(env),
    mail: mailOf(env),
    mailPerRecipientPerHour: wholeNumber(env, 'MAIL_PER_RECIPIENT_PER_HOUR', 60, 2, 1_000_000),
    webhookAllowPrivate: flag(env, 'WEBHOOK_ALLOW_PRIVATE'),
    calendarAllowPrivate: flag(env, 'CALENDAR_ALLOW_PRIVATE'),
    clientMetadataAllowPrivate: flag(env, 'CLIENT_METADATA_ALLOW_PRIVATE'),
    agentModel: agentModel(env),
    agentLimits: agentLimitsOf(env),
    historyDays: historyDays(env),
    features: new Set(FEATURES.filter((name) => flag(env, name))),
    tracing: tracingOf(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  })
}

/** `tokens`: read and written, over all turns. */
const agentLimitsOf = (env: Environment) =>
  Object.freeze({
    steps: wholeNumber(env, 'AGENT_RUN_STEPS', 12, 1, 100),
    seconds: wholeNumber(env, 'AGENT_RUN_SECONDS', 60, 1, 120),
    tokens: wholeNumber(env, 'AGENT_RUN_TOKENS', 100_000, 1000, 10_000_000),
  })
export type AgentLimits = ReturnType<typeof agentLimitsOf>

/** The server and key that `hearth mcp` forwards to; either may be absent. Throws {@link ConfigError}. */
export const readAgentTarget = (
  env: Environment = process.env,
): { url: string | undefined; apiKey: string | undefined } => ({
  url: optionalUrl(env, 'HEARTH_URL', ['http:', 'https:'])?.replace(/\/$/, ''),
  apiKey: env['HEARTH_API_KEY'] || undefined,
})

const maxUnpaidBookings = (env: Environment): Config['maxUnpaidBookings'] =>
  Object.freeze({
    ofServers: wholeNumber(env, 'MAX_UNPAID_BOOKINGS', 20, 1, 1_000_000),
    ofOthers: wholeNumber(env, 'MAX_UNPAID_BOOKINGS', 3, 1, 1_000_000),
  })

const historyDays = (env: Environment): Config['historyDays'] =>
  Object.freeze({
    // Idempotent replays need a day of history, and a pro's weekly view needs seven.
    agent: wholeNumber(env, 'AGENT_HISTORY_DAYS', 365, 7, 36_500),
    // The console shows the usage of a month.
    key: wholeNumber(env, 'KEY_HISTORY_DAYS', 400, 31, 36_500),
    // Invitations to review are sent soon after a visit.
    message: wholeNumber(env, 'MESSAGE_HISTORY_DAYS', 90, 7, 36_500),
    record: wholeNumber(env, 'RECORD_HISTORY_DAYS', 365, 7, 36_500),
    // Retries take up to two days, and an endpoint is disabled after five days of failure.
    webhook: wholeNumber(env, 'WEBHOOK_HISTORY_DAYS', 30, 7, 36_500),
  })

/** Providers take no smaller payments than the minimum. */
function instantBookingFee(env: Environment): number | undefined {
  const cents = optionalNumber(env, 'INSTANT_BOOKING_FEE_CENTS', 0, 100_000)
  if (cents !== undefined && cents > 0 && cents < MINIMUM_PAYMENT_CENTS)
    throw new ConfigError(`INSTANT_BOOKING_FEE_CENTS must be 0 or at least ${MINIMUM_PAYMENT_CENTS}.`)
  return cents
}

const MIN_SECRET_LENGTH = 32

/** Errors do not contain the value. Development starts without the variable, with a secret that is public. */
function secret(env: Environment, environment: Config['environment']): string {
  const text = env['HEARTH_SECRET']
  if (!text && environment === 'development') return 'a development secret that everyone may know'
  if (!text || text.length < MIN_SECRET_LENGTH)
    throw new ConfigError(
      `HEARTH_SECRET must have at least ${MIN_SECRET_LENGTH} characters. Generate one:  openssl rand -base64 48`,
    )
  return text
}

/** WORKERS_RELAY_OUTBOX=2 starts two processes of relay-outbox, 0 none. */
function workerProcesses(env: Environment): ReadonlyMap<string, number> {
  const names = Object.keys(env).filter((name) => /^WORKERS_[A-Z_]+$/.test(name) && env[name])
  return new Map(
    names.map((name) => [
      name.slice('WORKERS_'.length).toLowerCase().replaceAll('_', '-'),
      wholeNumber(env, name, 1, 0, 64),
    ]),
  )
}

/** Both secrets or neither: a payment without its webhook confirms no booking. */
function stripe(env: Environment): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env
  if (!secretKey && !webhookSecret) return undefined
  if (!secretKey) throw new ConfigError('STRIPE_SECRET_KEY must be set when STRIPE_WEBHOOK_SECRET is.')
  if (!webhookSecret) throw new ConfigError('STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is.')
  const apiBase = url(env, 'STRIPE_API_BASE', ['http:', 'https:'], 'https://api.stripe.com')
  return Object.freeze({
    secretKey,
    webhookSecret,
    publishableKey: env['STRIPE_PUBLISHABLE_KEY'] || undefined,
    apiBase,
  })
}

const OPENAI_URL = 'https://api.openai.com/v1'

/** The key is optional for a server at AGENT_MODEL_URL. A key or URL without a model is a mistake. */
function agentModel(env: Environment): AgentModelConfig | undefined {
  const { AGENT_MODEL: name, AGENT_MODEL_KEY: key } = env
  const ownUrl = optionalUrl(env, 'AGENT_MODEL_URL', ['http:', 'https:'])
  if (!name) {
    const extra = key ? 'AGENT_MODEL_KEY' : ownUrl ? 'AGENT_MODEL_URL' : undefined
    if (extra) throw new ConfigError(`AGENT_MODEL must be set when ${extra} is.`)
    return undefined
  }
  if (name.length > 200 || /[^!-~]/.test(name))
    throw new ConfigError('AGENT_MODEL must be the name of a model without spaces.')
  if (!key && !ownUrl)
    throw new ConfigError('AGENT_MODEL_KEY must be set when AGENT_MODEL is, unless AGENT_MODEL_URL is set too.')
  if (key && /[^!-~]/.test(key)) throw new ConfigError('AGENT_MODEL_KEY must be a key without spaces.')
  return Object.freeze({ name, url: (ownUrl ?? OPENAI_URL).replace(/\/$/, ''), key: key || undefined })
}
