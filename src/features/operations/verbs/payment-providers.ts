// Which payment provider each running process is configured with, from its reports.
import type { Deps } from '../../../deps.ts'
import { PROVIDER_METRIC } from '../../../payments/open-provider.ts'
import { selectProcesses } from '../queries.ts'
import { REPORT_EVERY_MS } from './reporting.ts'

/** A process that missed this many reports has probably ended. */
const REPORTS = 6

/** The processes that handle payments, by service and process id on their host. */
export async function listPaymentProviders({
  write,
  clock,
}: Pick<Deps, 'write' | 'clock'>): Promise<{ process: string; provider: string }[]> {
  const since = new Date(clock.now().getTime() - REPORTS * REPORT_EVERY_MS)
  const reports = await selectProcesses(write, since)
  return reports.flatMap(({ service, host, pid, metrics }) =>
    metrics.values
      .filter(([name]) => name === PROVIDER_METRIC)
      .map(([, labels]) => ({ process: `${service} (${host}, pid ${pid})`, provider: String(labels['provider']) })),
  )
}
