// City and state follow from the ZIP code while it is typed. What a person typed stays. Without this script the server fills them.
import { elementsOf } from './elements.ts'

interface Place {
  type: string
  name: string
  state: string
  zipCode: string | null
}

/** A ZIP code, or a Canadian postal code, whose place its first three characters say. The server knows those of its country. */
const CODE = /^(?:(\d{5})|([a-z]\d[a-z])[ -]?\d[a-z]\d)$/i

for (const zip of elementsOf('input[name=zipCode]')) if (zip instanceof HTMLInputElement) follow(zip)

function follow(zip: HTMLInputElement): void {
  const fields = ['city', 'state'].flatMap((name) => {
    const field = zip.form?.elements.namedItem(name)
    return field instanceof HTMLInputElement ? [{ field, filled: '' }] : []
  })
  zip.addEventListener('input', () => void fill())

  async function fill(): Promise<void> {
    const typed = zip.value
    const code = CODE.exec(typed.trim())?.slice(1).find(Boolean)?.toUpperCase()
    if (code === undefined) return
    const place = await placeOf(code)
    if (!place || zip.value !== typed) return
    for (const it of fields) {
      if (it.field.value !== it.filled) continue
      it.filled = it.field.name === 'city' ? place.name : place.state
      it.field.value = it.filled
    }
  }
}

/** Undefined for an unknown code, and when Hearth does not answer: the fields are there to be typed in. */
async function placeOf(code: string): Promise<Place | undefined> {
  try {
    const response = await fetch(`/api/v1/places?q=${code}&limit=1`)
    if (!response.ok) return undefined
    const { places } = (await response.json()) as { places: Place[] }
    return places.find(({ zipCode }) => zipCode === code)
  } catch {
    return undefined
  }
}
