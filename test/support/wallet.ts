// A wallet for the payment sandbox: the client side of the Machine Payments Protocol.
import { type Challenge, Credential, Method, z } from 'mppx'

const sandboxCharge = Method.from({
  name: 'sandbox',
  intent: 'charge',
  schema: {
    credential: { payload: z.object({ token: z.string() }) },
    request: z.record(z.string(), z.unknown()),
  },
})

/** A method for the library's clients that responds to each challenge with this token. */
export const walletOf = (token = 'sandbox_succeeds') =>
  Method.toClient(sandboxCharge, {
    createCredential: ({ challenge }) => Promise.resolve(Credential.serialize({ challenge, payload: { token } })),
  })

/** The `_meta` of a tool call that responds to a challenge. */
export const credentialMeta = (challenge: Challenge.Challenge, payload: unknown = { token: 'sandbox_succeeds' }) => ({
  'org.paymentauth/credential': { challenge, payload },
})
