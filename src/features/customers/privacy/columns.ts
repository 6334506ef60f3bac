// Which columns hold personal data of customers, and what an erasure makes of each. A test fails for a column without an entry.

/**
 * What becomes of a column of an erased customer's row, or of a stored copy of it:
 * - `none`: holds no personal data of a customer.
 * - `business`: belongs to a pro, a user or an account. Erasing a customer does not touch it.
 * - `others`: free text of pros, operators, agents and searches in rows that belong to no single customer. It may mention a customer by
 *   chance. An erasure does not read, count or change it: its author is responsible for it, and it is deleted with its row.
 * - `ages`: a copy that is deleted within a day anyway. Until then a repeated request gets its stored response.
 * - `deleted`: the row is deleted.
 * - `name`, `email`: the pseudonym. `author`: the name under a published review.
 * - `cleared`: null. `text`: a placeholder. `review`, `reply`: placeholders for people.
 * - `photos`: an empty list, also of answers. `input`: an empty object. `items`: lines of a quote without their texts.
 * - `address`: city, state and ZIP code stay.
 * - `reason`: a placeholder, unless Hearth itself wrote the reason.
 * - `brief`: a pro's day, in which the customer's visits stay without the customer.
 * - `document`: JSON about this customer, erased by the names of its members. `body`: the same, stored as text.
 */
export type Treatment =
  | 'none'
  | 'business'
  | 'others'
  | 'ages'
  | 'deleted'
  | 'name'
  | 'email'
  | 'author'
  | 'cleared'
  | 'text'
  | 'review'
  | 'reply'
  | 'photos'
  | 'input'
  | 'items'
  | 'address'
  | 'reason'
  | 'brief'
  | 'document'
  | 'body'

type Columns = Readonly<Partial<Record<Treatment, string>>>

/** Every column of text or JSON of every table, separated by spaces. */
export const COLUMNS: Readonly<Record<string, Columns>> = {
  accounts: { business: 'kind email name' },
  agent_runs: { others: 'goal answer', none: 'kind status model failure traceparent' },
  // What an agent looked up about the customer's records.
  agent_steps: { input: 'input', text: 'result summary', others: 'remark', none: 'call_id tool status' },
  api_keys: { business: 'name mode last_four scopes origin' },
  availability_blocks: { others: 'reason' },
  booking_guests: { deleted: 'email' },
  booking_proposed_times: { deleted: 'message' },
  bookings: {
    name: 'customer_name',
    email: 'customer_email',
    cleared: 'customer_phone description source_agent_id',
    address: 'address',
    reason: 'cancellation_reason',
    none: 'confirmation_code status source made_by service_name price_type price_unit package_name package_includes cancelled_by time_zone',
  },
  categories: { none: 'name slug synonyms' },
  cities: { none: 'name state time_zone' },
  credit_accounts: { none: 'name' },
  credit_ledgers: { none: 'month' },
  credit_transfers: { business: 'kind from_account to_account reference' },
  customer_blocks: { deleted: 'email reason' },
  // Of a blocked customer the digest and the block stay.
  customer_profiles: { cleared: 'email', text: 'block_reason', none: 'email_digest' },
  customer_sessions: { deleted: 'email' },
  customer_erasures: { none: 'email_digest pseudonym requested_by counts' },
  customers: { deleted: 'email' },
  // References to rows, and errors from which personal data was removed (platform/telemetry/log-errors.ts).
  districts: { business: 'name state' },
  dead_letters: { none: 'actor message_id data error traceparent' },
  erasure_requests: { deleted: 'open_work' },
  // Texts of errors, which hold no personal data, and the pattern of the path.
  failed_requests: { none: 'method path code detail errors request_id' },
  file_removals: { none: 'name' },
  // Of a customer's requests, jobs and reviews; with their content. Others are a pro's.
  files: { deleted: 'name placeholder caption', none: 'purpose status type refusal sizes' },
  former_slugs: { none: 'slug' },
  former_time_zones: { business: 'time_zone' },
  idempotency_records: { ages: 'key result', none: 'operation' },
  // What the events are about is not read.
  imported_pros: { business: 'given' },
  imported_calendars: {
    business: 'name address_encrypted address_digest host',
    none: 'last_error etag last_modified body_digest expanded_zone',
  },
  jobs: { cleared: 'cancellation_reason', none: 'status cancelled_by' },
  // Of operators, as everyone sees them.
  brand_pictures: { none: 'id kind' },
  marketplace_texts: { business: 'content', none: 'kind' },
  marketplace_versions: {
    business: 'name tagline email phone address accent country area logo icon',
    none: 'review_policy',
  },
  mailbox: { deleted: 'sender recipient subject text html' },
  members: { business: 'name email role' },
  message_suppressions: { deleted: 'email reason detail' },
  messages: { deleted: 'key recipient data data_encrypted customer_email outcome', none: 'kind status traceparent' },
  metered_tasks: { none: 'kind status funded_by' },
  // A keyed digest of a network, from which the network cannot be told.
  network_bookings: { none: 'network_digest' },
  notices: { business: 'kind data' },
  oauth_clients: { business: 'id name redirect_uris uri etag' },
  oauth_grants: { none: 'client_id resource', deleted: 'email_digest' },
  oauth_requests: { none: 'client_id redirect_uri state resource side scopes code_challenge', deleted: 'email_digest' },
  oauth_tokens: { none: 'kind scopes' },
  // About the customer's reviews and payments.
  operator_actions: { text: 'reason', business: 'action details plan_id' },
  outbox_events: { document: 'data', none: 'type aggregate_type traceparent' },
  packages: { business: 'sku kind name description currency includes cadence' },
  payment_notifications: { none: 'provider id' },
  payment_differences: { none: 'intent_id' },
  payment_disputes: { none: 'provider_dispute_id reason state' },
  payment_reconciliations: { none: 'provider step after_id' },
  payment_refunds: { text: 'note returned_otherwise', none: 'reason status provider_refund_id failure' },
  payments: { none: 'status currency provider intent_id client_secret captured_currency event_digest' },
  // What is about one of the customer's records is deleted.
  plans: { business: 'id name' },
  prepared_work: { brief: 'content', none: 'kind' },
  price_lists: { none: 'state' },
  pricing_aggregates: { none: 'state' },
  pro_counts: { none: 'kind status' },
  pro_days: { none: 'kind status' },
  // Of the applicant, who is a customer by the proof of the address. The pro that it became is another row.
  pro_applications: {
    deleted:
      'email business_name person_name phone description place services business_hours license_number license_state insurance_carrier insurance_policy operator_words',
    none: 'status',
  },
  pro_business_entities: { business: 'legal_name license_number license_state insurance_carrier' },
  // Of the marketplace's pros. The findings name lines and columns of the file, and what is wrong with them.
  pro_imports: { business: 'name findings problem', none: 'format options status preview counts' },
  pro_invitations: { none: 'outcome' },
  pro_public_profiles: { business: 'headline about highlights service_areas languages faq' },
  pro_search: { business: 'slug doc offers' },
  pro_site_configs: { business: 'theme_color hero_title hero_text call_to_action call_to_action_label sections' },
  process_reports: { none: 'service host figures' },
  professional_services: { business: 'description price_type unit currency' },
  professionals: {
    business: 'external_id slug business_name description website phone time_zone business_hours plan',
    none: 'status',
  },
  properties: { business: 'name street city state zip_code access_notes' },
  // Those for the customer's quotes; the others are about the pro.
  proposals: { deleted: 'change differences summary', none: 'kind status conflict' },
  quotes: { cleared: 'message decline_reason payment_terms', items: 'line_items', none: 'status' },
  restorations: { none: 'target' },
  // What a pro wrote of the review, and what an operator answered.
  review_reports: { text: 'words answer', none: 'reason outcome' },
  reviews: {
    author: 'customer_name',
    email: 'customer_email',
    cleared: 'title',
    review: 'content',
    photos: 'photos',
    reply: 'response',
    text: 'rejection_reason',
    none: 'status source',
  },
  rfqs: {
    name: 'customer_name',
    email: 'customer_email',
    cleared: 'customer_phone budget timeline source_agent_id',
    text: 'description',
    address: 'address',
    photos: 'photos answers',
    none: 'status source',
  },
  schema_files: { none: 'name checksum version' },
  search_days: { none: 'way' },
  // Names of the catalog, and words that were typed in a search and are in no record of a customer.
  search_misses: { others: 'phrase place', none: 'kind' },
  search_words: { none: 'phrase kind means' },
  second_factors: { business: 'secret_encrypted recovery_digests' },
  services: { none: 'name slug description price_type unit synonyms questions' },
  sign_in_codes: { deleted: 'email code_digest return_to' },
  state_transitions: { none: 'aggregate from_state to_state' },
  states: { none: 'code name country' },
  // What the tools told an agent about the customer's records; what people and agents wrote stays.
  thread_messages: { text: 'content', none: 'role' },
  threads: { others: 'title' },
  time_zone_names: { none: 'zone name' },
  time_zones: { none: 'name' },
  // Routes, statements and codes only (design §10).
  trace_parts: { none: 'trace_id because service name method route spans' },
  user_changes: { business: 'action operator_role' },
  users: { business: 'email password_hash role operator_role pro_role' },
  // A receiver may quote the event in its response.
  mark_evidence: { business: 'mark evidence' },
  verification_requests: { business: 'license_number license_state note refusal withdrawn' },
  webhook_attempts: { cleared: 'response', none: 'error request_headers' },
  webhook_deliveries: { none: 'state' },
  webhook_endpoints: { business: 'name url events secret_sealed previous_secret_sealed status disabled_reason' },
  webhook_events: { body: 'body', none: 'type traceparent customer_url' },
}

/** The members of events and stored responses that hold personal data; `customer.name` and the like by their path. */
export const MEMBERS: Readonly<Record<string, Treatment>> = {
  'customer.name': 'name',
  'customer.email': 'email',
  'customer.phone': 'cleared',
  customerName: 'name',
  customerEmail: 'email',
  customerPhone: 'cleared',
  author: 'author',
  address: 'address',
  description: 'text',
  budget: 'cleared',
  timeline: 'cleared',
  message: 'cleared',
  title: 'cleared',
  content: 'review',
  photos: 'photos',
  answers: 'photos',
  cancellationReason: 'reason',
  declineReason: 'cleared',
  lineItems: 'items',
  paymentTerms: 'cleared',
  'proResponse.content': 'reply',
  sourceAgentId: 'cleared',
  // Not the customer's, although they contain members of the same names.
  professional: 'none',
  service: 'none',
  package: 'none',
  project: 'none',
}
