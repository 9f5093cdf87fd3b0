import type { Context, Face, FaceRoute, State } from '../http/face.ts'
import { ORDERS_PATH, TICKETS_PATH } from '../orders/mails.tsx'
import { refuseOtherSites } from '../web/same-origin.ts'
import { Offers } from './offers.tsx'
import { OrderPages } from './order-pages.tsx'
import { answerRefusal } from './pages/refusal.tsx'
import { Paying } from './paying.tsx'
import { ReceiptPages } from './receipt-pages.tsx'
import { stripeWebhook } from './stripe-webhook.ts'
import type { Visited } from './visited.ts'

/** The pages of orders and of their tickets, for whoever has their links. */
export function orderFaces(services: Visited): Face<State>[] {
  const offers = new Offers(services)
  const pages = new OrderPages(services, offers)
  const paying = new Paying(services)
  const receipts = new ReceiptPages(services)
  const route = (
    method: 'GET' | 'POST',
    path: string,
    answer: (context: Context) => Promise<void>,
  ): FaceRoute<State> => ({ method, path, stages: [refuseOtherSites, answer] })
  return [
    {
      path: ORDERS_PATH,
      routes: [
        stripeWebhook(services),
        route('GET', '/test/{account}/{session}', context => paying.showTest(context)),
        route('POST', '/test/{account}/{session}', context => paying.actInTest(context)),
        route('GET', '/{secret}', context => pages.showOrder(context)),
        route('GET', '/{secret}/tickets.pdf', context => pages.sendPdf(context)),
        route('GET', '/{secret}/calendar.ics', context => pages.sendCalendar(context)),
        route('GET', '/{secret}/names', context => pages.showNames(context)),
        route('POST', '/{secret}/names', context => pages.changeNames(context)),
        route('GET', '/{secret}/cancel', context => pages.showCancel(context)),
        route('POST', '/{secret}/cancel', context => pages.cancel(context)),
        route('GET', '/{secret}/withdraw', context => pages.showWithdraw(context)),
        route('POST', '/{secret}/withdraw', context => pages.withdraw(context)),
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
      routes: [route('GET', '/{secret}', context => pages.showTicket(context))],
      answerProblem: answerRefusal,
    },
  ]
}
