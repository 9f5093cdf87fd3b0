import { DASHBOARD_PATH } from '../users/links.ts'

export { DASHBOARD_PATH }

const at = (path: string) => DASHBOARD_PATH + path

/** The addresses of its pages. Ids need no escape. */
export const paths = {
  home: at(''),
  signIn: at('/sign-in'),
  secondStep: at('/second-step'),
  signOut: at('/sign-out'),
  setup: (token: string) => at(`/setup/${token}`),
  join: (token: string) => at(`/join/${token}`),
  joinAs: (token: string) => at(`/join/${token}/accept`),
  signInLink: (token: string) => at(`/sign-in/${token}`),
  reset: (token: string) => at(`/reset/${token}`),
  profile: at('/profile'),
  events: (account: string) => at(`/a/${account}`),
  newEvent: (account: string) => at(`/a/${account}/new-event`),
  event: (event: string) => at(`/e/${event}`),
  publishEvent: (event: string) => at(`/e/${event}/publish`),
  unpublishEvent: (event: string) => at(`/e/${event}/unpublish`),
  completeEvent: (event: string) => at(`/e/${event}/complete`),
  cancelEvent: (event: string) => at(`/e/${event}/cancel`),
  duplicateEvent: (event: string) => at(`/e/${event}/duplicate`),
  tickets: (event: string) => at(`/e/${event}/tickets`),
  editEvent: (event: string) => at(`/e/${event}/settings`),
  webhooks: (account: string) => at(`/a/${account}/webhooks`),
  newWebhook: (account: string) => at(`/a/${account}/webhooks/new`),
  webhook: (account: string, endpoint: string) => at(`/a/${account}/webhooks/${endpoint}`),
  /** What is done with a webhook: `ping`, `edit`. */
  ofWebhook: (account: string, endpoint: string, what: string) =>
    at(`/a/${account}/webhooks/${endpoint}/${what}`),
  delivery: (account: string, endpoint: string, delivery: string) =>
    at(`/a/${account}/webhooks/${endpoint}/deliveries/${delivery}`),
  retryDelivery: (account: string, endpoint: string, delivery: string) =>
    at(`/a/${account}/webhooks/${endpoint}/deliveries/${delivery}/retry`),
  webhookRetry: (account: string, endpoint: string, retry: string) =>
    at(`/a/${account}/webhooks/${endpoint}/retries/${retry}`),
  stopWebhookRetry: (account: string, endpoint: string, retry: string) =>
    at(`/a/${account}/webhooks/${endpoint}/retries/${retry}/stop`),
  system: (account: string) => at(`/a/${account}/system`),
  backUp: (account: string) => at(`/a/${account}/system/backups/new`),
  downloadBackup: (account: string, backup: string) => at(`/a/${account}/system/backups/${backup}`),
  checkDatabase: (account: string) => at(`/a/${account}/system/check`),
} as const
