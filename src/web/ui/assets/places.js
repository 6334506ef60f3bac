// Suggests places while a person types one. The form works without it.

const input = document.querySelector('input[name=place]')
const list = input.list
const PAUSE_MS = 150
let timer

input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(suggest, PAUSE_MS)
})

async function suggest() {
  const text = input.value.trim()
  if (text === '') return
  let response
  try {
    response = await fetch(`/api/v1/places?q=${encodeURIComponent(text)}`)
  } catch {
    // Without a connection, no suggestions are better than those of an earlier text.
    list.replaceChildren()
    return
  }
  // A slow answer to an earlier text would replace the list of the current one.
  if (!response.ok || input.value.trim() !== text) return
  const { places } = await response.json()
  list.replaceChildren(
    ...places.map(({ displayName }) => Object.assign(document.createElement('option'), { value: displayName })),
  )
}
