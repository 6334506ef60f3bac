// What the states of the guide's steps follow from.
import type { Ctx } from '../../../ctx.ts'
import { getLaunchFacts, getTrial } from '../../../features/upkeep/marketplace/verbs.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { newPaymentProvider } from '../../../payments/open-provider.ts'
import type { GuideFacts } from '../../ui/guide-steps.ts'
import { readSite } from '../../ui/site.tsx'

export async function readGuideFacts(ctx: Ctx, by: AuthenticatedRequest): Promise<GuideFacts> {
  const [site, launch, trial] = await Promise.all([readSite(ctx, by), getLaunchFacts(ctx), getTrial(ctx)])
  const { server } = ctx.config.mail
  return {
    site,
    launch,
    ...trial,
    mailServer: server && `${server.host}:${server.port}`,
    provider: newPaymentProvider(ctx.config),
  }
}
