import type { Context, Face, FaceRoute, State } from '#machinery/http/face.ts'
import { refuseOtherSites } from '#machinery/web/same-origin.ts'
import { ORDERS_PATH, TICKETS_PATH } from '#product/selling/orders/links.ts'
import { GiveOn } from './give-on.tsx'
import { LinkLimit } from './link-limit.ts'
import { Offers } from './offers.tsx'
import { OrderPages } from './order-pages.tsx'
import { Others } from './others.tsx'
import { answerRefusal } from './pages/refusal.tsx'
import { Paying } from './paying.tsx'
import { ReceiptPages } from './receipt-pages.tsx'
import type { StorefrontServices } from './storefront-services.ts'
import { stripeWebhook } from './stripe-webhook.ts'
import { TicketPages } from './ticket-pages.tsx'

/** Serves the pages of orders and of their tickets to people who have the links. */
export function orderFaces(services: StorefrontServices): Face<State>[] {
  const offers = new Offers(services)
  const pages = new OrderPages(services, offers)
  const tickets = new TicketPages(services)
  const giving = new GiveOn(services)
  const others = new Others(services)
  const paying = new Paying(services)
  const receipts = new ReceiptPages(services)
  const limit = new LinkLimit(services)
  const ofTicket = limit.stage('ticket')
  const route = (
    method: 'GET' | 'POST',
    path: string,
    answer: (context: Context) => Promise<void>,
    stage = limit.stage('order'),
  ): FaceRoute<State> => ({ method, path, stages: [refuseOtherSites, stage, answer] })
  return [
    {
      path: ORDERS_PATH,
      isForPeople: true,
      routes: [
        stripeWebhook(services),
        route('GET', '/test/{account}/{session}', context => paying.showTest(context), limit.ofAddress),
        route('POST', '/test/{account}/{session}', context => paying.actInTest(context), limit.ofAddress),
        route('GET', '/{secret}', context => pages.showOrder(context)),
        route('GET', '/{secret}/tickets.pdf', context => pages.sendPdf(context)),
        route('GET', '/{secret}/calendar.ics', context => pages.sendCalendar(context)),
        route('GET', '/{secret}/names', context => pages.showNames(context)),
        route('POST', '/{secret}/names', context => pages.changeNames(context)),
        route('GET', '/{secret}/give/{ticket}', context => giving.showOfOrder(context)),
        route('POST', '/{secret}/give/{ticket}', context => giving.ofOrder(context)),
        route('GET', '/{secret}/cancel', context => pages.showCancel(context)),
        route('POST', '/{secret}/cancel', context => pages.cancel(context)),
        route('GET', '/{secret}/withdraw', context => pages.showWithdraw(context)),
        route('POST', '/{secret}/withdraw', context => pages.withdraw(context)),
        route('GET', '/{secret}/confirm', context => others.show(context), limit.stage('verify')),
        route('POST', '/{secret}/confirm', context => others.confirm(context), limit.stage('verify')),
        route('POST', '/{secret}/pay', context => paying.choose(context)),
        route('POST', '/{secret}/resend', context => pages.resend(context)),
        route('GET', '/{secret}/receipts/{receipt}', context => receipts.show(context)),
        route('GET', '/{secret}/receipts/{receipt}/pdf', context => receipts.sendPdf(context)),
        route('GET', '/{secret}/invoice', context => receipts.showInvoice(context)),
        route('POST', '/{secret}/invoice', context => receipts.changeInvoice(context)),
        route('POST', '/{secret}/take', context => offers.take(context)),
        route('POST', '/{secret}/turn-down', context => offers.turnDown(context)),
      ],
      answerProblem: answerRefusal,
    },
    {
      path: TICKETS_PATH,
      isForPeople: true,
      routes: [
        route('GET', '/{secret}', context => tickets.show(context), ofTicket),
        route('GET', '/{secret}/ticket.pdf', context => tickets.sendPdf(context), ofTicket),
        route('GET', '/{secret}/calendar.ics', context => tickets.sendCalendar(context), ofTicket),
        route('GET', '/{secret}/name', context => tickets.showName(context), ofTicket),
        route('POST', '/{secret}/name', context => tickets.changeName(context), ofTicket),
        route('GET', '/{secret}/give', context => giving.showOfTicket(context), ofTicket),
        route('POST', '/{secret}/give', context => giving.ofTicket(context), ofTicket),
      ],
      answerProblem: answerRefusal,
    },
  ]
}
