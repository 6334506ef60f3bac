// CPU time of processes from /proc. On a shared machine it is more reliable than rates.
import { existsSync, readFileSync, readdirSync } from 'node:fs'

/** Length of a tick in /proc/<pid>/stat in ms: USER_HZ is 100 on every Linux that Hearth runs on. */
export const TICK_MS = 10

interface Stat {
  parent: number
  /** User and system time of the process in ms, and of its exited children. */
  ownMs: number
  exitedChildrenMs: number
}

/** Reads /proc/<pid>/stat (proc(5)). The name in parentheses may contain spaces, so fields are counted after it. */
function readStat(pid: number): Stat | undefined {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return undefined
  try {
    const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [user, system, children, childrenSystem] = fields.slice(11, 15).map(Number)
    return {
      parent: Number(fields[1]),
      ownMs: ((user ?? 0) + (system ?? 0)) * TICK_MS,
      exitedChildrenMs: ((children ?? 0) + (childrenSystem ?? 0)) * TICK_MS,
    }
  } catch {
    // The process exited after the check.
    return undefined
  }
}

/** The pid of a process's parent, or 0. */
export const parentOf = (pid: number): number => readStat(pid)?.parent ?? 0

/** CPU time of a process so far, in ms. 0 when it has exited. */
export const cpuMs = (pid: number): number => readStat(pid)?.ownMs ?? 0

/** CPU time of a process and all its children, including exited ones, in ms: PostgreSQL with its backends. */
export function cpuMsWithChildren(pid: number): number {
  const own = readStat(pid)
  if (!own) return 0
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return children.reduce((sum, name) => {
    const stat = readStat(Number(name))
    return stat?.parent === pid ? sum + stat.ownMs + stat.exitedChildrenMs : sum
  }, own.ownMs + own.exitedChildrenMs)
}
