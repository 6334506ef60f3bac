// Uploads pictures as soon as they are chosen, and shows what becomes of each. Without this script the form sends them.
import { elementOf, elementsOf } from './elements.ts'

const MAX_BYTES = 15 * 1024 * 1024
const POLL_MS = 1000

interface Answer {
  id?: string
  state?: 'received' | 'ready' | 'refused'
  message?: string | null
  detail?: string
  status?: number
}

const uploads = new Set<Promise<void>>()
/** Pictures are decoded one after another, and asked for in that order: ten at once would use up the limit of requests. */
let followed = Promise.resolve()

for (const input of elementsOf('input[data-upload]')) if (input instanceof HTMLInputElement) watch(input)

function watch(input: HTMLInputElement): void {
  const { form, parentElement: field } = input
  if (!form || !field) return
  const list = elementOf(HTMLElement, '.uploads', field)
  const most = Number(input.dataset['most'])
  input.addEventListener('change', () => {
    if (most === 1) list.replaceChildren()
    const before = list.querySelectorAll('p:not(.fault, :has(input:not(:checked)))').length
    for (const [index, file] of [...(input.files ?? [])].entries()) {
      const item = list.appendChild(document.createElement('p'))
      const upload =
        before + index < most ? send(input, form, file, item) : refuse(item, file, `Choose at most ${most} at once.`)
      uploads.add(upload)
      void upload.finally(() => uploads.delete(upload))
    }
    // They are not sent a second time with the form.
    input.value = ''
  })
  form.addEventListener('submit', (event) => {
    if (uploads.size === 0) return
    event.preventDefault()
    event.stopImmediatePropagation()
    void Promise.allSettled(uploads).then(() => form.requestSubmit(event.submitter))
  })
}

async function send(input: HTMLInputElement, form: HTMLFormElement, file: File, item: HTMLElement): Promise<void> {
  if (file.size > MAX_BYTES) return await refuse(item, file, 'It is larger than 15 MB. Choose a smaller one.')
  item.textContent = `${file.name}: uploading …`
  const path = input.dataset['path'] ?? ''
  const body = new FormData()
  // Forms for everyone have no token.
  const token = form.querySelector('[name=csrf]')
  if (token instanceof HTMLInputElement) body.append('csrf', token.value)
  body.append('purpose', input.dataset['upload'] ?? '')
  body.append('file', file)
  try {
    const { id, detail } = await answerOf(path, { method: 'POST', body })
    if (id === undefined) return await refuse(item, file, detail ?? 'It was not uploaded. Choose it again.')
    const text = boxIn(item, input.name, id)
    text.data = ` ${file.name}: received, being prepared …`
    followed = followed.then(() => follow({ item, file, text, url: `${path}/${id}` }))
  } catch {
    await refuse(item, file, 'The connection was lost. Choose it again.')
  }
}

/** A box that takes the picture out of the form when it is not ticked. Returns the text beside it. */
function boxIn(item: HTMLElement, name: string, value: string): Text {
  const label = document.createElement('label')
  label.className = 'tick'
  const box = label.appendChild(document.createElement('input'))
  Object.assign(box, { type: 'checkbox', name, value, checked: true })
  item.replaceChildren(label)
  return label.appendChild(document.createTextNode(''))
}

interface Upload {
  item: HTMLElement
  file: File
  text: Text
  url: string
}

/** Asks until the picture is ready or refused. The form may be sent meanwhile. */
async function follow({ item, file, text, url }: Upload): Promise<void> {
  for (;;) {
    const { state, message, status } = await stateOf(url)
    if (status === 404) return await refuse(item, file, 'It is not there any more. Choose it again.')
    if (state === 'refused') return await refuse(item, file, message ?? 'It could not be read.')
    if (state === 'ready') return void (text.data = ` ${file.name}: ready`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Without a connection the state is not known, and is asked for again. */
async function stateOf(url: string): Promise<Answer> {
  try {
    return await answerOf(url)
  } catch (error) {
    if (error instanceof TypeError) return {}
    throw error
  }
}

async function refuse(item: HTMLElement, file: File, why: string): Promise<void> {
  item.className = 'fault'
  item.textContent = `${file.name}: ${why}`
  return await Promise.resolve()
}

const answerOf = async (path: string, init: RequestInit = {}): Promise<Answer> =>
  (await (await fetch(path, { ...init, headers: { accept: 'application/json' } })).json()) as Answer
