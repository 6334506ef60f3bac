// Official clients that are no packages of this repository: the long form installs them from their registries.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from './imports.ts'

const FOLDER = join(ROOT, '.hearth/test/clients')
const PYTHON = join(FOLDER, 'python')
const INSPECTOR = join(FOLDER, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')

interface Start {
  server: string
  port: number
  /** The URL of its metadata document; it registers itself without one. */
  document: string | undefined
}

export interface ForeignClient {
  name: string
  /** The path of its listener. */
  callbackPath: string
  install: () => void
  command: (start: Start) => { args: string[]; env?: Record<string, string> }
  /** What it prints at the end. */
  result: RegExp
}

const run = (...args: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync(args)
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr.toString()}`)
}

export const FOREIGN_CLIENTS: readonly ForeignClient[] = [
  {
    name: 'Python',
    callbackPath: '/callback',
    install: () => {
      if (existsSync(join(PYTHON, 'complete'))) return
      run('python3', '-m', 'venv', PYTHON)
      run(join(PYTHON, 'bin/pip'), 'install', '--quiet', 'mcp==2.3.0')
      run('touch', join(PYTHON, 'complete'))
    },
    command: ({ server, port, document }) => ({
      args: [
        join(PYTHON, 'bin/python'),
        join(ROOT, 'test/client/connect.py'),
        server,
        String(port),
        ...(document ? [document] : []),
      ],
    }),
    result: /tools: \d+\nrenewed: True/,
  },
  {
    name: 'Inspector',
    callbackPath: '/oauth/callback',
    install: () => {
      if (existsSync(INSPECTOR)) return
      run('npm', 'install', '--no-audit', '--no-fund', '--prefix', FOLDER, '@modelcontextprotocol/inspector@2.12.0')
    },
    command: ({ server, port, document }) => ({
      args: [
        'node',
        INSPECTOR,
        '--cli',
        '--server-url',
        server,
        '--transport',
        'http',
        '--method',
        'tools/list',
        '--callback-url',
        `http://127.0.0.1:${port}/oauth/callback`,
        ...(document === undefined ? [] : ['--client-metadata-url', document]),
      ],
      // It opens no window, and keeps nothing.
      env: { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'memory', BROWSER: 'true', HOME: FOLDER },
    }),
    result: /"inputSchema"/,
  },
]
