import * as accounts from '../../accounts/rules.ts'
import { type AccountDetails, MAX_BASIS_POINTS, receiptFields, sellerFields } from '../../accounts/schemas.ts'
import { name, slug } from '../../fields.ts'
import { isCurrency, MAX_AMOUNT } from '../../money.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import {
  currencyField,
  emailField,
  moneyField,
  numberField,
  optionalTextField,
  percentField,
  textField,
  timezoneField,
} from '../../web/forms/field.ts'
import type { ValuesOf } from '../../web/forms/form.ts'
import { FieldGroup, Form } from '../../web/forms/form-view.tsx'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'

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
  legal_name: optionalTextField(sellerFields.legal_name.wrapped, {
    label: texts => texts.accountSettings.legalName,
    help: texts => texts.accountSettings.legalNameHelp,
  }),
  address: optionalTextField(sellerFields.address.wrapped, {
    label: texts => texts.accountSettings.address,
    control: { kind: 'area', rows: 3 },
  }),
  tax_id: optionalTextField(sellerFields.tax_id.wrapped, { label: texts => texts.accountSettings.taxId }),
  imprint_url: optionalTextField(sellerFields.imprint_url.wrapped, {
    label: texts => texts.accountSettings.imprint,
    help: texts => texts.accountSettings.imprintHelp,
    control: { kind: 'input', type: 'text', inputmode: 'url' },
  }),
  privacy_url: optionalTextField(sellerFields.privacy_url.wrapped, {
    label: texts => texts.accountSettings.privacy,
    help: texts => texts.accountSettings.privacyHelp,
    control: { kind: 'input', type: 'text', inputmode: 'url' },
  }),
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

/** What is of an account as a whole. */
export const accountSettings = formPage('account', {
  path: '/a/{account}/settings',
  permission: 'account',
  isOfAllEvents: true,
  navigation: { icon: 'settings', text: texts => texts.navigation.accountSettings },
  load: (tx, { account }) => accounts.getDetails(tx, account.id),
  fields: () => fields,
  current: valuesOf,
  // The fee is typed in the currency that the form itself names.
  scale: (typed, { account: { timezone, currency } }) => {
    const code = (typed.currency?.[0] ?? '').trim().toUpperCase()
    return { timezone, currency: isCurrency(code) ? code : currency }
  },
  view: (_, { account, voice }, state) => {
    const { texts } = voice
    const { title, organization, seller, sellerHelp, defaults, fee, feeHelp } = texts.accountSettings
    const rows = { state, texts }
    return {
      title,
      body: (
        <>
          <Head title={title} />
          <Form
            {...rows}
            action={paths.accountSettings(account.id)}
            submit={texts.page.save}
            leave={paths.events(account.id)}
          >
            <FieldGroup {...rows} legend={organization} names={['name', 'email', 'slug']} />
            <FieldGroup
              {...rows}
              legend={seller}
              names={['legal_name', 'address', 'tax_id', 'imprint_url', 'privacy_url']}
              help={sellerHelp}
            />
            <FieldGroup
              {...rows}
              legend={texts.accountSettings.receipts}
              names={['receipt_prefix', 'tax_exemption', 'receipt_years']}
            />
            <FieldGroup {...rows} legend={defaults} names={['timezone', 'currency']} side />
            <FieldGroup
              {...rows}
              legend={fee}
              names={['fee_percent', 'fee_per_ticket']}
              help={feeHelp}
              side
            />
          </Form>
        </>
      ),
    }
  },
  act: (tx, { account }, { values: { fee_percent, fee_per_ticket, ...values } }) =>
    accounts.update(tx, account.id, {
      ...values,
      service_fee: { basis_points: fee_percent, per_ticket: fee_per_ticket },
    }),
  entry: ({ account }) => ({
    action: 'account.update',
    targetType: 'account',
    targetId: account.id,
  }),
  next: ({ id }) => ({ path: paths.accountSettings(id), flash: flash('accountSaved', {}) }),
})

function valuesOf({ service_fee: fee, ...account }: AccountDetails): Values {
  return {
    ...account,
    fee_percent: fee.basis_points,
    fee_per_ticket: fee.per_ticket,
  }
}
