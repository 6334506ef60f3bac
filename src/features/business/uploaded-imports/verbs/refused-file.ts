// The refused lines of a file, written into the storage while the file is read: at no time are all of them in memory.
import type { Storage } from '../../../../platform/storage/storage.ts'
import type { Table } from '../../../../platform/text/tables/lines.ts'
import type { RefusedLine } from '../../imports/schemas.ts'
import { headOfRefused, refusedLine } from '../../imports/verbs/refused-lines.ts'

type Form = Pick<Table, 'format' | 'columns' | 'delimiter'>

/** Is stored once a line was refused, in place of that of a reading before. */
export class RefusedFile {
  #form: Form | undefined
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined
  #stored = Promise.resolve()
  #failure: Error | undefined

  constructor(
    readonly storage: Storage,
    readonly key: string,
  ) {}

  open(form: Form): void {
    this.#form = form
  }

  async write(line: RefusedLine): Promise<void> {
    const form = this.#form
    if (!form) throw new Error('A line was refused before the file was opened.')
    if (!this.#writer) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      this.#writer = writer
      this.#stored = this.storage.put(this.key, readable).catch(async (thrown: unknown) => {
        this.#failure = thrown instanceof Error ? thrown : new Error('The lines were not stored.', { cause: thrown })
        // Otherwise the next line would wait for a reader that is gone.
        await Promise.allSettled([writer.abort(this.#failure)])
      })
      await this.#send(headOfRefused(form))
    }
    await this.#send(refusedLine(form, line))
  }

  /** Resolves once the storage has all lines. */
  async close(): Promise<void> {
    if (!this.#writer) return
    await this.#writer.close()
    this.#writer = undefined
    await this.#stored
    if (this.#failure) throw this.#failure
  }

  /** Stores nothing more. Without effect on a file that was closed. */
  async abandon(): Promise<void> {
    if (!this.#writer) return
    await Promise.allSettled([this.#writer.abort(new Error('The file was not read to its end.')), this.#stored])
    this.#writer = undefined
  }

  /** Waits until the storage takes more. Throws why it does not. */
  async #send(text: string): Promise<void> {
    await this.#writer?.write(Buffer.from(text))
  }
}
