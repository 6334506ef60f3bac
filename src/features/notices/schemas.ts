// What an account should know: its tasks run out, an endpoint of its was disabled.

export interface Notice {
  id: string
  /** In snake_case; it names the shape of `data`. */
  kind: string
  data: Record<string, unknown>
  createdAt: string
  readAt: string | null
}
