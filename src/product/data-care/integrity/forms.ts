import * as v from 'valibot'
import { answers, slug, timezone } from '#base/fields.ts'
import { MAX_AMOUNT } from '#base/money.ts'
import { mappingSchema } from '#machinery/bank-files/mapping.ts'
import type { Form, Forms } from '#machinery/db/forms.ts'
import { originsSchema } from '#product/administration/accounts/origins.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import { isTotpSecret } from '#product/administration/users/totp.ts'
import { endpointUrl } from '#product/administration/webhooks/endpoints.ts'
import { allWebhookEventTypes } from '#product/administration/webhooks/event-types.ts'
import { codeKey, codeText } from '#product/catalog/codes/schemas.ts'
import { badgeLayoutSchema } from '#product/catalog/events/badge-layout.ts'
import { isPicture, isWebp, MAX_PICTURE_BYTES } from '#product/catalog/events/pictures.ts'
import { datePlaceSchema } from '#product/catalog/events/schemas.ts'
import { colourSchema } from '#product/catalog/looks/schemas.ts'
import { isKeyPair, type TicketKey } from '#product/guests/attendees/ticket-code.ts'
import { MAX_QUANTITY } from '#product/guests/registrations/schemas.ts'
import { abstractSchema, storedAuthorsSchema } from '#product/programme/abstracts/schemas.ts'
import { kindSchema, topicSchema } from '#product/programme/calls/schemas.ts'
import { PIECE } from '#product/programme/files/schemas.ts'
import { score } from '#product/programme/reviews/review-schemas.ts'
import { criterionSchema } from '#product/programme/reviews/round-schemas.ts'
import { chairSchema } from '#product/programme/timetable/schemas.ts'
import { frozenSchema } from '#product/programme/versions/schemas.ts'
import { snapshotSchema } from '#product/selling/receipts/schemas.ts'
import {
  anyAmount,
  currency,
  eMail,
  eMailKey,
  idList,
  json,
  jsonObject,
  keyOf,
  pattern,
  secret,
  sha256,
  upTo,
  uuid,
  valid,
  webPage,
  zone,
} from './form-kinds.ts'

/** The columns of a table of pictures. */
const pictureColumns = {
  hash: sha256,
  content: {
    what: 'the picture that its hash is of',
    fits: (value, { hash }) => isPicture(String(value), String(hash)),
    longest: 2 * MAX_PICTURE_BYTES,
  },
} satisfies Record<string, Form>

/**
 * Says what a column holds beyond its type, if the program reads it without checking it again. Text that people wrote may be any
 * that they could write once, so today's limits do not apply to older rows.
 */
export const forms: Forms = {
  instance: {
    cursor_secret: pattern('a secret', /^[\w-]{43}$/),
    epoch: pattern('an epoch', /^([0-9a-f]{32})?$/),
  },
  accounts: {
    id: uuid,
    email: eMail,
    email_key: eMailKey,
    timezone: zone,
    currency,
    slug: valid('a slug', slug),
    imprint_url: webPage,
    privacy_url: webPage,
    terms_url: webPage,
    embed_origins: json('a JSON array of origins', originsSchema),
  },
  users: {
    id: uuid,
    email: eMail,
    email_key: eMailKey,
    totp_secret: { what: 'a secret in base32', fits: value => isTotpSecret(String(value)) },
  },
  recovery_codes: { code_hash: sha256 },
  members: { id: uuid },
  sessions: { token_hash: sha256, id: uuid },
  one_time_links: {
    token_hash: sha256,
    id: uuid,
    email: eMail,
    event_ids: idList,
  },
  api_keys: {
    id: uuid,
    key_hash: sha256,
    last_four: pattern('the end of a key', /^[0-9A-Za-z]{4}$/),
    scopes: json('a JSON array of scopes', v.array(v.picklist(allScopes))),
  },
  series: { id: uuid, slug: valid('a slug', slug) },
  events: {
    id: uuid,
    slug: valid('a slug', slug),
    timezone: zone,
    currency,
    online_url: webPage,
    contact_email: eMail,
    revision: upTo(Number.MAX_SAFE_INTEGER),
    untold: json('a date and a place', datePlaceSchema),
    badge_layout: json('a layout of badges', badgeLayoutSchema),
  },
  event_pictures: pictureColumns,
  event_picture_sizes: pictureColumns,
  looks: {
    id: uuid,
    colour: valid('a colour', colourSchema),
    logo_hash: sha256,
    logo_content: {
      what: 'the picture that its hash is of',
      fits: (value, { logo_hash }) => isPicture(String(value), String(logo_hash)),
      longest: 2 * MAX_PICTURE_BYTES,
    },
    logo_page_content: {
      what: 'a WebP in base64',
      fits: value => isWebp(String(value)),
      longest: 2 * MAX_PICTURE_BYTES,
    },
  },
  ticket_keys: {
    id: pattern('a key id', /^[0-9a-f]{8}$/),
    public_key: pattern('a public key', /^[\w-]{43}$/),
    private_key: {
      what: 'of one pair with the public key and its id',
      fits: (_, row) => isKeyPair(row as unknown as TicketKey),
    },
  },
  registration_types: { id: uuid },
  capacity_pools: { id: uuid },
  questions: {
    id: uuid,
    choices: json('a JSON array of choices', v.array(v.string())),
    registration_type_ids: idList,
  },
  codes: {
    id: uuid,
    code: valid('a code', codeText),
    code_key: {
      what: 'the code in lower case',
      fits: (value, row) => value === codeKey(String(row.code)),
    },
    registration_type_ids: idList,
  },
  registrations: {
    id: uuid,
    buyer_email: eMail,
    amount_subtotal: upTo(MAX_AMOUNT * MAX_QUANTITY),
    amount_total: upTo(MAX_AMOUNT),
    currency,
    processor_fee: upTo(MAX_AMOUNT),
    refunded_amount: upTo(MAX_AMOUNT),
    answers: json('a JSON object of answers', answers),
  },
  attendees: {
    id: uuid,
    email: eMail,
    answers: json('a JSON object of answers', answers),
    price: upTo(MAX_AMOUNT),
    discount: upTo(MAX_AMOUNT),
    tax: upTo(MAX_AMOUNT),
  },
  devices: {
    id: uuid,
    registration_type_ids: idList,
    pairing_hash: sha256,
    token_hash: sha256,
  },
  scans: { reason: pattern('a code', /^[a-z_]{1,60}$/) },
  check_ins: { id: pattern('the id of a check-in', /^chk_[0-9a-f]{32}$/) },
  waitlist_entries: { id: uuid, email: eMail },
  abstracts: {
    id: uuid,
    authors: json('a JSON array of authors', storedAuthorsSchema),
    contact: json('a JSON object of a contact', abstractSchema.entries.contact),
    unavailable: json('a JSON array of dates', v.array(v.pipe(v.string(), v.isoDate()))),
  },
  abstract_files: { id: uuid, sha256 },
  file_chunks: { content: { longest: PIECE } },
  abstract_revisions: { content: jsonObject, formulas: jsonObject },
  calls: {
    zone: valid('a time zone', timezone),
    sections: json('a JSON array of headings', v.array(v.string())),
    topics: json('a JSON array of topics', v.array(topicSchema)),
    kinds: json('a JSON array of kinds', v.array(kindSchema)),
  },
  submitters: { id: uuid, email: eMail, email_key: eMailKey },
  submissions: { id: uuid, draft: jsonObject },
  review_rounds: { criteria: json('a JSON array of criteria', v.array(criterionSchema)) },
  reviewers: {
    ...{ id: uuid, email: eMail, email_key: eMailKey },
    topics: json('a JSON array of ids', v.array(v.string())),
    conflicts: json('a JSON array of texts', v.array(v.string())),
  },
  programme_sessions: { id: uuid, chairs: json('a JSON array of chairs', v.array(chairSchema)) },
  rooms: { id: uuid },
  slots: { id: uuid },
  programme_versions: { content: json('a programme by ids, times and numbers', frozenSchema) },
  reviews: { scores: json('a JSON object of scores', v.record(v.string(), score)) },
  webhook_endpoints: {
    id: uuid,
    url: valid('the address of a webhook', endpointUrl),
    types: json('a JSON array of event types', v.array(v.picklist(allWebhookEventTypes))),
    secret,
    previous_secret: secret,
  },
  webhook_events: {
    id: pattern('the id of an event', /^evt_[0-9a-f]{32}$/),
    type: valid('an event type', v.picklist(allWebhookEventTypes)),
    body: jsonObject,
  },
  webhook_deliveries: { id: uuid },
  idempotent_responses: {
    status: { what: 'a status of HTTP', fits: value => Number(value) >= 200 && Number(value) <= 599 },
    body: jsonObject,
  },
  access_log: { details: jsonObject },
  jobs: { id: uuid, input: jsonObject, outcome: jsonObject },
  import_lines: { input: json('a JSON array of cells', v.array(v.string())), details: jsonObject },
  event_figures: { figures: jsonObject },
  orders: {
    id: uuid,
    buyer_email: eMail,
    buyer_email_key: keyOf('buyer_email'),
    currency,
    amount_total: upTo(MAX_AMOUNT * MAX_QUANTITY),
  },
  payments: {
    id: uuid,
    currency,
    amount: upTo(MAX_AMOUNT * MAX_QUANTITY),
    received: upTo(Number.MAX_SAFE_INTEGER),
    call: jsonObject,
  },
  refunds: {
    id: uuid,
    currency,
    amount: upTo(Number.MAX_SAFE_INTEGER),
    call: jsonObject,
    tickets: jsonObject,
  },
  ledger_entries: { currency },
  payouts: {
    currency,
    arrives_on: pattern('a date', /^\d{4}-\d{2}-\d{2}$/),
    amount: anyAmount,
    net: anyAmount,
  },
  payout_lines: { amount: anyAmount, fee: anyAmount, net: anyAmount },
  statement_mappings: { mapping: json('a JSON object of columns', mappingSchema) },
  statement_files: { content: { ...pattern('bytes in base64', /^[\w+/]*={0,2}$/), longest: 200_000 } },
  statement_lines: {
    id: uuid,
    key: sha256,
    date: pattern('a date', /^\d{4}-\d{2}-\d{2}$/),
    currency,
    amount: anyAmount,
  },
  test_sessions: {
    currency,
    amount: upTo(MAX_AMOUNT * MAX_QUANTITY),
    fee: upTo(MAX_AMOUNT * MAX_QUANTITY),
    refunds: json('a JSON array', v.array(v.unknown())),
  },
  receipts: {
    id: uuid,
    amount: upTo(MAX_AMOUNT * MAX_QUANTITY),
    currency,
    snapshot: json('a JSON object of what a receipt says', snapshotSchema),
  },
  emails: { id: uuid, recipient: eMail, details: jsonObject },
  announcements: { id: uuid, audience: jsonObject },
}
