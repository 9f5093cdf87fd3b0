import type { KindOfMail } from '../emails/kind.ts'

/** To whoever waits: that there is room. */
export const placeFreeMail = { name: 'place_free', lane: 'orders' } as const satisfies KindOfMail
