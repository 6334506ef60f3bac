// What people who log in to the console read.
import { dateTimeText, plural } from '../../../../platform/text/format.ts'
import type { MessageData } from '../kinds.ts'
import type { Content } from './content.ts'
import { short } from './phrases.ts'
import type { Site } from './rendered.ts'

const ONCE = 'The link works once. Keep it to yourself: it gives access to your account.'

export const invitation = ({ business, url, expiresAt }: MessageData['invitation'], { name }: Site): Content => ({
  subject: business === null ? `You are invited to ${name}` : `You are invited to manage ${short(business)} on ${name}`,
  heading: business === null ? `Welcome to ${name}` : `Manage ${short(business)} on ${name}`,
  tone: 'plain',
  paragraphs: [
    business === null
      ? 'You can log in to the console as soon as you have chosen a password.'
      : 'Bookings, requests, quotes and settings are in the console. Choose a password to log in.',
  ],
  button: { label: 'Choose your password', url },
  notes: [`The link works until ${dateTimeText(expiresAt)}.`, ONCE],
  reason: 'You get this message because someone gave you access. If you do not know why, ignore it.',
})

export const passwordLink = ({ url, expiresAt }: MessageData['password-link']): Content => ({
  subject: 'Choose a new password',
  heading: 'Choose a new password',
  tone: 'plain',
  paragraphs: ['Your password stays as it is until you choose another one.'],
  button: { label: 'Choose a new password', url },
  notes: [`The link works until ${dateTimeText(expiresAt)}.`, ONCE],
  reason:
    'You get this message because someone asked for a new password for your account. If it was not you, ignore it.',
})

const FACTOR_CHANGES: Record<MessageData['second-factor']['kind'], { subject: string; text: string }> = {
  factor_set_up: {
    subject: 'Your log-in has a second factor now',
    text: 'From now on you log in with your password and a code from your app. You were logged out on all other devices.',
  },
  factor_removed: {
    subject: 'The second factor of your log-in was removed',
    text: 'You log in with your password only.',
  },
  recovery_codes_made: {
    subject: 'You have new recovery codes',
    text: 'The codes that you had before no longer work.',
  },
  recovery_code_used: {
    subject: 'A recovery code of your log-in was used',
    text: 'It was used instead of a code from your app, and does not work again.',
  },
}

export const secondFactor = ({ kind, isByOther, codesLeft, consoleUrl }: MessageData['second-factor']): Content => ({
  subject: FACTOR_CHANGES[kind].subject,
  heading: FACTOR_CHANGES[kind].subject,
  tone: kind === 'factor_set_up' || kind === 'recovery_codes_made' ? 'good' : 'bad',
  paragraphs: [
    ...(isByOther ? ['An administrator did this.'] : []),
    FACTOR_CHANGES[kind].text,
    ...(kind === 'recovery_code_used' ? [leftText(codesLeft)] : []),
    'If it was not you, choose another password at once, and tell an administrator.',
  ],
  button: { label: 'See your log-in', url: consoleUrl },
  reason: 'You get this message because the second factor of your log-in changed.',
})

const leftText = (codesLeft: number): string =>
  codesLeft === 0
    ? 'It was the last one: make new codes now.'
    : `You have ${plural(codesLeft, 'code')} left.${codesLeft > FEW_CODES ? '' : ' Make new ones before they are used up.'}`

const FEW_CODES = 3

export const endpointDisabled = ({ name, reason, consoleUrl }: MessageData['endpoint-disabled']): Content => ({
  subject: `Webhooks to ${short(name)} are switched off`,
  heading: `${short(name)} gets no more webhooks`,
  tone: 'bad',
  paragraphs: [
    reason === 'gone'
      ? 'It answered 410 Gone, which ends deliveries.'
      : 'It has failed for days, and each delivery was tried again and again.',
    'Events are kept: once it answers, enable it, and replay what it missed.',
  ],
  button: { label: 'See the endpoint', url: consoleUrl },
  reason: 'You get this message because your account has this endpoint.',
})
