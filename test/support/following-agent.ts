// An agent that knows only tools/list: it fills arguments from what the person told it and from earlier results, and goes on
// by descriptions, errors and the hints after results. It counts dead ends: answers that name nothing it could do next.
import type { ToolReply } from './agents.ts'

export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: { properties?: Record<string, object>; required?: string[] }
  outputSchema?: object
}

type Facts = Record<string, unknown>

/** Calls within one errand; more is going in circles. */
const MAX_CALLS = 12
const URL_IN_TEXT = /https?:\/\/[^\s",]+[^\s",.;]/

export class FollowingAgent {
  /** What results said, by the names of arguments: the id of `leads[0]` is a leadId. */
  readonly known: Facts = {}
  readonly calls: string[] = []
  readonly deadEnds: string[] = []
  #left = 0

  constructor(
    readonly tools: readonly ListedTool[],
    readonly call: (name: string, args: object) => Promise<ToolReply>,
    /** What the person tells when asked, by the names of arguments. */
    readonly person: Facts,
    /** The person opens a link, for example to pay. */
    readonly open: (url: string) => Promise<void> = () => Promise.resolve(),
  ) {}

  /** Calls the tool with this title and goes on until the result contains `end`. Returns that result as text. */
  async reach(title: string, end: RegExp, wish: Facts = {}): Promise<string> {
    this.#left = MAX_CALLS
    let tool = this.tools.find((each) => each.title === title)
    let text = ''
    while (tool) {
      const reply = await this.#succeed(tool, wish)
      if (!reply) return ''
      text = reply.texts.join('\n')
      if (end.test(text)) return text
      const hint = reply.texts[1] ?? ''
      const [, field] = /with (?:its )?(\w+Id)\b/.exec(hint) ?? []
      if (field !== undefined && field in this.known) {
        const isNew = !(field in wish)
        wish = { ...wish, [field]: this.known[field] }
        tool = this.#named(hint, tool) ?? (isNew ? tool : undefined)
        if (tool) continue
        break
      }
      const url = URL_IN_TEXT.exec(hint)?.[0]
      if (url) await this.open(url)
      tool =
        this.#named(hint, tool) ??
        (url ? this.#toolWith('manageUrl', tool) : undefined) ??
        this.#named(tool.description, tool)
    }
    this.deadEnds.push(`“${title}” did not reach ${String(end)}: ${text.slice(0, 300)}`)
    return ''
  }

  /** Calls until the tool answers without an error. Undefined after a dead end. */
  async #succeed(tool: ListedTool, wish: Facts): Promise<ToolReply | undefined> {
    const extra = new Set<string>()
    const corrected: Facts = {}
    while (this.#left > 0) {
      const args = this.#arguments(tool, { ...wish, ...corrected }, extra)
      const missing = (tool.inputSchema.required ?? []).find((name) => !(name in args))
      if (missing !== undefined) {
        if (!(await this.#findOut(missing, tool, wish))) return undefined
        continue
      }
      this.#left--
      this.calls.push(tool.name)
      const reply = await this.call(tool.name, args)
      if (!reply.isError) {
        const [, nearest] = /Did you mean: ([^;?]+)/.exec(reply.texts[1] ?? '') ?? []
        const misnamed = Object.keys(args).find(
          (name) => name in wish && ['q', 'service', 'category', 'place', 'city'].includes(name),
        )
        if (nearest === undefined || misnamed === undefined) return this.#learn(reply)
        corrected[misnamed] = nearest
      } else if (!(await this.#mend(tool, reply, extra, corrected, wish))) {
        this.deadEnds.push(`${tool.name}: ${reply.texts[0] ?? ''}`)
        return undefined
      }
    }
    this.deadEnds.push(`${tool.name}: going in circles after ${this.calls.slice(-MAX_CALLS).join(', ')}`)
    return undefined
  }

  /** Required arguments, those of the wish, and those that an error asked for. */
  #arguments({ inputSchema }: ListedTool, wish: Facts, extra: ReadonlySet<string>): Facts {
    const { properties = {}, required = [] } = inputSchema
    const all = { ...this.known, ...this.person, ...wish }
    const wanted = Object.keys(properties).filter((name) => name in wish || required.includes(name) || extra.has(name))
    return Object.fromEntries(wanted.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
  }

  /** Learns a missing argument from the tool that seems to return it. */
  async #findOut(name: string, tool: ListedTool, wish: Facts): Promise<boolean> {
    const source = this.#sourceOf(name, tool)
    if (source) await this.#succeed(source, wish)
    if (source && name in this.known) return true
    this.deadEnds.push(`${tool.name}: nothing says where ${name} comes from`)
    return false
  }

  /** The tool that a description names as the origin of an argument, or else one that returns a list of such things. */
  #sourceOf(name: string, tool: ListedTool): ListedTool | undefined {
    const list = name.replace(/Id$/, 's')
    const [, origin = ''] = /\bfrom (\w+)/.exec(tool.description) ?? []
    const others = this.tools.filter((each) => each !== tool)
    return (
      others.find((each) => each.name === origin) ??
      others.find(({ description }) => new RegExp(`Next: [^.]*\\b${tool.name}\\b`).test(description)) ??
      others.find(({ description }) => description.includes(name) && description.includes(tool.name)) ??
      others.find(({ outputSchema = {} }) => JSON.stringify(outputSchema).includes(`"${list}"`)) ??
      this.#named(tool.description, tool)
    )
  }

  /** Corrects the next call by what an error says. */
  async #mend(tool: ListedTool, reply: ToolReply, extra: Set<string>, corrected: Facts, wish: Facts): Promise<boolean> {
    const { errors = [] } = reply.problem ?? {}
    const [message = ''] = reply.texts
    const [, field, value] = /call again with (\w+) ([\w.-]+?)\.?(?:\s|$)/.exec(message) ?? []
    if (field !== undefined) return this.#set(corrected, field, Number.isNaN(Number(value)) ? value : Number(value))
    const clash = errors.find(({ message: why }) => why.includes('cannot be combined'))
    if (clash) return this.#set(corrected, clash.path, undefined)
    const asked = errors.flatMap(({ path, message: why }) => [path, ...(why.match(/(?<=`)\w+(?=`)|\b\w+Id\b/g) ?? [])])
    const told = asked
      .map((path) => path.split(/[./]/)[0] ?? '')
      .filter((name) => name in this.person || name in this.known)
    const isNew = told.some((name) => !extra.has(name))
    if (isNew) {
      const [first] = told
      if (first !== undefined) for (const name of errors.length > 1 ? told : [first]) extra.add(name)
      return true
    }
    const unknown = asked.find((name) => name.endsWith('Id') && this.#sourceOf(name, tool))
    if (unknown !== undefined && told.length === 0) return await this.#findOut(unknown, tool, wish)
    const link = Object.entries(reply.problem ?? {}).find(([name]) => name.endsWith('Url'))?.[1]
    if (typeof link === 'string' && !(link in this.known)) {
      this.known[link] = link
      await this.open(link)
      return true
    }
    const remedy = this.#named(message, tool)
    return remedy !== undefined && (await this.#succeed(remedy, wish)) !== undefined
  }

  #set(corrected: Facts, name: string, value: unknown): boolean {
    const isNew = !(name in corrected) || corrected[name] !== value
    corrected[name] = value
    return isNew
  }

  /** The first other tool that a text names. */
  #named(text: string, besides: ListedTool): ListedTool | undefined {
    const names = text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
    const name = names.find((each) => each !== besides.name && this.tools.some((tool) => tool.name === each))
    return this.tools.find((tool) => tool.name === name)
  }

  /** The reading tool that takes this argument, to look again after the person opened a link. */
  #toolWith(argument: string, besides: ListedTool): ListedTool | undefined {
    if (!(argument in this.known)) return undefined
    return this.tools.find(
      (tool) => tool !== besides && tool.name.startsWith('get_') && argument in (tool.inputSchema.properties ?? {}),
    )
  }

  #learn(reply: ToolReply): ToolReply {
    this.#read(reply.structured, '')
    return reply
  }

  #read(value: unknown, name: string): void {
    if (Array.isArray(value)) {
      const best: unknown = value.find((each) => !JSON.stringify(each).includes('"bookable":false')) ?? value[0]
      return best === undefined ? undefined : this.#read(best, name.replace(/s$/, ''))
    }
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      if (key === 'id' && name !== '') this.known[`${name === 'draft' ? 'quote' : name}Id`] = member
      else if (typeof member === 'string' && /(Id|Url|DateTime|Secret)$/.test(key)) this.known[key] = member
      else this.#read(member, key)
    }
  }
}
