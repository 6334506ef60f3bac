// Where a customer's page is.

export const CUSTOMERS_PATH = '/console/customers'

/** By the id of an account, booking, request, review or profile: no address of the site contains an e-mail address. */
export const customerPath = (id: string): string => `${CUSTOMERS_PATH}/${id}`
