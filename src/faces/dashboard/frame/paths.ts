import { withQuery } from '#machinery/web/link.ts'
import { legalPath } from '#product/administration/accounts/legal.ts'
import { DASHBOARD_PATH } from '#product/administration/users/links.ts'
import { PREVIEW } from '#product/programme/submissions/links.ts'
import { badgePaths } from './badge-paths.ts'
import type { ProgrammePart } from './programme-parts.ts'
import { seriesPaths } from './series-paths.ts'

export { DASHBOARD_PATH }

const at = (path: string) => DASHBOARD_PATH + path
const below = (path: string, what: string | undefined) => at(what === undefined ? path : `${path}/${what}`)

/** The topics of settings, in the order of their tabs. */
export const eventTopics = ['general', 'page', 'look', 'sale', 'waitlist', 'mails'] as const
export const accountTopics = ['general', 'legal', 'look', 'site', 'personal-data'] as const

type EventTopic = (typeof eventTopics)[number]
type AccountTopic = (typeof accountTopics)[number]

type Ticket = Record<'registration' | 'ticket', string>

/** The addresses of the pages of the dashboard. Ids need no escape. */
export const paths = {
  home: at(''),
  signIn: at('/sign-in'),
  secondStep: at('/second-step'),
  signOut: at('/sign-out'),
  setup: (token: string) => at(`/setup/${token}`),
  join: (token: string) => at(`/join/${token}`),
  joinAs: (token: string) => at(`/join/${token}/accept`),
  forgotten: at('/forgotten'),
  signInLink: (token: string) => at(`/sign-in/${token}`),
  reset: (token: string) => at(`/reset/${token}`),
  profile: at('/profile'),
  ownName: at('/profile/name'),
  ownEmail: at('/profile/email'),
  ownPassword: at('/profile/password'),
  secondFactor: at('/profile/second-factor'),
  secondFactorOff: at('/profile/second-factor/off'),
  recoveryCodes: at('/profile/recovery-codes'),
  endSession: (session: string) => at(`/profile/sessions/${session}/end`),
  endOtherSessions: at('/profile/sessions/end-others'),
  events: (account: string) => at(`/a/${account}`),
  newEvent: (account: string) => at(`/a/${account}/new-event`),
  team: (account: string) => at(`/a/${account}/team`),
  invite: (account: string) => at(`/a/${account}/team/invite`),
  revokeInvitation: (account: string, id: string) => at(`/a/${account}/team/invitations/${id}/revoke`),
  member: (account: string, member: string) => at(`/a/${account}/team/${member}`),
  removeMember: (account: string, member: string) => at(`/a/${account}/team/${member}/remove`),
  resetMember: (account: string, member: string) => at(`/a/${account}/team/${member}/reset`),
  keys: (account: string) => at(`/a/${account}/keys`),
  newKey: (account: string) => at(`/a/${account}/keys/new`),
  key: (account: string, key: string) => at(`/a/${account}/keys/${key}`),
  revokeKey: (account: string, key: string) => at(`/a/${account}/keys/${key}/revoke`),
  /** The settings of an account by topic. The first one has the address of them all. */
  accountSettings: (account: string, topic: AccountTopic = 'general') =>
    below(`/a/${account}/settings`, topic === 'general' ? undefined : topic),
  previewLegal: (account: string) => at(`/a/${account}/settings/legal/preview`),
  log: (account: string) => at(`/a/${account}/log`),
  event: (event: string) => at(`/e/${event}`),
  publishEvent: (event: string) => at(`/e/${event}/publish`),
  publishAnyway: (event: string) => at(`/e/${event}/publish/anyway`),
  payEvent: (event: string) => at(`/e/${event}/pay`),
  unpublishEvent: (event: string) => at(`/e/${event}/unpublish`),
  completeEvent: (event: string) => at(`/e/${event}/complete`),
  cancelEvent: (event: string) => at(`/e/${event}/cancel`),
  archiveEvent: (event: string) => at(`/e/${event}/archive`),
  unarchiveEvent: (event: string) => at(`/e/${event}/unarchive`),
  /** Not below the address of the event, as the form that deletes it can be sent again once the event is gone. */
  deleteEvent: (account: string, event: string) => at(`/a/${account}/events/${event}/delete`),
  tellChange: (event: string) => at(`/e/${event}/tell`),
  tellNobody: (event: string) => at(`/e/${event}/tell/nobody`),
  /** `what` is the picture of the code that leads to the page. */
  shareEvent: (event: string, what?: 'qr.svg' | 'qr.png') => below(`/e/${event}/share`, what),
  newAbstract: (event: string) => at(`/e/${event}/abstracts/new`),
  importAbstracts: (event: string) => at(`/e/${event}/abstracts/import`),
  abstractTemplate: (event: string) => at(`/e/${event}/abstracts/import/template.csv`),
  abstractImport: (event: string, job: string) => at(`/e/${event}/abstracts/import/${job}`),
  abstractsLeftOut: (event: string, job: string) => at(`/e/${event}/abstracts/import/${job}/left-out`),
  startAbstractImport: (event: string, job: string) => at(`/e/${event}/abstracts/import/${job}/start`),
  stopAbstractImport: (event: string, job: string) => at(`/e/${event}/abstracts/import/${job}/stop`),
  importGuests: (event: string) => at(`/e/${event}/guests/import`),
  pasteGuests: (event: string) => at(`/e/${event}/guests/import/paste`),
  guestImport: (event: string, job: string, what?: 'columns' | 'types' | 'start' | 'stop' | 'left-out') =>
    below(`/e/${event}/guests/import/${job}`, what),
  tickets: (event: string) => at(`/e/${event}/tickets`),
  newType: (event: string) => at(`/e/${event}/tickets/new`),
  editType: (event: string, type: string) => at(`/e/${event}/tickets/${type}`),
  moveType: (event: string, type: string) => at(`/e/${event}/tickets/${type}/move`),
  removeType: (event: string, type: string) => at(`/e/${event}/tickets/${type}/remove`),
  newPool: (event: string) => at(`/e/${event}/tickets/shared/new`),
  editPool: (event: string, pool: string) => at(`/e/${event}/tickets/shared/${pool}`),
  removePool: (event: string, pool: string) => at(`/e/${event}/tickets/shared/${pool}/remove`),
  questions: (event: string) => at(`/e/${event}/tickets/questions`),
  previewQuestions: (event: string) => at(`/e/${event}/tickets/questions/preview`),
  codes: (event: string) => at(`/e/${event}/tickets/codes`),
  codesCsv: (event: string) => at(`/e/${event}/tickets/codes.csv`),
  newCode: (event: string) => at(`/e/${event}/tickets/codes/new`),
  generateCodes: (event: string) => at(`/e/${event}/tickets/codes/generate`),
  code: (event: string, code: string) => at(`/e/${event}/tickets/codes/${code}`),
  /** `what` is what is done with a code: `activate`, `deactivate` or `remove`. */
  ofCode: (event: string, code: string, what: string) => at(`/e/${event}/tickets/codes/${code}/${what}`),
  orders: (event: string) => at(`/e/${event}/orders`),
  order: (event: string, order: string) => at(`/e/${event}/orders/${order}`),
  orderAction: (event: string, order: string, what: 'approve' | 'decline' | 'resend' | 'renew' | 'verify') =>
    at(`/e/${event}/orders/${order}/${what}`),
  receipt: (event: string, order: string, receipt: string, what?: 'pdf') =>
    below(`/e/${event}/orders/${order}/receipts/${receipt}`, what),
  dispute: (event: string, order: string, dispute: string) =>
    at(`/e/${event}/orders/${order}/disputes/${encodeURIComponent(dispute)}`),
  refundOrder: (event: string, order: string) => at(`/e/${event}/orders/${order}/refund`),
  refundGuest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/refund`),
  refundAction: (event: string, refund: string, what: 'retry' | 'paid-back' | 'drop') =>
    at(`/e/${event}/refunds/${refund}/${what}`),
  /** `what` is what is done with a payment: `paid`, `accept` or `return`. */
  ofPayment: (event: string, payment: string, what: string) => at(`/e/${event}/payments/${payment}/${what}`),
  guests: (event: string) => at(`/e/${event}/guests`),
  guestsXlsx: (event: string) => at(`/e/${event}/guests.xlsx`),
  guestsCsv: (event: string) => at(`/e/${event}/guests.csv`),
  guestsWithLinksCsv: (event: string) => at(`/e/${event}/guests-with-links.csv`),
  newGuest: (event: string) => at(`/e/${event}/guests/new`),
  cancelGuests: (event: string) => at(`/e/${event}/guests/cancel`),
  sendTickets: (event: string) => at(`/e/${event}/guests/send`),
  sendTicketsOf: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/send`),
  guest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}`),
  editGuest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/edit`),
  cancelGuest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/cancel`),
  renewGuestLinks: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/renew`),
  eraseGuest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/erase`),
  /** Checks a ticket in, or undoes that with a reason. */
  guestTicket: (event: string, { registration, ticket }: Ticket, action: 'check-in' | 'undo') =>
    at(`/e/${event}/guests/${registration}/tickets/${ticket}/${action}`),
  guestTicketPage: (event: string, { registration, ticket }: Ticket) =>
    at(`/e/${event}/guests/${registration}/tickets/${ticket}`),
  exchangeTicket: (event: string, { registration, ticket }: Ticket) =>
    at(`/e/${event}/guests/${registration}/tickets/${ticket}/exchange`),
  guestTicketFile: (event: string, { registration, ticket }: Ticket) =>
    at(`/e/${event}/guests/${registration}/tickets/${ticket}/pdf`),
  undoGuestCheckIn: (event: string, { registration, ticket }: Ticket, checkIn: string) =>
    at(`/e/${event}/guests/${registration}/tickets/${ticket}/undo-at-once/${checkIn}`),
  job: (event: string, job: string) => at(`/e/${event}/jobs/${job}`),
  stopJob: (event: string, job: string) => at(`/e/${event}/jobs/${job}/stop`),
  checkIn: (event: string) => at(`/e/${event}/check-in`),
  /** Asks whether the buyer has paid at the door what is due for a ticket. */
  doorPayment: (event: string, ticket: string) => at(`/e/${event}/check-in/${ticket}/paid`),
  checkInList: (event: string) => at(`/e/${event}/check-in/list`),
  undoCheckIn: (event: string, ticket: string) => at(`/e/${event}/check-in/${ticket}/undo`),
  undoThisCheckIn: (event: string, ticket: string, checkIn: string) =>
    at(`/e/${event}/check-in/${ticket}/undo/${checkIn}`),
  doors: (event: string) => at(`/e/${event}/doors`),
  entries: (event: string) => at(`/e/${event}/doors/entries`),
  newDoor: (event: string) => at(`/e/${event}/doors/new`),
  /** `what` is what is done with a door. */
  ofDoor: (event: string, door: string, what: 'pair' | 'change' | 'revoke') =>
    at(`/e/${event}/doors/${door}/${what}`),
  scans: (event: string) => at(`/e/${event}/doors/scans`),
  /** Decides about many scans at once. Its query says which. */
  decideScans: (event: string) => at(`/e/${event}/doors/decide`),
  /** `what` is what is done with a scan. */
  ofScan: (event: string, scan: string, what: 'undo' | 'admit' | 'dismiss' | 'seen') =>
    at(`/e/${event}/doors/scans/${scan}/${what}`),
  ...badgePaths,
  ...seriesPaths,
  paperLists: (event: string) => at(`/e/${event}/doors/paper`),
  paperList: (event: string) => at(`/e/${event}/doors/paper/list`),
  waitlist: (event: string) => at(`/e/${event}/waitlist`),
  removeFromWaitlist: (event: string, entry: string) => at(`/e/${event}/waitlist/${entry}/remove`),
  abstracts: (event: string) => at(`/e/${event}/abstracts`),
  abstract: (event: string, abstract: string) => at(`/e/${event}/abstracts/${abstract}`),
  editAbstract: (event: string, abstract: string) => at(`/e/${event}/abstracts/${abstract}/edit`),
  reopenAbstract: (event: string, abstract: string) => at(`/e/${event}/abstracts/${abstract}/reopen`),
  abstractVersion: (event: string, abstract: string, version: number) =>
    at(`/e/${event}/abstracts/${abstract}/versions/${version}`),
  begunAbstracts: (event: string) => at(`/e/${event}/abstracts/begun`),
  submitter: (event: string, submitter: string, what?: 'time' | 'renew' | 'email') =>
    below(`/e/${event}/abstracts/people/${submitter}`, what),
  call: (event: string) => at(`/e/${event}/abstracts/call`),
  callQuestions: (event: string) => at(`/e/${event}/abstracts/call/questions`),
  abstractFile: (event: string, abstract: string) => at(`/e/${event}/abstracts/${abstract}/file`),
  /** `what` is what is done with the review of an event. */
  review: (event: string, what?: 'settings' | 'invite' | 'assign' | 'remind') =>
    below(`/e/${event}/review`, what),
  /** `job` is a sending that is to be stopped. */
  sendDecisions: (event: string, job?: string) =>
    at(`/e/${event}/decisions/send${job === undefined ? '' : `/${job}/stop`}`),
  reviewer: (event: string, reviewer: string, what?: 'renew' | 'remove') =>
    below(`/e/${event}/review/reviewers/${reviewer}`, what),
  confirmAbstract: (event: string, abstract: string, what: 'confirm' | 'unconfirm') =>
    at(`/e/${event}/abstracts/${abstract}/${what}`),
  remindUnconfirmed: (event: string) => at(`/e/${event}/abstracts/remind`),
  giveAbstract: (event: string, abstract: string, what: 'give' | 'take') =>
    at(`/e/${event}/abstracts/${abstract}/${what}`),
  decisions: (event: string) => at(`/e/${event}/decisions`),
  decisionsCsv: (event: string) => at(`/e/${event}/decisions.csv`),
  /** Proposes decisions about many abstracts, or takes them back. Its query says which. */
  proposeDecisions: (event: string) => at(`/e/${event}/decisions/propose`),
  proposal: (event: string, abstract: string, what?: 'take-back') =>
    below(`/e/${event}/abstracts/${abstract}/proposal`, what),
  /** `what` is a page of the programme of an event. */
  programme: (event: string, what?: ProgrammePart) => below(`/e/${event}/programme`, what),
  room: (event: string, room: string, what?: 'move' | 'remove') =>
    below(`/e/${event}/programme/rooms/${room}`, what),
  programmeSession: (event: string, session: string, what?: 'change' | 'remove' | 'add' | 'text') =>
    below(`/e/${event}/programme/sessions/${session}`, what),
  placeAbstract: (event: string, abstract: string) => at(`/e/${event}/programme/abstracts/${abstract}`),
  slot: (event: string, slot: string, what?: 'move' | 'remove') =>
    below(`/e/${event}/programme/slots/${slot}`, what),
  decideAbstracts: (event: string) => at(`/e/${event}/abstracts/decide`),
  messages: (event: string) => at(`/e/${event}/messages`),
  message: (event: string, email: string, what?: 'html' | 'retry') =>
    below(`/e/${event}/messages/mail/${email}`, what),
  accountMessages: (account: string) => at(`/a/${account}/messages`),
  accountMessage: (account: string, email: string, what?: 'html' | 'retry') =>
    below(`/a/${account}/messages/${email}`, what),
  messageTexts: (event: string) => at(`/e/${event}/messages/texts`),
  /** @param text the kind and language, such as `abstract_accepted.en` */
  messageText: (event: string, text: string, what?: 'preview' | 'ours') =>
    below(`/e/${event}/messages/texts/${text}`, what),
  announcements: (event: string) => at(`/e/${event}/messages/announcements`),
  newAnnouncement: (event: string) => at(`/e/${event}/messages/announcements/new`),
  announcement: (
    event: string,
    announcement: string,
    what?: 'edit' | 'send' | 'test' | 'stop' | 'resume' | 'remove',
  ) => below(`/e/${event}/messages/announcements/${announcement}`, what),
  reports: (event: string) => at(`/e/${event}/reports`),
  registrationsXlsx: (event: string) => at(`/e/${event}/reports/registrations.xlsx`),
  registrationsCsv: (event: string) => at(`/e/${event}/reports/registrations.csv`),
  registrationsJson: (event: string) => at(`/e/${event}/reports/registrations.json`),
  monthlyReport: (account: string) => at(`/a/${account}/reports`),
  receipts: (account: string) => at(`/a/${account}/reports/receipts`),
  receiptsCsv: (account: string) => at(`/a/${account}/reports/receipts.csv`),
  payouts: (account: string) => at(`/a/${account}/reports/payouts`),
  payoutsCsv: (account: string) => at(`/a/${account}/reports/payouts.csv`),
  payout: (account: string, payout: string) => at(`/a/${account}/reports/payouts/${payout}`),
  monthlyCsv: (account: string) => at(`/a/${account}/reports/monthly.csv`),
  /** The settings of an event by topic. The first one has the address of them all. */
  eventSettings: (event: string, topic: EventTopic = 'general') =>
    below(`/e/${event}/settings`, topic === 'general' ? undefined : topic),
  previewEventPage: (event: string) => at(`/e/${event}/settings/page/preview`),
  eventPicture: (event: string) => at(`/e/${event}/settings/page/picture`),
  accountLogo: (account: string) => at(`/a/${account}/settings/look/logo`),
  eventLogo: (event: string) => at(`/e/${event}/settings/look/logo`),
  removeEventPicture: (event: string) => at(`/e/${event}/settings/page/picture/remove`),
  publicLegal: legalPath,
  /** The page that visitors see, by the names of the account and the event in addresses. */
  publicList: (account: string) => `/${account}/`,
  publicListFrame: (account: string) => `/${account}/embed.html`,
  publicFrame: (account: string, event: string) => `/${account}/${event}/embed`,
  publicPage: (account: string, event: string) => `/${account}/${event}/`,
  /** The public page of a call, for members who look at it before others see it. */
  previewCall: (account: string, event: string) => `/${account}/${event}/abstracts?${PREVIEW}=1`,
  /** The public page of a private event, for visitors who have the code. */
  privatePage: (account: string, event: string, code: string) => withQuery(`/${account}/${event}/`, { code }),
  /** The page that shows what a code offers. */
  codeOffers: (account: string, event: string, code: string) =>
    withQuery(`/${account}/${event}/register`, { code }),
  publicCover: (account: string, event: string, hash: string) => `/${account}/${event}/cover/${hash}`,
  payments: (account: string) => at(`/a/${account}/payments`),
  stripe: (account: string, what?: 'disconnect' | 'seen' | 'delayed') =>
    below(`/a/${account}/payments/stripe`, what),
  bank: (account: string, what?: 'remove') => below(`/a/${account}/payments/bank`, what),
  orphan: (account: string, session: string, what: 'refund' | 'leave') =>
    at(`/a/${account}/payments/orphans/${session}/${what}`),
  owed: (account: string) => at(`/a/${account}/owed`),
  statements: (account: string) => at(`/a/${account}/statements`),
  statement: (account: string, job: string, what?: 'columns' | 'match') =>
    below(`/a/${account}/statements/files/${job}`, what),
  bankLine: (account: string, line: string, what?: 'ignore' | 'restore' | 'undo') =>
    below(`/a/${account}/statements/lines/${line}`, what),
  matchLine: (account: string, line: string, payment: string) =>
    at(`/a/${account}/statements/lines/${line}/match/${payment}`),
  linePayout: (account: string, line: string, payout: string) =>
    at(`/a/${account}/statements/lines/${line}/payout/${payout}`),
  lineRefund: (account: string, line: string, refund: string) =>
    at(`/a/${account}/statements/lines/${line}/refund/${refund}`),
  webhooks: (account: string) => at(`/a/${account}/webhooks`),
  system: (account: string) => at(`/a/${account}/system`),
  newWebhook: (account: string) => at(`/a/${account}/webhooks/new`),
  webhook: (account: string, endpoint: string) => at(`/a/${account}/webhooks/${endpoint}`),
  /** `what` is what is done with a webhook: `ping` or `edit`. */
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
  backUp: (account: string) => at(`/a/${account}/system/backups/new`),
  backUpToPassOn: (account: string) => at(`/a/${account}/system/backups/without-secrets`),
  downloadBackup: (account: string, backup: string) => at(`/a/${account}/system/backups/${backup}`),
  testMail: (account: string) => at(`/a/${account}/system/mail/test`),
  letMailGo: (account: string) => at(`/a/${account}/system/mail/resume`),
  examineInstance: (account: string) => at(`/a/${account}/system/health`),
  checkDatabase: (account: string) => at(`/a/${account}/system/check`),
} as const
