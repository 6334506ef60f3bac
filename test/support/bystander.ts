// Someone who uses the server while others load or attack it: their requests must succeed, and stay fast.

/** Sends `request` again and again while `goesOn`. Returns the p99 of its times in ms; throws unless each answers 2xx. */
export async function bystanderP99(
  request: (number: number) => Promise<Response>,
  goesOn: (done: number) => boolean,
): Promise<number> {
  const times: number[] = []
  while (goesOn(times.length)) {
    const startedMs = performance.now()
    const response = await request(times.length)
    await response.text()
    if (!response.ok) throw new Error(`The bystander's request ${times.length} got ${response.status}.`)
    times.push(performance.now() - startedMs)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

/** Other programs of the machine make a time longer, never shorter: measures up to three times, until it is below the limit. */
export async function leastOfThree(limit: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity
  for (let n = 0; n < 3 && least >= limit; n++) least = Math.min(least, await measure())
  return least
}
