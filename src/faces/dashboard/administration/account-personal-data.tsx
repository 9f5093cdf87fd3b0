import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { numberField } from '#machinery/web/forms/field.ts'
import { optional } from '#machinery/web/forms/optional-field.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { editOf, settingsParts } from './account-settings.tsx'

const fields = {
  receipt_years: numberField(6, 12, {
    label: texts => texts.accountSettings.receiptYears,
    help: texts => texts.accountSettings.receiptYearsHelp,
  }),
  forget_after_days: optional(
    numberField(30, 3650, {
      label: texts => texts.accountSettings.forgetAfter,
      help: texts => texts.accountSettings.forgetAfterHelp,
    }),
  ),
}

/** Edits how long an organization keeps the names of people. */
export const accountPersonalData = formPage('account', {
  ...editOf('personal-data'),
  path: '/a/{account}/settings/personal-data',
  load: tx => accounts.getDetails(tx),
  fields: () => fields,
  current: account => account,
  parts: (_, request) => {
    const { accountSettings: labels } = request.voice.texts
    return {
      ...settingsParts('personal-data', request),
      rows: [
        { legend: labels.receipts, names: ['receipt_years'] },
        { legend: labels.forgetting, names: ['forget_after_days'] },
      ],
    }
  },
})
