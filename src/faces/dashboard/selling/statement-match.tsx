import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { Banner } from '#machinery/web/components/parts.tsx'
import { type Flash, flash } from '#machinery/web/flash.ts'
import { becomingOf, type OrderOfLine, orderOf } from '#product/selling/bank-statements/preview.ts'
import * as lines from '#product/selling/bank-statements/rules.ts'
import type { BankLine } from '#product/selling/bank-statements/schemas.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import type { Refund } from '#product/selling/payments/schemas.ts'
import { OF_STATEMENTS } from './statement-parts.tsx'

const PATH = '/a/{account}/statements/lines/{line}'

const idOf = ({ params }: AccountRequest) => params.line ?? ''
const backTo = (request: AccountRequest) => paths.bankLine(request.account.id, idOf(request))

const entryOn = (what: 'match' | 'ignore' | 'restore' | 'undo') => (request: AccountRequest) => ({
  ...{ action: `statement_line.${what}`, targetType: 'statement_line', targetId: idOf(request) },
  details: (_: unknown, line: BankLine | undefined) =>
    line === undefined ? {} : { payment_id: line.payment_id, refund_id: line.refund_id },
})

const back = (request: AccountRequest) => ({
  crumbs: <a href={paths.statements(request.account.id)}>{request.voice.texts.statements.title}</a>,
  leave: backTo(request),
})

interface Loaded extends lines.Candidate {
  order: OrderOfLine
}

async function load(tx: ReadTx, request: AccountRequest): Promise<Loaded> {
  const { params } = request
  const looked = await lines.previewMatch(tx, idOf(request), params.payment ?? '')
  return { ...looked, order: await orderOf(tx, looked.payment.order_id) }
}

/** Says what would become of the money. */
function tellWill({ line, payment }: Loaded, { voice }: AccountRequest): string {
  const { statements: labels } = voice.texts
  const money = (amount: number) => voice.format.money(amount, line.currency)
  const becomes = becomingOf(payment, line.amount)
  if (becomes.kind === 'part') return labels.willKeep(money(becomes.lacking))
  if (becomes.kind === 'excess') return labels.willPayExcess(money(becomes.over))
  return becomes.kind === 'enough' ? labels.willPay : labels.willEnded
}

/** Asks first, because a paid order's tickets are mailed at once. */
export const matchLine = formPage('account', {
  ...OF_STATEMENTS,
  path: `${PATH}/match/{payment}`,
  load,
  fields: () => ({}),
  preview: ({ line, payment, isDoubtful }) =>
    `${line.amount} ${payment.status} ${payment.received ?? 0} ${payment.amount} ${isDoubtful}`,
  parts: (loaded, request) => {
    const { format, texts } = request.voice
    const { statements: labels } = texts
    const { line, order, isDoubtful } = loaded
    return question({
      title: labels.matchTitle(format.money(line.amount, line.currency), order.reference),
      ...{ ...back(request), submit: labels.matchSubmit, isDanger: isDoubtful },
      notices: isDoubtful && <Banner tone="warn">{labels.willDoubt}</Banner>,
      will: [tellWill(loaded, request)],
    })
  },
  act: (tx, request) => lines.match(tx, idOf(request), request.params.payment ?? ''),
  entry: entryOn('match'),
  next: (_, request) => ({ path: paths.statements(request.account.id), flash: flash('lineMatched', {}) }),
})

interface OfRefund {
  line: BankLine
  refund: Refund
}

/** Asks first whether a line has paid a refund back. */
export const matchLineRefund = formPage('account', {
  ...OF_STATEMENTS,
  path: `${PATH}/refund/{refund}`,
  load: async (tx, request): Promise<OfRefund> => ({
    line: await lines.getLine(tx, idOf(request)),
    refund: await refunds.get(tx, request.params.refund ?? ''),
  }),
  fields: () => ({}),
  preview: ({ line, refund }) => `${line.state} ${refund.status} ${refund.amount}`,
  parts: ({ refund }, request) => {
    const { format, texts } = request.voice
    const { statements: labels } = texts
    return question({
      title: labels.refundTitle(format.money(refund.amount, refund.currency)),
      ...{ ...back(request), submit: labels.refundSubmit, will: [labels.refundWill] },
    })
  },
  act: (tx, request) => lines.matchRefund(tx, idOf(request), request.params.refund ?? ''),
  entry: entryOn('match'),
  next: (_, request) => ({ path: paths.statements(request.account.id), flash: flash('lineMatched', {}) }),
})

function lineButton(
  what: 'ignore' | 'restore' | 'undo',
  act: (tx: WriteTx, id: string) => Promise<BankLine>,
  flashOf: (request: AccountRequest) => Flash,
) {
  return button('account', {
    ...OF_STATEMENTS,
    path: `${PATH}/${what}`,
    act: (tx, request) => act(tx, idOf(request)),
    entry: entryOn(what),
    next: (_, request) => ({
      path: what === 'ignore' ? paths.statements(request.account.id) : backTo(request),
      flash: flashOf(request),
    }),
    back: backTo,
  })
}

export const ignoreLine = lineButton(
  'ignore',
  (tx, id) => lines.setIgnored(tx, id, true),
  request => flash('lineIgnored', {}, { undo: paths.bankLine(request.account.id, idOf(request), 'restore') }),
)
export const restoreLine = lineButton(
  'restore',
  (tx, id) => lines.setIgnored(tx, id, false),
  () => flash('lineRestored', {}),
)
export const undoMatch = lineButton('undo', lines.unmatch, () => flash('lineUnmatched', {}))
