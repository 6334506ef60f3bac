// Progress lines of a long seed.

const everyMs = 3000

/** Reports each stage when it begins, every few seconds, and when it ends. */
export class Progress {
  private readonly beganAt = performance.now()
  private stage = ''
  private stageBeganAt = 0
  private reportedAt = 0

  constructor(private readonly write: (line: string) => void) {}

  /** Begins a stage and ends the previous one. */
  begin(stage: string): void {
    this.end()
    this.stage = stage
    this.stageBeganAt = this.reportedAt = performance.now()
    this.write(`${stage} …`)
  }

  /** Reports the progress of the stage every few seconds, with the rate and the remaining time. */
  note(done: number, of: number): void {
    const now = performance.now()
    if (now - this.reportedAt < everyMs || done === 0) return
    this.reportedAt = now
    const rate = done / ((now - this.stageBeganAt) / 1000)
    const speed = rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en-US')
    const share = `${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`
    this.write(`${this.stage}: ${share}, ${speed} a second, ${duration((of - done) / rate)} left`)
  }

  /** Ends the last stage and reports the total time. */
  finish(): void {
    this.end()
    this.write(`done in ${duration((performance.now() - this.beganAt) / 1000)}`)
  }

  private end(): void {
    if (this.stage) this.write(`${this.stage}: ${duration((performance.now() - this.stageBeganAt) / 1000)}`)
  }
}

const duration = (seconds: number): string =>
  seconds < 59.95 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
