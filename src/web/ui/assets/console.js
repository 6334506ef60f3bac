// The copy buttons of the console. The pages work without scripts.

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', () => void copy(button))
}

async function copy(button) {
  await navigator.clipboard.writeText(document.querySelector(`#${button.dataset.copy}`).value)
  button.textContent = 'Copied'
}
