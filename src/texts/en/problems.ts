import { toDecimal } from '#base/money.ts'
import type { ProblemCode } from '#base/problem.ts'
import { messages } from './messages.ts'

type Details = Readonly<Record<string, unknown>>

/** These sentences tell what a draft lacks before it can be published. */
const lacking: Readonly<Record<string, string>> = {
  starts_at: 'The event needs a date before it is published.',
  registration_types: 'The event needs a ticket on sale before it is published.',
  slug: 'Your organization needs a link name, in its settings, before an event is published.',
  seller:
    'Who sells must be said in full, in the settings of your organization, before an event with paid tickets is published.',
}

/** Pages say these sentences about a Problem. A Problem without one shows its own message, or that of `internal_error`. */
export const problems = {
  again: 'Try again',
  heading: {
    filesWait: 'Your file is not ready yet',
    notFound: 'There is nothing here',
    notAllowed: 'This needs another role',
    other: 'That did not work',
  },
  /** These sentences are for Problems with a reason. */
  reasons: {
    not_sold_out: 'There are tickets left: take them now.',
    decision_missing: 'Choose a decision first.',
    submitter_taken:
      'Somebody else submits to this event with that e-mail. Two people are never made one: ask for it to be sent again from there.',
    confirm_first:
      'So much is begun already that your e-mail is confirmed first. A link is on its way to you: open it, begin there, and copy what you have written here.',
    no_more_time: 'That gives no more time: choose a time to come, later than the deadline.',
    too_much_time: 'That is more than a year from now: choose an earlier time.',
    no_such_type: ({ name }: Details) => `This date has no ticket type “${String(name)}”.`,
    no_such_code: ({ code }: Details) => `This date has no code “${String(code)}”.`,
    no_such_question: ({ label }: Details) => `This date has no question “${String(label)}”.`,
    several_questions: ({ label }: Details) => `This date has several questions “${String(label)}”.`,
    logo_too_large: 'The logo is too large for so many dates: they would take more than 64 MB.',
    other_currency: ({ currency }: Details) =>
      `This date has its prices in another currency, ${String(currency)}.`,
    skipped_time: 'The clocks skip this time: choose another.',
    no_room_for_code:
      'This size has no room for a code that can be scanned. Choose a larger one, or no code.',
    nothing_to_print: 'There is no badge to print any more.',
    kinds_together: 'Talks and posters together are at most 10, and each has a name of its own.',
    too_many_choices:
      'Too many topics and kinds were taken out of this call: abstracts may still have them. Bring back old ones in place of new ones.',
    files_often: 'That were many files in a short time. Nothing was changed: try again later.',
    password_length: 'Use 10 to 200 characters.',
    password_guessable: 'This is too easy to guess: choose something longer or less common.',
    email_taken: 'Somebody else has this e-mail.',
    already_member: 'This person is in the team already.',
    other_email: 'The invitation is for another e-mail.',
    sign_in_first: 'There is somebody with this e-mail already: sign in to accept the invitation.',
    last_owner: 'The organization must keep an owner: make somebody else an owner first.',
    owner_has_all_events: 'An owner has all events.',
    unknown_event: 'One of the events is not there any more.',
    wrong_code: 'The code is wrong: enter the one that your app shows now.',
    second_factor_exists: 'Two-step verification is on already.',
    no_second_factor: 'Two-step verification is off.',
    names_and_quantity: 'There are more or fewer names than tickets: change one of them.',
    webhook_taken: 'There is a webhook to this address already.',
    webhook_not_https: 'Enter an https address: what is sent has names and e-mails in it.',
    webhook_not_public: 'This address is not on the public internet, and nothing may be sent there.',
    webhook_disabled: 'The webhook is disabled. Enable it first.',
    not_by_owner:
      'This person is more than a member of this organization: whoever runs the server makes the link.',
    no_title_column: 'No column has the titles: name one “title”, in the first line.',
    no_name_column: 'Say which column has the names.',
    no_email_column: 'Say which column has the e-mails.',
    too_many_answers: 'The event would have too many different answers: leave some columns out.',
    import_under_way: 'These guests are being imported. Stop that first.',
    import_not_checked: 'The lines are not checked yet.',
    nothing_to_import: 'There is nothing left to import.',
    nothing_to_send: 'None of these tickets is to be sent.',
    line_ended: 'This line is matched already.',
    line_currency: 'This line is in another currency than the order.',
    line_outgoing: 'This line brought no money in.',
    line_refund: 'This line does not pay that refund: the amount is another.',
    line_payout: 'This line is not that payout: it does not fit, or another line is it already.',
    money_used: 'Something has come of this money already: change or cancel its order instead.',
    statement_not_read: 'Say first which column is what.',
    read_anew: 'Somebody has chosen other columns meanwhile.',
    own_reset: 'You change your own password in your profile, by giving the old one.',
    no_event_ticked: 'Tick at least one, or choose all events.',
    question_answered: 'There are answers already: this cannot change any more. Retire the question instead.',
    too_many_questions: 'There are as many questions as an order has room for: retire one first.',
    event_live: 'People can come to this event. Only a draft or a cancelled event can be deleted.',
    event_has_receipts: 'Receipts were issued for it, and the law has you keep them.',
    event_has_money: 'Money has moved for it, and your accounts need it.',
    event_has_refunds: 'Refunds belong to it, and your accounts need them.',
    event_has_payments: 'Payments were begun for it: money may still come, and has to find its order.',
    event_has_jobs: 'Work on it is still under way: wait until it has ended, or stop it.',
    event_has_scans_to_come:
      'A phone at a door has scans that it has not sent yet: let it send them, or revoke that door.',
    other_title: 'This is not the name of the event.',
    code_used: 'Tickets were ordered with this code. Deactivate it instead.',
    too_many_codes: 'The event would have too many codes: 20,000 are the most.',
    past_expiry: 'It must end in the future.',
    key_secret:
      'This key may do everything with your account. Make a restricted key instead: it begins with rk_live_.',
    key_shape: 'This is no restricted key of Stripe: those begin with rk_live_.',
    key_test: 'This is a test key, and takes no money: use one that begins with rk_live_.',
    key_denied: 'Stripe does not know this key, or not any more.',
    key_permissions: ({ missing }: Details) =>
      `The key lacks permissions. Give it these at Stripe, then send it again: ${(missing as string[]).join('; ')}.`,
    stripe_silent: 'Stripe does not answer. Nothing was changed: try again shortly.',
    other_stripe_account:
      'This key is of another Stripe account, or of another mode. Disconnect the one that there is first.',
    payments_open: ({ open }: Details) =>
      `Payments or refunds are under way: ${Number(open)}. They have to be over first.`,
    unknown_placeholder: ({ names }: Details) => messages.unknownPlaceholder(names as string[]),
  } as Readonly<Record<string, string | ((details: Details) => string)>>,
  tell: {
    not_found: () => 'It may have been deleted, or it belongs to somebody else.',
    route_not_found: () => 'The address may be mistyped.',
    method_not_allowed: () => 'This address is not opened like that.',
    not_allowed: () => 'Ask an owner of the organization for it.',
    no_longer_allowed: () => 'Whoever started it may not do that any more. Start it again yourself.',
    door_only: () => 'This server only lets people in at the door. Make this change on your main server.',
    cross_site: () => 'Another site has sent this. Nothing was changed.',
    signed_out: ({ is_kept }: { is_kept?: boolean }) =>
      is_kept === true
        ? 'You were signed out. What you wrote is kept: sign in to go on.'
        : 'You were signed out. Sign in to go on.',
    sign_in_refused: () => 'The e-mail and the password do not go together.',
    code_refused: () => 'This code is wrong, was used already, or came too late.',
    wrong_password: () => 'This is not your password.',
    seen_changed: () => 'What would happen has changed meanwhile. Look at it again.',
    link_used_up: () => 'This link was used already, or its time is over. Ask for another one.',
    too_many_joined: () =>
      'Many people have joined the waitlist from your network in the last hour. Try again in an hour, or from another network.',
    too_many_mails: () =>
      'Enough mails of this kind were sent for now. Look into the folder for spam, or try again later.',
    rate_limited: () => 'That was too much in a short time. Wait a minute, then try again.',
    internal_error: () => 'Something went wrong on our side. It is in the log under the number below.',
    unavailable: () => 'That cannot be done just now. Nothing was changed: try again shortly.',
    documents_waiting: () =>
      'Many files are being made just now. Nothing is lost: wait a few seconds, then try again.',
    files_full: () =>
      'There is no room for another file here just now. Your text is kept: tell the organizers, or try again later.',
    malformed_json: () => 'The form did not arrive whole. Nothing was changed: send it again.',
    request_timeout: () =>
      'It came in too slowly, and was given up. Try again with a better connection, or in parts.',
    payload_too_large: () => 'That is larger than this page takes.',
    unsupported_media_type: () => 'This page takes forms only.',
    invalid_cursor: () => 'This page of the list is not there any more. Begin with the newest.',
    sold_out: ({ available, name }: Details) =>
      name !== undefined
        ? Number(available) === 0
          ? `${name} is sold out.`
          : `There are not enough places left: ${Number(available)} of ${name} ${Number(available) === 1 ? 'is' : 'are'} free.`
        : `There are not enough places left: ${Number(available)} of this type ${Number(available) === 1 ? 'is' : 'are'} free.`,
    already_taken: () => 'Another one has this already.',
    below_sold: ({ sold }: Details) => `${Number(sold)} are sold already: this many or more, please.`,
    in_use: ({ more_than: most }: Details) =>
      most === undefined
        ? 'There are guests already, or people who wait: this cannot change any more.'
        : 'There are too many guests to look through them all.',
    event_incomplete: ({ missing }: Details) => lacking[String((missing as string[])[0])] ?? '',
    series_full: ({ max }: Details) => `A series has at most ${Number(max)} dates.`,
    not_carried: ({ count }: Details) =>
      `Nothing is saved, because some of the later dates cannot take this: ${Number(count)}. Change it, or save only this date.`,
    no_start: () => 'Set the date of this event first: those of the others are counted from it.',
    announcement_sent: () => 'This announcement was sent: it cannot change any more.',
    below_used: ({ used }: Details) => `${Number(used)} tickets have it already: this many or more, please.`,
    unknown_code: () => 'There is no such code. Look whether it is written as you got it.',
    code_not_yet: () => 'This code is not valid yet.',
    code_expired: () => 'This code is not valid any more.',
    code_used_up: ({ left }: Details) =>
      Number(left) === 0
        ? 'This code was used as often as it may be.'
        : `This code is good for fewer tickets: ${Number(left)} ${Number(left) === 1 ? 'is' : 'are'} left.`,
    not_on_sale: ({ name }: Details) =>
      name === undefined ? 'This event sells no tickets just now.' : `“${name}” is not on sale just now.`,
    address_needed: () => 'The invoice of an order of this amount needs your postal address.',
    order_size: ({ name, min, max, extras }: Details) =>
      name === undefined
        ? max === undefined
          ? 'A ticket stands in two lines.'
          : extras === true
            ? `Choose from ${min} to ${max}, tickets and extras together.`
            : `Choose from ${min} to ${max} tickets.`
        : min === max
          ? `Of “${name}” you can take ${min}.`
          : `Of “${name}” you can take from ${min} to ${max}.`,
    ticket_needed: ({ name }: Details) => `“${name}” comes only with a ticket: choose a ticket as well.`,
    wrong_price: ({ name, min, max, currency }: Details) =>
      `For “${name}” you can give from ${toDecimal(Number(min), String(currency))} to ${toDecimal(Number(max), String(currency))} ${currency}.`,
    payment_needed: () =>
      'This costs something, and there is no way to pay for it here yet. Ask the organizer.',
    too_many_pending: ({ most }: Details) =>
      `This e-mail has ${most} registrations that wait already. Wait until they are decided.`,
    automatic: () =>
      'A program seems to have filled in this form: leave the field that people do not see empty.',
    form_expired: () => 'Look at it once more, then send it.',
    order_ended: () => 'That is decided already.',
    receipt_made: () => 'The receipt is made already, and stays as it is.',
    offer_ended: () => 'This offer has ended: the places were offered to others.',
    refund_too_large: () => 'So much is not left of what was paid.',
    ticket_not_ordered: () =>
      'Only a ticket that was ordered here can be exchanged. Change this guest instead.',
    ticket_disputed: () =>
      'The bank asks about the payment of this ticket: it can be exchanged once that is decided.',
    too_many_exchanges: () => 'Tickets of this order were exchanged too often: it cannot have more.',
    dispute_decided: () => 'The bank or somebody of your team has decided about this dispute meanwhile.',
    refund_ended: () => 'This refund is done already.',
    refund_under_way: () => 'The refund is under way already.',
    method_not_offered: () => 'It cannot be paid in this way any more: choose another.',
    payment_paused: () => 'This way of paying is paused for a while. Choose another, or try again later.',
    payment_under_way: () => 'It may be paid already in another way: wait until that has ended.',
    payment_ended: () => 'This payment is over. Write to the organizer.',
    call_not_open: () => 'The call for abstracts has not begun yet.',
    call_over: () => 'The call for abstracts is over. Write to the organizer.',
    call_full: () => 'The event takes no further abstracts. Write to the organizer.',
    too_many_abstracts: ({ most }: Details) =>
      Number(most) === 1
        ? 'The call takes one abstract of each person, and you have sent one.'
        : `The call takes ${most} abstracts of each person, and you have sent as many.`,
    too_many_drafts: () => 'You have begun too many abstracts. Go on with one of those that there are.',
    too_many_revisions: () => 'This abstract was changed too often. Write to the organizer.',
    abstract_decided: () =>
      'The abstract was decided, and cannot be changed any more. Write to the organizer.',
    abstract_not_accepted: () => 'The abstract is not accepted, or not any more.',
    abstract_incomplete: () => 'Something is missing that the call asks for. Look at it once more.',
    abstract_withdrawn: () => 'The abstract was withdrawn.',
    programme_full: ({ of, most }: Details) =>
      ({
        rooms: `An event has at most ${most} rooms.`,
        sessions: `A programme has at most ${most} sessions.`,
      })[of as string] ?? `A programme has at most ${most} entries in all its sessions.`,
    session_times: () => 'A session ends after it begins, and within seven days.',
    review_over: () => 'The review is over.',
    review_done: () => 'This review is done, so the abstract cannot be given back any more.',
    review_incomplete: () =>
      'A done review has each score and a recommendation. Choose those that are missing.',
    review_conflict: ({ conflict }: Details) =>
      ({
        person: 'This reviewer is one of the people behind the abstract.',
        domain: 'This reviewer has an e-mail of the same domain as somebody behind the abstract.',
        affiliation: 'This reviewer has the same affiliation as an author.',
        told: 'This reviewer has named somebody behind the abstract as a conflict of interest.',
      })[conflict as string] ?? 'This reviewer has a conflict of interest.',
    nothing_to_send: () => 'No decision waits to be sent.',
    being_sent: () => 'This decision is about to be sent as it was shown. Stop the sending first.',
    own_abstract: () => 'You are one of the people behind this abstract, so others decide it.',
    too_many_reviewers: ({ most }: Details) => `An event has at most ${most} reviewers.`,
    too_many_reviews: ({ most }: Details) => `An abstract has at most ${most} reviewers.`,
    draft_too_long: () => 'The text is far longer than the call takes. Shorten it, then save again.',
    too_late: () => 'It is too late for that. Write to the organizer.',
    email_ended: () => 'This mail was sent, or is not needed any more.',
    invalid_device: () => 'This device is not paired.',
    device_revoked: () => 'This device was revoked.',
    pairing_ended: () => 'This pairing was used, or its time is over.',
    scan_ended: () => 'Nothing can be done about this scan any more.',
    copy_again: () => 'The list has changed too much: copy it again.',
    invalid_transition: () => 'The event is in another state now.',
    already_cancelled: () => 'It was cancelled already.',
    registration_erased: () =>
      'The personal data of the buyer was erased: this registration cannot be changed any more.',
    refund_required: () => 'It is paid: it can be cancelled only together with its refund.',
    not_cancellable: () => 'A failed or refunded registration cannot be cancelled.',
    registration_cancelled: () => 'Its registration was cancelled.',
    registration_not_confirmed: () => 'Its registration is not confirmed.',
    ticket_voided: () => 'The ticket is void.',
    already_checked_in: () => 'The ticket is checked in already.',
    not_valid_today: () => 'The ticket is not valid now.',
    invalid_qr_code: () => 'This is not a ticket of this service.',
    wrong_door: () => 'This is an extra: it is handed out at a door where its type is chosen.',
    wrong_event: () => 'The ticket is of another event.',
  } as Partial<Record<ProblemCode, (details: Details) => string>>,
}
