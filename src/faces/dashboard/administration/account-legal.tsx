import { goTo } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { withWayBack } from '#faces/dashboard/frame/way-back.ts'
import { flash } from '#machinery/web/flash.ts'
import { numberField, optionalTextField } from '#machinery/web/forms/field.ts'
import { optional } from '#machinery/web/forms/optional-field.ts'
import { hasGaps } from '#product/administration/accounts/legal.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { MAX_INVOICE_FROM, receiptFields } from '#product/administration/accounts/schemas.ts'
import { editOf, settingsParts } from './account-settings.tsx'
import {
  loadSeller,
  SellerAndLegal,
  sellerAndLegalFields,
  sellerChanges,
  sellerValues,
} from './seller-and-legal.tsx'

const fields = {
  ...sellerAndLegalFields,
  receipt_prefix: optionalTextField(receiptFields.receipt_prefix.wrapped, {
    label: texts => texts.accountSettings.receiptPrefix,
    help: texts => texts.accountSettings.receiptPrefixHelp,
  }),
  tax_exemption: optionalTextField(receiptFields.tax_exemption.wrapped, {
    label: texts => texts.accountSettings.taxExemption,
    help: texts => texts.accountSettings.taxExemptionHelp,
    control: { kind: 'area', rows: 2 },
  }),
  invoice_from: optional(
    numberField(0, MAX_INVOICE_FROM, {
      label: texts => texts.accountSettings.invoiceFrom,
      help: texts => texts.accountSettings.invoiceFromHelp,
    }),
  ),
}

/** Edits who sells, as event pages and receipts say it, and the legal texts. */
export const accountLegal = formPage('account', {
  ...editOf('legal'),
  path: '/a/{account}/settings/legal',
  load: loadSeller,
  fields: () => fields,
  current: loaded => {
    const { receipt_prefix, tax_exemption, invoice_from } = loaded.details
    return { ...sellerValues(loaded), receipt_prefix, tax_exemption, invoice_from }
  },
  parts: (loaded, request, state) => {
    const { account, path, voice } = request
    const { texts } = voice
    const preview = paths.previewLegal(account.id)
    return {
      ...settingsParts('legal', request),
      other: { action: `${withWayBack(preview, request)}#preview`, text: texts.legal.preview },
      rows: [
        <SellerAndLegal
          key="seller"
          loaded={loaded}
          state={state}
          texts={texts}
          isPreview={path === preview}
        />,
        {
          legend: texts.accountSettings.receipts,
          names: ['receipt_prefix', 'tax_exemption', 'invoice_from'],
        },
      ],
    }
  },
  act: async (tx, _, { values }) => {
    const changes = sellerChanges(values)
    const { id } = await accounts.update(tx, changes)
    return { id, isUnfinished: hasGaps(changes.privacy_text) }
  },
  next: ({ id, isUnfinished }) => ({
    path: paths.accountSettings(id, 'legal'),
    flash: flash(isUnfinished ? 'legalUnfinished' : 'accountSaved', {}),
  }),
})

/** Shows the form as it is typed, with the texts as visitors will see them. It saves nothing. */
export const previewLegal: PageAt<'account'> = {
  path: '/a/{account}/settings/legal/preview',
  level: 'account',
  permission: 'account',
  isOfAllEvents: true,
  get: async (services, context, request) =>
    goTo(services, context, {
      path: withWayBack(paths.accountSettings(request.account.id, 'legal'), request),
    }),
  post: async (services, context, request) =>
    accountLegal.restore?.(services, context, request, context.state.body),
  ...(accountLegal.restore && { restore: accountLegal.restore }),
}
