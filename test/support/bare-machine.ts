// A bare Debian machine without a virtual one: a root file system by debootstrap, in which `hearth setup` has installed its packages
// once, with processes, mounts and a network of its own. What a test writes is in memory, and ends with it.
import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runTool } from '../../src/local/processes.ts'
import { IMAGE_START_MS, debianCodename, fillBase } from './base-images.ts'
import { ROOT } from './imports.ts'

/** The time limit of a hook that may have to set up Debian first. */
export const MACHINE_START_MS = 2 * IMAGE_START_MS

/** Where this checkout is on the machine, and Bun. */
const PROGRAM = '/opt/hearth/src/cli.ts'
const BUN = '/usr/local/bin/bun'
const HEARTH = `${BUN} ${PROGRAM}`

export interface Ran {
  readonly code: number
  readonly output: string
}

export interface BareMachine {
  /** Runs a command of the shell as root. */
  run(command: string): Promise<Ran>
  setup(options?: string): Promise<Ran>
  /** Starts what a unit of systemd runs, as its user and with its settings. Its output is in `/tmp/<unit>.log`. */
  start(unit: string): Promise<void>
  /** A program of this machine's host in the network of the machine: the command that starts it. */
  inNetwork(program: string): readonly string[]
  close(): Promise<void>
}

/** Its loopback is up before anything else runs: without a network of its own, the stores would meet those of other tests. */
const enter = (lower: string, folder: string) => `
  cd '${folder}' && mount -t tmpfs tmpfs . && cd '${folder}' && mkdir upper work root &&
  mount -t overlay overlay -o 'lowerdir=${lower},upperdir=upper,workdir=work' root &&
  cd root && ip link set lo up && mount -t proc proc proc && mkdir -p opt/hearth dev/shm &&
  mount -t tmpfs tmpfs dev/shm && mount --bind '${ROOT}' opt/hearth && exec unshare --root=. --wd=/ sh`

/** Starts the machine. Throws unless root runs this on Debian. */
export async function startBareMachine(): Promise<BareMachine> {
  const lower = await installedRoot()
  const folder = mkdtempSync(join(tmpdir(), 'hearth-machine-'))
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child']
  const shell = Bun.spawn(['unshare', ...namespaces, 'sh', '-c', enter(lower, folder)], {
    env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = shell.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  let text = ''
  const run = async (command: string): Promise<Ran> => {
    void shell.stdin.write(`( ${command}\n) < /dev/null 2>&1; echo "--ended $?"\n`)
    void shell.stdin.flush()
    for (;;) {
      const ended = /--ended (\d+)\n/.exec(text)
      if (ended) {
        const output = text.slice(0, ended.index)
        text = text.slice(ended.index + ended[0].length)
        return { code: Number(ended[1]), output }
      }
      const { value, done } = await lines.next()
      if (done) throw new Error(`The shell of the machine ended: ${text}`)
      text += value
    }
  }
  return {
    run,
    setup: (options = '') => run(`${HEARTH} setup ${options}`),
    start: async (unit) => void (await run(startOf(unit))),
    inNetwork: (program) => ['nsenter', `--net=/proc/${shell.pid}/ns/net`, program],
    close: async () => {
      shell.kill('SIGKILL')
      await shell.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** systemd cannot run here: its settings of a unit are read by hand. */
const startOf = (unit: string) => `
  command=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/${unit})
  while IFS= read -r line; do case $line in [A-Z]*=*) export "$(echo "$line" | sed 's/="\\(.*\\)"$/=\\1/')" ;; esac; done < /etc/hearth/hearth.env
  export PORT=3000
  setpriv --reuid=hearth --regid=hearth --init-groups $command > /tmp/${unit}.log 2>&1 &`

/** Debian with the packages that `hearth setup` installs, by its own code: made once, and kept. */
async function installedRoot(): Promise<string> {
  const codename = debianCodename()
  if (codename === undefined || process.getuid?.() !== 0)
    throw new Error('This test needs Debian, and root: it sets up a root file system of its own by debootstrap.')
  const root = join(ROOT, '.hearth/roots', `${codename}-machine`)
  if (existsSync(root)) return root
  const partial = `${root}.${process.pid}`
  await fillBase(partial, 'slim')
  // Packages start no services in it: nothing may listen on the ports of this machine.
  writeFileSync(join(partial, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n')
  chmodSync(join(partial, 'usr/sbin/policy-rc.d'), 0o755)
  cpSync('/etc/apt', join(partial, 'etc/apt'), { recursive: true })
  const program = `
    const { PACKAGES, installPackages } = await import('/opt/hearth/src/commands/setup/machine.ts')
    await installPackages([...PACKAGES, 'postgresql-15-postgis-3'])`
  const script = `mkdir -p '${partial}/opt/hearth' && mount --bind '${ROOT}' '${partial}/opt/hearth' &&
    mount -t proc proc '${partial}/proc' && exec unshare --root='${partial}' --wd=/ ${BUN} -e "$0"`
  const { ok, output } = await runTool(['unshare', '--mount', 'sh', '-c', script, program], {
    timeoutMs: IMAGE_START_MS,
  })
  if (!ok) {
    rmSync(partial, { recursive: true, force: true })
    throw new Error(`The packages could not be installed: ${output}`)
  }
  renameSync(partial, root)
  return root
}
