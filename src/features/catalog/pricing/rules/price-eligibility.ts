// Which prices count in the statistics of a service. The database decides it: `price_points` in sql/functions/price_points.sql
// lists the prices of a pro, and `refresh_price_groups` in sql/functions/refresh_pricing.sql leaves out those too far from the
// typical one. A test compares the numbers.

/** Accepted quotes and completed jobs of a pro that count, the latest of each. */
export const MAX_PRICES_PER_SOURCE = 3
/** How many times the typical price, or which part of it, still counts. */
export const OUTLIER_FACTOR = 5
/** In a place with n pros, the first n / 20 prices of each pro count, and always the first. */
export const PROS_PER_PRICE = 20
/** A place with fewer prices that count has no statistics. */
export const MIN_PRICES = 3

/** The rule for people who read the statistics. */
export const PRICES_THAT_COUNT =
  `The prices of a pro are those of the listing, of the ${MAX_PRICES_PER_SOURCE} latest accepted quotes and of the ${MAX_PRICES_PER_SOURCE} latest completed jobs; a ` +
  'completed job replaces its quote. Prices below a fifth or above five times the service’s typical price do not count: ' +
  'the median, over all pros, of the first price of each (the latest completed job, else the latest accepted quote, else ' +
  `the listing). In a place with fewer than ${2 * PROS_PER_PRICE} pros only the first price of each counts, with n pros the first n / ${PROS_PER_PRICE}. ` +
  'Average, median, minimum, maximum and counts are plain figures of the prices that count.'
