// E-mail addresses have one form: input is normalised where it is decoded, and then stored, compared and counted as it is.
/**
 * The address with ASCII letters in lower case. Other letters stay: JavaScript and PostgreSQL fold them differently (`İ`), and
 * only the mail server knows whether two spellings are one mailbox. Domains are ASCII: international ones are in punycode.
 * The database repeats the rule as `lower(email collate "C")`.
 */
export const normalEmail = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
