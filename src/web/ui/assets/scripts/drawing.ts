// What all charts share: the colours of the style sheet, and stacked series.

/** The colour of a token, such as `accent`, in the form that a canvas accepts. */
export function colourOf(place: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${name})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** The running sums of the lists, element by element. */
export function stacked(lists: readonly (readonly (number | null)[])[]): number[][] {
  const result: number[][] = []
  for (const list of lists) result.push(list.map((value, at) => (value ?? 0) + (result.at(-1)?.[at] ?? 0)))
  return result
}

export const dark = window.matchMedia('(prefers-color-scheme: dark)')
