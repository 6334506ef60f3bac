// Parses a Dockerfile and the .dockerignore beside it. Instructions that Hearth's files do not use are errors.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Step =
  | { kind: 'FROM'; image: string; as: string | undefined }
  | { kind: 'COPY'; from: string | undefined; sources: string[]; target: string }
  | { kind: 'RUN' | 'WORKDIR' | 'USER' | 'STOPSIGNAL'; text: string }
  | { kind: 'ENV'; variables: Record<string, string> }
  | { kind: 'EXPOSE'; ports: number[] }
  | { kind: 'HEALTHCHECK' | 'ENTRYPOINT' | 'CMD'; command: string[] }

/** The steps in order. Throws on an unsupported instruction. */
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
      if (words.some((word) => word.startsWith('--') || word.includes('*'))) throw new Error(`Unsupported: ${line}`)
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
      throw new Error(`Unsupported: ${line}`)
  }
}

/** Tells whether a path reaches the builder. The .dockerignore excludes everything and lists the exceptions. */
export function readIgnore(root: string): (path: string) => boolean {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const [first, ...exceptions] = lines.filter((line) => line && !line.startsWith('#'))
  if (first !== '*' || exceptions.some((line) => !/^![\w.-]+$/.test(line)))
    throw new Error('Unsupported .dockerignore.')
  const names = new Set(exceptions.map((line) => line.slice(1)))
  return (path) => names.has(path.split('/')[0] ?? '')
}
