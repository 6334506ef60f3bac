// The search form: type-ahead lists (the combobox pattern of the ARIA Authoring Practices Guide), the browser's location, and
// a short address. The form works without it.

const form = document.querySelector('.finder')
const PAUSE_MS = 150

const SOURCES = {
  service: async (text) =>
    (await read(`/api/v1/services?q=${encodeURIComponent(text)}`)).services.map(({ name }) => name),
  place: async (text) =>
    (await read(`/api/v1/places?q=${encodeURIComponent(text)}`)).places.map(({ displayName }) => displayName),
}

async function read(path) {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}

class Combobox {
  #input
  #list
  #suggest
  #timer
  #current = -1

  constructor(input, suggest) {
    this.#input = input
    this.#suggest = suggest
    this.#list = Object.assign(document.createElement('ul'), {
      id: `${input.id}-list`,
      className: 'suggestions',
      hidden: true,
      role: 'listbox',
      ariaLabel: 'Suggestions',
    })
    input.removeAttribute('list')
    Object.assign(input, { role: 'combobox', autocomplete: 'off', ariaAutoComplete: 'list', ariaExpanded: 'false' })
    input.setAttribute('aria-controls', this.#list.id)
    input.parentElement.classList.add('combobox')
    input.after(this.#list)
  }

  listen() {
    this.#input.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#update(), PAUSE_MS)
    })
    this.#input.addEventListener('blur', () => this.#close())
    this.#input.addEventListener('keydown', (event) => {
      if (this.#press(event.key)) event.preventDefault()
    })
    // Before the field loses its focus.
    this.#list.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      const option = event.target.closest('[role=option]')
      if (option) this.#choose(option)
    })
  }

  /** Whether the key did something. */
  #press(key) {
    const options = this.#list.children
    if (key === 'Escape' && options.length > 0) this.#close()
    else if (key === 'Enter' && this.#current >= 0) this.#choose(options[this.#current])
    else if (key === 'ArrowDown' && options.length > 0) this.#mark((this.#current + 1) % options.length)
    else if (key === 'ArrowDown') void this.#update()
    else if (key === 'ArrowUp' && options.length > 0)
      this.#mark((this.#current <= 0 ? options.length : this.#current) - 1)
    else return false
    return true
  }

  #show(names) {
    const options = names.map((name, index) =>
      Object.assign(document.createElement('li'), {
        id: `${this.#list.id}-${index}`,
        textContent: name,
        role: 'option',
      }),
    )
    this.#list.replaceChildren(...options)
    this.#list.hidden = names.length === 0
    this.#input.ariaExpanded = String(!this.#list.hidden)
    this.#mark(-1)
  }

  #mark(index) {
    this.#current = index
    for (const [at, option] of Array.from(this.#list.children).entries()) option.ariaSelected = String(at === index)
    const option = this.#list.children[index]
    if (!option) return this.#input.removeAttribute('aria-activedescendant')
    this.#input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }

  #close() {
    clearTimeout(this.#timer)
    this.#show([])
  }

  #choose(option) {
    this.#input.value = option.textContent
    this.#close()
  }

  async #update() {
    const text = this.#input.value.trim()
    let names = []
    try {
      if (text !== '') names = await this.#suggest(text)
    } catch {
      // Without a connection, no suggestions are better than those of an earlier text.
    }
    // A slow answer to an earlier text would replace the list of the current one.
    if (this.#input.value.trim() === text && document.activeElement === this.#input) this.#show(names)
  }
}

for (const [name, suggest] of Object.entries(SOURCES)) new Combobox(form.elements[name], suggest).listen()

const here = document.querySelector('.here')
if (navigator.geolocation) here.hidden = false
here.querySelector('button').addEventListener('click', () => {
  const status = here.querySelector('[role=status]')
  status.textContent = 'Looking for your location…'
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      form.elements.place.value = ''
      // Three decimals are a city block: enough for the distance, without naming a house.
      setHidden('lat', coords.latitude.toFixed(3))
      setHidden('lng', coords.longitude.toFixed(3))
      form.requestSubmit()
    },
    () => {
      status.textContent = 'Your browser did not give a location. Type a city or ZIP code.'
    },
    { maximumAge: 600_000, timeout: 10_000 },
  )
})

function setHidden(name, value) {
  let field = form.elements[name]
  if (!field) {
    field = Object.assign(document.createElement('input'), { type: 'hidden', name })
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
