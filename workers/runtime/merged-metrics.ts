// Metrics of several processes as one text: each family once, each sample with the name of its process.

/** What one process said, in Prometheus' text form as platform/metrics.ts writes it. */
export interface Source {
  /** Becomes the label `worker`; undefined where the samples have it already. */
  readonly worker: string | undefined
  readonly text: string
}

/** A name, and what stands for it in the text: comments once, samples of everyone. */
interface Family {
  readonly comments: Map<string, string>
  readonly samples: string[]
}

/** Prometheus wants the samples of a name together, and its HELP and TYPE once, before them. */
export function mergeMetrics(sources: readonly Source[]): string {
  const families = new Map<string, Family>()
  for (const { worker, text } of sources) {
    let current: Family | undefined
    for (const line of text.split('\n')) {
      const comment = /^# (HELP|TYPE) (\S+)/.exec(line)
      if (comment) {
        const [, kind = '', name = ''] = comment
        current = familyOf(families, name)
        if (!current.comments.has(kind)) current.comments.set(kind, line)
      } else if (line) current?.samples.push(worker === undefined ? line : labelled(line, worker))
    }
  }
  const lines = [...families.values()].flatMap(({ comments, samples }) => [...comments.values(), ...samples])
  return `${lines.join('\n')}\n`
}

function familyOf(families: Map<string, Family>, name: string): Family {
  const found = families.get(name) ?? { comments: new Map<string, string>(), samples: [] }
  families.set(name, found)
  return found
}

/** `name{a="b"} 1` or `name 1`, with one more label. */
const labelled = (sample: string, worker: string): string =>
  sample.replace(/^([^\s{]+)(\{)?/, (_, name: string, brace: string | undefined) =>
    brace ? `${name}{worker="${worker}",` : `${name}{worker="${worker}"}`,
  )
