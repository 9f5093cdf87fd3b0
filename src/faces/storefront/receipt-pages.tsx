import { recordedWrite } from '../access-log/recorded-write.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { bodyOf } from '../http/sending.ts'
import { mayInvoice, setInvoice } from '../receipts/invoice.ts'
import { receiptPdf } from '../receipts/pdf.ts'
import type { Receipt } from '../receipts/schemas.ts'
import { leadTo } from '../web/answer-page.ts'
import { newForm, parseForm, readForm, refusedForm } from '../web/forms/form.ts'
import { invoiceForm, invoiceOf } from './invoice-form.ts'
import { OrderVisits, problemOf, scaleOf } from './order-visits.ts'
import { InvoiceDocument, ReceiptDocument } from './pages/receipt-page.tsx'
import type { SeenOrder } from './seen-order.ts'
import type { Visited } from './visited.ts'

/** The receipts of an order, for whoever has its link. */
export class ReceiptPages {
  readonly #services: Visited
  readonly #visits: OrderVisits

  constructor(services: Visited) {
    this.#services = services
    this.#visits = new OrderVisits(services)
  }

  async show(context: Context): Promise<void> {
    const { seen, receipt } = await this.#find(context)
    this.#visits.answer(context, 200, seen, props => <ReceiptDocument {...props} receipt={receipt} />)
  }

  async sendPdf(context: Context): Promise<void> {
    const { baseUrl, orderLimit } = this.#services
    const { seen, receipt } = await this.#find(context)
    // Each takes a while to draw.
    orderLimit.apply(context)
    const file = await receiptPdf(receipt, `${baseUrl}${seen.path}/receipts/${receipt.id}`)
    context.set('Content-Disposition', `attachment; filename="${receipt.number}.pdf"`)
    context.set('Cache-Control', 'no-store')
    context.body = bodyOf(context.res, file)
    context.type = 'application/pdf'
    context.length = file.length
  }

  /** @throws Problem route_not_found, also for the receipt of another order */
  async #find(context: Context): Promise<{ seen: SeenOrder; receipt: Receipt }> {
    const seen = await this.#visits.find(context)
    const receipt = seen.receipts.find(({ id }) => id === context.captures[1])
    if (receipt === undefined) throw this.#visits.unknown(context)
    return { seen, receipt }
  }

  async showInvoice(context: Context): Promise<void> {
    const seen = await this.#visits.find(context)
    const { order, receipts, path } = seen
    if (!mayInvoice(order, receipts)) return leadTo(context, path)
    const { company, address, vat_id } = order.invoice
    const is = { 'invoice.company': company, 'invoice.address': address, 'invoice.vat_id': vat_id }
    const state = newForm(invoiceForm, scaleOf(seen), is)
    this.#visits.answer(context, 200, seen, props => <InvoiceDocument {...props} state={state} />)
  }

  async changeInvoice(context: Context): Promise<void> {
    const { body, seen } = await this.#visits.receive(context)
    const { order, path } = seen
    const sent = readForm(invoiceForm, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) => {
      const state = refusedForm(invoiceForm, scaleOf(seen), sent, refused)
      this.#visits.answer(context, status, seen, props => <InvoiceDocument {...props} state={state} />)
    }
    const parsed = parseForm(invoiceForm, scaleOf(seen), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    try {
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, seen),
        tx => setInvoice(tx, order.account_id, order.id, invoiceOf(parsed.values)),
        {
          action: 'order.invoice',
          targetType: 'order',
          targetId: order.id,
          hasChanged: changed => changed,
        },
      )
      leadTo(context, `${path}?said=saved`)
    } catch (error) {
      const problem = problemOf(error)
      refuse({ problem }, statusOf(problem))
    }
  }
}
