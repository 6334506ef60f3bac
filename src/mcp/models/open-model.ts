// The model that decides for agents: the configured one, or the built-in planner.
import type { Config } from '../../config.ts'
import type { Model } from './model.ts'
import { planner } from './planner/planner.ts'

/** Opens the model. The provider's client takes 90 ms and 19 MB to load, so it is imported only when configured. */
export async function openModel({ agentModel }: Pick<Config, 'agentModel'>): Promise<Model> {
  if (!agentModel) return planner
  const { openChatModel } = await import('./chat-completions.ts')
  return openChatModel(agentModel)
}
