import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { optionalTextField } from '#machinery/web/forms/field.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { receiptFields, sellerFields } from '#product/administration/accounts/schemas.ts'
import { editOf, settingsParts } from './account-settings.tsx'

const fields = {
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
  tax_exemption: optionalTextField(receiptFields.tax_exemption.wrapped, {
    label: texts => texts.accountSettings.taxExemption,
    help: texts => texts.accountSettings.taxExemptionHelp,
    control: { kind: 'area', rows: 2 },
  }),
}

/** Edits who sells, as event pages and receipts say it. */
export const accountLegal = formPage('account', {
  ...editOf('legal'),
  path: '/a/{account}/settings/legal',
  load: tx => accounts.getDetails(tx),
  fields: () => fields,
  current: account => account,
  parts: (_, request) => {
    const { accountSettings: labels } = request.voice.texts
    return {
      ...settingsParts('legal', request),
      rows: [
        {
          legend: labels.seller,
          names: ['legal_name', 'address', 'tax_id', 'imprint_url', 'privacy_url'],
          help: labels.sellerHelp,
        },
        { legend: labels.receipts, names: ['receipt_prefix', 'tax_exemption'] },
      ],
    }
  },
})
