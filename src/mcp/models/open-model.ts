// Who decides what agents do: the model that is configured, or the built-in planner.
import type { Config } from '../../config.ts'
import type { Model } from './model.ts'
import { planner } from './planner/planner.ts'

/** A provider's client takes 90 ms and 19 MB to load, which a process without one need not pay. */
export async function openModel({ agentModel }: Pick<Config, 'agentModel'>): Promise<Model> {
  if (!agentModel) return planner
  const { openChatModel } = await import('./chat-completions.ts')
  return openChatModel(agentModel)
}
