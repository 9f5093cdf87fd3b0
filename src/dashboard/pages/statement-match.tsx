import { type OrderOfLine, orderOf } from '../../bank-statements/preview.ts'
import * as lines from '../../bank-statements/rules.ts'
import type { BankLine } from '../../bank-statements/schemas.ts'
import type { ReadTx, WriteTx } from '../../db/port.ts'
import * as refunds from '../../payments/refunds.ts'
import type { Refund } from '../../payments/schemas.ts'
import { type Flash, flash } from '../../web/flash.ts'
import type { FormState } from '../../web/forms/form.ts'
import type { OfAccount } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import type { View } from '../page.ts'
import { paths } from '../paths.ts'
import { type Question, questionView } from '../question.tsx'
import { OF_STATEMENTS } from '../statement-parts.tsx'

const PATH = '/a/{account}/statements/lines/{line}'

const idOf = ({ params }: OfAccount) => params.line ?? ''
const backTo = (asked: OfAccount) => paths.bankLine(asked.account.id, idOf(asked))

const entryOn = (what: 'match' | 'ignore' | 'restore' | 'undo') => (asked: OfAccount) => ({
  ...{ action: `statement_line.${what}`, targetType: 'statement_line', targetId: idOf(asked) },
  details: (_: unknown, line: BankLine | undefined) =>
    line === undefined ? {} : { payment_id: line.payment_id, refund_id: line.refund_id },
})

type AskedOfLine = Pick<Question, 'title' | 'submit' | 'action' | 'will' | 'doubt'>

function ask(question: AskedOfLine, asked: OfAccount, state: FormState): View {
  const { texts } = asked.voice
  return questionView({
    ...{ ...question, state, texts },
    crumbs: <a href={paths.statements(asked.account.id)}>{texts.statements.title}</a>,
    leave: backTo(asked),
    isDanger: question.doubt !== undefined,
  })
}

interface Loaded extends lines.Candidate {
  order: OrderOfLine
}

async function load(tx: ReadTx, asked: OfAccount): Promise<Loaded> {
  const { account, params } = asked
  const looked = await lines.lookAtMatch(tx, account.id, idOf(asked), params.payment ?? '')
  return { ...looked, order: await orderOf(tx, account.id, looked.payment.order_id) }
}

/** What would become of the money. */
function tellWill({ line, payment }: Loaded, { voice }: OfAccount): string {
  const { statements: said } = voice.texts
  if (payment.ended_at !== null) return said.willEnded
  const lacking = payment.amount - (payment.received ?? 0) - line.amount
  const money = (amount: number) => voice.format.money(amount, line.currency)
  if (lacking > 0) return said.willKeep(money(lacking))
  return lacking === 0 ? said.willPay : said.willPayExcess(money(-lacking))
}

/** Asks first: tickets of an order that is paid are mailed at once. */
export const matchLine = formPage('account', {
  ...OF_STATEMENTS,
  path: `${PATH}/match/{payment}`,
  load,
  fields: () => ({}),
  seen: ({ line, payment, isDoubtful }) =>
    `${line.amount} ${payment.status} ${payment.received ?? 0} ${payment.amount} ${isDoubtful}`,
  view: (loaded, asked, state) => {
    const { account, voice } = asked
    const { statements: said } = voice.texts
    const { line, payment, order, isDoubtful } = loaded
    const question = {
      title: said.matchTitle(voice.format.money(line.amount, line.currency), order.reference),
      submit: said.matchSubmit,
      action: paths.matchLine(account.id, line.id, payment.id),
      will: [tellWill(loaded, asked)],
      doubt: isDoubtful ? said.willDoubt : undefined,
    }
    return ask(question, asked, state)
  },
  act: (tx, asked) => lines.match(tx, asked.account.id, idOf(asked), asked.params.payment ?? ''),
  entry: entryOn('match'),
  next: (_, asked) => ({ path: paths.statements(asked.account.id), flash: flash('lineMatched', {}) }),
})

interface OfRefund {
  line: BankLine
  refund: Refund
}

/** Asks first whether a line has paid a refund back. */
export const matchLineRefund = formPage('account', {
  ...OF_STATEMENTS,
  path: `${PATH}/refund/{refund}`,
  load: async (tx, asked): Promise<OfRefund> => ({
    line: await lines.getLine(tx, asked.account.id, idOf(asked)),
    refund: await refunds.get(tx, asked.account.id, asked.params.refund ?? ''),
  }),
  fields: () => ({}),
  seen: ({ line, refund }) => `${line.state} ${refund.status} ${refund.amount}`,
  view: ({ line, refund }, asked, state) => {
    const { account, voice } = asked
    const { statements: said } = voice.texts
    const question = {
      title: said.refundTitle(voice.format.money(refund.amount, refund.currency)),
      submit: said.refundSubmit,
      action: paths.lineRefund(account.id, line.id, refund.id),
      will: [said.refundWill],
    }
    return ask(question, asked, state)
  },
  act: (tx, asked) => lines.matchRefund(tx, asked.account.id, idOf(asked), asked.params.refund ?? ''),
  entry: entryOn('match'),
  next: (_, asked) => ({ path: paths.statements(asked.account.id), flash: flash('lineMatched', {}) }),
})

function lineButton(
  what: 'ignore' | 'restore' | 'undo',
  act: (tx: WriteTx, accountId: string, id: string) => Promise<BankLine>,
  told: (asked: OfAccount) => Flash,
) {
  return button('account', {
    ...OF_STATEMENTS,
    path: `${PATH}/${what}`,
    act: (tx, asked) => act(tx, asked.account.id, idOf(asked)),
    entry: entryOn(what),
    next: (_, asked) => ({
      path: what === 'ignore' ? paths.statements(asked.account.id) : backTo(asked),
      flash: told(asked),
    }),
    back: backTo,
  })
}

export const ignoreLine = lineButton(
  'ignore',
  (tx, accountId, id) => lines.setIgnored(tx, accountId, id, true),
  asked => flash('lineIgnored', {}, { undo: paths.bankLine(asked.account.id, idOf(asked), 'restore') }),
)
export const restoreLine = lineButton(
  'restore',
  (tx, accountId, id) => lines.setIgnored(tx, accountId, id, false),
  () => flash('lineRestored', {}),
)
export const undoMatch = lineButton('undo', lines.unmatch, () => flash('lineUnmatched', {}))
