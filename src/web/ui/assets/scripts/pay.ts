// Stripe's payment form. Its settings are data attributes of the form.
const form = document.querySelector('#pay')
const button = form.querySelector('button')
const problem = form.querySelector('[role=alert]')

const stripe = window.Stripe(form.dataset.key)
const elements = stripe.elements({ clientSecret: form.dataset.secret })
elements.create('payment').mount('#payment')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  button.disabled = true
  void pay()
})

/** Returns only on failure: on success Stripe redirects the browser to `return_url`. */
async function pay() {
  const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: location.href } })
  problem.textContent = error.message
  button.disabled = false
}
