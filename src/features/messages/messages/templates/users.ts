// What people who log in to the console read.
import { dateTimeText, plural } from '../../../../platform/text/format.ts'
import type { ProRole } from '../../../../auth/users/rules/pro-roles.ts'
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

/** What the role may do. */
function mayOf(proRole: ProRole): string {
  if (proRole === 'owner') return 'An owner may do everything, also what concerns money, keys and log-ins.'
  return proRole === 'dispatcher'
    ? 'A dispatcher handles bookings, requests, quotes, jobs and the calendar.'
    : 'A worker sees the visits and jobs that are assigned to them.'
}

function changeOf({ change, isOwn, member, ...data }: MessageData['login-changed']): string {
  const [business, email] = [short(data.pro), short(data.email, 100)]
  const who = member === null ? email : `${short(member)} (${email})`
  if (change === 'ended')
    return isOwn ? `Your log-in to ${business} has ended` : `The log-in of ${who} to ${business} has ended`
  if (change === 'invited') return `${who} can log in to ${business}`
  return isOwn ? `You have another role at ${business}` : `${who} has another role at ${business}`
}

export function loginChanged(data: MessageData['login-changed']): Content {
  const { change, isOwn, proRole, consoleUrl: url } = data
  const subject = short(changeOf(data), 150)
  return {
    subject,
    heading: subject,
    tone: change === 'ended' ? 'bad' : 'plain',
    paragraphs: [
      proRole === null ? 'All sessions have ended, and apps that were connected have lost access.' : mayOf(proRole),
    ],
    ...(isOwn && change === 'ended' ? {} : { button: { label: isOwn ? 'Open the console' : 'See your team', url } }),
    reason: isOwn
      ? 'You get this message because you have or had a log-in for this business. Ask its owner if it should not be so.'
      : 'You get this message because the business is yours. If you did not expect it, end the log-in and change your password.',
  }
}

export const addressLink = ({ url, expiresAt }: MessageData['address-link']): Content => ({
  subject: url === null ? 'This address has a log-in already' : 'Confirm your new e-mail address',
  heading: url === null ? 'This address has a log-in already' : 'Log in with this address',
  tone: 'plain',
  paragraphs: [
    url === null
      ? 'Another log-in was to be changed to this address. An address has one log-in, so nothing was changed. Use another address, or log in with this one.'
      : 'Your former address logs in until you confirm this one. Your password stays.',
  ],
  ...(url === null ? {} : { button: { label: 'Confirm the address', url } }),
  notes: url === null ? [] : [`The link works until ${dateTimeText(expiresAt)}.`, ONCE],
  reason: 'You get this message because someone wants to log in with this address. If it was not you, ignore it.',
})

export function addressChanged(data: MessageData['address-changed']): Content {
  const { isDone, isByOperator, consoleUrl } = data
  const newEmail = short(data.newEmail, 100)
  const heading = isDone ? 'This address logs in no more' : 'Your log-in is to get another address'
  return {
    subject: heading,
    heading,
    tone: isDone ? 'bad' : 'wait',
    paragraphs: [
      isDone
        ? `Your log-in has the address ${newEmail} now. All sessions have ended.`
        : `${isByOperator ? 'We were asked to change the address of your log-in, and sent' : 'Someone who knows your password asked to change it. We sent'} a link to ${newEmail}. Until it is opened, nothing changes.`,
      isDone
        ? 'If it was not you, answer this message or write to us at once: we can undo it.'
        : 'If it was not you, choose another password now: then the link works no more. Tell us, too.',
    ],
    button: { label: isDone ? 'Open the console' : 'Choose another password', url: consoleUrl },
    reason: 'You get this message because this address logs in here.',
  }
}

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
