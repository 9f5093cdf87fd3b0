export const eventStatuses = ['draft', 'published', 'cancelled', 'completed'] as const
export const eventVisibilities = ['public', 'unlisted', 'private'] as const
/** What a sold-out event does for those who wait: nothing, tell them of places, or hold places for them. */
export const waitlistModes = ['off', 'notify', 'offer'] as const
/** Whom a mail reminds the day before: nobody, those who ordered here, or everybody who has a ticket. */
export const reminders = ['off', 'orders', 'all'] as const

/** Whether visitors need a code to see an event: also while nobody has said who sees it. */
export function isPrivate(visibility: (typeof eventVisibilities)[number] | null): boolean {
  return visibility === null || visibility === 'private'
}
/** How an event may be paid: by all that the account has set up, with or without paying at the door, or by one alone. */
export const paymentWays = ['set_up', 'set_up_and_door', 'stripe', 'transfer', 'door'] as const
