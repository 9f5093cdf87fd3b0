import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { drop, mayDrop } from '#product/selling/payments/refund-decisions.ts'
import { backOf, readRefund } from './refund-actions.ts'

/** Asks whether a refund is not to go back after all, and ends it. */
export const dropRefund = formPage('event', {
  path: '/e/{event}/refunds/{refund}/drop',
  belongsTo: '/e/{event}/orders',
  permission: 'refunds',
  load: async (tx, request) => {
    const refund = await readRefund(tx, request)
    if (!mayDrop(refund)) throw new Problem('refund_ended')
    return refund
  },
  fields: () => ({}),
  preview: ({ status, amount }) => `${status} ${amount}`,
  parts: (refund, request) => {
    const { texts, format } = request.voice
    const amount = format.money(refund.amount, refund.currency)
    return question({
      title: texts.refunds.dropTitle(amount),
      leave: backOf(refund, request),
      submit: texts.refunds.dropSubmit(amount),
      will: texts.refunds.dropWill,
      isDanger: true,
      keeps: 'refund',
    })
  },
  act: (tx, _, { loaded }) => drop(tx, loaded.id),
  entry: ({ params }) => ({ action: 'refund.drop', targetType: 'refund', targetId: params.refund }),
  next: (refund, request) => ({ path: backOf(refund, request), flash: flash('refundDropped', {}) }),
})
