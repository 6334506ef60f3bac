// `hearth keys create | list | rotate | revoke`.
import { isCalendarDate } from '../platform/schema/types.ts'
import { KEY_MODES } from '../auth/keys/format.ts'
import { createKeyInMode } from '../features/upkeep/test-mode/verbs.ts'
import { revokeAnyKey, rotateAnyKey } from '../features/upkeep/operator-keys/verbs.ts'
import { type CreatedKey, listKeys } from '../auth/keys/verbs/keys.ts'
import { PRESETS, type Preset, SCOPES, type Scope } from '../auth/scopes.ts'
import { UsageError, requireId, requireOneOf } from './failure.ts'
import { withDeps } from './command-deps.ts'

const PRESET_NAMES = Object.keys(PRESETS) as Preset[]
const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

interface CreateOptions {
  owner: string
  preset?: string
  scopes?: string
  name?: string
  origin?: string
  rateMultiplier?: string
  expires?: string
  mode?: string
  json?: boolean
}

/** Creates a key and prints it once. */
export const runKeysCreate = (options: CreateOptions) =>
  withDeps(async (ctx) => {
    const key = await createKeyInMode(ctx, {
      ownerEmail: options.owner,
      scopes: chosenScopes(options),
      name: options.name ?? options.preset ?? 'key',
      ...(options.origin === undefined ? {} : { origin: options.origin }),
      ...(options.rateMultiplier === undefined ? {} : { rateMultiplier: Number(options.rateMultiplier) }),
      ...(options.mode === undefined ? {} : { mode: requireOneOf(options.mode, KEY_MODES, '--mode') }),
      ...(options.expires === undefined ? {} : { expiresAt: expiryDate(options.expires) }),
    })
    printCreated(key, options.json)
  })

/** Creates the successor of a key and prints it. The old key works until the overlap ends. */
export const runKeysRotate = (id: string, { overlapHours, json }: { overlapHours: string; json?: boolean }) =>
  withDeps(async (ctx) => {
    const hours = Number(overlapHours)
    if (!(hours >= 0 && hours <= 8760))
      throw new UsageError(`--overlap-hours must be 0 to 8760, not "${overlapHours}".`)
    printCreated(await rotateAnyKey(ctx, { overlapHours: hours, id: requireId(id, 'key', 'keys list') }), json)
    if (!json) console.log(`The old key works for another ${hours} hours.`)
  })

function printCreated(key: Omit<CreatedKey, 'owner'>, json = false): void {
  if (json) return console.log(JSON.stringify(key))
  const lines = [
    key.secret,
    '',
    `id       ${key.id}`,
    ...(key.mode === 'test' ? ['mode     test: it sees test pros only; no e-mail is sent, no money is taken'] : []),
    `scopes   ${key.scopes.join(' ')}`,
    ...(key.origin ? [`origin   ${key.origin}`] : []),
    ...(key.rateMultiplier === 1 ? [] : [`limits   ${key.rateMultiplier} times the default`]),
    `expires  ${key.expiresAt ?? 'never'}`,
    '',
    'The key is shown only once. Store it like a password.',
  ]
  console.log(lines.join('\n'))
}

/** Lists keys without their secrets. */
export const runKeysList = ({ owner, json }: { owner?: string; json?: boolean }) =>
  withDeps(async (ctx) => {
    const keys = await listKeys(ctx, { ownerEmail: owner })
    if (json) console.log(JSON.stringify(keys))
    else if (keys.length === 0) console.log(owner === undefined ? 'No keys.' : `${owner} has no keys.`)
    else
      for (const key of keys)
        console.log(
          `${key.id}  …${key.lastFour}  ${key.mode}  ${keyState(key)}  ${key.owner}  ${key.name}: ${key.scopes.join(' ')}`,
        )
  })

/** Revokes a key. Running servers reject it within a second. */
export const runKeysRevoke = (id: string) =>
  withDeps(async (ctx) => {
    await revokeAnyKey(ctx, { id: requireId(id, 'key', 'keys list') })
    console.log(`Revoked ${id}.`)
  })

function chosenScopes({ preset, scopes }: CreateOptions): readonly Scope[] {
  if ((preset === undefined) === (scopes === undefined))
    throw new UsageError(`Give either --preset (${PRESET_NAMES.join(', ')}) or --scopes.`)
  if (preset !== undefined) return PRESETS[requireOneOf(preset, PRESET_NAMES, '--preset')]
  return (scopes ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((text) => requireOneOf(text, SCOPE_NAMES, '--scopes'))
}

function expiryDate(text: string): Date {
  if (!isCalendarDate(text)) throw new UsageError(`--expires must be a date like 2027-01-31, not "${text}".`)
  return new Date(`${text}T00:00:00Z`)
}

const keyState = ({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string | null }) =>
  revokedAt ? 'revoked' : expiresAt && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active '
