export const eventStatuses = ['draft', 'published', 'cancelled', 'completed'] as const
export const eventVisibilities = ['public', 'unlisted', 'private'] as const
/** What a sold-out event does for people on the waitlist: nothing, notify them of places, or hold places for them. */
export const waitlistModes = ['off', 'notify', 'offer'] as const
/** Who gets a reminder mail on the day before: nobody, those who ordered here, or everybody who has a ticket. */
export const reminders = ['off', 'orders', 'all'] as const

/** Returns whether visitors need a code to see an event. They also need one while nobody has set the visibility. */
export function isPrivate(visibility: (typeof eventVisibilities)[number] | null): boolean {
  return visibility === null || visibility === 'private'
}
/** How an event may be paid: by all ways that the account has set up, with or without paying at the door, or by only one way. */
export const paymentWays = ['set_up', 'set_up_and_door', 'stripe', 'transfer', 'door'] as const
