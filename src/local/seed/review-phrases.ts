// Sentences for demo reviews. Praise and complaints per trade are in the trade's JSON file.

export interface Tone {
  titles: readonly string[]
  openings: readonly string[]
  closings: readonly string[]
}

export const positive: Tone = {
  titles: [
    'Great {service}',
    'Would call again',
    'On time and careful',
    'Exactly what we needed',
    'Highly recommend',
    'Fair price, good work',
    'Very professional',
    'Done right the first time',
    'Best experience in years',
    'Friendly and quick',
    'Our go-to from now on',
    'Worth every dollar',
  ],
  openings: [
    'Hired them for {service} and could not be happier.',
    'They came out for {service} two days after I called.',
    'We needed {service} at our place in {city}, and they made it easy.',
    'Quick to answer, clear about the price, and on time.',
    'The crew was polite, and the {service} went as described.',
    'Second time we used them, and just as good as the first.',
    'A neighbor in {city} told us about them, and I see why.',
    'Booked online in the evening, work was done by the end of the week.',
    'I got three quotes for {service}; theirs was the clearest.',
    'From the first call to the bill, no surprises.',
    'They took the time to explain what the {service} would involve.',
    'Arrived in the window they gave and got straight to work.',
    'Good communication all the way, with a text before arrival.',
    'After two no-shows from others, what a relief.',
  ],
  closings: [
    'Will use them again.',
    'I have already passed on their number.',
    'Price matched the estimate to the dollar.',
    'They left the place spotless.',
    'Thank you!',
    'Highly recommended.',
    'Saved their number for next time.',
    'Not the cheapest, but worth it.',
    'You can tell they care about their work.',
    'Five stars from us.',
  ],
}

export const neutral: Tone = {
  titles: [
    'Good work, slow start',
    'Decent overall',
    'Mixed feelings',
    'Fine, but',
    'Okay in the end',
    'Room to improve',
  ],
  openings: [
    'The {service} was fine in the end, with a few bumps.',
    'Good work once they got here, which took a while.',
    'Mixed experience with the {service}.',
    'Friendly crew, but the scheduling was a mess.',
    'The result is decent, though not quite what we talked about.',
    'They did the {service} well enough for the price.',
    'Some things went well, others less so.',
  ],
  closings: [
    'Might use them again for something small.',
    'They did fix it when I asked.',
    'With better communication this would be four stars.',
    'Get the details in writing.',
    'Okay for the price.',
  ],
}

export const negative: Tone = {
  titles: [
    'Disappointed',
    'Would not hire again',
    'Not what was promised',
    'Poor communication',
    'Overpriced',
    'Still not fixed',
  ],
  openings: [
    'I expected more from the {service}.',
    'Came late and seemed in a hurry to leave.',
    'The {service} had to be done again by someone else.',
    'Hard to reach after the first visit.',
    'Not happy with how the {service} turned out.',
    'Twice they rescheduled on the morning of the appointment.',
    'What we paid for and what we got are two things.',
  ],
  closings: [
    'I will look elsewhere next time.',
    'Still waiting for a call back.',
    'Cannot recommend.',
    'I would think twice.',
    'They offered a small refund, which I took.',
  ],
}

/** Responses of pros. */
export const responses = {
  thanks: [
    'Thank you for the kind words. It was a pleasure to work for you.',
    'Thanks for having us. Call any time.',
    'Glad it all worked out. We will pass this on to the crew.',
  ],
  apologies: [
    'Thank you for telling us. We are sorry it did not go as it should, and would like to make it right.',
    'That is not how we want to work. Please call the office, and we will come back at no charge.',
    'We hear you about the communication and have changed how we schedule since.',
  ],
}
