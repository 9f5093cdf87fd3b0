/** This is the only list of webhook event types (specification section 6). */
export const webhookEventTypes = {
  'registration.created': 'A registration was confirmed.',
  'registration.cancelled': 'A registration was cancelled or refunded.',
  'payment.completed': 'A payment was completed.',
  'checkin.created': 'A check-in was recorded.',
  'checkin.undone': 'A check-in was undone.',
  'abstract.decided': 'An abstract was decided.',
  ping: 'A test of the endpoint.',
} as const

export type WebhookEventType = keyof typeof webhookEventTypes

export const allWebhookEventTypes = Object.keys(webhookEventTypes) as WebhookEventType[]
