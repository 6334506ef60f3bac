// CPU time of processes from /proc: on a machine that others use too it says more than a rate.
import { existsSync, readFileSync, readdirSync } from 'node:fs'

/** Ticks of /proc/<pid>/stat per second: USER_HZ, 100 on every Linux that Hearth runs on. */
export const TICK_MS = 10

interface Stat {
  parent: number
  /** User and system time of the process, and of its children that have ended, in ms. */
  ownMs: number
  endedChildrenMs: number
}

/** proc(5), /proc/<pid>/stat: the name in brackets may hold anything, so fields are counted from behind it. */
function statOf(pid: number): Stat | undefined {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return undefined
  try {
    const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [user, system, children, childrenSystem] = fields.slice(11, 15).map(Number)
    return {
      parent: Number(fields[1]),
      ownMs: ((user ?? 0) + (system ?? 0)) * TICK_MS,
      endedChildrenMs: ((children ?? 0) + (childrenSystem ?? 0)) * TICK_MS,
    }
  } catch {
    // It ended between the look and the reading.
    return undefined
  }
}

/** The process that started this one. */
export const parentOf = (pid: number): number => statOf(pid)?.parent ?? 0

/** CPU time of a process so far, in ms. */
export const cpuMs = (pid: number): number => statOf(pid)?.ownMs ?? 0

/** CPU time of a process and of all its children, those that have ended included: PostgreSQL with its backends. */
export function familyCpuMs(pid: number): number {
  const own = statOf(pid)
  if (!own) return 0
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return children.reduce((sum, name) => {
    const stat = statOf(Number(name))
    return stat?.parent === pid ? sum + stat.ownMs + stat.endedChildrenMs : sum
  }, own.ownMs + own.endedChildrenMs)
}
