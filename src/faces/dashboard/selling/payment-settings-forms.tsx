import { label } from '../../fields.ts'
import { toDecimal } from '../../money.ts'
import { bankFields } from '../../payments/bank.ts'
import * as connections from '../../payments/connections.ts'
import * as orphans from '../../payments/orphans.ts'
import { PERMISSIONS } from '../../payments/stripe/keys.ts'
import { findBank } from '../../payments/ways.ts'
import { Problem } from '../../problem.ts'
import { ButtonLink, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { optionalTextField, textField } from '../../web/forms/field.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { OfAccount } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { removalView } from '../removal.tsx'
import { OF_PAYMENTS } from './payments.tsx'

/** Longer than any key. */
const MAX_KEY = 1000

function ToPayments({ asked: { account, voice } }: { asked: OfAccount }) {
  return <a href={paths.payments(account.id)}>{voice.texts.paymentSettings.title}</a>
}

const entryOn = (action: string) => () => ({ action, targetType: 'payment_connection' })

/** Takes a key, once Stripe has said whose it is and that it may do all it has to. It is in no page afterwards. */
export const connectStripe = formPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/stripe',
  load: async (_tx, _asked, { stripe }) => ({ allowsTest: stripe.allowsTest, hasWebhook: stripe.hasWebhook }),
  fields: ({ allowsTest }) => ({
    key: textField(label(MAX_KEY), {
      label: texts => texts.paymentSettings.keyField,
      help: texts => (allowsTest ? texts.paymentSettings.keyHelpTest : texts.paymentSettings.keyHelp),
      control: { kind: 'input', type: 'password', autocomplete: 'off' },
      secret: true,
    }),
  }),
  view: ({ hasWebhook }, asked, state) => {
    const { account, voice } = asked
    const { texts } = voice
    const { keyTitle: title, keyAbout, keySubmit } = texts.paymentSettings
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<ToPayments asked={asked} />} />
          <Form
            {...{ state, texts }}
            action={paths.stripe(account.id)}
            submit={keySubmit}
            leave={paths.payments(account.id)}
            isGuarded={false}
          >
            <p>{keyAbout}</p>
            <ul class="will">
              {PERMISSIONS.filter(({ isOfWebhooks }) => hasWebhook || !isOfWebhooks).map(({ name }) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
            <FieldRows {...{ state, texts }} />
          </Form>
        </>
      ),
    }
  },
  prepare: ({ key }, _, { stripe }) => stripe.lookAtKey(key),
  act: (tx, { account }, { prepared }) => connections.connectStripe(tx, account.id, prepared),
  entry: () => ({
    action: 'payment_connection.connect',
    targetType: 'payment_connection',
    targetOf: ({ account }) => account,
    details: (_, made) => (made === undefined ? {} : { account: made.account, is_live: made.is_live }),
  }),
  next: ({ name, account }, asked, { stripe }) => {
    stripe.wake(asked.account.id)
    return {
      path: paths.payments(asked.account.id),
      flash: flash('stripeConnected', { account: name ?? account }),
    }
  },
})

/** Undefined where it can be removed. */
async function refusalOf(look: Promise<void>): Promise<number | undefined> {
  try {
    await look
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'in_use') throw error
    return Number(error.details?.open)
  }
}

function removal(method: 'stripe' | 'transfer') {
  const isStripe = method === 'stripe'
  return formPage('account', {
    ...OF_PAYMENTS,
    path: isStripe ? '/a/{account}/payments/stripe/disconnect' : '/a/{account}/payments/bank/remove',
    load: (tx, { account }) => refusalOf(connections.refuseInUse(tx, account.id, method)),
    fields: () => ({}),
    view: (open, asked, state) => {
      const { account, voice } = asked
      const { paymentSettings: said } = voice.texts
      const leave = paths.payments(account.id)
      const of = isStripe
        ? {
            title: said.disconnectTitle,
            submit: said.disconnectSubmit,
            action: paths.stripe(account.id, 'disconnect'),
            will: [said.disconnectWill, said.disconnectKey, said.disconnectRefunds],
          }
        : {
            title: said.removeBankTitle,
            submit: said.removeBankSubmit,
            action: paths.bank(account.id, 'remove'),
            will: [said.removeBankWill],
          }
      return removalView({
        ...{ ...of, state, texts: voice.texts, crumbs: <ToPayments asked={asked} />, leave },
        refusal:
          open === undefined
            ? undefined
            : { because: [said.inUse(open)], instead: <ButtonLink href={leave}>{said.back}</ButtonLink> },
      })
    },
    prepare: async (_, { account }, { db, stripe }) => {
      await db.read(tx => connections.refuseInUse(tx, account.id, method))
      // While there is a key to do it with. If nothing comes of the rest, it is registered again.
      if (isStripe) await stripe.removeEndpoints(account.id)
    },
    act: (tx, { account }) => connections.disconnect(tx, account.id, method),
    entry: entryOn(`payment_connection.${isStripe ? 'disconnect' : 'bank_remove'}`),
    next: (_, { account }) => ({
      path: paths.payments(account.id),
      flash: flash(isStripe ? 'stripeDisconnected' : 'bankRemoved', {}),
    }),
  })
}

export const disconnectStripe = removal('stripe')
export const removeBank = removal('transfer')

/** Somebody has looked at Stripe for what was missed. */
export const acknowledgeMissed = button('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/stripe/seen',
  act: (tx, { account }) => connections.acknowledge(tx, account.id),
  entry: entryOn('payment_connection.acknowledge'),
  next: (_, { account }) => ({ path: paths.payments(account.id), flash: flash('eventsSeen', {}) }),
  back: ({ account }) => paths.payments(account.id),
})

const ofBank = {
  holder: textField(bankFields.holder, { label: texts => texts.paymentSettings.holder }),
  account: textField(bankFields.account, { label: texts => texts.paymentSettings.iban }),
  code: optionalTextField(bankFields.code.wrapped, { label: texts => texts.paymentSettings.bic }),
  note: optionalTextField(bankFields.note.wrapped, {
    label: texts => texts.paymentSettings.bankNote,
    help: texts => texts.paymentSettings.bankNoteHelp,
    control: { kind: 'area', rows: 3 },
  }),
}

const NO_BANK = { holder: '', account: '', code: null, note: null }

export const editBank = formPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/bank',
  load: (tx, { account }) => findBank(tx, account.id),
  fields: () => ofBank,
  current: bank => bank ?? NO_BANK,
  view: (_, asked, state) => {
    const { account, voice } = asked
    const { texts } = voice
    const { bankTitle: title } = texts.paymentSettings
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<ToPayments asked={asked} />} />
          <Form
            {...{ state, texts }}
            action={paths.bank(account.id)}
            submit={texts.page.save}
            leave={paths.payments(account.id)}
          />
        </>
      ),
    }
  },
  act: (tx, { account }, { values }) => connections.saveBank(tx, account.id, values),
  entry: entryOn('payment_connection.bank'),
  next: (_, { account }) => ({ path: paths.payments(account.id), flash: flash('bankSaved', {}) }),
})

const sessionOf = ({ params }: OfAccount) => params.orphan ?? ''

const orphanEntry = (what: string) => (asked: OfAccount) => ({
  action: `orphan_payment.${what}`,
  targetType: 'orphan_payment',
  targetId: sessionOf(asked),
})

export const refundOrphan = formPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/orphans/{orphan}/refund',
  load: (tx, asked) => orphans.get(tx, asked.account.id, sessionOf(asked)),
  fields: () => ({}),
  seen: ({ state, amount }) => `${state} ${amount}`,
  view: ({ amount, currency }, asked, state) => {
    const { account, voice } = asked
    const { paymentSettings: said } = voice.texts
    const sum = voice.format.money(amount, currency)
    return removalView({
      ...{ state, texts: voice.texts, crumbs: <ToPayments asked={asked} />, refusal: undefined },
      title: said.refundTitle(sum),
      submit: said.refundSubmit(sum),
      action: paths.orphan(account.id, sessionOf(asked), 'refund'),
      leave: paths.payments(account.id),
      will: [said.refundWill],
    })
  },
  act: (tx, asked) => orphans.requestRefund(tx, asked.account.id, sessionOf(asked)),
  entry: asked => ({
    ...orphanEntry('refund')(asked),
    details: (_, made) =>
      made === undefined ? {} : { amount: toDecimal(made.amount, made.currency), currency: made.currency },
  }),
  next: (_, { account }, { stripe }) => {
    stripe.wake(account.id)
    return { path: paths.payments(account.id), flash: flash('orphanRefunding', {}) }
  },
})

export const leaveOrphan = button('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/orphans/{orphan}/leave',
  act: (tx, asked) => orphans.leave(tx, asked.account.id, sessionOf(asked)),
  entry: orphanEntry('leave'),
  next: (_, { account }) => ({ path: paths.payments(account.id), flash: flash('orphanLeft', {}) }),
  back: ({ account }) => paths.payments(account.id),
})
