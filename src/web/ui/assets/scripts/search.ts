// The search form: type-ahead lists, the browser's location, and a short address. The form works without it.
import { Combobox } from './combobox.ts'
import { elementOf } from './elements.ts'

const form = elementOf(HTMLFormElement, '.finder')

const servicesFor = async (text: string): Promise<string[]> =>
  (await read<{ services: { name: string }[] }>('services', text)).services.map(({ name }) => name)
const placesFor = async (text: string): Promise<string[]> =>
  (await read<{ places: { displayName: string }[] }>('places', text)).places.map(({ displayName }) => displayName)

async function read<Listing>(list: string, text: string): Promise<Listing> {
  const path = `/api/v1/${list}?q=${encodeURIComponent(text)}`
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return (await response.json()) as Listing
}

const place = fieldOf('place')
new Combobox(fieldOf('service'), servicesFor).listen()
new Combobox(place, placesFor).listen()

const here = elementOf(HTMLElement, '.here')
const status = elementOf(HTMLElement, '[role=status]', here)
// Browsers have no location outside of secure contexts.
if ('geolocation' in navigator) here.hidden = false
elementOf(HTMLButtonElement, 'button', here).addEventListener('click', () => {
  status.textContent = 'Looking for your location…'
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      place.value = ''
      // Three decimals are a city block: enough for the distance, without naming a house.
      setHidden('lat', coords.latitude.toFixed(3))
      setHidden('lng', coords.longitude.toFixed(3))
      form.requestSubmit()
    },
    () => {
      status.textContent = 'Your browser did not give a location. Type your city.'
    },
    { maximumAge: 600_000, timeout: 10_000 },
  )
})

function fieldOf(name: string): HTMLInputElement {
  return elementOf(HTMLInputElement, `[name=${name}]`, form)
}

function setHidden(name: string, value: string): void {
  const known = form.elements.namedItem(name)
  const field = known instanceof HTMLInputElement ? known : document.createElement('input')
  if (field !== known) {
    field.type = 'hidden'
    field.name = name
    form.append(field)
  }
  field.value = value
}

// Fields that say nothing stay out of the address.
form.addEventListener('formdata', ({ formData }) => {
  if (formData.get('place')) {
    formData.delete('lat')
    formData.delete('lng')
  }
  for (const [name, value] of Array.from(formData))
    if (value === '' || (name === 'sort' && value === 'usual')) formData.delete(name)
})
