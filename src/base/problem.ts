import { makeFault, tell } from './faults.ts'

type Catalogue = Record<string, readonly [status: number, type: string, message: string]>

/**
 * The catalogue of all errors that a caller of the API can get: specification section 7, and its decisions. Rules throw a code.
 * The status and the type belong to the code, and the HTTP layer and `isDecision` read them.
 */
export const catalogue = {
  malformed_json: [400, 'invalid_request_error', 'The body is not valid JSON in UTF-8.'],
  invalid_parameter: [400, 'invalid_request_error', 'A parameter is missing or has a wrong value.'],
  unknown_parameter: [
    400,
    'invalid_request_error',
    'The request has a parameter that this operation does not know.',
  ],
  invalid_cursor: [
    400,
    'invalid_request_error',
    'starting_after is not a next_cursor of this list with these filters.',
  ],
  invalid_idempotency_key: [
    400,
    'invalid_request_error',
    'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  ],
  not_found: [404, 'invalid_request_error', 'There is no such resource in this account.'],
  route_not_found: [404, 'invalid_request_error', 'There is nothing at this path.'],
  method_not_allowed: [405, 'invalid_request_error', 'This path does not answer this method.'],
  request_timeout: [408, 'invalid_request_error', 'The request did not arrive in time.'],
  payload_too_large: [413, 'invalid_request_error', 'The body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'invalid_request_error', 'The body must be sent as application/json.'],
  headers_too_large: [431, 'invalid_request_error', 'The headers are larger than 16 KiB.'],
  invalid_qr_code: [422, 'invalid_request_error', 'This is not a ticket of this service.'],
  abstract_withdrawn: [422, 'invalid_request_error', 'The abstract was withdrawn.'],
  not_valid_today: [422, 'invalid_request_error', 'The ticket is not valid at this time.'],
  missing_api_key: [401, 'authentication_error', 'Send an API key as a Bearer token or in X-API-Key.'],
  invalid_api_key: [401, 'authentication_error', 'This API key does not exist.'],
  expired_api_key: [401, 'authentication_error', 'This API key has expired.'],
  revoked_api_key: [401, 'authentication_error', 'This API key was revoked.'],
  ambiguous_credentials: [401, 'authentication_error', 'Authorization and X-API-Key carry different keys.'],
  insufficient_scope: [403, 'permission_error', 'This API key lacks the scope that the operation needs.'],
  door_only: [
    403,
    'permission_error',
    'This server only admits people at the door. Make this change on the main server.',
  ],
  sold_out: [409, 'conflict_error', 'The registration type has not enough capacity left.'],
  refund_required: [409, 'conflict_error', 'The registration is paid: refund it from the dashboard instead.'],
  already_cancelled: [409, 'conflict_error', 'The registration is already cancelled.'],
  not_cancellable: [409, 'conflict_error', 'A failed or refunded registration cannot be cancelled.'],
  registration_erased: [
    409,
    'conflict_error',
    'The people of this registration were made anonymous: it can no longer be changed.',
  ],
  registration_not_confirmed: [409, 'conflict_error', 'The registration of this ticket is not confirmed.'],
  registration_cancelled: [
    409,
    'conflict_error',
    'The registration of this ticket was cancelled or refunded.',
  ],
  ticket_voided: [409, 'conflict_error', 'The ticket is void.'],
  wrong_event: [409, 'conflict_error', 'The ticket is of another event.'],
  already_checked_in: [409, 'conflict_error', 'The ticket is already checked in.'],
  idempotency_key_reused: [
    422,
    'idempotency_error',
    'This Idempotency-Key was used for a different request.',
  ],
  rate_limited: [429, 'rate_limit_error', 'Too many requests. Retry after the seconds in Retry-After.'],
  internal_error: [500, 'api_error', 'Something went wrong on our side. The request id names it in the log.'],
  unavailable: [
    503,
    'api_error',
    'The service cannot do this just now. Nothing was changed; try again shortly.',
  ],
} as const satisfies Catalogue

export type ApiProblemCode = keyof typeof catalogue

/** The errors that only pages report. */
const ofPages = {
  cross_site: [403, 'permission_error', 'Another site has sent this. Nothing was changed.'],
  not_allowed: [403, 'permission_error', 'This needs another role.'],
  no_longer_allowed: [403, 'permission_error', 'Whoever started this may not do it any more.'],
  signed_out: [401, 'authentication_error', 'Sign in first.'],
  sign_in_refused: [401, 'authentication_error', 'This e-mail and password do not go together.'],
  code_refused: [401, 'authentication_error', 'This code is wrong, was used, or came too late.'],
  wrong_password: [422, 'invalid_request_error', 'The password is wrong.'],
  seen_changed: [409, 'conflict_error', 'What would happen has changed meanwhile. Look at it again.'],
  link_used_up: [410, 'invalid_request_error', 'This link was used, or its time is over.'],
  already_taken: [409, 'conflict_error', 'Another one has this already.'],
  below_sold: [409, 'conflict_error', 'More is sold than that.'],
  in_use: [
    409,
    'conflict_error',
    'There are registrations, or people who wait: this cannot change any more.',
  ],
  below_used: [409, 'conflict_error', 'More tickets have this code than that.'],
  unknown_code: [422, 'invalid_request_error', 'There is no such code.'],
  code_not_yet: [409, 'conflict_error', 'The code is not valid yet.'],
  code_expired: [409, 'conflict_error', 'The code is not valid any more.'],
  code_used_up: [409, 'conflict_error', 'The code was used as often as it may be, or nearly so.'],
  event_incomplete: [409, 'conflict_error', 'The event still lacks something that it needs to be published.'],
  announcement_sent: [409, 'conflict_error', 'This announcement was sent: it cannot change any more.'],
  not_on_sale: [409, 'conflict_error', 'This is not on sale just now.'],
  address_needed: [422, 'invalid_request_error', 'The invoice of this order needs a postal address.'],
  order_size: [422, 'invalid_request_error', 'So many tickets cannot be taken at once.'],
  wrong_door: [409, 'conflict_error', 'The ticket is not for this door.'],
  ticket_needed: [422, 'invalid_request_error', 'This is sold only beside a ticket.'],
  wrong_price: [422, 'invalid_request_error', 'So little, or so much, cannot be given for this.'],
  payment_needed: [409, 'conflict_error', 'This costs something, and there is no way to pay yet.'],
  too_many_pending: [409, 'conflict_error', 'Several orders of this e-mail wait already.'],
  automatic: [422, 'invalid_request_error', 'A program seems to have filled in this form.'],
  form_expired: [422, 'invalid_request_error', 'The form is too old, or came too soon: send it again.'],
  order_ended: [409, 'conflict_error', 'This order waits for nothing any more.'],
  receipt_made: [409, 'conflict_error', 'The receipt of this order is made: it stays as it is.'],
  offer_ended: [409, 'conflict_error', 'This offer has ended.'],
  refund_too_large: [409, 'conflict_error', 'So much is not left of what was paid.'],
  ticket_not_ordered: [409, 'conflict_error', 'Only a ticket that was ordered here can be exchanged.'],
  ticket_disputed: [409, 'conflict_error', 'The payment of this ticket is disputed.'],
  too_many_exchanges: [409, 'conflict_error', 'Tickets of this order were exchanged too often.'],
  dispute_decided: [409, 'conflict_error', 'This dispute is not lost, or its tickets were voided.'],
  refund_ended: [409, 'conflict_error', 'This refund is done, or nobody is asked for it.'],
  refund_under_way: [409, 'conflict_error', 'The processor is asked for this refund already.'],
  method_not_offered: [409, 'conflict_error', 'The order cannot be paid in this way.'],
  payment_paused: [409, 'conflict_error', 'Payments of this kind are paused just now.'],
  payment_under_way: [409, 'conflict_error', 'The order may be paid already in another way.'],
  payment_ended: [409, 'conflict_error', 'This payment is over.'],
  too_many_mails: [429, 'rate_limit_error', 'Enough mails of this kind were sent. Try again later.'],
  too_many_joined: [
    429,
    'rate_limit_error',
    'Many have joined the waitlist from this network. Try again later.',
  ],
  too_late: [409, 'conflict_error', 'It is too late for that.'],
  call_not_open: [409, 'conflict_error', 'The call for abstracts has not begun yet.'],
  call_over: [409, 'conflict_error', 'The call for abstracts is over.'],
  call_full: [409, 'conflict_error', 'The event takes no further abstracts.'],
  too_many_abstracts: [
    409,
    'conflict_error',
    'This person has sent as many abstracts as the call takes of one.',
  ],
  too_many_drafts: [409, 'conflict_error', 'This person has begun too many abstracts.'],
  too_many_revisions: [409, 'conflict_error', 'This abstract was changed too often.'],
  abstract_decided: [
    409,
    'conflict_error',
    'The abstract was decided: its authors cannot change it any more.',
  ],
  abstract_not_accepted: [409, 'conflict_error', 'The abstract is not accepted.'],
  abstract_incomplete: [422, 'invalid_request_error', 'The abstract lacks something that the call asks for.'],
  review_over: [409, 'conflict_error', 'The review is over.'],
  review_done: [409, 'conflict_error', 'The review is done already.'],
  review_incomplete: [422, 'invalid_request_error', 'The review lacks a score or the recommendation.'],
  review_conflict: [409, 'conflict_error', 'The reviewer has a conflict of interest.'],
  nothing_to_send: [409, 'conflict_error', 'No decision waits to be sent.'],
  being_sent: [409, 'conflict_error', 'The decision is about to be sent.'],
  own_abstract: [409, 'conflict_error', 'Whoever is behind an abstract does not decide it.'],
  too_many_reviewers: [409, 'conflict_error', 'The event takes no further reviewers.'],
  too_many_reviews: [409, 'conflict_error', 'The abstract has as many reviewers as it can have.'],
  programme_full: [409, 'conflict_error', 'The programme of an event has no room for more.'],
  session_times: [422, 'invalid_request_error', 'A session ends after it begins, within seven days.'],
  draft_too_long: [422, 'invalid_request_error', 'The draft is too long.'],
  email_ended: [409, 'conflict_error', 'This mail was sent, or is not needed any more.'],
  invalid_device: [401, 'authentication_error', 'This device is not paired.'],
  device_revoked: [403, 'permission_error', 'This device was revoked. It may only send what it holds.'],
  pairing_ended: [410, 'invalid_request_error', 'This pairing was used, or its time is over.'],
  scan_ended: [409, 'conflict_error', 'Nothing can be done about this scan any more.'],
  copy_again: [410, 'invalid_request_error', 'The list has changed too much: copy it again.'],
  series_full: [409, 'conflict_error', 'A series cannot have so many dates.'],
  not_carried: [
    409,
    'conflict_error',
    'Some later dates of the series cannot take this. Nothing was changed.',
  ],
  no_start: [409, 'conflict_error', 'The event has no date yet that others could be counted from.'],
  invalid_transition: [409, 'conflict_error', 'The event cannot go from its status to this one.'],
  files_full: [409, 'conflict_error', 'There is no room for another file.'],
  documents_waiting: [
    503,
    'api_error',
    'Too many files are waiting to be drawn. Retry after the seconds in Retry-After.',
  ],
} as const satisfies Catalogue

/** All errors, of the API and of pages. */
export const allProblems = { ...catalogue, ...ofPages }

export type ProblemCode = keyof typeof allProblems

/** The fault of one value. `details.issues` lists them, and the first is also `param` and `message`. */
export interface Issue {
  param?: string
  message: string
}

export interface ProblemOptions {
  /** Replaces the catalogue's message. */
  message?: string
  /** The dotted path of the offending field. */
  param?: string
  details?: Record<string, unknown>
  /** The id of the refused resource, for the access log. It is never sent. */
  subject?: string
  /** For a 429 or a 503: the seconds after which another try may succeed. */
  retryAfter?: number
}

/** The only error that rules throw and that callers see. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly param: string | undefined
  readonly details: Record<string, unknown> | undefined
  readonly subject: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.message ?? allProblems[code][2])
    this.name = 'Problem'
    this.code = code
    this.param = options.param
    this.details = options.details
    this.subject = options.subject
    this.retryAfter = options.retryAfter
  }
}

/** Returns what a read finds, or undefined if there is no such thing. @throws any other Problem of the read */
export async function unlessMissing<Found>(read: Promise<Found>): Promise<Found | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

const DECISIONS: ReadonlySet<number> = new Set([404, 409, 422])

/**
 * Returns whether the state of the data decided the refusal, inside the write, rather than the form of the request. The access
 * log has such a refusal, and its answer is kept for a retry.
 */
export function isDecision({ code }: Problem): boolean {
  return DECISIONS.has(allProblems[code][0])
}

/**
 * Refuses a row in which the later of two instants is before the earlier one. Either may be null.
 *
 * @throws Problem invalid_parameter for `later`, with `details.fault` for other languages
 */
export function refuseBefore<Later extends string, Earlier extends string>(
  row: Readonly<Record<Later | Earlier, number | null>>,
  later: Later,
  earlier: Earlier,
): void {
  const [end, start] = [row[later], row[earlier]]
  if (end === null || start === null || end >= start) return
  const fault = makeFault('before', { field: earlier })
  throw new Problem('invalid_parameter', { param: later, message: tell(later, fault), details: { fault } })
}
