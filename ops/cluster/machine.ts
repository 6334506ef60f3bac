// One machine of the cluster: an address of its own, and with namespaces a network of its own that can be cut.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { LocalSetupError } from '../../src/local/setup-error.ts'
import { type Account, asAccount, runTool } from '../../src/local/processes.ts'

export interface Machine {
  readonly name: string
  readonly address: string
  readonly folder: string
  /** The command as it runs on this machine, as `account`. */
  command(words: readonly string[], account?: Account): string[]
  /** Cuts it off from all other machines. Only with namespaces. */
  cut: (() => Promise<void>) | undefined
  reconnect(): Promise<void>
}

const BRIDGE = 'hearth'
/** The address of the world outside of the machines, where clients and receivers of webhooks are. */
export const OUTSIDE = { loopback: '127.0.0.1', namespaces: '10.77.0.1' }

/** Whether this process may make networks: root on Linux, outside of a container that forbids it. */
export async function canMakeNamespaces(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const name = `${BRIDGE}-probe-${process.pid}`
  const { ok } = await runTool(['ip', 'netns', 'add', name])
  return ok && (await runTool(['ip', 'netns', 'delete', name])).ok
}

/** Opens machines named m1, m2 …, each with a folder in `folder`; with namespaces, each with a network of its own. */
export async function openMachines(count: number, folder: string, withNamespaces: boolean): Promise<Machine[]> {
  const names = Array.from({ length: count }, (_, n) => `m${n + 1}`)
  for (const name of names) mkdirSync(join(folder, name), { recursive: true, mode: 0o755 })
  if (!withNamespaces)
    return names.map((name, n) => ({
      name,
      address: `127.77.0.${n + 11}`,
      folder: join(folder, name),
      command: (words, account) => [...asAccount(account, words)],
      cut: undefined,
      reconnect: () => Promise.resolve(),
    }))
  // A killed run leaves its networks behind.
  await closeNamespaces(names)
  await ip('link', 'add', BRIDGE, 'type', 'bridge')
  await ip('addr', 'add', `${OUTSIDE.namespaces}/24`, 'dev', BRIDGE)
  await ip('link', 'set', BRIDGE, 'up')
  return Promise.all(names.map((name, n) => openNamespace(name, `10.77.0.${n + 11}`, join(folder, name))))
}

/** Removes the networks of these machines. Those that do not exist are left out. */
export async function closeNamespaces(names: readonly string[]): Promise<void> {
  for (const name of names) {
    // The kernel removes what is in a namespace some time after the namespace.
    await runTool(['ip', 'link', 'delete', cableOf(name)])
    await runTool(['ip', 'netns', 'delete', namespaceOf(name)])
  }
  await runTool(['ip', 'link', 'delete', BRIDGE])
}

const namespaceOf = (name: string) => `${BRIDGE}-${name}`
const cableOf = (name: string) => `to-${name}`

async function openNamespace(name: string, address: string, folder: string): Promise<Machine> {
  const namespace = namespaceOf(name)
  const inside = (...words: string[]) => ip('-n', namespace, ...words)
  const cable = cableOf(name)
  await ip('netns', 'add', namespace)
  await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  await ip('link', 'set', cable, 'master', BRIDGE, 'up')
  await inside('addr', 'add', `${address}/24`, 'dev', 'eth0')
  await inside('link', 'set', 'lo', 'up')
  await inside('link', 'set', 'eth0', 'up')
  return {
    name,
    address,
    folder,
    command: (words, account) => ['ip', 'netns', 'exec', namespace, ...asAccount(account, words)],
    cut: () => ip('link', 'set', cable, 'down'),
    reconnect: () => ip('link', 'set', cable, 'up'),
  }
}

async function ip(...words: string[]): Promise<void> {
  const { ok, output } = await runTool(['ip', ...words])
  if (!ok) throw new LocalSetupError(`ip ${words.join(' ')} failed: ${output.trim()}`)
}
