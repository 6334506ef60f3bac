// A type-ahead list under a text field (the combobox pattern of the ARIA Authoring Practices Guide).

const PAUSE_MS = 150

export class Combobox {
  readonly #input: HTMLInputElement
  readonly #list: HTMLUListElement
  readonly #suggest: (text: string) => Promise<string[]>
  #timer: number | undefined
  #current = -1

  constructor(input: HTMLInputElement, suggest: (text: string) => Promise<string[]>) {
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
    input.parentElement?.classList.add('combobox')
    input.after(this.#list)
  }

  listen(): void {
    this.#input.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#update(), PAUSE_MS)
    })
    this.#input.addEventListener('blur', () => this.#close())
    this.#input.addEventListener('keydown', (event) => {
      if (this.#press(event.key)) event.preventDefault()
    })
    // Before the field loses its focus.
    this.#list.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      const option = event.target instanceof Element ? event.target.closest('[role=option]') : null
      if (option) this.#choose(option)
    })
  }

  /** Whether the key did something. */
  #press(key: string): boolean {
    const options = this.#list.children
    const chosen = options[this.#current]
    if (key === 'Escape' && options.length > 0) this.#close()
    else if (key === 'Enter' && chosen) this.#choose(chosen)
    else if (key === 'ArrowDown' && options.length > 0) this.#mark((this.#current + 1) % options.length)
    else if (key === 'ArrowDown') void this.#update()
    else if (key === 'ArrowUp' && options.length > 0)
      this.#mark((this.#current <= 0 ? options.length : this.#current) - 1)
    else return false
    return true
  }

  #show(names: readonly string[]): void {
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

  #mark(index: number): void {
    this.#current = index
    for (const [at, option] of Array.from(this.#list.children).entries()) option.ariaSelected = String(at === index)
    const option = this.#list.children[index]
    if (!option) return this.#input.removeAttribute('aria-activedescendant')
    this.#input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#show([])
  }

  #choose(option: Element): void {
    this.#input.value = option.textContent
    this.#close()
  }

  async #update(): Promise<void> {
    const text = this.#input.value.trim()
    let names: string[] = []
    try {
      if (text !== '') names = await this.#suggest(text)
    } catch {
      // Without a connection, no suggestions are better than those of an earlier text.
    }
    // A slow answer to an earlier text would replace the list of the current one.
    if (this.#input.value.trim() === text && document.activeElement === this.#input) this.#show(names)
  }
}
