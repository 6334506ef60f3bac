// The copy buttons of the console. The pages work without scripts.

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', () => void copy(button))
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  await navigator.clipboard.writeText(source.value ?? source.textContent)
  button.textContent = 'Copied'
}
