import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { withQuery } from '#machinery/web/link.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import { GO_ON } from './paths.ts'
import type { StorefrontServices } from './storefront-services.ts'
import type { PublicEvent } from './view-page.tsx'
import { BACK, speechWithBack } from './voice.ts'

/** Redirects to the order's page. An order that needs a payment goes on from there, because a form may lead nowhere else. */
export function leadToOrder(
  context: Context,
  { secret }: Pick<StorefrontServices, 'secret'>,
  { page }: PublicEvent,
  order: Order,
): void {
  const url = orderUrl({ baseUrl: '', secret }, order)
  const { back } = speechWithBack(context, page.organizer)
  redirectTo(context, withQuery(order.waits_for === 'payment' ? `${url}?${GO_ON}` : url, { [BACK]: back }))
}
