import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { choicesField, numberField, tickField, timeField } from '#machinery/web/forms/field.ts'
import {
  type FieldFault,
  type FormState,
  newForm,
  parseForm,
  readForm,
  refusedForm,
} from '#machinery/web/forms/form.ts'
import { FieldGroup, FieldRows } from '#machinery/web/forms/form-view.tsx'
import { optional } from '#machinery/web/forms/optional-field.ts'
import { may } from '#product/administration/users/roles.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import type { Terms } from '#product/programme/decisions/sending-schemas.ts'

/** Says that the settings of the address are meant, and not those that a chair begins with. */
const SHOWN = 'shown'

/** What a chair has chosen, or why that cannot be sent. */
export interface Settings {
  terms: Terms
  /** An instant in milliseconds. Null sends at once. */
  at: number | null
  state: FormState
  isWrong: boolean
}

/** Codes make tickets cheaper, so that only those give them who may change tickets. */
function fieldsFor({ member }: EventRequest, types: readonly TypeDetails[]) {
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  const common = {
    confirm_by: timeField({
      label: texts => texts.decisionSending.confirm_by,
      help: texts => texts.decisionSending.confirm_byHelp,
    }),
    comments: tickField({
      label: texts => texts.decisionSending.comments,
      help: texts => texts.decisionSending.commentsHelp,
    }),
    presenters: tickField({
      label: texts => texts.decisionSending.presenters,
      help: texts => texts.decisionSending.presentersHelp,
    }),
    at: timeField({ label: texts => texts.decisionSending.at, help: texts => texts.decisionSending.atHelp }),
  }
  const ofCode = {
    code: tickField({
      label: texts => texts.decisionSending.code,
      help: texts => texts.decisionSending.codeHelp,
    }),
    percent: optional(
      numberField(1, 100, {
        label: texts => texts.decisionSending.percent,
        help: texts => texts.decisionSending.percentHelp,
      }),
    ),
    types: choicesField(
      choices.map(({ value }) => value),
      () => choices,
      { label: texts => texts.decisionSending.types, help: texts => texts.decisionSending.typesHelp },
    ),
    until: timeField({ label: texts => texts.decisionSending.until }),
  }
  return may(member.role, 'events.edit') ? { ...common, ...ofCode } : { ...common, ...({} as typeof ofCode) }
}

/** Reads what a chair has chosen from the address, so that the page can be left and come back to. */
export function readSettings(request: EventRequest, types: readonly TypeDetails[], now: number): Settings {
  const { event, query } = request
  const fields = fieldsFor(request, types)
  const initial = { comments: true, presenters: true }
  const none: Terms = { ...initial, confirm_by: null, code: null }
  if (!query.has(SHOWN))
    return { terms: none, at: null, state: newForm(fields, event, initial), isWrong: false }
  const sent = readForm(fields, query)
  const parsed = parseForm(fields, event, sent)
  const faults = 'faults' in parsed ? parsed.faults : new Map<string, FieldFault>()
  const values = 'faults' in parsed ? parsed.sound : parsed.values
  const { at = null, confirm_by = null, until = null, percent = null, types: ids = [] } = values
  const sentAt = at ?? now
  if (at !== null && at <= now) faults.set('at', { say: texts => texts.decisionSending.past })
  if (confirm_by !== null && confirm_by <= sentAt)
    faults.set('confirm_by', { say: texts => texts.decisionSending.early })
  if (until !== null && until <= sentAt) faults.set('until', { say: texts => texts.decisionSending.early })
  const registration_type_ids = ids.length === 0 ? null : [...ids]
  return {
    terms: {
      ...{ confirm_by, comments: values.comments === true, presenters: values.presenters === true },
      code: values.code === true ? { percent, registration_type_ids, valid_until: until } : null,
    },
    at,
    state: refusedForm(fields, event, sent, { faults }),
    isWrong: faults.size > 0,
  }
}

/** Asks what authors are told. It changes nothing: its address shows the mails. */
export function SettingsForm({ settings, request }: { settings: Settings; request: EventRequest }) {
  const { event, voice } = request
  const { texts } = voice
  const { decisionSending: labels } = texts
  const { state } = settings
  const shown = { state, texts }
  const ofCode = ['code', 'percent', 'types', 'until'].filter(name => name in state.fields)
  return (
    <form method="get" action={paths.sendDecisions(event.id)} class="card form" novalidate>
      <h2>{labels.settings}</h2>
      <input type="hidden" name={SHOWN} value="1" />
      <FieldRows {...shown} names={['confirm_by', 'comments', 'presenters', 'at']} />
      {ofCode.length > 0 && <FieldGroup {...shown} legend={labels.codes} names={ofCode} />}
      <div class="end-bar">
        <button type="submit" class="button">
          {labels.show}
        </button>
      </div>
    </form>
  )
}
