// Which payment provider each running process is configured with, from its reports.
import type { Ctx } from '../../../../ctx.ts'
import { PROVIDER_METRIC } from '../../../../payments/open-provider.ts'
import { selectProcesses } from '../queries.ts'
import { LONGEST_REPORT_MS, nextReportMs } from './reporting.ts'

/** The processes that handle payments, by service and process id on their host. */
export async function listPaymentProviders(ctx: Ctx): Promise<{ process: string; provider: string }[]> {
  const nowMs = ctx.clock.now().getTime()
  const reports = await selectProcesses(ctx, { since: new Date(nowMs - 2 * LONGEST_REPORT_MS) })
  const running = reports.filter((report) => Date.parse(report.at) >= nowMs - nextReportMs(report))
  return running.flatMap(({ service, host, pid, metrics }) =>
    metrics.values
      .filter(([name]) => name === PROVIDER_METRIC)
      .map(([, labels]) => ({ process: `${service} (${host}, pid ${pid})`, provider: String(labels['provider']) })),
  )
}
