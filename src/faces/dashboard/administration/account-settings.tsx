import { name, slug } from '#base/fields.ts'
import { isCurrency, MAX_AMOUNT } from '#base/money.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import {
  currencyField,
  emailField,
  moneyField,
  numberField,
  optionalTextField,
  percentField,
  textField,
  timezoneField,
} from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { MAX_BASIS_POINTS, receiptFields } from '#product/administration/accounts/schemas.ts'
import {
  type LoadedSeller,
  loadSeller,
  SellerAndLegal,
  sellerAndLegalFields,
  sellerChanges,
  sellerValues,
} from './seller-and-legal.tsx'

const fields = {
  name: textField(name(), {
    label: texts => texts.accountSettings.name,
    help: texts => texts.accountSettings.nameHelp,
  }),
  email: emailField({
    label: texts => texts.accountSettings.email,
    help: texts => texts.accountSettings.emailHelp,
  }),
  slug: optionalTextField(slug, {
    label: texts => texts.accountSettings.slug,
    help: texts => texts.accountSettings.slugHelp,
  }),
  ...sellerAndLegalFields,
  receipt_prefix: optionalTextField(receiptFields.receipt_prefix.wrapped, {
    label: texts => texts.accountSettings.receiptPrefix,
    help: texts => texts.accountSettings.receiptPrefixHelp,
  }),
  receipt_years: numberField(6, 12, {
    label: texts => texts.accountSettings.receiptYears,
    help: texts => texts.accountSettings.receiptYearsHelp,
  }),
  tax_exemption: optionalTextField(receiptFields.tax_exemption.wrapped, {
    label: texts => texts.accountSettings.taxExemption,
    help: texts => texts.accountSettings.taxExemptionHelp,
    control: { kind: 'area', rows: 2 },
  }),
  timezone: timezoneField({
    label: texts => texts.accountSettings.timezone,
    help: texts => texts.accountSettings.timezoneHelp,
  }),
  currency: currencyField({
    label: texts => texts.accountSettings.currency,
    help: texts => texts.accountSettings.currencyHelp,
  }),
  fee_percent: percentField(MAX_BASIS_POINTS, { label: texts => texts.accountSettings.feePercent }),
  fee_per_ticket: moneyField(MAX_AMOUNT, { label: texts => texts.accountSettings.feePerTicket }),
}

type Values = ValuesOf<typeof fields>

/** Edits the settings that belong to an account as a whole. */
export const accountSettings = formPage('account', {
  path: '/a/{account}/settings',
  permission: 'account',
  isOfAllEvents: true,
  navigation: { icon: 'settings', text: texts => texts.navigation.accountSettings },
  load: loadSeller,
  fields: () => fields,
  current: valuesOf,
  // The fee is typed in the currency that the form itself names.
  scale: (typed, { account: { timezone, currency } }) => {
    const code = (typed.currency?.[0] ?? '').trim().toUpperCase()
    return { timezone, currency: isCurrency(code) ? code : currency }
  },
  parts: (loaded, { account, path, voice: { texts } }, state) => {
    const preview = paths.previewAccount(account.id)
    const { accountSettings: labels, page } = texts
    return {
      ...{ title: labels.title, submit: page.save, leave: paths.events(account.id) },
      other: { action: `${preview}#preview`, text: texts.legal.preview },
      rows: [
        { legend: labels.organization, names: ['name', 'email', 'slug'] },
        <SellerAndLegal loaded={loaded} state={state} texts={texts} isPreview={path === preview} />,
        { legend: labels.receipts, names: ['receipt_prefix', 'tax_exemption', 'receipt_years'] },
        { legend: labels.defaults, names: ['timezone', 'currency'], side: true },
        { legend: labels.fee, names: ['fee_percent', 'fee_per_ticket'], help: labels.feeHelp, side: true },
      ],
    }
  },
  act: (tx, _, { values: { fee_percent, fee_per_ticket, ...values } }) =>
    accounts.update(tx, {
      ...sellerChanges(values),
      service_fee: { basis_points: fee_percent, per_ticket: fee_per_ticket },
    }),
  entry: ({ account }) => ({
    action: 'account.update',
    targetType: 'account',
    targetId: account.id,
  }),
  next: ({ id }) => ({ path: paths.accountSettings(id), flash: flash('accountSaved', {}) }),
})

/** Shows the form as it is typed, with the texts as visitors will see them. It saves nothing. */
export const previewAccount: PageAt<'account'> = {
  path: '/a/{account}/settings/preview',
  level: 'account',
  permission: 'account',
  isOfAllEvents: true,
  get: async (services, context, { account }) =>
    goTo(services, context, { path: paths.accountSettings(account.id) }),
  post: async (services, context, request) =>
    accountSettings.restore?.(services, context, request, context.state.body),
  ...(accountSettings.restore && { restore: accountSettings.restore }),
}

function valuesOf(loaded: LoadedSeller): Values {
  const { service_fee: fee, ...account } = loaded.details
  return {
    ...account,
    ...sellerValues(loaded),
    fee_percent: fee.basis_points,
    fee_per_ticket: fee.per_ticket,
  }
}
