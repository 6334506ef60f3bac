// A Dockerfile as a list of steps, and the .dockerignore beside it. As much of the language as ours uses; the rest is an error.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Step =
  | { kind: 'FROM'; image: string; as: string | undefined }
  | { kind: 'COPY'; from: string | undefined; sources: string[]; target: string }
  | { kind: 'RUN' | 'WORKDIR' | 'USER' | 'STOPSIGNAL'; text: string }
  | { kind: 'ENV'; variables: Record<string, string> }
  | { kind: 'EXPOSE'; ports: number[] }
  | { kind: 'HEALTHCHECK' | 'ENTRYPOINT' | 'CMD'; command: string[] }

/** The steps in their order. Throws for what it does not know. */
export function readDockerfile(path: string): Step[] {
  const lines = readFileSync(path, 'utf8').replaceAll(/\\\n/g, '').split('\n')
  return lines.filter((line) => line.trim() && !line.startsWith('#')).map(readStep)
}

function readStep(line: string): Step {
  const [, kind = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
  switch (kind) {
    case 'FROM': {
      const [image = '', , as] = rest.split(' ')
      return { kind, image, as }
    }
    case 'COPY': {
      const words = rest.split(' ')
      const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
      const target = words.pop() ?? ''
      if (words.some((word) => word.startsWith('--') || word.includes('*'))) throw new Error(`Not understood: ${line}`)
      return { kind, from, sources: words, target }
    }
    case 'ENV':
      return { kind, variables: Object.fromEntries(rest.split(' ').map((pair) => pair.split('=') as [string, string])) }
    case 'EXPOSE':
      return { kind, ports: rest.split(' ').map(Number) }
    case 'HEALTHCHECK':
    case 'ENTRYPOINT':
    case 'CMD':
      return { kind, command: JSON.parse(rest.slice(rest.indexOf('['))) as string[] }
    case 'RUN':
    case 'WORKDIR':
    case 'USER':
    case 'STOPSIGNAL':
      return { kind, text: rest }
    default:
      throw new Error(`Not understood: ${line}`)
  }
}

/** Whether a path of the context reaches the builder: our .dockerignore leaves out everything and names what comes in. */
export function readIgnore(root: string): (path: string) => boolean {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const [first, ...comesIn] = lines.filter((line) => line && !line.startsWith('#'))
  if (first !== '*' || comesIn.some((line) => !/^![\w.-]+$/.test(line))) throw new Error('.dockerignore not understood')
  const names = new Set(comesIn.map((line) => line.slice(1)))
  return (path) => names.has(path.split('/')[0] ?? '')
}
