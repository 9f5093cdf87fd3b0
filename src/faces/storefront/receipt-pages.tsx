import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { isAddressNeeded } from '#product/selling/orders/invoice.ts'
import { mayInvoice, setInvoice } from '#product/selling/receipts/invoice.ts'
import { receiptPdf } from '#product/selling/receipts/pdf.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { invoiceFieldsOf, invoiceOf } from './invoice-form.ts'
import type { OrderView } from './order-view.ts'
import { OrderVisits, problemOf, scaleOf } from './order-visits.ts'
import { InvoiceDocument, ReceiptDocument } from './pages/receipt-page.tsx'
import type { StorefrontServices } from './storefront-services.ts'

/** Serves the receipts of an order to visitors with its link. */
export class ReceiptPages {
  readonly #services: StorefrontServices
  readonly #visits: OrderVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new OrderVisits(services)
  }

  async show(context: Context): Promise<void> {
    const { view, receipt } = await this.#find(context)
    this.#visits.answer(context, 200, view, props => <ReceiptDocument {...props} receipt={receipt} />)
  }

  async sendPdf(context: Context): Promise<void> {
    const { view, receipt } = await this.#find(context)
    const { account_id: accountId, event_id: eventId } = view.order
    const { logo } = await this.#services.db.read(accountId, tx => looks.carry(tx, eventId))
    const file = await receiptPdf(receipt, logo, this.#visits.askerOf(context, view))
    context.set('Content-Disposition', `attachment; filename="${receipt.number}.pdf"`)
    context.set('Cache-Control', 'no-store')
    context.body = bodyOf(context.res, file)
    context.type = 'application/pdf'
    context.length = file.length
  }

  /** @throws Problem route_not_found, also for the receipt of another order */
  async #find(context: Context): Promise<{ view: OrderView; receipt: Receipt }> {
    const view = await this.#visits.find(context)
    const receipt = view.receipts.find(({ id }) => id === context.captures[1])
    if (receipt === undefined) throw this.#visits.unknown(context)
    return { view, receipt }
  }

  async showInvoice(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    const { order, receipts, path } = view
    if (!mayInvoice(order, receipts)) return redirectTo(context, path)
    const { company, address, vat_id } = order.invoice
    const is = { 'invoice.company': company, 'invoice.address': address, 'invoice.vat_id': vat_id }
    const state = newForm(await this.#fields(view), scaleOf(view), is)
    this.#visits.answer(context, 200, view, props => <InvoiceDocument {...props} state={state} />)
  }

  async #fields({ order }: OrderView) {
    const isNeeded = await this.#services.db.read(order.account_id, tx => isAddressNeeded(tx, order))
    return invoiceFieldsOf(isNeeded)
  }

  async changeInvoice(context: Context): Promise<void> {
    const { body, view } = await this.#visits.receive(context)
    const { order, path } = view
    const fields = await this.#fields(view)
    const sent = readForm(fields, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) => {
      const state = refusedForm(fields, scaleOf(view), sent, refused)
      this.#visits.answer(context, status, view, props => <InvoiceDocument {...props} state={state} />)
    }
    const parsed = parseForm(fields, scaleOf(view), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    try {
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, view),
        tx => setInvoice(tx, order.id, invoiceOf(parsed.values)),
        {
          action: 'order.invoice',
          targetType: 'order',
          targetId: order.id,
          hasChanged: changed => changed,
        },
      )
      redirectTo(context, `${path}?said=saved`)
    } catch (error) {
      const problem = problemOf(error)
      refuse({ problem }, statusOf(problem))
    }
  }
}
