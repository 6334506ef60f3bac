// What each message must say.
import type { MessageKind } from '../../src/features/messages/messages/kinds.ts'

/** What a person must find in the message. */
export const FACTS: { readonly [Kind in MessageKind]: { subject: string[]; body: string[] } } = {
  'booking-received': {
    subject: ['Drain cleaning', 'Tuesday, June 2, 2:15 PM'],
    body: ['Tuesday, June 2, 2026', '2:15 to 3:45 PM Central Time', 'Lone Star Plumbing', 'HTH-7K2M9QX4T0WB'],
  },
  'booking-held': {
    subject: ['Drain cleaning', 'Tuesday, June 2, 2:15 PM', '11:19 AM Central Time'],
    body: ['$55.00', '11:19 AM Central Time', 'Lone Star Plumbing', '2:15 to 3:45 PM Central Time'],
  },
  'booking-confirmed': {
    subject: ['Confirmed', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM', 'Lone Star Plumbing'],
    body: [
      'Tuesday, June 2, 2026',
      '2:15 to 3:45 PM Central Time',
      '(512) 555-0142',
      '1204 Barton Springs Rd, Austin, TX, 78704',
      '$120 to $180 per visit',
      '$55.00 ($5.00 fee and $50.00 deposit)',
      'If you cancel by Monday, June 1, 2:15 PM Central Time, you get all of the $55 back.',
    ],
  },
  'booking-time-proposed': {
    subject: ['Lone Star Plumbing', 'Thursday, June 4, 9:00 AM'],
    body: ['Thursday, June 4, 2026', '9:00 to 10:30 AM Central Time', 'Tuesday, June 2, 2:15 PM', 'Our plumber is ill'],
  },
  'booking-moved': {
    subject: ['Moved', 'Thursday, June 4, 9:00 AM', 'Drain cleaning'],
    body: ['Thursday, June 4, 2026', '9:00 to 10:30 AM Central Time', 'Tuesday, June 2, 2:15 PM Central Time'],
  },
  'booking-cancelled': {
    subject: ['Cancelled', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM'],
    body: ['The pro cancelled it: Our van broke down. We are sorry.', '$55.00 was refunded'],
  },
  'booking-refund-failed': {
    subject: ['Your refund of $55.00 is delayed', 'Drain cleaning'],
    body: ['The bank sent the money of your refund back', 'we send it again or return it in another way'],
  },
  'booking-refunded': { subject: ['$55.00', 'Drain cleaning'], body: ['$55.00 was refunded', '5 to 10 days'] },
  'booking-reminder': {
    subject: ['Reminder', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM'],
    body: ['Tuesday, June 2, 2026', '2:15 to 3:45 PM Central Time', '(512) 555-0142'],
  },
  'hold-expiring': {
    subject: ['11:19 AM Central Time', 'Drain cleaning'],
    body: ['$55.00', '11:19 AM Central Time', 'Tuesday, June 2, 2026'],
  },
  'guest-visit': {
    subject: ['A visit for you', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM', 'Lone Star Plumbing'],
    body: ['2:15 to 3:45 PM Central Time', '(512) 555-0142', 'daniel@example.com booked this visit for you'],
  },
  'request-sent': {
    subject: ['Hill Country Builders has your request for Bathroom remodel'],
    body: ['as soon as Hill Country Builders sends a quote', '(512) 555-0123'],
  },
  'request-ended': {
    subject: ['Hill Country Builders has closed', 'Bathroom remodel'],
    body: ['does not take place', 'is refunded', 'Find another pro'],
  },
  'quote-received': {
    subject: ['Hill Country Builders', '$12,400.00', 'Bathroom remodel'],
    body: [
      '$12,400.00',
      '$2,480.00',
      '9 days',
      'Friday, June 26, 5:00 PM Central Time',
      'The tiles are the ones you liked',
    ],
  },
  'quote-expiring': {
    subject: ['Friday, June 26', 'Hill Country Builders', '$12,400.00'],
    body: ['Friday, June 26, 5:00 PM Central Time', '$12,400.00'],
  },
  'quote-refund-failed': {
    subject: ['$2,480.00', 'delayed', 'Bathroom remodel'],
    body: ['The bank sent the money of your refund back', 'we send it again or return it in another way'],
  },
  'quote-refunded': { subject: ['$2,480.00', 'Bathroom remodel'], body: ['$2,480.00 was refunded', 'the deposit'] },
  'review-invitation': { subject: ['Lone Star Plumbing'], body: ['Drain cleaning', 'Tuesday, June 2'] },
  'review-confirmation': { subject: ['Lone Star Plumbing'], body: ['4 of 5 stars', 'The drain works again'] },
  'review-taken-down': {
    subject: ['Lone Star Plumbing', 'taken down'],
    body: ['a phone number', 'The drain works again'],
  },
  'sign-in': { subject: ['sign in'], body: ['482 913', '10 minutes'] },
  'new-booking': {
    subject: ['Confirm or decline', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM', 'Maria Gonzalez'],
    body: ['2:15 to 3:45 PM Central Time', '(512) 555-0199', 'maria@example.com', 'Please ring at the side door.'],
  },
  'new-request': {
    subject: ['Maria Gonzalez', 'Bathroom remodel'],
    body: ['$10,000 to $15,000', 'Within two months', 'Monday, June 15', 'walk-in shower', '(512) 555-0199'],
  },
  'request-lost': { subject: ['Maria Gonzalez chose another pro', 'Bathroom remodel'], body: ['need not answer'] },
  'payment-received': { subject: ['$55.00', 'Maria Gonzalez', 'Drain cleaning'], body: ['$55.00', 'Drain cleaning'] },
  'booking-cancelled-for-pro': {
    subject: ['Cancelled', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM', 'Maria Gonzalez'],
    body: ['The customer cancelled it: It drains again.', 'Your time is free again'],
  },
  'booking-moved-for-pro': {
    subject: ['Moved', 'Thursday, June 4, 9:00 AM', 'Maria Gonzalez'],
    body: ['Thursday, June 4, 2026', 'Tuesday, June 2, 2:15 PM Central Time'],
  },
  'quote-accepted': { subject: ['Accepted', '$12,400.00', 'Maria Gonzalez'], body: ['Bathroom remodel', '$2,480.00'] },
  'quote-declined': { subject: ['Declined', '$12,400.00'], body: ['Maria Gonzalez', 'wait until next year.'] },
  'job-cancelled-for-pro': { subject: ['Cancelled', '$12,400.00'], body: ['We are moving to another city.'] },
  'new-review': { subject: ['5 stars', 'Maria G.'], body: ['5 of 5', 'left the kitchen cleaner'] },
  'tasks-used-up': { subject: ['100 agent tasks'], body: ['Tuesday, June 30, 7:00 PM Central Time'] },
  'calendar-conflict': {
    subject: ['Conflict', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM'],
    body: ['“Family”', '2:00 to 3:00 PM', '2:15 to 3:45 PM Central Time'],
  },
  'calendar-failing': { subject: ['“Family”'], body: ['The server answered 404', 'Wednesday, May 27, 9:05 AM'] },
  'pro-status': {
    subject: ['Lone Star Plumbing is paused'],
    body: ['not known in Texas', 'Visits that are booked stay'],
  },
  'review-report-decided': {
    subject: ['The review you reported stays', 'Lone Star Plumbing'],
    body: ['opinions about it stay', 'They never came'],
  },
  'mark-ends': {
    subject: ['“Insurance” is shown until', 'June 30, 2026', 'Lone Star Plumbing'],
    body: ['Send us the new papers'],
  },
  'customer-block': {
    subject: ['You can no longer book'],
    body: ['not at home', 'Visits that are booked stay'],
  },
  'pro-moved': {
    subject: ['Lone Star Plumbing is in Denver, CO now'],
    body: ['Austin, TX', '25 miles', 'Mountain Time', 'Farther away than you come now', 'on the phone'],
  },
  'pro-application': {
    subject: ['A question about Lone Star Plumbing'],
    body: ['the number of your plumbing license', 'send it again'],
  },
  invitation: { subject: ['Lone Star Plumbing'], body: ['Jun 4, 2026, 16:00 UTC'] },
  'endpoint-disabled': { subject: ['shop.example'], body: ['failed for days', 'replay what it missed'] },
  'second-factor': { subject: ['recovery code', 'was used'], body: ['2 codes left', 'Make new ones'] },
  'login-changed': { subject: ['Crew 1', 'crew@example.com', 'Lone Star Plumbing'], body: ['dispatcher', 'quotes'] },
  'address-link': { subject: ['new e-mail address'], body: ['May 28, 2026, 17:00 UTC'] },
  'address-changed': { subject: ['another address'], body: ['owner@example.com', 'choose another password'] },
  'password-link': { subject: ['password'], body: ['May 28, 2026, 17:00 UTC'] },
  digest: { subject: ['3 updates', 'New request'], body: ['Drain cleaning', '5 stars from Maria G.'] },
}
