// How many connections to PostgreSQL one machine's set takes, computed from what its processes open.
import { ACTORS } from '../../../workers/runtime/all-actors.ts'
import { databaseLimitsOf } from '../../../workers/runtime/process.ts'
import { connectionsOfPools } from '../../platform/postgres/open-database.ts'

/** During an upgrade a second server runs beside the first. */
const SERVERS = 2
/** Listens and holds locks, in each server and in the supervisor. */
const SESSION = 1
/** What the set may take; the rest is for commands, backups, administrators and PostgreSQL's own reserve. */
const SHARE = 0.8
const LARGEST_POOL = 8

/** The most connections that two servers and the workers (`hearth work --together`) open with pools of this size. */
export const connectionsOfSet = (poolSize: number): number =>
  SERVERS * (connectionsOfPools(poolSize) + SESSION) +
  databaseLimitsOf(Object.values(ACTORS)).length * connectionsOfPools(poolSize) +
  SESSION

/** Whether the set leaves a fifth of the connections free. */
export const fits = (poolSize: number, maxConnections: number): boolean =>
  connectionsOfSet(poolSize) <= SHARE * maxConnections

/** The largest pools with which the set fits, for DATABASE_CONNECTIONS; 1 where not even those fit. */
export function poolSizeFor(maxConnections: number): number {
  const sizes = Array.from({ length: LARGEST_POOL }, (_, index) => LARGEST_POOL - index)
  return sizes.find((size) => fits(size, maxConnections)) ?? 1
}
