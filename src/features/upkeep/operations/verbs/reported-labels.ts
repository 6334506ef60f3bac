// What running processes report of themselves as the label of a metric, such as the payment provider that each is configured with.
import type { Ctx } from '../../../../ctx.ts'
import { selectProcesses } from '../queries.ts'
import { LONGEST_REPORT_MS, nextReportMs } from './reporting.ts'

/** The values of a metric's label, each with the process: its service, and its id on its host. */
export async function listReportedLabels(
  ctx: Ctx,
  { metric, label }: { metric: string; label: string },
): Promise<{ process: string; value: string }[]> {
  const nowMs = ctx.clock.now().getTime()
  const reports = await selectProcesses(ctx, { since: new Date(nowMs - 2 * LONGEST_REPORT_MS) })
  const running = reports.filter((report) => Date.parse(report.at) >= nowMs - nextReportMs(report))
  return running.flatMap(({ service, host, pid, metrics }) =>
    metrics.values
      .filter(([name]) => name === metric)
      .map(([, labels]) => ({ process: `${service} (${host}, pid ${pid})`, value: String(labels[label]) })),
  )
}
