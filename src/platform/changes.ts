// What other processes changed, heard through PostgreSQL's LISTEN.
import postgres from 'postgres'

/** The channels the database notifies. */
export type Channel = 'keys_changed' | 'catalog_names_changed' | 'catalog_changed' | 'pricing_changed'

export interface Changes {
  /**
   * Calls `heard` with each notification's payload, and with `undefined` whenever listening (re)starts: notifications
   * may have been missed before, so whoever caches forgets everything then.
   */
  on(channel: Channel, heard: (payload: string | undefined) => void): void
  close(): Promise<void>
}

/** Opens a connection of its own that listens, and reconnects by itself. `onError` hears of failed attempts. */
export function listenForChanges(url: string, onError: (error: unknown) => void): Changes {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    backoff: () => 0.25,
    connect_timeout: 2,
    onnotice: () => undefined,
    connection: { application_name: 'hearth-changes' },
  })
  let closed = false
  const listen = async (channel: Channel, heard: (payload: string | undefined) => void): Promise<void> => {
    try {
      await sql.listen(channel, heard, () => heard(undefined))
    } catch (error) {
      onError(error)
      if (!closed) setTimeout(() => void listen(channel, heard), 500).unref()
    }
  }
  return {
    on: (channel, heard) => void listen(channel, heard),
    close: async () => {
      closed = true
      await sql.end({ timeout: 1 })
    },
  }
}
