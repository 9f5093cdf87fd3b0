import { abstractAdding } from './abstract-adding.ts'
import { abstractImports } from './abstract-imports.ts'
import { abstracts } from './abstracts.ts'
import { accountSettings } from './account-settings.ts'
import { afterDecision } from './after-decision.ts'
import { agenda } from './agenda.ts'
import { announcements } from './announcements.ts'
import { badges } from './badges.ts'
import { callSettings } from './call-settings.ts'
import { calls } from './calls.ts'
import { checkIn } from './check-in.ts'
import { checkout } from './checkout.ts'
import { codes } from './codes.ts'
import { decisionMails, decisionSending } from './decision-sending.ts'
import { deletion } from './deletion.ts'
import { doctor } from './doctor.ts'
import { doors } from './doors.ts'
import { entries } from './entries.ts'
import { eventPage } from './event-page.ts'
import { eventSettings } from './event-settings.ts'
import { events } from './events.ts'
import { exchanges } from './exchanges.ts'
import { faults } from './faults.ts'
import { flash } from './flash.ts'
import { guests } from './guests.ts'
import { imports } from './imports.ts'
import { jobs } from './jobs.ts'
import { keys } from './keys.ts'
import { legal } from './legal.ts'
import { log } from './log.ts'
import { look } from './look.ts'
import { mail } from './mail.ts'
import { mails } from './mails.ts'
import { messages } from './messages.ts'
import { namesakes } from './namesakes.ts'
import { navigation } from './navigation.ts'
import { needs } from './needs.ts'
import { notices } from './notices.ts'
import { onlineMails } from './online-mails.ts'
import { orderMail } from './order-mail.ts'
import { orders } from './orders.ts'
import { overview } from './overview.ts'
import { page } from './page.ts'
import { payment } from './payment.ts'
import { paymentSettings } from './payment-settings.ts'
import { payments } from './payments.ts'
import { payouts } from './payouts.ts'
import { people } from './people.ts'
import { problems } from './problems.ts'
import { profile } from './profile.ts'
import { proposals } from './proposals.ts'
import { publishing } from './publishing.ts'
import { questions } from './questions.ts'
import { receipts } from './receipts.ts'
import { refunds } from './refunds.ts'
import { reports } from './reports.ts'
import { reviewSettings } from './review-settings.ts'
import { reviews } from './reviews.ts'
import { sending } from './sending.ts'
import { series } from './series.ts'
import { share } from './share.ts'
import { sheets } from './sheets.ts'
import { signIn } from './sign-in.ts'
import { site } from './site.ts'
import { statements } from './statements.ts'
import { storefront } from './storefront.ts'
import { submitters } from './submitters.ts'
import { system } from './system.ts'
import { systemMail } from './system-mail.ts'
import { team } from './team.ts'
import { ticketPdf } from './ticket-pdf.ts'
import { tickets } from './tickets.ts'
import { timetable } from './timetable.ts'
import { trust } from './trust.ts'
import { unsubscribe } from './unsubscribe.ts'
import { waitlist } from './waitlist.ts'
import { webhooks } from './webhooks.ts'

export const en = {
  abstractAdding,
  abstractImports,
  abstracts,
  afterDecision,
  accountSettings,
  agenda,
  announcements,
  badges,
  callSettings,
  calls,
  reviews,
  reviewSettings,
  checkIn,
  eventPage,
  eventSettings,
  codes,
  decisionMails,
  decisionSending,
  deletion,
  doctor,
  doors,
  entries,
  checkout,
  events,
  exchanges,
  faults,
  flash,
  guests,
  imports,
  jobs,
  keys,
  legal,
  log,
  mail,
  mails,
  onlineMails,
  messages,
  navigation,
  needs,
  namesakes,
  notices,
  orderMail,
  orders,
  overview,
  page,
  payment,
  paymentSettings,
  payments,
  payouts,
  people,
  problems,
  profile,
  proposals,
  publishing,
  questions,
  receipts,
  refunds,
  reports,
  sheets,
  sending,
  look,
  series,
  share,
  site,
  signIn,
  statements,
  storefront,
  submitters,
  system,
  systemMail,
  team,
  ticketPdf,
  tickets,
  timetable,
  trust,
  unsubscribe,
  waitlist,
  webhooks,
}
