// Uploads pictures as soon as they are chosen, and shows what becomes of each. Without this script the form sends them.
import { elementOf, elementsOf } from './elements.ts'

const PATH = '/console/files'
const MAX_BYTES = 15 * 1024 * 1024
const POLL_MS = 500

interface Answer {
  id?: string
  state?: 'received' | 'ready' | 'refused'
  message?: string | null
  detail?: string
}

const uploads = new Set<Promise<void>>()

for (const input of elementsOf('input[data-upload]')) if (input instanceof HTMLInputElement) watch(input)

function watch(input: HTMLInputElement): void {
  const { form, parentElement: field } = input
  if (!form || !field) return
  const list = elementOf(HTMLElement, '.uploads', field)
  const most = Number(input.dataset['most'])
  input.addEventListener('change', () => {
    if (most === 1) list.replaceChildren()
    for (const [index, file] of [...(input.files ?? [])].entries()) {
      const item = list.appendChild(document.createElement('p'))
      const upload =
        index < most ? send(input, form, file, item) : refuse(item, file, `Choose at most ${most} at once.`)
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
  const body = new FormData()
  body.append('csrf', elementOf(HTMLInputElement, '[name=csrf]', form).value)
  body.append('purpose', input.dataset['upload'] ?? '')
  body.append('file', file)
  try {
    const { id, detail } = await answerOf(PATH, { method: 'POST', body })
    if (id === undefined) return await refuse(item, file, detail ?? 'It was not uploaded. Choose it again.')
    item.textContent = `${file.name}: received, being prepared …`
    const hidden = item.appendChild(document.createElement('input'))
    Object.assign(hidden, { type: 'hidden', name: input.name, value: id })
    void follow(item, file, hidden)
  } catch {
    await refuse(item, file, 'The connection was lost. Choose it again.')
  }
}

/** Asks until the picture is ready or refused. The form may be sent meanwhile. */
async function follow(item: HTMLElement, file: File, hidden: HTMLInputElement): Promise<void> {
  const { state, message } = await stateOf(hidden.value)
  if (state === 'refused') return await refuse(item, file, message ?? 'It could not be read.')
  if (state === 'ready') item.replaceChildren(`${file.name}: ready`, hidden)
  else setTimeout(() => void follow(item, file, hidden), POLL_MS)
}

/** Without a connection the state is not known, and is asked for again. */
async function stateOf(id: string): Promise<Answer> {
  try {
    return await answerOf(`${PATH}/${id}`)
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
