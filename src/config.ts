// The only reader of the environment: parsed once, checked, frozen.
import { type AddressRange, parseRange } from './platform/net/client-address.ts'
import { usualConnections } from './platform/postgres/address.ts'

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

export interface Config {
  readonly environment: 'development' | 'production'
  readonly host: string
  readonly port: number
  /** How many server processes share the port. */
  readonly httpProcesses: number
  readonly opsHost: string
  /** Metrics and health are served here; 0 picks a free port. Of several processes, each takes the next free one. */
  readonly opsPort: number
  /** The same for workers: each takes the next free one from here on, or any for 0. */
  readonly workerOpsPort: number
  /** How many processes of an actor run, where that is not one: from WORKERS_<NAME>, by the actor's name. */
  readonly workerProcesses: ReadonlyMap<string, number>
  /** When all statistics of prices are made anew, as `HH:MM` in UTC. */
  readonly pricingPassAt: string
  /** What clients see in links, without a trailing slash. */
  readonly baseUrl: string
  readonly databaseUrl: string
  /** A replica for search; the primary when absent. */
  readonly databaseReadUrl: string | undefined
  readonly databaseConnections: number
  readonly redisUrl: string
  /** Whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly AddressRange[]
  /** Requests that a process answers at once; more are told to come back. */
  readonly maxInFlight: number
  /** What one client address may send without a key. */
  readonly publicRatePerMinute: number
  /** How many bookings one client address may look up by their codes. */
  readonly codeLookupsPerMinute: number
  /** What one person who is logged in to the console may send. */
  readonly consoleRatePerMinute: number
  /** How often one client address may try to log in to the console in five minutes. */
  readonly loginsPerAddress: number
  /** Seals the tokens of customers' links and stored secrets; the same for all processes. */
  readonly secret: string
  /** What POST /bookings/create costs besides a deposit; 0 for nothing. */
  readonly instantBookingFeeCents: number
  /** How long a booking waits for its payment. */
  readonly bookingHoldSeconds: number
  /** Who takes payments; the embedded sandbox when absent. */
  readonly stripe: StripeConfig | undefined
  /** Whether agents may pay for what they book by the Machine Payments Protocol. */
  readonly machinePayments: boolean
  /** Whether webhooks may go to private addresses: for development alone. */
  readonly webhookAllowPrivate: boolean
  /** Who decides what agents do; the built-in planner when absent. */
  readonly agentModel: AgentModelConfig | undefined
  /** What one run of an agent may take. */
  readonly agentLimits: AgentLimits
  /** How long what agents did is kept: threads, runs, and what they prepared. */
  readonly agentHistoryDays: number
  readonly features: ReadonlySet<Feature>
  readonly tracing: TracingConfig
  readonly logLevel: LogLevel
}

export interface StripeConfig {
  readonly secretKey: string
  /** Verifies what arrives at /webhooks/stripe. */
  readonly webhookSecret: string
  /** With it, the page /pay takes payments; without, the app that booked does. */
  readonly publishableKey: string | undefined
  readonly apiBase: string
}

export interface AgentModelConfig {
  /** As the provider knows it. */
  readonly name: string
  /** Where the chat completions API is, up to `/chat/completions`. */
  readonly url: string
  readonly key: string | undefined
}

export interface AgentLimits {
  readonly steps: number
  readonly seconds: number
  /** Read and written, of all turns together. */
  readonly tokens: number
}

/** What OTEL_TRACES_* and OTEL_EXPORTER_OTLP_* ask for; the SDK reads the other OTEL_* variables itself. */
export interface TracingConfig {
  /** Whether the sampling decision of the caller counts. */
  readonly isParentBased: boolean
  /** The share of traces that is kept; failed traces are always kept. */
  readonly sampleRatio: number
  /** Undefined: traces are not exported. */
  readonly exportProtocol: 'http/protobuf' | 'http/json' | undefined
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

type Environment = Record<string, string | undefined>

/** A variable has a value that cannot be used; the message names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the configuration of a server or worker. Throws {@link ConfigError} naming the variable. */
export function readConfig(env: Environment = process.env): Config {
  const host = env['HOST'] || '127.0.0.1'
  const port = wholeNumber(env, 'PORT', 3000, 0, 65_535)
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])
  const environment = oneOf(env, 'HEARTH_ENV', ['development', 'production'], 'development')
  return Object.freeze({
    environment,
    host,
    port,
    httpProcesses: wholeNumber(env, 'HTTP_PROCESSES', 1, 1, 256),
    opsHost: env['OPS_HOST'] || '127.0.0.1',
    opsPort: wholeNumber(env, 'OPS_PORT', 0, 0, 65_535),
    workerOpsPort: wholeNumber(env, 'WORKER_OPS_PORT', 0, 0, 65_535),
    workerProcesses: workerProcesses(env),
    pricingPassAt: timeOfDay(env, 'PRICING_PASS_AT', '08:30'),
    baseUrl: url(env, 'BASE_URL', ['http:', 'https:'], `http://${host.includes(':') ? `[${host}]` : host}:${port}`),
    databaseUrl,
    databaseReadUrl: optionalUrl(env, 'DATABASE_READ_URL', ['postgres:', 'postgresql:']),
    databaseConnections: wholeNumber(env, 'DATABASE_CONNECTIONS', usualConnections(databaseUrl), 1, 200),
    redisUrl: url(env, 'REDIS_URL', ['redis:', 'rediss:']),
    trustedProxies: addressRanges(env, 'TRUSTED_PROXIES'),
    maxInFlight: wholeNumber(env, 'MAX_IN_FLIGHT', 1000, 1, 1_000_000),
    publicRatePerMinute: wholeNumber(env, 'PUBLIC_RATE_PER_MINUTE', 100, 1, 100_000_000),
    codeLookupsPerMinute: wholeNumber(env, 'CODE_LOOKUPS_PER_MINUTE', 20, 1, 100_000_000),
    consoleRatePerMinute: wholeNumber(env, 'CONSOLE_RATE_PER_MINUTE', 300, 1, 100_000_000),
    loginsPerAddress: wholeNumber(env, 'LOGINS_PER_ADDRESS', 20, 1, 100_000_000),
    secret: secret(env, environment),
    instantBookingFeeCents: wholeNumber(env, 'INSTANT_BOOKING_FEE_CENTS', 500, 0, 100_000),
    bookingHoldSeconds: wholeNumber(env, 'BOOKING_HOLD_SECONDS', 900, 1, 86_400),
    stripe: stripe(env),
    machinePayments: machinePayments(env),
    webhookAllowPrivate: flag(env, 'WEBHOOK_ALLOW_PRIVATE'),
    agentModel: agentModel(env),
    agentLimits: Object.freeze({
      steps: wholeNumber(env, 'AGENT_RUN_STEPS', 12, 1, 100),
      seconds: wholeNumber(env, 'AGENT_RUN_SECONDS', 60, 1, 120),
      tokens: wholeNumber(env, 'AGENT_RUN_TOKENS', 100_000, 1000, 10_000_000),
    }),
    // An answer may be asked for again for a day, and a pro looks back over the last week.
    agentHistoryDays: wholeNumber(env, 'AGENT_HISTORY_DAYS', 365, 7, 36_500),
    features: new Set(FEATURES.filter((name) => flag(env, name))),
    tracing: tracing(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  })
}

/** Where the programs for agents forward to, and with which key; either may be absent. Throws {@link ConfigError}. */
export const readAgentTarget = (
  env: Environment = process.env,
): { url: string | undefined; apiKey: string | undefined } => ({
  url: optionalUrl(env, 'HEARTH_URL', ['http:', 'https:'])?.replace(/\/$/, ''),
  apiKey: env['HEARTH_API_KEY'] || undefined,
})

const MIN_SECRET_LENGTH = 32

/** The value stays out of the message. Development has a secret that everyone knows, so that it starts without one. */
function secret(env: Environment, environment: Config['environment']): string {
  const text = env['HEARTH_SECRET']
  if (!text && environment === 'development') return 'a development secret that everyone may know'
  if (!text || text.length < MIN_SECRET_LENGTH)
    throw new ConfigError(
      `HEARTH_SECRET must have at least ${MIN_SECRET_LENGTH} characters. Make one:  openssl rand -base64 48`,
    )
  return text
}

function wholeNumber(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max))
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
  return value
}

/** WORKERS_RELAY_OUTBOX=2 is two processes of relay-outbox; 0 is none. */
function workerProcesses(env: Environment): ReadonlyMap<string, number> {
  const names = Object.keys(env).filter((name) => /^WORKERS_[A-Z_]+$/.test(name) && env[name])
  return new Map(
    names.map((name) => [
      name.slice('WORKERS_'.length).toLowerCase().replaceAll('_', '-'),
      wholeNumber(env, name, 1, 0, 64),
    ]),
  )
}

function timeOfDay(env: Environment, name: string, fallback: string): string {
  const text = env[name] || fallback
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text
  throw new ConfigError(`${name} must be a time of day such as ${fallback}, not "${text}".`)
}

/** Both secrets or none: a payment that nobody hears of confirms nothing. */
function stripe(env: Environment): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env
  if (!secretKey && !webhookSecret) return undefined
  if (!secretKey) throw new ConfigError('STRIPE_SECRET_KEY must be set when STRIPE_WEBHOOK_SECRET is.')
  if (!webhookSecret) throw new ConfigError('STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is.')
  const apiBase = url(env, 'STRIPE_API_BASE', ['http:', 'https:'], 'https://api.stripe.com')
  const publishableKey = env['STRIPE_PUBLISHABLE_KEY'] || undefined
  return Object.freeze({ secretKey, webhookSecret, publishableKey, apiBase })
}

/** The sandbox's tokens pay; for Stripe's there is no way yet, and people would be charged by nobody. */
function machinePayments(env: Environment): boolean {
  const isOn = flag(env, 'MACHINE_PAYMENTS')
  if (isOn && env['STRIPE_SECRET_KEY'])
    throw new ConfigError(
      'MACHINE_PAYMENTS works with the sandbox alone: it must be off when STRIPE_SECRET_KEY is set.',
    )
  return isOn
}

const OPENAI_URL = 'https://api.openai.com/v1'

/** A server of one's own may want no key; a key or an address without a model is a mistake. */
function agentModel(env: Environment): AgentModelConfig | undefined {
  const { AGENT_MODEL: name, AGENT_MODEL_KEY: key } = env
  const ownUrl = optionalUrl(env, 'AGENT_MODEL_URL', ['http:', 'https:'])
  if (!name) {
    const extra = key ? 'AGENT_MODEL_KEY' : ownUrl ? 'AGENT_MODEL_URL' : undefined
    if (extra) throw new ConfigError(`AGENT_MODEL must be set when ${extra} is.`)
    return undefined
  }
  if (name.length > 200 || /[^!-~]/.test(name))
    throw new ConfigError('AGENT_MODEL must be the name of a model, without blanks.')
  if (!key && !ownUrl)
    throw new ConfigError('AGENT_MODEL_KEY must be set when AGENT_MODEL is, unless AGENT_MODEL_URL is set too.')
  if (key && /[^!-~]/.test(key)) throw new ConfigError('AGENT_MODEL_KEY must be a key, without blanks.')
  return Object.freeze({ name, url: (ownUrl ?? OPENAI_URL).replace(/\/$/, ''), key: key || undefined })
}

function addressRanges(env: Environment, name: string): AddressRange[] {
  const texts = (env[name] ?? '').split(',').map((text) => text.trim())
  return texts.filter(Boolean).map((text) => {
    const range = parseRange(text)
    if (!range) throw new ConfigError(`${name} must be addresses or networks such as 10.0.0.0/8, not "${text}".`)
    return range
  })
}

const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** As OpenTelemetry defines the variables, except that one trace in twenty is kept and none exported unless they are set. */
function tracing(env: Environment): TracingConfig {
  const sampler = oneOf(env, 'OTEL_TRACES_SAMPLER', TRACE_SAMPLERS, 'parentbased_traceidratio')
  const argument = ratio(env, 'OTEL_TRACES_SAMPLER_ARG', env['OTEL_TRACES_SAMPLER'] ? 1 : 0.05)
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const hasEndpoint = endpoints.map((name) => optionalUrl(env, name, ['http:', 'https:'])).some(Boolean)
  const exporter = oneOf(env, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'], hasEndpoint ? 'otlp' : 'none')
  const [general, ofTraces] = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']
  const protocol = oneOf(env, env[ofTraces] ? ofTraces : general, ['http/protobuf', 'http/json'], 'http/protobuf')
  return Object.freeze({
    isParentBased: sampler.startsWith('parentbased_'),
    sampleRatio: sampler.endsWith('always_on') ? 1 : sampler.endsWith('always_off') ? 0 : argument,
    exportProtocol: exporter === 'otlp' ? protocol : undefined,
  })
}

function ratio(env: Environment, name: string, fallback: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!(value >= 0 && value <= 1)) throw new ConfigError(`${name} must be a number from 0 to 1, not "${text}".`)
  return value
}

function oneOf<T extends string>(env: Environment, name: string, values: readonly T[], fallback: T): T {
  const text = env[name]
  if (!text) return fallback
  const value = values.find((candidate) => candidate === text)
  if (!value) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}".`)
  return value
}

function flag(env: Environment, name: string): boolean {
  const text = env[name]?.toLowerCase()
  if (!text || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw new ConfigError(`${name} must be true or false, not "${env[name]}".`)
}

function url(env: Environment, name: string, protocols: string[], fallback?: string): string {
  const value = optionalUrl(env, name, protocols) ?? fallback
  if (!value)
    throw new ConfigError(
      `${name} is not set. \`npm start\` sets it to a private one; see "Configuration" in README.md.`,
    )
  return value.replace(/\/$/, '')
}

/** The value itself may hold a password: errors name the variable only. */
function optionalUrl(env: Environment, name: string, protocols: string[]): string | undefined {
  const text = env[name]
  if (!text) return undefined
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !protocols.includes(parsed.protocol))
    throw new ConfigError(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`)
  return text
}
