import { makeFault, tell } from '#base/faults.ts'
import { label } from '#base/fields.ts'
import { toDecimal } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question, removal } from '#faces/dashboard/frame/form-parts.tsx'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { optionalTextField, textField, tickField } from '#machinery/web/forms/field.ts'
import { bankFields } from '#product/selling/payments/bank.ts'
import * as connections from '#product/selling/payments/connections.ts'
import { findBank } from '#product/selling/payments/methods.ts'
import * as orphans from '#product/selling/payments/orphan-payments.ts'
import { PAYOUT_PERMISSION, PERMISSIONS } from '#product/selling/payments/stripe/keys.ts'
import { OF_PAYMENTS } from './payments.tsx'

/** Any key is shorter than this many characters. */
const MAX_KEY = 1000

function backToPayments({ account, voice }: AccountRequest) {
  return { leave: paths.payments(account.id), crumbs: voice.texts.paymentSettings.title }
}

const entryOn = (action: string) => () => ({ action, targetType: 'payment_connection' })

/** Takes a key once Stripe has said whose it is, and that it may do all it has to. No page shows the key afterwards. */
export const connectStripe = formPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/stripe',
  takesWayBack: true,
  load: async (_tx, _request, { stripe }) => ({
    allowsTest: stripe.allowsTest,
    hasWebhook: stripe.hasWebhook,
  }),
  fields: ({ allowsTest }) => ({
    key: textField(label(MAX_KEY), {
      label: texts => texts.paymentSettings.keyField,
      help: texts => (allowsTest ? texts.paymentSettings.keyHelpTest : texts.paymentSettings.keyHelp),
      control: { kind: 'input', type: 'password', autocomplete: 'off' },
      secret: true,
    }),
  }),
  parts: ({ hasWebhook }, request) => {
    const { keyTitle: title, keyAbout, payoutsAbout, keySubmit: submit } = request.voice.texts.paymentSettings
    return {
      ...{ title, ...backToPayments(request), submit, isGuarded: false },
      above: (
        <>
          <p>{keyAbout}</p>
          <ul class="will">
            {PERMISSIONS.filter(({ isOfWebhooks }) => hasWebhook || !isOfWebhooks).map(({ name }) => (
              <li key={name}>{name}</li>
            ))}
            <li>
              {PAYOUT_PERMISSION} <span class="quiet">{payoutsAbout}</span>
            </li>
          </ul>
        </>
      ),
    }
  },
  prepare: ({ key }, _, { stripe }) => stripe.lookAtKey(key),
  act: (tx, _, { prepared }) => connections.connectStripe(tx, prepared),
  entry: () => ({
    action: 'payment_connection.connect',
    targetType: 'payment_connection',
    targetOf: ({ account }) => account,
    details: (_, made) => (made === undefined ? {} : { account: made.account, is_live: made.is_live }),
  }),
  next: ({ name, account }, request, { stripe }) => {
    stripe.wake(request.account.id)
    return {
      path: paths.payments(request.account.id),
      flash: flash('stripeConnected', { account: name ?? account }),
    }
  },
})

/** Returns the number of open payments that prevent the removal, or undefined if it can be removed. */
async function refusalOf(look: Promise<void>): Promise<number | undefined> {
  try {
    await look
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'in_use') throw error
    return Number(error.details?.open)
  }
}

function removePage(method: 'stripe' | 'transfer') {
  const isStripe = method === 'stripe'
  return formPage('account', {
    ...OF_PAYMENTS,
    path: isStripe ? '/a/{account}/payments/stripe/disconnect' : '/a/{account}/payments/bank/remove',
    load: tx => refusalOf(connections.refuseInUse(tx, method)),
    fields: () => ({}),
    parts: (open, request) => {
      const { paymentSettings: labels } = request.voice.texts
      const back = backToPayments(request)
      const of = isStripe
        ? {
            ...{ title: labels.disconnectTitle, submit: labels.disconnectSubmit },
            will: [labels.disconnectWill, labels.disconnectKey, labels.disconnectRefunds],
          }
        : { title: labels.removeBankTitle, submit: labels.removeBankSubmit, will: [labels.removeBankWill] }
      const instead = <ButtonLink href={back.leave}>{labels.back}</ButtonLink>
      const refusal = open === undefined ? undefined : { because: [labels.inUse(open)], instead }
      return removal({ ...of, ...back, refusal, keeps: isStripe ? 'stripe' : 'bank' })
    },
    prepare: async (_, { account }, { db, stripe }) => {
      await db.read(account.id, tx => connections.refuseInUse(tx, method))
      // The endpoints are removed while there is still a key to do it with. If the disconnect fails, they are registered again.
      if (isStripe) await stripe.removeEndpoints(account.id)
    },
    act: tx => connections.disconnect(tx, method),
    entry: entryOn(`payment_connection.${isStripe ? 'disconnect' : 'bank_remove'}`),
    next: (_, { account }) => ({
      path: paths.payments(account.id),
      flash: flash(isStripe ? 'stripeDisconnected' : 'bankRemoved', {}),
    }),
  })
}

export const disconnectStripe = removePage('stripe')
export const removeBank = removePage('transfer')

/** Offers methods whose money comes days later, or no longer. */
export const editDelayed = formPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/stripe/delayed',
  load: async tx => {
    const stripe = await connections.findStripe(tx)
    if (stripe === undefined) throw new Problem('not_found')
    return stripe
  },
  fields: () => ({ takes: tickField({ label: texts => texts.paymentSettings.delayedField }) }),
  current: ({ takes_delayed: takes }) => ({ takes }),
  parts: (_, request) => {
    const { delayedTitle: title, delayedSubmit: submit, delayedAbout } = request.voice.texts.paymentSettings
    const above = delayedAbout.map(sentence => <p key={sentence}>{sentence}</p>)
    return { title, ...backToPayments(request), submit, above }
  },
  act: (tx, _, { values: { takes } }) => connections.takeDelayed(tx, takes).then(() => takes),
  entry: entryOn('payment_connection.delayed'),
  next: (takes, { account }) => ({
    path: paths.payments(account.id),
    flash: flash(takes ? 'delayedOffered' : 'delayedEnded', {}),
  }),
})

/** Confirms that somebody has looked at Stripe for what was missed. */
export const acknowledgeMissed = button('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/stripe/seen',
  act: tx => connections.acknowledge(tx),
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

function refuseEmpty(param: string): Problem {
  const fault = makeFault('required')
  return new Problem('invalid_parameter', { param, message: tell(param, fault), details: { fault } })
}

export const editBank = formPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/bank',
  takesWayBack: true,
  load: tx => findBank(tx),
  fields: () => ofBank,
  current: bank => bank ?? NO_BANK,
  parts: (_, request) => {
    const { paymentSettings, page } = request.voice.texts
    return { title: paymentSettings.bankTitle, ...backToPayments(request), submit: page.save }
  },
  act: (tx, _, { values }) => {
    // What is left as it was shown is not checked, and the form of a first bank account is shown empty.
    const missing = (['holder', 'account'] as const).find(name => values[name] === '')
    if (missing !== undefined) throw refuseEmpty(missing)
    return connections.saveBank(tx, values)
  },
  entry: entryOn('payment_connection.bank'),
  next: (_, { account }) => ({ path: paths.payments(account.id), flash: flash('bankSaved', {}) }),
})

const sessionOf = ({ params }: AccountRequest) => params.orphan ?? ''

const orphanEntry = (what: string) => (request: AccountRequest) => ({
  action: `orphan_payment.${what}`,
  targetType: 'orphan_payment',
  targetId: sessionOf(request),
})

export const refundOrphan = formPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments/orphans/{orphan}/refund',
  load: (tx, request) => orphans.get(tx, sessionOf(request)),
  fields: () => ({}),
  preview: ({ state, amount }) => `${state} ${amount}`,
  parts: ({ amount, currency }, request) => {
    const { paymentSettings: labels } = request.voice.texts
    const sum = request.voice.format.money(amount, currency)
    return question({
      ...{ title: labels.refundTitle(sum), ...backToPayments(request) },
      ...{ submit: labels.refundSubmit(sum), isDanger: true, will: [labels.refundWill] },
    })
  },
  act: (tx, request) => orphans.requestRefund(tx, sessionOf(request)),
  entry: request => ({
    ...orphanEntry('refund')(request),
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
  act: (tx, request) => orphans.leave(tx, sessionOf(request)),
  entry: orphanEntry('leave'),
  next: (_, { account }) => ({ path: paths.payments(account.id), flash: flash('orphanLeft', {}) }),
  back: ({ account }) => paths.payments(account.id),
})
