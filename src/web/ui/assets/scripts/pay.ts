// Stripe's payment form. Its settings are data attributes of the form.
import { elementOf } from './elements.ts'

/** What this page uses of Stripe.js, which Stripe serves (https://docs.stripe.com/js). */
interface StripeElements {
  create: (kind: 'payment') => { mount: (selector: string) => void }
}
interface StripeClient {
  elements: (options: { clientSecret: string }) => StripeElements
  confirmPayment: (options: {
    elements: StripeElements
    confirmParams: { return_url: string }
  }) => Promise<{ error: { message?: string } }>
}
declare const Stripe: (publishableKey: string) => StripeClient

const form = elementOf(HTMLFormElement, '#pay')
const button = elementOf(HTMLButtonElement, 'button', form)
const problem = elementOf(HTMLElement, '[role=alert]', form)

const stripe = Stripe(form.dataset['key'] ?? '')
const elements = stripe.elements({ clientSecret: form.dataset['secret'] ?? '' })
elements.create('payment').mount('#payment')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  button.disabled = true
  void pay()
})

/** Returns only on failure: on success Stripe redirects the browser to `return_url`. */
async function pay(): Promise<void> {
  const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: location.href } })
  problem.textContent = error.message ?? ''
  button.disabled = false
}
