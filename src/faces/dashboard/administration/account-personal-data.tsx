import { DAY } from '#base/time.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { numberField } from '#machinery/web/forms/field.ts'
import { optional } from '#machinery/web/forms/optional-field.ts'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { AHEAD } from '#product/data-care/forgetting/mails.ts'
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
  load: async (tx, _, { clock }) => ({ account: await accounts.getDetails(tx), now: clock() }),
  fields: () => fields,
  current: ({ account }) => account,
  parts: ({ account: { id, forget_after_days: days, forget_told_at: told }, now }, request) => {
    const { accountSettings: labels } = request.voice.texts
    return {
      ...settingsParts('personal-data', request),
      rows: [
        { legend: labels.receipts, names: ['receipt_years'] },
        { legend: labels.forgetting, names: ['forget_after_days'] },
      ],
      rest:
        days === null ? undefined : (
          <section class="card stack" aria-labelledby="due">
            <h2 id="due">{labels.forgetDue}</h2>
            {describeDue(days, told, now, request.voice).map(sentence => (
              <p key={sentence}>{sentence}</p>
            ))}
            <p>
              <ButtonLink href={withQuery(paths.events(id), { list: 'past' })}>
                {labels.pastEvents}
              </ButtonLink>
            </p>
          </section>
        ),
    }
  },
})

/** Says what the saved number of days means today. @param told when the owners were mailed */
function describeDue(
  days: number,
  told: string | null,
  now: number,
  { texts: { accountSettings: labels }, format }: Voice,
): string[] {
  const before = labels.forgetBefore(format.date(now - days * DAY))
  if (told === null) return [before, labels.forgetUntold]
  const begins = Date.parse(told) + AHEAD
  return [
    before,
    now < begins ? labels.forgetTold(format.date(told), format.date(begins)) : labels.forgetNightly,
  ]
}
