// Which payment provider each running process is configured with, from its reports.
import type { Deps } from '../../../deps.ts'
import { PROVIDER_METRIC } from '../../../payments/open-provider.ts'
import { selectProcesses } from '../queries.ts'
import { LONGEST_REPORT_MS, nextReportMs } from './reporting.ts'

/** The processes that handle payments, by service and process id on their host. */
export async function listPaymentProviders({
  write,
  clock,
}: Pick<Deps, 'write' | 'clock'>): Promise<{ process: string; provider: string }[]> {
  const nowMs = clock.now().getTime()
  const reports = await selectProcesses(write, new Date(nowMs - 2 * LONGEST_REPORT_MS))
  const running = reports.filter((report) => Date.parse(report.at) >= nowMs - nextReportMs(report))
  return running.flatMap(({ service, host, pid, metrics }) =>
    metrics.values
      .filter(([name]) => name === PROVIDER_METRIC)
      .map(([, labels]) => ({ process: `${service} (${host}, pid ${pid})`, provider: String(labels['provider']) })),
  )
}
