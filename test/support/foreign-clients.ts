// Official clients that are no packages of this repository: the long form installs them from their registries.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from './imports.ts'

const FOLDER = join(ROOT, '.hearth/test/clients')
const PYTHON = join(FOLDER, 'python')
const MODULES = join(FOLDER, 'node_modules')
const INSPECTOR = join(MODULES, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')

interface Start {
  server: string
  port: number
  /** The URL of its metadata document; it registers itself without one. */
  document: string | undefined
}

export interface ForeignClient {
  name: string
  /** It registers itself, and has no metadata document. */
  onlyRegisters?: true
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

function installPackage(name: string): void {
  if (!existsSync(join(MODULES, name.slice(0, name.lastIndexOf('@')))))
    run('npm', 'install', '--no-audit', '--no-fund', '--prefix', FOLDER, name)
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
    install: () => installPackage('@modelcontextprotocol/inspector@2.12.0'),
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
  {
    name: 'mcp-remote',
    onlyRegisters: true,
    callbackPath: '/oauth/callback',
    install: () => installPackage('mcp-remote@0.15.1'),
    command: ({ server, port }) => ({
      args: ['node', join(MODULES, 'mcp-remote/dist/client.js'), server, String(port), '--allow-http'],
      // It keeps what it registered, of another server at the same address.
      env: { MCP_REMOTE_CONFIG_DIR: join(FOLDER, `mcp-remote-${port}`), BROWSER: 'true', HOME: FOLDER },
    }),
    result: /"inputSchema"/,
  },
]

/** A client that is given a key, or nothing for the public server. */
export interface KeyedClient {
  name: string
  install: () => void
  command: (server: string, key: string | undefined) => { args: string[]; env?: Record<string, string> }
  result: RegExp
}

export const KEYED_CLIENTS: readonly KeyedClient[] = [
  {
    name: 'mcporter',
    install: () => installPackage('mcporter@0.12.3'),
    command: (server, key) => ({
      args: [
        'node',
        join(MODULES, 'mcporter/dist/cli.js'),
        'call',
        '--http-url',
        server,
        '--allow-http',
        '--name',
        'hearth',
        '--tool',
        'search_pros',
        ...(key === undefined ? [] : ['--header', `Authorization=Bearer ${key}`]),
        'service=plumber',
      ],
      env: { HOME: FOLDER },
    }),
    result: /"professionals"/,
  },
  {
    name: '@ai-sdk/mcp',
    install: () => installPackage('@ai-sdk/mcp@2.0.99'),
    command: (server, key) => ({
      args: [
        'node',
        join(ROOT, 'test/client/ai-sdk.mjs'),
        join(MODULES, '@ai-sdk/mcp/dist/index.js'),
        server,
        ...(key === undefined ? [] : [key]),
      ],
    }),
    result: /professionals: \d+/,
  },
]
