import type { KindName } from '#machinery/mail/kind.ts'
import type { Texts } from '#texts/texts.ts'

/** A group of mails about an event, in the list of their texts. */
export type TextGroup = keyof Texts['messages']['textGroups']

/** The groups, in the order of the list. */
export const textGroups: readonly TextGroup[] = ['orders', 'tickets', 'event', 'waitlist', 'abstracts']

/**
 * The group of each kind of mail, and null for a kind that has no text of an event. Kinds of a group are in the order in which
 * people get them. A kind that is missing here is a type error.
 */
export const groupOfKind: Readonly<Record<KindName, TextGroup | null>> = {
  order_waiting: 'orders',
  payment_due: 'orders',
  payment_under_way: 'orders',
  order_confirmed: 'orders',
  order_declined: 'orders',
  order_unpaid: 'orders',
  order_cancelled: 'orders',
  order_withdrawn: 'orders',
  payment_returned: 'orders',
  refund: 'orders',
  ticket: 'tickets',
  guest_tickets: 'tickets',
  tickets_again: 'tickets',
  ticket_exchanged: 'tickets',
  ticket_given_on: 'tickets',
  ticket_cancelled: 'tickets',
  guest_cancelled: 'tickets',
  reminder: 'event',
  event_changed: 'event',
  event_cancelled: 'event',
  place_offered: 'waitlist',
  place_free: 'waitlist',
  abstract_link: 'abstracts',
  abstract_received: 'abstracts',
  abstract_added: 'abstracts',
  abstract_reminder: 'abstracts',
  abstract_extended: 'abstracts',
  abstract_late: 'abstracts',
  abstract_changed: 'abstracts',
  abstract_new_link: 'abstracts',
  abstract_old_email: 'abstracts',
  abstract_withdrawn: 'abstracts',
  abstract_reopened: 'abstracts',
  abstract_accepted: 'abstracts',
  abstract_rejected: 'abstracts',
  abstract_confirm_reminder: 'abstracts',
  abstract_presenting: 'abstracts',
  abstract_news: 'abstracts',
  programme_slot: 'abstracts',
  programme_moved: 'abstracts',
  programme_removed: 'abstracts',
  review_invited: 'abstracts',
  review_assigned: 'abstracts',
  review_reminder: 'abstracts',
  // An announcement is written each time, and the others go to members and not to guests.
  announcement: null,
  invitation: null,
  password_reset: null,
  webhook_failing: null,
  guests_forgotten_soon: null,
  dispute_opened: null,
  dispute_ended: null,
  test: null,
}

/** Returns the kinds of a group, in the order of the list. */
export function kindsOf(group: TextGroup): KindName[] {
  const kinds = Object.keys(groupOfKind) as KindName[]
  return kinds.filter(kind => groupOfKind[kind] === group)
}
