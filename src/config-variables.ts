// What each environment variable means, in the order of docs/operators/configuration.md, which `npm run configuration` writes
// from this list. test/config.test.ts compares the names and the defaults with what src/config.ts reads.

import type { Variable } from './platform/environment.ts'
import { FILES_VARIABLES } from './platform/storage/files-variables.ts'

export const VARIABLES: readonly Variable[] = [
  { name: 'PORT', default: '`3000`', meaning: 'port of the API' },
  { name: 'HOST', default: '`127.0.0.1`', meaning: 'address the API listens on' },
  { name: 'OPS_PORT', default: 'a free one', meaning: 'port of `/metrics`, `/healthz` and `/readyz`' },
  { name: 'OPS_HOST', default: '`127.0.0.1`', meaning: 'address the ops ports listen on' },
  {
    name: 'WORKER_OPS_PORT',
    default: 'a free one',
    meaning: 'the same for `hearth work`, which serves it for all its processes, each under the label `worker`',
  },
  { name: 'BASE_URL', default: '`http://HOST:PORT`', meaning: 'origin of the links that clients see' },
  { name: 'HTTP_PROCESSES', default: '`1`', meaning: 'server processes that share the port' },
  {
    name: 'DRAIN_DELAY_MS',
    default: '`250`',
    meaning:
      'how long a server that was told to stop goes on serving while `/readyz` is 503; longer than a load balancer takes to notice',
  },
  {
    name: 'WORKERS_<NAME>',
    default: '`1`',
    meaning: 'processes of an actor, such as `WORKERS_DELIVER_WEBHOOKS=2`; `0` for none',
  },
  {
    name: 'DATABASE_URL',
    default: 'private',
    meaning:
      'PostgreSQL 15 or later with PostGIS; on the same machine, `?host=/folder` uses its socket. Of several hosts (`postgres://user:password@one,two/hearth`) the one that accepts writes is used',
  },
  {
    name: 'DATABASE_READ_URL',
    default: '`DATABASE_URL`',
    meaning: 'replicas, separated by commas, for what may be a second old: search, times, profiles, reviews, prices',
  },
  {
    name: 'REPLICA_MAX_LAG_MS',
    default: '`1000`',
    meaning: 'a replica that is further behind is skipped until it has caught up',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    default: 'none',
    meaning:
      'PostgreSQL itself, when the other URLs lead through a [connection pooler](poolers.md); for LISTEN, locks, long work and migrations',
  },
  { name: 'DATABASE_POOLER_PREPARES', default: 'off', meaning: 'the pooler keeps prepared statements' },
  {
    name: 'DATABASE_CONNECTIONS',
    default: '`8`; over a socket two per core, 4 to 8',
    meaning: 'connections per pool; each process has four pools on the primary and two on the replica it uses',
  },
  { name: 'DATABASE_LIMIT_MS', default: '`1500`', meaning: 'the wait of a request for PostgreSQL; at most `6000`' },
  {
    name: 'REDIS_URL',
    default: 'private',
    meaning: 'Redis 7; `?path=/socket` uses its socket; see [Redis](running.md#redis) for Sentinels, TLS and users',
  },
  {
    name: 'TRUSTED_PROXIES',
    default: 'none',
    meaning: 'comma-separated addresses and networks whose `X-Forwarded-For` is trusted',
  },
  {
    name: 'TRUSTED_TRACE_SOURCES',
    default: 'none',
    meaning:
      'comma-separated addresses and networks of direct senders whose `traceparent` is continued; other traces are linked. List a proxy only if it replaces the `traceparent` of strangers',
  },
  {
    name: 'PUBLIC_RATE_PER_MINUTE',
    default: '`100`',
    meaning: 'requests without a key per client address (IPv6: per /64)',
  },
  {
    name: 'COMPRESS_SEARCH',
    default: 'off',
    meaning:
      'compresses searches, profiles, reviews and open times for clients that accept it: for 15 KB of JSON 20 µs of CPU a response (zstd, gzip; brotli 40) and about a quarter of the bytes. The catalog, public pages and assets always are',
  },
  { name: 'CODE_LOOKUPS_PER_MINUTE', default: '`20`', meaning: 'bookings looked up by code per client address' },
  { name: 'CONSOLE_RATE_PER_MINUTE', default: '`300`', meaning: 'requests of one console user' },
  {
    name: 'LOGINS_PER_ADDRESS',
    default: '`20`',
    meaning: 'per client address in five minutes: console login attempts, and as many codes for customers',
  },
  {
    name: 'MAX_IN_FLIGHT',
    default: '`1000`',
    meaning:
      'requests a process works on at once; further ones get 503. Waiting for a body or another server does not count. Once half is used, one network (IPv4 /24 or IPv6 /48) gets no more than half',
  },
  {
    name: 'MAX_SLOW_BODIES_PER_ADDRESS',
    default: '`32`',
    meaning:
      'request bodies of one client address that may take longer than half a second at the same time; further ones get 408',
  },
  {
    name: 'MIN_BODY_BYTES_PER_SECOND',
    default: '`4000`',
    meaning: 'minimum rate of a request body after its first second; slower ones get 408',
  },
  { name: 'HEARTH_URL', default: 'none', meaning: 'the server that `hearth mcp` forwards to' },
  { name: 'HEARTH_API_KEY', default: 'none', meaning: 'the key with which it forwards' },
  {
    name: 'HEARTH_ENV',
    default: '`development`',
    meaning: 'or `production`, where nothing is paid in the sandbox except in test mode',
  },
  {
    name: 'HEARTH_SECRET',
    default: 'kept in `.hearth`; a fixed one in development',
    meaning: 'encrypts the tokens in customers’ links; 32 characters or more, required in production',
  },
  {
    name: 'HEARTH_SESSION_SOCKET',
    default: 'set by `hearth work`',
    meaning: "the socket over which a supervisor's workers share its session for LISTEN and locks",
  },
  { name: 'HEARTH_HOME', default: '`.hearth`', meaning: 'where `npm start` keeps its stores, toolchain and demo keys' },
  { name: 'HEARTH_SEED_PROS', default: '`20000`', meaning: 'how many demo pros the first `npm start` creates' },
  {
    name: 'INSTANT_BOOKING_FEE_CENTS',
    default: 'set at `/console/marketplace/defaults`',
    meaning: 'fee of `POST /bookings/create` besides a deposit; `0` for none, otherwise at least `50`',
  },
  {
    name: 'PRICING_PASS_AT',
    default: '`08:30`',
    meaning: 'when the daily recomputation of price statistics begins, in UTC',
  },
  { name: 'BOOKING_HOLD_SECONDS', default: 'set there, too', meaning: 'how long a booking waits for its payment' },
  {
    name: 'MAX_UNPAID_BOOKINGS',
    default: '`20`, `3`',
    meaning:
      "future bookings that one customer may have with a pro without payment or the pro's approval: 20 by server keys, 3 on pages, in widgets and by agents; a value holds for all. As many times may one client network of pages and widgets hold unpaid without proving an address",
  },
  {
    name: 'STRIPE_SECRET_KEY',
    default: 'none',
    meaning:
      'takes payments through Stripe, the same for servers and workers; without it, the built-in sandbox simulates them, and production refuses what costs money',
  },
  {
    name: 'STRIPE_WEBHOOK_SECRET',
    default: 'none',
    meaning:
      'verifies what Stripe sends to `/webhooks/stripe`; required with the key. Send it `payment_intent.succeeded`, `payment_intent.payment_failed`, `refund.*`, `charge.refunded` and `charge.dispute.*`; what is missed is found within a day',
  },
  {
    name: 'STRIPE_PUBLISHABLE_KEY',
    default: 'none',
    meaning: 'lets the page `/pay/…` take payments through Stripe; without it, the app that booked does',
  },
  { name: 'STRIPE_API_BASE', default: '`https://api.stripe.com`', meaning: "another server that speaks Stripe's API" },
  {
    name: 'MACHINE_PAYMENTS',
    default: 'off',
    meaning:
      'lets agents pay for what they book, in the sandbox only (with Stripe and in production: in test mode): see [Agents](../clients/agents.md)',
  },
  { name: 'AGENT_PAYMENTS', default: 'on', meaning: '`false`: agents book only what takes no payment' },
  {
    name: 'OPENAI_APPS_CHALLENGE',
    default: 'none',
    meaning: 'the token that OpenAI’s directory of apps gave you, served at `/.well-known/openai-apps-challenge`',
  },
  ...FILES_VARIABLES,
  {
    name: 'MAIL_URL',
    default: 'none',
    meaning:
      'the mail server: `smtps://user:password@host` (port 465), or `smtp://…` (587) with STARTTLS, without which no password is sent. Without it messages are not sent: `/console/mail` shows them',
  },
  {
    name: 'MAIL_FROM',
    default: 'none',
    meaning: 'whom messages are from: `hello@example.com` or `A name <hello@example.com>`; required with `MAIL_URL`',
  },
  {
    name: 'MAIL_PER_RECIPIENT_PER_HOUR',
    default: '`60`',
    meaning:
      'messages that one recipient gets in an hour, and as many cancellations besides; further ones come in one digest an hour, and those that are not essential from half of them on. Codes and links to sign in do not count',
  },
  {
    name: 'WEBHOOK_ALLOW_PRIVATE',
    default: 'off',
    meaning:
      'allows webhooks to private addresses, such as `hearth webhooks listen` on this machine; for development only. `npm start` turns it on where only this machine reaches the server',
  },
  {
    name: 'CALENDAR_ALLOW_PRIVATE',
    default: 'off',
    meaning: 'allows pros to import calendars from private addresses; for development only',
  },
  {
    name: 'CLIENT_METADATA_ALLOW_PRIVATE',
    default: 'off',
    meaning: 'allows apps to have their metadata document at private addresses and without HTTPS; for development only',
  },
  {
    name: 'AGENT_MODEL',
    default: 'none',
    meaning: "the language model that runs pros' agents; without it, a rule-based planner does",
  },
  {
    name: 'AGENT_MODEL_KEY',
    default: 'none',
    meaning: "the provider's API key; required unless the server at `AGENT_MODEL_URL` needs none",
  },
  {
    name: 'AGENT_MODEL_URL',
    default: '`https://api.openai.com/v1`',
    meaning: 'any server that speaks the chat completions API',
  },
  { name: 'AGENT_RUN_STEPS', default: '`12`', meaning: 'tool calls an agent may make in one run' },
  { name: 'AGENT_RUN_SECONDS', default: '`60`', meaning: 'duration of a run, without the time it waits for its turn' },
  { name: 'AGENT_RUN_TOKENS', default: '`100000`', meaning: "tokens a run's model may read and write" },
  {
    name: 'AGENT_HISTORY_DAYS',
    default: '`365`',
    meaning:
      'how long threads, finished agent runs, prepared work and closed proposals are kept; 7 or more. [Growth](../design/growth.md) lists every table',
  },
  {
    name: 'KEY_HISTORY_DAYS',
    default: '`400`',
    meaning: 'how long the daily usage of keys and revoked keys are kept; 31 or more',
  },
  {
    name: 'MESSAGE_HISTORY_DAYS',
    default: '`90`',
    meaning: 'how long messages to people are kept after they were sent or given up; 7 or more',
  },
  {
    name: 'RECORD_HISTORY_DAYS',
    default: '`365`',
    meaning: 'how long notices, past blocks, rejected reviews and dead letters are kept; 7 or more',
  },
  {
    name: 'WEBHOOK_HISTORY_DAYS',
    default: '`30`',
    meaning:
      'how long webhook events can be replayed, and their deliveries are listed, at least: they go by whole weeks; 7 or more',
  },
  { name: 'FEATURE_PRO_MCP', default: 'off; `npm start` turns it on', meaning: 'the pro agent server, `/api/mcp`' },
  {
    name: 'FEATURE_PRO_MCP_THREADS',
    default: 'off; `npm start` turns it on',
    meaning: "threads with a pro's own agent; either of the two flags suffices",
  },
  { name: 'FEATURE_PRO_AGENT_THREADS', default: 'off; `npm start` turns it on', meaning: 'the same' },
  {
    name: 'FEATURE_PRO_AGENT_PROFILE_DRAFTS',
    default: 'off; `npm start` turns it on',
    meaning: "agents may propose changes to a pro's profile, business and site",
  },
  {
    name: 'FEATURE_OFFER_PACKAGES',
    default: 'off; `npm start` turns it on',
    meaning: 'packages: services at a fixed price, `/packages`',
  },
  {
    name: 'FEATURE_CUSTOMER_MCP_PACKAGES',
    default: 'off; `npm start` turns it on',
    meaning: 'the package tools of the customer agent server; with `FEATURE_OFFER_PACKAGES`',
  },
  {
    name: 'FEATURE_CLIENT_PROPERTIES',
    default: 'off; `npm start` turns it on',
    meaning: 'properties of client accounts, `/properties`',
  },
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', default: 'none', meaning: 'where traces are sent, by OTLP over HTTP' },
  {
    name: 'OTEL_TRACES_SAMPLER',
    default: '`parentbased_traceidratio`',
    meaning: 'how traces are sampled; traces with errors are always kept',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '`0.05`',
    meaning: 'share of traces kept; where `OTEL_TRACES_SAMPLER` is set, all by default, as OpenTelemetry defines it',
  },
  {
    name: 'OTEL_*',
    default: '',
    meaning:
      'as OpenTelemetry defines them: `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_PROTOCOL` (`http/protobuf` or `http/json`), their `_TRACES_` forms, `OTEL_TRACES_EXPORTER` (`otlp` or `none`), and `OTEL_SDK_DISABLED`, which turns tracing off',
  },
  { name: 'LOG_LEVEL', default: '`info`', meaning: '`debug`, `info`, `warn`, `error` or `silent`' },
]
