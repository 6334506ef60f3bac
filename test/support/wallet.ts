// A wallet that pays at the sandbox: the client's side of the Machine Payments Protocol.
import { type Challenge, Credential, Method, z } from 'mppx'

const sandboxCharge = Method.from({
  name: 'sandbox',
  intent: 'charge',
  schema: {
    credential: { payload: z.object({ token: z.string() }) },
    request: z.record(z.string(), z.unknown()),
  },
})

/** For the library's clients: answers each challenge with this token. */
export const walletOf = (token = 'sandbox_succeeds') =>
  Method.toClient(sandboxCharge, {
    createCredential: ({ challenge }) => Promise.resolve(Credential.serialize({ challenge, payload: { token } })),
  })

/** The `_meta` of a call that answers a challenge. */
export const credentialMeta = (challenge: Challenge.Challenge, payload: unknown = { token: 'sandbox_succeeds' }) => ({
  'org.paymentauth/credential': { challenge, payload },
})
