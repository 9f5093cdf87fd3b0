import { name, slug } from '#base/fields.ts'
import { isCurrency, MAX_AMOUNT } from '#base/money.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import {
  currencyField,
  emailField,
  moneyField,
  optionalTextField,
  percentField,
  textField,
  timezoneField,
} from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { type AccountDetails, MAX_BASIS_POINTS } from '#product/administration/accounts/schemas.ts'
import { editOf, settingsParts } from './account-settings.tsx'

/** @param address the public address of the service, which the name in links follows */
const fieldsOf = (address: string) => ({
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
    control: { kind: 'input', type: 'text', before: `${address}/` },
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
})

/** Edits what an organization is called, and what its new events begin with. */
export const accountGeneral = formPage('account', {
  ...editOf('general'),
  path: '/a/{account}/settings',
  navigation: { icon: 'settings', text: texts => texts.navigation.accountSettings },
  load: async (tx, _, { baseUrl }) => ({ account: await accounts.getDetails(tx), baseUrl }),
  fields: ({ baseUrl }) => fieldsOf(baseUrl),
  current: ({ account }) => valuesOf(account),
  // The fee is typed in the currency that the form itself names.
  scale: (typed, { account: { timezone, currency } }) => {
    const code = (typed.currency?.[0] ?? '').trim().toUpperCase()
    return { timezone, currency: isCurrency(code) ? code : currency }
  },
  parts: (_, request) => {
    const { accountSettings: labels } = request.voice.texts
    return {
      ...settingsParts('general', request),
      rows: [
        { legend: labels.organization, names: ['name', 'email', 'slug'] },
        { legend: labels.defaults, names: ['timezone', 'currency'], side: true },
        { legend: labels.fee, names: ['fee_percent', 'fee_per_ticket'], help: labels.feeHelp, side: true },
      ],
    }
  },
  act: (tx, _, { values: { fee_percent, fee_per_ticket, ...values } }) =>
    accounts.update(tx, {
      ...values,
      service_fee: { basis_points: fee_percent, per_ticket: fee_per_ticket },
    }),
})

function valuesOf({ service_fee: fee, ...account }: AccountDetails): ValuesOf<ReturnType<typeof fieldsOf>> {
  return {
    ...account,
    fee_percent: fee.basis_points,
    fee_per_ticket: fee.per_ticket,
  }
}
