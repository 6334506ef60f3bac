// Lines that tell how a long seed is getting on.

const everyMs = 3000

/** Notes each stage when it begins and every few seconds after: how far, how fast, how long to go. */
export class Progress {
  private readonly beganAt = performance.now()
  private stage = ''
  private stageBeganAt = 0
  private notedAt = 0

  constructor(private readonly write: (line: string) => void) {}

  note(stage: string, done: number, of: number): void {
    const now = performance.now()
    if (stage !== this.stage) {
      this.stage = stage
      this.stageBeganAt = now
    } else if (now - this.notedAt < everyMs && done < of) {
      return
    }
    this.notedAt = now
    this.write(`${stage}: ${this.howFar(done, of, (now - this.stageBeganAt) / 1000)}`)
  }

  finish(): void {
    this.write(`done in ${duration((performance.now() - this.beganAt) / 1000)}`)
  }

  private howFar(done: number, of: number, seconds: number): string {
    const share = `${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`
    const rate = done / seconds
    if (!Number.isFinite(rate) || rate === 0 || done === of) return share
    return `${share}, ${Math.round(rate).toLocaleString('en-US')} a second, ${duration((of - done) / rate)} to go`
  }
}

const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
